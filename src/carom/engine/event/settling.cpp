#include "carom/engine/event/settling.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/event/rest.h"

namespace carom::event {

double Settling::speed_of(const World& world, const ContactPoint& contact) const {
  if (speed_) return *speed_;
  const Object& a = world.object(contact.a);
  const Object& b = world.object(contact.b);
  const double acceleration = std::max(a.free_acceleration.norm(), b.free_acceleration.norm());
  return kFraction * std::sqrt(acceleration * std::min(a.size, b.size));
}

bool Settling::is_due(const Instant& at) {
  const std::vector<ContactPoint>& contacts = at.closed.contacts();
  if (contacts.size() < 2) return false;
  bool loses = false;
  for (const ContactPoint& contact : contacts) {
    const double rate = at.world.rate_of(contact);
    if (rate < 0.0 && -rate >= speed_of(at.world, contact)) return false;
    loses = loses || contact.rule.restitution.at_rest() < 1.0;
  }
  if (!loses) return false;
  Island cluster;
  cluster.bodies = at.closed.bodies();
  for (const BodyIndex body : cluster.bodies) {
    const Object& o = at.world.object(body);
    cluster.constraints.insert(cluster.constraints.end(), o.constraints.begin(), o.constraints.end());
  }
  for (const ContactPoint& contact : contacts) cluster.contacts.push_back({.contact = contact});
  write_state(at.world, cluster);
  const AccelerationStatus status = at.dynamics.solve_unilateral(cluster, at.world.time(), cluster.state.data());
  if (status != AccelerationStatus::solved) return false;
  const ContactDynamics& answer = at.dynamics.answer();
  settles_.assign(contacts.size(), 0);
  bool pressed = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    if (answer.opens(index) || contacts[i].rule.restitution.at_rest() >= 1.0) continue;
    settles_[i] = 1;
    pressed = pressed || answer.presses(index);
  }
  return pressed;
}

}  // namespace carom::event
