#include "carom/engine/smooth/group_scale.h"

#include <algorithm>
#include <cmath>

namespace carom::smooth {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Speeds at which a body covers less than this part of the size in a second, or in as long as the run has lasted, are
/// those of round-off, as a rule: of a mechanism in balance, for instance.
constexpr double kSlowest = 1e-3;

/// Penetration at which a contact has stopped two bodies that met with this speed.
double stopping_depth(const Contact& contact, double speed) {
  const double p = contact.normal.exponent;
  return std::pow(0.5 * (p + 1.0) * contact.reduced_mass * speed * speed / contact.normal.stiffness, 1.0 / (p + 1.0));
}

/// What is known of the bodies, whether they touch anything or not.
struct BodyScale {
  double smallest = kInfinite;  ///< size
  double heaviest = 0.0;
  double quickest = 0.0;  ///< speed, also of the surface, or that of a fall over its size
};

BodyScale scale_of_bodies(const GroupDynamics& group, double time, const double* y) {
  const Environment& environment = group.environment();
  const GroupLayout& layout = group.layout();
  BodyScale scale;
  for (const BodyIndex body : group.bodies) {
    const BodyInfo& info = environment.body(body);
    if (std::isfinite(info.size)) scale.smallest = std::min(scale.smallest, info.size);
    scale.heaviest = std::max(scale.heaviest, info.mass);
  }
  if (!std::isfinite(scale.smallest)) scale.smallest = 1.0;
  for (const SlotIndex slot : group.bodies.indices()) {
    const BodyInfo& info = environment.body(group.bodies[slot]);
    const GroupLayout::Slot& at = layout.slots()[slot];
    const double turning = at.spins() ? vector_at(y + at.rest + 4).norm() * scale.smallest : 0.0;
    scale.quickest = std::max({scale.quickest, vector_at(y + layout.velocity(slot)).norm(), turning,
                               std::sqrt(info.free_acceleration.norm() * scale.smallest)});
  }
  if (scale.quickest > 0.0) scale.quickest = std::max(scale.quickest, kSlowest * scale.smallest / std::max(1.0, time));
  return scale;
}

GroupScale scale_of_contacts(const GroupDynamics& group, double time, const double* y, const BodyScale& bodies) {
  GroupScale scale;
  double speed = 0.0, rest_depth = 0.0;
  int elastic = 0;
  for (const Contact& contact : group.contacts) {
    const ContactMotion motion = group.motion_of(contact, time, y);
    if (contact.held) {
      speed = std::max(speed, motion.slip.norm());
      continue;
    }
    ++elastic;
    const double pull = group.environment().body(contact.geometry.a).free_acceleration.norm();
    const double weight = pull > 0.0 ? contact.normal.static_depth(contact.reduced_mass * pull) : 0.0;
    const double depth = std::max(weight, motion.touch.depth);
    // A contact that presses could set its bodies off with the speed of the energy that it stores.
    speed = std::max({speed, std::abs(motion.rate), motion.slip.norm(), contact.approach,
                      std::sqrt(2.0 * contact.normal.stored(depth) / contact.reduced_mass)});
    rest_depth = std::max(rest_depth, depth);
  }
  if (speed == 0.0) speed = bodies.quickest > 0.0 ? bodies.quickest : bodies.smallest;
  scale.depth = bodies.smallest;
  for (const Contact& contact : group.contacts)
    if (!contact.held) scale.depth = std::min(scale.depth, std::max(stopping_depth(contact, speed), rest_depth));
  scale.speed = elastic == 0 ? bodies.quickest : speed;
  if (scale.speed == 0.0) scale.speed = bodies.smallest;
  if (elastic > 0) scale.contact_time = scale.depth / scale.speed;
  return scale;
}

}  // namespace

GroupScale measure_scale(const GroupDynamics& group, double time, const double* y, double rtol,
                         std::vector<double>& tolerances) {
  const BodyScale bodies = scale_of_bodies(group, time, y);
  const GroupScale scale = scale_of_contacts(group, time, y, bodies);
  const std::size_t positions = 3 * group.bodies.size();
  tolerances.assign(static_cast<std::size_t>(group.size()), kInfinite);
  for (std::size_t i = 0; i < positions; ++i) {
    tolerances[i] = rtol * scale.depth;
    tolerances[positions + i] = rtol * scale.speed;
  }
  if (!group.environment().options().locate_events) {
    // As a program for differential equations takes it that knows nothing of contacts: relative to the coordinates.
    constexpr double kAbsolute = 1e-3;
    for (std::size_t i = 0; i < 2 * positions; ++i) tolerances[i] = rtol * std::max(std::abs(y[i]), kAbsolute);
  }
  for (const GroupLayout::Slot& slot : group.layout().slots()) {
    if (!slot.spins()) continue;
    const double size = group.environment().body(slot.body).size;
    double* const rest = tolerances.data() + slot.rest;
    for (int k = 0; k < 4; ++k) rest[k] = rtol;
    for (int k = 4; k < 7; ++k) rest[k] = rtol * scale.speed / (std::isfinite(size) ? size : bodies.smallest);
  }
  const double energy = rtol * bodies.heaviest * scale.speed * scale.speed;
  for (const Contact& contact : group.contacts) {
    double* const extra = tolerances.data() + contact.extra;
    extra[1] = energy;
    if (contact.has_friction) extra[2] = energy;
    if (contact.has_spring)
      for (int k = 6; k < 9; ++k) extra[k] = rtol * scale.depth;
  }
  return scale;
}

}  // namespace carom::smooth
