#include "carom/mechanics/script.h"

#include "carom/mechanics/joint_rows.h"

namespace carom {

std::vector<BodyIndex> bodies_of(const Model& model, const StateQuantity& quantity) {
  if (!quantity.is_of_joint()) return {quantity.body};
  std::vector<BodyIndex> bodies;
  for (const JointEnd& end : model.joints[quantity.joint].ends)
    if (end.body != kNone) bodies.push_back(end.body);
  return bodies;
}

double value_of(const StateQuantity& quantity, const JointKinematics& joints, const StateView& view) {
  if (quantity.is_of_joint()) {
    const JointStates states = joints.states(quantity.joint, view.time, view.state_of, view.turns_of);
    if (quantity.kind == StateQuantity::Kind::coordinate)
      return joints.coordinate(quantity.joint, quantity.component, states);
    return rate_of(joints.coordinate_row(quantity.joint, quantity.component, states), states);
  }
  const BodyState& state = view.state_of(quantity.body);
  if (quantity.kind == StateQuantity::Kind::position) return state.position[quantity.component];
  if (quantity.kind == StateQuantity::Kind::velocity) return state.velocity[quantity.component];
  return state.angular_velocity[quantity.component];
}

double value_of(const Level& level, const JointKinematics& joints, const StateView& view) {
  const double second = level.second ? value_of(*level.second, joints, view) : 0.0;
  return level.sign * (value_of(level.first, joints, view) - second - level.value);
}

}  // namespace carom
