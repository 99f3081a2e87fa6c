/// A ball and a solid cylinder: the circle in the plane, extruded along z.

#include <cmath>

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const Cylinder& cylinder, const Eigen::Vector3d& from) {
  const double radius = std::hypot(from.x(), from.y());
  const Eigen::Vector2d outwards =
      radius > 0.0 ? Eigen::Vector2d(from.x() / radius, from.y() / radius) : Eigen::Vector2d::UnitX();
  return extruded({radius - cylinder.radius, outwards, cylinder.radius * outwards}, from.z(), cylinder.half_length);
}

Proximity sphere_cylinder(const Sphere& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

}  // namespace carom
