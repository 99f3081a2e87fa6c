/// A ball and a triangular prism: the triangle in the plane, extruded along z. From inside the triangle the nearest
/// point is on the nearest of the three lines; from outside it is the nearest point of the three sides.

#include <cmath>
#include <limits>

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector2d;

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The side from `start` to `end`, with the triangle on its left.
struct Side {
  Vector2d start;
  Vector2d end;
  Vector2d along;  // unit
  double length;
  Vector2d outwards;  // unit
};

Side make_side(const Vector2d& start, const Vector2d& end) {
  const double length = (end - start).norm();
  const Vector2d along = (end - start) / length;
  return {start, end, along, length, {along.y(), -along.x()}};
}

/// Nearest point of the side to a point that is outside the triangle.
NearestInPlane from_outside(const Side& side, const Vector2d& from) {
  const Vector2d offset = from - side.start;
  const double s = side.along.dot(offset);
  if (s > 0.0 && s < side.length) {
    const double height = side.outwards.dot(offset);
    return {height, side.outwards, from - height * side.outwards};
  }
  const Vector2d& corner = s > 0.0 ? side.end : side.start;
  const double distance = std::hypot(from.x() - corner.x(), from.y() - corner.y());
  return {distance, distance > 0.0 ? Vector2d((from - corner) / distance) : side.outwards, corner};
}

NearestInPlane nearest_of_triangle(const std::array<Vector2d, 3>& v, const Vector2d& from) {
  const bool left_turning = cross(v[1] - v[0], v[2] - v[0]) > 0.0;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  NearestInPlane inside{-kNone, {}, {}};
  NearestInPlane outside{kNone, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector2d& first = v[i];
    const Vector2d& second = v[(i + 1) % 3];
    const Side side = left_turning ? make_side(first, second) : make_side(second, first);
    const double height = side.outwards.dot(from - side.start);
    if (height > inside.distance) inside = {height, side.outwards, from - height * side.outwards};
    if (height > 0.0) {
      const NearestInPlane candidate = from_outside(side, from);
      if (candidate.distance < outside.distance) outside = candidate;
    }
  }
  return inside.distance > 0.0 ? outside : inside;
}

}  // namespace

NearestPoint nearest_point(const Prism& prism, const Eigen::Vector3d& from) {
  return extruded(nearest_of_triangle(prism.vertices, from.head<2>()), from.z(), prism.half_length);
}

Proximity sphere_prism(const Sphere& a, const Pose& pose_a, const Prism& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

}  // namespace carom
