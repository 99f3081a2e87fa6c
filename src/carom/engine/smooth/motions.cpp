#include "carom/engine/smooth/motions.h"

#include "carom/contact/contact_point.h"
#include "carom/engine/level_crossing.h"

namespace carom::smooth {

BodyState Motions::state_of(BodyIndex body, double time) const {
  if (groups.of(body) == kNone) return paths.state(body);
  const Group& group = groups[groups.of(body)];
  if (!group.integrated) return paths.flight_state(body, time);
  if (time <= group.start) return paths.state(body);
  const SlotIndex slot = group.slot_of(body);
  interpolated_.resize(group.stepper->y().size());
  group.write_body(paths, slot, time, interpolated_.data());
  return group.dynamics.layout().body_state(slot, time, interpolated_.data());
}

State Motions::state_at(double time) const {
  State state;
  state.time = time;
  state.joint_loads.resize(model().joints.size());
  state.bodies = paths.states();
  for (const GroupIndex index : groups.indices()) {
    const Group& group = groups[index];
    if (group.alive && group.integrated && group.dynamics.has_joints()) {
      group.state_within(paths, time, interpolated_);
      GroupDynamics(group.dynamics).write_joint_loads(time, interpolated_.data(), state.joint_loads);
    }
    if (!group.alive || time <= group.start) continue;  // known: where its stretch began
    const auto& bodies = group.dynamics.bodies;
    if (!group.integrated) {
      state.bodies[bodies[0]] = paths.flight_state(bodies[0], time);
      continue;
    }
    group.state_within(paths, time, interpolated_);
    for (const SlotIndex slot : bodies.indices())
      state.bodies[bodies[slot]] = group.dynamics.layout().body_state(slot, time, interpolated_.data());
  }
  if (!environment_->has_joints()) return state;
  const JointKinematics& kinematics = environment_->kinematics();
  for (const JointIndex joint : model().joints.indices())
    state.turns.push_back(
        kinematics.turns(joint, kinematics.states(
                                    joint, time, [&](BodyIndex body) -> const BodyState& { return state.bodies[body]; },
                                    [&](JointIndex other) -> const JointTurns& { return paths.turns()[other]; })));
  return state;
}

// ------------------------------------------------------------------------------------------------- for scripts

double Motions::ask(LevelQuestion question, const Level& level, double time,
                    const std::function<BodyState(BodyIndex)>& state_of) const {
  Indexed<BodyIndex, BodyState> states(model().bodies.size());
  for (const BodyIndex body : bodies_of(model(), level)) states[body] = state_of(body);
  StateView view;
  view.time = time;
  view.state_of = [&](BodyIndex body) -> const BodyState& { return states[body]; };
  view.turns_of = [&](JointIndex joint) -> const JointTurns& { return paths.turns()[joint]; };
  return question(level, environment_->kinematics(), view);
}

double Motions::level_at(const Level& level, double time) const {
  return ask(&value_of, level, time, [&](BodyIndex body) { return state_of(body, time); });
}

double Motions::level_roundoff(const Level& level, double time) const {
  return ask(&roundoff_of, level, time, [&](BodyIndex body) { return state_of(body, time); });
}

double Motions::exact_level_at(const Level& level, double time) const {
  return ask(&value_of, level, time, [&](BodyIndex body) {
    const GroupIndex index = groups.of(body);
    if (index == kNone || !groups[index].integrated || time <= groups[index].start || groups[index].asleep)
      return state_of(body, time);
    const Group& group = groups[index];
    group.stepped_state(time, interpolated_);
    return group.dynamics.layout().body_state(group.slot_of(body), time, interpolated_.data());
  });
}

contact::GapSample Motions::distance_at(ObjectIndex a, ObjectIndex b, double time) const {
  const auto state_of_object = [&](ObjectIndex object) {
    if (is_body(object)) return state_of(BodyIndex(object.slot()), time);
    const ObstacleState fixed = environment_->obstacle(object, time);
    return BodyState{fixed.place.position, fixed.place.orientation, fixed.velocity, fixed.angular_velocity};
  };
  const BodyState first = state_of_object(a), second = state_of_object(b);
  const Proximity near = proximity(model().parts(a), first.pose(), model().parts(b), second.pose());
  return {near.distance, near.normal.dot(contact::point_velocity(first, near.point_a) -
                                         contact::point_velocity(second, near.point_b))};
}

GroupDynamics::Gap Motions::gap_at(const Group& group, const Contact& contact, double time) const {
  group.interpolate_bodies(paths, contact, time, interpolated_);
  return group.dynamics.gap(contact, time, interpolated_.data());
}

}  // namespace carom::smooth
