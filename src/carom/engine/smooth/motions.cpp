#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

BodyState Motions::state_of(BodyIndex body, double time) const {
  if (!paths.in_play(body)) return paths.state(body);
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
  state.bodies = paths.states();
  for (const GroupIndex index : groups.indices()) {
    const Group& group = groups[index];
    if (!group.alive || time <= group.start) continue;  // known: where its stretch began
    const auto& bodies = group.dynamics.bodies;
    if (!group.integrated) {
      state.bodies[bodies[0]] = paths.flight_state(bodies[0], time);
      continue;
    }
    group.interpolate(paths, time, interpolated_);
    for (const SlotIndex slot : bodies.indices())
      state.bodies[bodies[slot]] = group.dynamics.layout().body_state(slot, time, interpolated_.data());
  }
  return state;
}

GroupDynamics::Gap Motions::gap_at(const Group& group, const Contact& contact, double time) const {
  group.interpolate_bodies(paths, contact, time, interpolated_);
  return group.dynamics.gap(contact, time, interpolated_.data());
}

}  // namespace carom::smooth
