#include "carom/engine/smooth/group.h"

#include <algorithm>

#include "carom/base/prefetch.h"

namespace carom::smooth {

namespace {

/// Of larger groups the memory is not asked for ahead: there is too much of it.
constexpr std::size_t kFewContacts = 4;

/// Hermite's cubic through values and slopes at both ends of a step, at one time within it.
class StepCubic {
 public:
  StepCubic(const Stepper& stepper, double time) : stepper_(stepper) {
    const double h = stepper.trial_time() - stepper.time();
    const double tau = time - stepper.time();
    if (!(h > 0.0) || tau <= 0.0) return;
    const double s = tau / h;
    first_ = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s);
    last_ = s * s * (3.0 - 2.0 * s);
    first_slope_ = h * s * (1.0 - s) * (1.0 - s);
    last_slope_ = h * s * s * (s - 1.0);
    at_start_ = false;
  }

  /// Whether the time is that at which the step begins.
  [[nodiscard]] bool at_start() const { return at_start_; }
  /// Writes the values from `from` up to `to` of the state at their places in `state`.
  void write(std::size_t from, std::size_t to, double* state) const {
    const double* const y = stepper_.y().data();
    if (at_start_) {
      std::copy(y + from, y + to, state + from);
      return;
    }
    const double* const last = stepper_.trial_y().data();
    const double* const slope = stepper_.slope().data();
    const double* const last_slope = stepper_.trial_slope().data();
    for (std::size_t i = from; i < to; ++i)
      state[i] = first_ * y[i] + last_ * last[i] + first_slope_ * slope[i] + last_slope_ * last_slope[i];
  }

 private:
  const Stepper& stepper_;
  double first_ = 1.0, last_ = 0.0, first_slope_ = 0.0, last_slope_ = 0.0;
  bool at_start_ = true;
};

}  // namespace

Group::Group(const Group& other)
    : version(other.version),
      start(other.start),
      end(other.end),
      integrated(other.integrated),
      alive(other.alive),
      asleep(other.asleep),
      dynamics(other.dynamics),
      stepper(other.stepper ? other.stepper->clone(dynamics) : nullptr),
      at_end(other.at_end),
      next_step(other.next_step),
      steps_since_scale(other.steps_since_scale),
      slow_since(other.slow_since),
      scale(other.scale),
      tolerances(other.tolerances),
      y(other.y) {}

void Group::prefetch() const {
  if (!integrated || dynamics.contacts.size() > kFewContacts) return;
  dynamics.prefetch();
  stepper->prefetch();
  prefetch_elements(tolerances);
}

void Group::interpolate(const Paths& paths, double time, std::vector<double>& state) const {
  const std::size_t size = stepper->y().size();
  state.resize(size);
  const StepCubic cubic(*stepper, time);
  cubic.write(0, size, state.data());
  if (cubic.at_start()) return;
  for (const SlotIndex slot : dynamics.bodies.indices()) write_on_track(paths, slot, time, state.data());
}

void Group::state_within(const Paths& paths, double time, std::vector<double>& state) const {
  const bool exactly = dynamics.has_joints() || time == paths.exact_at() || stepper->passed_over();
  if (!exactly || asleep || !(time > stepper->time())) {
    interpolate(paths, time, state);
    return;
  }
  stepped_state(time, state);
}

void Group::stepped_state(double time, std::vector<double>& state) const {
  if (sample_.version != version || sample_.time != time) {
    GroupDynamics own = dynamics;
    const std::unique_ptr<Stepper> copy = stepper->clone(own);
    if (time != copy->trial_time()) copy->attempt(time - copy->time());
    sample_ = {version, time, {copy->trial_y().begin(), copy->trial_y().end()}};
    if (own.keeps_places()) (void)own.project(time, sample_.state.data());
  }
  state = sample_.state;
}

/// The position and velocity of a body are those of its track.
void Group::write_on_track(const Paths& paths, SlotIndex slot, double time, double* state) const {
  const Track& on = paths.track(dynamics.bodies[slot]);
  put(on.position(time - on.start), state + dynamics.layout().position(slot));
  put(on.velocity(time - on.start), state + dynamics.layout().velocity(slot));
}

void Group::interpolate_bodies(const Paths& paths, const Contact& contact, double time,
                               std::vector<double>& state) const {
  state.resize(stepper->y().size());
  write_body(paths, contact.slot_a, time, state.data());
  if (contact.slot_b != kNone) write_body(paths, contact.slot_b, time, state.data());
}

void Group::write_body(const Paths& paths, SlotIndex slot, double time, double* state) const {
  const StepCubic cubic(*stepper, time);
  const GroupLayout& layout = dynamics.layout();
  if (cubic.at_start()) {
    for (const int at : {layout.position(slot), layout.velocity(slot)})
      cubic.write(static_cast<std::size_t>(at), static_cast<std::size_t>(at) + 3, state);
  } else {
    write_on_track(paths, slot, time, state);
  }
  const GroupLayout::Slot& of = layout.slots()[slot];
  if (of.spins()) cubic.write(static_cast<std::size_t>(of.rest), static_cast<std::size_t>(of.rest) + 7, state);
}

double Group::turning(SlotIndex slot) const {
  const GroupLayout::Slot& of = dynamics.layout().slots()[slot];
  const double h = stepper->trial_time() - stepper->time();
  if (!of.spins()) return h * of.spin.norm();
  const Vector3d first = vector_at(stepper->y().data() + of.rest + 4);
  const Vector3d last = vector_at(stepper->trial_y().data() + of.rest + 4);
  // On the cubic through both ends the spin is beyond them by no more than a quarter of what their slopes add.
  const double slopes = vector_at(stepper->slope().data() + of.rest + 4).norm() +
                        vector_at(stepper->trial_slope().data() + of.rest + 4).norm();
  return h * (std::max(first.norm(), last.norm()) + 0.25 * h * slopes);
}

SlotIndex Group::slot_of(ObjectIndex body) const {
  const auto& bodies = dynamics.bodies;
  const auto found = std::lower_bound(bodies.begin(), bodies.end(), static_cast<int>(body));
  const bool known = found != bodies.end() && *found == static_cast<int>(body);
  return known ? SlotIndex(static_cast<int>(found - bodies.begin())) : SlotIndex(kNone);
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
