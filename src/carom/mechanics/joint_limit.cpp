#include "carom/mechanics/joint_limit.h"

namespace carom {

std::string_view limit_side_name(LimitSide side) {
  return side == LimitSide::lower ? "lower" : "upper";
}

std::vector<LimitIndex> limits_of(const Model& model, JointIndex joint) {
  std::vector<LimitIndex> limits;
  const Joint& held = model.joints[joint];
  for (int k = 0; k < coordinate_count(held.kind); ++k) {
    const JointRange& range = held.ranges[static_cast<std::size_t>(k)];
    if (std::isfinite(range.lower)) limits.push_back({joint, k, LimitSide::lower});
    if (std::isfinite(range.upper)) limits.push_back({joint, k, LimitSide::upper});
  }
  return limits;
}

double limit_arm(const JointKinematics& kinematics, const LimitIndex& limit) {
  const bool shift = is_shift(kinematics.model().joints[limit.joint].kind, limit.coordinate);
  return shift ? 1.0 : kinematics.size(limit.joint);
}

JointRow limit_row(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states) {
  const Joint& joint = kinematics.model().joints[limit.joint];
  const JointRange& range = joint.ranges[static_cast<std::size_t>(limit.coordinate)];
  const bool lower = limit.side == LimitSide::lower;
  const double scale = (lower ? 1.0 : -1.0) * limit_arm(kinematics, limit);
  JointRow row = kinematics.coordinate_row(limit.joint, limit.coordinate, states);
  for (RowSide& side : row.sides) side = {scale * side.linear, scale * side.angular};
  row.bias *= scale;
  row.residual =
      scale * (kinematics.coordinate(limit.joint, limit.coordinate, states) - (lower ? range.lower : range.upper));
  return row;
}

/// A turn has n·(ω_a − ω_b), n fixed in one of the two. A shift z_b·d has
///   |z̈·d| ≤ (α_b + ω_b²)|d|,   2|ż·ḋ| ≤ 2ω_b|ḋ|,   |d̈| ≤ what the two points can do.
double limit_acceleration_bound(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states,
                                const MotionBounds& first, const MotionBounds& second, double duration) {
  const Joint& joint = kinematics.model().joints[limit.joint];
  if (!is_shift(joint.kind, limit.coordinate)) {
    const double turning = std::max(first.spin, second.spin) * (first.spin + second.spin);
    return limit_arm(kinematics, limit) * (first.spin_rate + second.spin_rate + turning);
  }
  double acceleration = 0.0, speed = 0.0;
  Eigen::Vector3d apart = Eigen::Vector3d::Zero();
  for (const std::size_t k : {0u, 1u}) {
    const MotionBounds& bounds = k == 0 ? first : second;
    const BodyState& state = *states.sides[k];
    const double lever = joint.ends[k].body == kNone ? 0.0 : joint.ends[k].point.norm();
    acceleration += bounds.acceleration + (bounds.spin_rate + bounds.spin * bounds.spin) * lever;
    speed += bounds.speed + bounds.spin * lever;
    apart += (k == 0 ? 1.0 : -1.0) * state.pose().to_world(joint.ends[k].point);
  }
  const double farthest = apart.norm() + speed * duration;
  return acceleration + 2.0 * second.spin * speed + (second.spin_rate + second.spin * second.spin) * farthest;
}

}  // namespace carom
