#include "carom/engine/smooth/group.h"

#include <algorithm>

namespace carom::smooth {

Group::Group(const Group& other)
    : dynamics(other.dynamics),
      stepper(other.stepper ? other.stepper->clone(dynamics) : nullptr),
      integrated(other.integrated),
      alive(other.alive),
      version(other.version),
      start(other.start),
      end(other.end),
      at_end(other.at_end),
      next_step(other.next_step),
      steps_since_scale(other.steps_since_scale),
      scale(other.scale),
      tolerances(other.tolerances),
      y(other.y) {}

void Group::interpolate(const Paths& paths, double time, std::vector<double>& state) const {
  const std::size_t size = stepper->y().size();
  state.resize(size);
  const double h = stepper->trial_time() - stepper->time();
  const double tau = time - stepper->time();
  if (!(h > 0.0) || tau <= 0.0) {
    std::copy(stepper->y().begin(), stepper->y().end(), state.begin());
    return;
  }
  const double s = tau / h;
  const double a0 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), a1 = s * s * (3.0 - 2.0 * s);
  const double b0 = h * s * (1.0 - s) * (1.0 - s), b1 = h * s * s * (s - 1.0);
  const double* const first = stepper->y().data();
  const double* const last = stepper->trial_y().data();
  const double* const slope = stepper->slope().data();
  const double* const last_slope = stepper->trial_slope().data();
  for (std::size_t i = 0; i < size; ++i) state[i] = a0 * first[i] + a1 * last[i] + b0 * slope[i] + b1 * last_slope[i];
  for (const SlotIndex slot : dynamics.bodies.indices()) {
    const Track& on = paths.track(dynamics.bodies[slot]);
    put(on.position(time - on.start), state.data() + dynamics.layout().position(slot));
    put(on.velocity(time - on.start), state.data() + dynamics.layout().velocity(slot));
  }
}

SlotIndex Group::slot_of(ObjectIndex body) const {
  const auto& bodies = dynamics.bodies;
  const auto found = std::find(bodies.begin(), bodies.end(), static_cast<int>(body));
  return found == bodies.end() ? SlotIndex(kNone) : SlotIndex(static_cast<int>(found - bodies.begin()));
}

bool Group::has_contact(ObjectIndex a, ObjectIndex b, FeatureCode feature) const {
  return std::any_of(dynamics.contacts.begin(), dynamics.contacts.end(), [&](const Contact& contact) {
    return contact.geometry.a == a && contact.geometry.b == b && contact.geometry.feature == feature;
  });
}

bool Group::parts_touch(ObjectIndex a, ObjectIndex b, FeatureCode feature) const {
  return std::any_of(dynamics.contacts.begin(), dynamics.contacts.end(),
                     [&](const Contact& contact) { return contact.geometry.is_of_parts(a, b, feature); });
}

}  // namespace carom::smooth
