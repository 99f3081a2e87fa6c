#pragma once
/// The point of a shape's surface that is nearest to a given point, in the shape's frame: all that a sphere needs to
/// know of its partner, since the distance of a ball from any set is that of its centre less its radius.
///
/// The signed distance is negative inside. The normal points out of the shape and is the gradient of the distance. All
/// are exact to round-off of the sizes involved; where several points are equally near, the choice is stated.

#include <cmath>

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

/// point_of_surface + distance · normal = the given point.
struct NearestPoint {
  double distance;
  Eigen::Vector3d normal;
  Eigen::Vector3d point;
};

/// From the centre: the normal is +x.
NearestPoint nearest_point(const Sphere& sphere, const Eigen::Vector3d& from);
NearestPoint nearest_point(const HalfSpace& half_space, const Eigen::Vector3d& from);
/// From inside, between equally near faces: the first axis, the positive side of it.
NearestPoint nearest_point(const Box& box, const Eigen::Vector3d& from);
/// From the axis: towards +x. From inside, as near to the side as to an end: the side; between the ends: +z.
NearestPoint nearest_point(const Cylinder& cylinder, const Eigen::Vector3d& from);
/// From inside, between equally near sides: the first in the order of the vertices, a side before an end, +z before −z.
NearestPoint nearest_point(const Prism& prism, const Eigen::Vector3d& from);
/// From a plane of symmetry inside, where both sides are equally near: the positive side.
NearestPoint nearest_point(const Ellipsoid& ellipsoid, const Eigen::Vector3d& from);
/// From the axis: the wall at +x. In the plate, as near to the wall as to a face: the wall; between the faces: +z.
NearestPoint nearest_point(const Bore& bore, const Eigen::Vector3d& from);
/// From the centre: the wall at +x.
NearestPoint nearest_point(const Shell& shell, const Eigen::Vector3d& from);

/// From the segment in the middle: towards +x.
NearestPoint nearest_point(const Capsule& capsule, const Eigen::Vector3d& from);
/// A point on the segment is at distance zero: its normal is +x.
NearestPoint nearest_point(const Rod& rod, const Eigen::Vector3d& from);

/// |v|, without overflow or underflow on the way.
inline double length(const Eigen::Vector3d& v) {
  const double square = v.squaredNorm();
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : v.stableNorm();
}

/// Nearest point of an outline in the plane, seen from a point of that plane.
struct NearestInPlane {
  double distance;
  Eigen::Vector2d normal;
  Eigen::Vector2d point;
};

/// Nearest point of the outline extruded to |z| ≤ half_length, from height z. Exact since the square of the distance
/// outside is the sum of both, and inside the nearest wall is of one of the two.
NearestPoint extruded(const NearestInPlane& in_plane, double z, double half_length);

/// The sphere as a, the shape at `at` as b.
template <class Other>
Proximity sphere_against(const Sphere& sphere, const Eigen::Vector3d& centre, const Other& other, const Pose& at) {
  const NearestPoint nearest = nearest_point(other, at.to_local(centre));
  const Eigen::Vector3d normal = at.orientation * nearest.normal;
  return {.distance = nearest.distance - sphere.radius,
          .normal = normal,
          .point_a = centre - sphere.radius * normal,
          .point_b = at.to_world(nearest.point)};
}

}  // namespace carom
