/// A ball over a plane: d = n·(c − p) − r.

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const HalfSpace& /*half_space*/, const Eigen::Vector3d& from) {
  return {from.z(), Eigen::Vector3d::UnitZ(), {from.x(), from.y(), 0.0}};
}

// In world coordinates: the point of the plane under the centre needs no turning there and back.
Proximity sphere_half_space(const Sphere& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b) {
  const Eigen::Vector3d normal = half_space_normal(pose_b);
  const double height = normal.dot(pose_a.position - pose_b.position);
  return {.distance = height - a.radius,
          .normal = normal,
          .point_a = pose_a.position - a.radius * normal,
          .point_b = pose_a.position - height * normal};
}

}  // namespace carom
