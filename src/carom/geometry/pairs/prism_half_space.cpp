/// A triangular prism over a plane: the lowest of its six vertices; where several are equally low, their middle.

#include <array>

#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

struct PrismAtPlane {
  Vector3d normal;                   // world
  std::array<Vector3d, 6> vertices;  // in the prism's frame
  std::array<double, 6> heights;     // over the plane
  double lowest;
};

PrismAtPlane stand(const Prism& prism, const Pose& pose, const Pose& plane) {
  PrismAtPlane result;
  result.normal = half_space_normal(plane);
  const Vector3d in_frame = pose.orientation.conjugate() * result.normal;
  const double height = result.normal.dot(pose.position - plane.position);
  for (std::size_t i = 0; i < 6; ++i) {
    const Eigen::Vector2d& corner = prism.vertices[i % 3];
    result.vertices[i] = {corner.x(), corner.y(), i < 3 ? prism.half_length : -prism.half_length};
    result.heights[i] = height + in_frame.dot(result.vertices[i]);
    if (i == 0 || result.heights[i] < result.lowest) result.lowest = result.heights[i];
  }
  return result;
}

}  // namespace

Proximity prism_half_space(const Prism& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b) {
  const PrismAtPlane standing = stand(a, pose_a, pose_b);
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    if (standing.heights[i] > standing.lowest) continue;
    sum += standing.vertices[i];
    ++count;
  }
  const Vector3d point = pose_a.to_world(sum / count);
  return {.distance = standing.lowest,
          .normal = standing.normal,
          .point_a = point,
          .point_b = point - standing.lowest * standing.normal};
}

TouchingPoints prism_half_space_touching(const Prism& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b,
                                         double tolerance) {
  const PrismAtPlane standing = stand(a, pose_a, pose_b);
  TouchingPoints points(standing.normal);
  for (std::size_t i = 0; i < 6; ++i) {
    if (standing.heights[i] - standing.lowest > tolerance) continue;
    const Vector3d point = pose_a.to_world(standing.vertices[i]);
    points.add(standing.heights[i], point, point - standing.heights[i] * standing.normal);
  }
  return points;
}

}  // namespace carom
