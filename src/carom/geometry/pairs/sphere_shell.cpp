/// A ball inside a hollow sphere: d = R − |c − p| − r, n towards the middle.

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const Shell& shell, const Eigen::Vector3d& from) {
  const NearestPoint ball = nearest_point(Sphere{shell.radius}, from);
  return {-ball.distance, -ball.normal, ball.point};
}

// The orientations play no part: b's frame is taken as the world's.
Proximity sphere_shell(const Sphere& a, const Pose& pose_a, const Shell& b, const Pose& pose_b) {
  const NearestPoint nearest = nearest_point(b, pose_a.position - pose_b.position);
  return {.distance = nearest.distance - a.radius,
          .normal = nearest.normal,
          .point_a = pose_a.position - a.radius * nearest.normal,
          .point_b = pose_b.position + nearest.point};
}

}  // namespace carom
