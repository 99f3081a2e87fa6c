/// Two balls: d = |c_a − c_b| − r_a − r_b, n along the line of centres.

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const Sphere& sphere, const Eigen::Vector3d& from) {
  const double radius = length(from);
  const Eigen::Vector3d normal = radius > 0.0 ? Eigen::Vector3d(from / radius) : Eigen::Vector3d::UnitX();
  return {radius - sphere.radius, normal, sphere.radius * normal};
}

// The orientations play no part: b's frame is taken as the world's.
Proximity sphere_sphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b) {
  const NearestPoint nearest = nearest_point(b, pose_a.position - pose_b.position);
  return {.distance = nearest.distance - a.radius,
          .normal = nearest.normal,
          .point_a = pose_a.position - a.radius * nearest.normal,
          .point_b = pose_b.position + nearest.point};
}

}  // namespace carom
