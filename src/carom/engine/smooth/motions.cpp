#include "carom/engine/smooth/motions.h"

#include <algorithm>

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

std::vector<GroupIndex> Motions::integrated_groups() const {
  std::vector<GroupIndex> found;
  for (const BodyIndex body : paths.states().indices()) {
    const GroupIndex index = paths.flies(body) ? GroupIndex(kNone) : groups.of(body);
    if (index != kNone && groups[index].integrated && groups[index].dynamics.bodies[0] == body) found.push_back(index);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Most bodies of a gas fly: they are gone through as they stand in memory, without their groups.
State Motions::state_at(double time) const {
  State state;
  state.time = time;
  state.joint_loads.resize(model().joints.size());
  state.bodies.reserve(paths.states().size());
  for (const BodyIndex body : paths.states().indices()) {
    const bool on_its_way = paths.flies(body) && time > paths.track(body).start;
    state.bodies.push_back(on_its_way ? paths.flight_state(body, time) : paths.state(body));
  }
  for (const GroupIndex index : integrated_groups()) {
    const Group& group = groups[index];
    if (group.dynamics.has_joints()) {
      group.state_within(paths, time, interpolated_);
      GroupDynamics(group.dynamics).write_joint_loads(time, interpolated_.data(), state.joint_loads);
    }
    if (time <= group.start) continue;  // known: where its stretch began
    group.state_within(paths, time, interpolated_);
    const auto& bodies = group.dynamics.bodies;
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
