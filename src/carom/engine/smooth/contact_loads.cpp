/// What the contacts of a group do at one moment, for those who ask (mechanics/contact_load.h).

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/contact_forces.h"
#include "carom/engine/smooth/group_dynamics.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

namespace {

/// Turning slower than this part of √(g · size), at the size, is none.
constexpr double kNoTurning = 1e-6;
/// A contact rolls where its surfaces turn so many times faster than they creep.
constexpr double kRollsOverCreep = 10.0;
/// Friction of a spring this near to its limit, relative to that, has reached it.
constexpr double kSpringLimit = 1e-9;

}  // namespace

/// Regularised friction creeps where Coulomb's sticks: it slides where it slips faster than the speed that the law
/// regularises with.
SlipMode GroupDynamics::slip_mode(const Contact& contact, const ContactMotion& motion, const ContactLoad& load,
                                  const Vector3d& turning) const {
  if (!contact.has_friction || contact.friction.kind == FrictionKind::none) return SlipMode::smooth;
  const double slip = motion.slip.norm();
  const bool slides = contact.has_spring
                          ? load.friction.norm() >= (1.0 - kSpringLimit) * contact.friction.mu * load.force
                          : slip > contact.friction.speed;
  if (slides) return SlipMode::slide;
  const double size = environment_->smaller_size(contact.geometry.a, contact.geometry.b);
  const double turns = turning.norm() * size;
  const double least = kNoTurning * std::sqrt(environment_->body(contact.geometry.a).free_acceleration.norm() * size);
  return turns > std::max(least, kRollsOverCreep * slip) ? SlipMode::roll : SlipMode::stick;
}

void GroupDynamics::append_contact_loads(double time, const double* y, std::vector<ContactLoad>& loads) {
  scratch_.resize(static_cast<std::size_t>(size()));
  slope(time, y, scratch_.data());
  for (const Contact& contact : contacts) {
    const double* const rates = scratch_.data() + contact.extra;
    if (contact.is_limit() || !(rates[0] > 0.0)) continue;
    const ContactMotion motion = motion_of(contact, time, y);
    ContactLoad load{contact.geometry.a, contact.geometry.b, motion.touch.point, motion.touch.normal, rates[0]};
    if (contact.has_friction) load.friction = vector_at(rates + 3);
    const Vector3d spin_b = contact.slot_b == kNone ? obstacles_.at(contact.geometry.b, time).angular_velocity
                                                    : motions_[contact.slot_b].spin;
    const Vector3d turning = motions_[contact.slot_a].spin - spin_b;
    if (contact.has_friction && contact.has_resistance)
      load.couple = resisting_torque(contact.resistance, load.force, load.normal, turning);
    load.mode = slip_mode(contact, motion, load, turning);
    loads.push_back(load);
  }
}

std::vector<ContactLoad> Motions::contact_loads_at(double time) const {
  std::vector<ContactLoad> loads;
  for (const GroupIndex index : groups.indices()) {
    const Group& group = groups[index];
    if (!group.alive || !group.integrated || group.dynamics.contacts.empty()) continue;
    group.state_within(paths, time, interpolated_);
    GroupDynamics(group.dynamics).append_contact_loads(time, interpolated_.data(), loads);
  }
  return loads;
}

}  // namespace carom::smooth
