/// A box over a plane. With B the normal in the box's frame the lowest point has the coordinates −sign(B_i) h_i (0
/// where B_i = 0: the middle of the edge or face), and turning sign i raises it by 2 |B_i| h_i.

#include <cmath>

#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

struct BoxAtPlane {
  Vector3d normal;    // world
  Vector3d in_frame;  // the same in the box's frame
  double distance;

  BoxAtPlane(const Box& box, const Pose& pose, const Pose& plane)
      : normal(half_space_normal(plane)),
        in_frame(pose.orientation.conjugate() * normal),
        distance(normal.dot(pose.position - plane.position) - in_frame.cwiseAbs().dot(box.half_sizes)) {}
};

}  // namespace

Proximity box_half_space(const Box& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b) {
  const BoxAtPlane standing(a, pose_a, pose_b);
  const Vector3d sign = standing.in_frame.array().sign();
  const Vector3d lowest = pose_a.to_world(-sign.cwiseProduct(a.half_sizes));
  return {.distance = standing.distance,
          .normal = standing.normal,
          .point_a = lowest,
          .point_b = lowest - standing.distance * standing.normal};
}

TouchingPoints box_half_space_touching(const Box& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b,
                                       double tolerance) {
  const BoxAtPlane standing(a, pose_a, pose_b);
  TouchingPoints points(standing.normal);
  for (unsigned turned = 0; turned < 8; ++turned) {
    Vector3d corner;
    double rise = 0.0;
    for (unsigned i = 0; i < 3; ++i) {
      const bool turn = ((turned >> i) & 1u) != 0;
      const double down = standing.in_frame[i] < 0.0 ? 1.0 : -1.0;
      corner[i] = (turn ? -down : down) * a.half_sizes[i];
      if (turn) rise += 2.0 * std::abs(standing.in_frame[i]) * a.half_sizes[i];
    }
    if (rise > tolerance) continue;
    const double distance = standing.distance + rise;
    const Vector3d point = pose_a.to_world(corner);
    points.add(distance, point, point - distance * standing.normal);
  }
  return points;
}

}  // namespace carom
