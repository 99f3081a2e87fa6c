/// A ball and a box. With e_i = |x_i| − h_i: outside the vector of positive e_i leads from the nearest point to x;
/// inside, the nearest face is that of the largest e_i.

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const Box& box, const Eigen::Vector3d& from) {
  const Eigen::Vector3d side = (from.array() < 0.0).select(-Eigen::Vector3d::Ones(), Eigen::Vector3d::Ones());
  const Eigen::Vector3d excess = from.cwiseAbs() - box.half_sizes;
  const Eigen::Vector3d outside = excess.cwiseMax(0.0);
  const double distance = length(outside);
  if (distance > 0.0) {
    return {distance, side.cwiseProduct(outside / distance), from.cwiseMax(-box.half_sizes).cwiseMin(box.half_sizes)};
  }
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (excess[i] > excess[axis]) axis = i;
  }
  NearestPoint result{excess[axis], Eigen::Vector3d::Zero(), from};
  result.normal[axis] = side[axis];
  result.point[axis] = side[axis] * box.half_sizes[axis];
  return result;
}

Proximity sphere_box(const Sphere& a, const Pose& pose_a, const Box& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

}  // namespace carom
