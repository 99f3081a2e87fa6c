/// An ellipsoid over a plane. With B the normal in the ellipsoid's frame and S = diag(semi_axes), the support function
/// is h = |S B|; the gap is d = n·(c − p) − h and the lowest point r = −S² B / h.

#include "carom/geometry/pairs/pairs.h"

namespace carom {

Proximity ellipsoid_half_space(const Ellipsoid& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b) {
  const Eigen::Vector3d normal = half_space_normal(pose_b);
  const Eigen::Vector3d scaled = a.semi_axes.cwiseProduct(pose_a.orientation.conjugate() * normal);
  const double support = scaled.norm();
  const double distance = normal.dot(pose_a.position - pose_b.position) - support;
  const Eigen::Vector3d lowest = pose_a.to_world(-a.semi_axes.cwiseProduct(scaled / support));
  return {.distance = distance, .normal = normal, .point_a = lowest, .point_b = lowest - distance * normal};
}

}  // namespace carom
