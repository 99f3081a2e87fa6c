#include "carom/engine/smooth/group_layout.h"

#include <algorithm>

namespace carom::smooth {

namespace {

/// Turned by the angle ωτ about ω.
Quaterniond turned(const Quaterniond& attitude, const Vector3d& spin, double tau) {
  const double speed = spin.norm();
  if (speed == 0.0 || tau == 0.0) return attitude;
  return Eigen::AngleAxisd(speed * tau, spin / speed) * attitude;
}

}  // namespace

void GroupLayout::begin(double time, const Indexed<SlotIndex, BodyIndex>& bodies,
                        const Indexed<BodyIndex, BodyState>& states, std::vector<Contact>& contacts) {
  slots_.assign(bodies.size(), {});
  count_ = bodies.end_index();
  int next = 6 * count_;
  for (const SlotIndex index : bodies.indices()) {
    const BodyState& state = states[bodies[index]];
    Slot& slot = slots_[index];
    slot.body = bodies[index];
    slot.began = time;
    slot.attitude = state.orientation;
    slot.spin = state.angular_velocity;
    if (environment_->body(slot.body).spins) {
      slot.rest = next;
      next += 7;
    }
  }
  const auto slot_of = [&bodies](ObjectIndex object) {
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), static_cast<int>(object));
    const bool known = found != bodies.end() && *found == static_cast<int>(object);
    return known ? SlotIndex(static_cast<int>(found - bodies.begin())) : SlotIndex(kNone);
  };
  for (Contact& contact : contacts) {
    contact.extra = next;
    next += contact.extras();
    contact.slot_a = slot_of(contact.geometry.a);
    contact.slot_b = slot_of(contact.geometry.b);
  }
  size_ = next + (environment_->others_work() ? work_count() : 0);
}

void GroupLayout::write(const Indexed<BodyIndex, BodyState>& states, const std::vector<Contact>& contacts,
                        std::vector<double>& y) const {
  y.assign(static_cast<std::size_t>(size_), 0.0);
  for (const SlotIndex index : slots_.indices()) {
    const Slot& slot = slots_[index];
    const BodyState& state = states[slot.body];
    put(state.position, y.data() + position(index));
    put(state.velocity, y.data() + velocity(index));
    if (!slot.spins()) continue;
    double* const rest = y.data() + slot.rest;
    rest[0] = state.orientation.w();
    put(state.orientation.vec(), rest + 1);
    put(state.angular_velocity, rest + 4);
  }
  for (const Contact& contact : contacts) {
    double* const extra = y.data() + contact.extra;
    extra[0] = contact.impulse;
    extra[1] = contact.damping_work;
    if (contact.has_friction) {
      extra[2] = contact.friction_work;
      put(contact.tangential_impulse, extra + 3);
    }
    if (contact.has_spring) put(contact.stretch, extra + 6);
  }
}

void GroupLayout::read_contacts(const double* y, std::vector<Contact>& contacts) const {
  for (Contact& contact : contacts) {
    const double* const extra = y + contact.extra;
    contact.impulse = extra[0];
    contact.damping_work = extra[1];
    if (contact.has_friction) {
      contact.friction_work = extra[2];
      contact.tangential_impulse = vector_at(extra + 3);
    }
    if (contact.has_spring) contact.stretch = vector_at(extra + 6);
  }
}

void GroupLayout::read(SlotIndex index, const double* y, BodyMotion& motion) const {
  const Slot& slot = slots_[index];
  motion.position = vector_at(y + position(index));
  motion.velocity = vector_at(y + velocity(index));
  if (!slot.spins()) {
    motion.spin = slot.spin;
    motion.attitude = slot.attitude;
  } else {
    motion.attitude = attitude_at(y + slot.rest).normalized();
    motion.spin = vector_at(y + slot.rest + 4);
  }
}

BodyState GroupLayout::body_state(SlotIndex index, double time, const double* y) const {
  BodyMotion motion;
  read(index, y, motion);
  const Slot& slot = slots_[index];
  if (!slot.spins()) motion.attitude = turned(slot.attitude, slot.spin, time - slot.began).normalized();
  return {motion.position, motion.attitude, motion.velocity, motion.spin};
}

}  // namespace carom::smooth
