#include "carom/engine/event/settling.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/accumulation.h"
#include "carom/engine/event/disc_contacts.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/rest.h"

namespace carom::event {

namespace {

double free_acceleration(const World& world, const ContactPoint& contact) {
  return std::max(world.object(contact.a).free_acceleration.norm(), world.object(contact.b).free_acceleration.norm());
}

/// Whether both move as crowds, or one does so on an obstacle.
bool is_in_crowd(const World& world, const ContactPoint& contact) {
  const auto crowded = [&](ObjectIndex object) { return !world.is_body(object) || world.object(object).crowded; };
  return crowded(contact.a) && crowded(contact.b);
}

}  // namespace

/// Bounces of a body that rattles, and loses nothing in them, are none where they stay within what counts as closed;
/// with friction, where they stay within what steps of crowds let bodies overlap. (A ball alone on an obstacle soon
/// rolls and loses nothing to friction either.)
double Settling::elastic_speed_of(const Instant& at, const ContactPoint& contact) const {
  if (speed_ && *speed_ == 0.0) return 0.0;
  const Object& a = at.world.object(contact.a);
  const Object& b = at.world.object(contact.b);
  if (!a.rattles && !b.rattles) return 0.0;
  const double tolerance = at.closed.tolerance();
  const bool ball_alone = at.closed.bodies().size() == 1 && at.world.object(contact.a).round;
  const bool loses = contact.rule.resists_slip() && !ball_alone;
  const double height = loses ? std::max(tolerance, kCrowdDepth) : tolerance;
  return contact::rest_rate(free_acceleration(at.world, contact), height * std::min(a.size, b.size));
}

double Settling::speed_of(const Instant& at, const ContactPoint& contact) const {
  if (contact.rule.restitution.at_rest() >= 1.0) return elastic_speed_of(at, contact);
  const bool alone = at.closed.bodies().size() < 2 && !at.world.object(contact.a).crowded;
  if (alone || at.closed.contacts().size() < 2) return 0.0;
  if (speed_) return *speed_;
  const double size = std::min(at.world.object(contact.a).size, at.world.object(contact.b).size);
  return kFraction * std::sqrt(free_acceleration(at.world, contact) * size);
}

double Settling::speed_of(const Instant& at, const ContactPoint& contact, double pressing) const {
  const double most = free_acceleration(at.world, contact);
  if (!(most > 0.0 && pressing > 0.0)) return 0.0;
  return speed_of(at, contact) * std::min(1.0, std::sqrt(pressing / most));
}

double Settling::leaving_speed_of(const Instant& at, const ContactPoint& contact) const {
  const double speed = speed_of(at, contact);
  return speed > 0.0 && rocking_speed(at.world, contact) > speed ? 0.0 : speed;
}

double Settling::leaving_speed_of(const Instant& at, const ContactPoint& contact, double pressing) const {
  return leaving_speed_of(at, contact) > 0.0 ? speed_of(at, contact, pressing) : 0.0;
}

bool Settling::is_left_to_steps(const Instant& at, const ContactPoint& contact) const {
  return is_in_crowd(at.world, contact) && -at.world.rate_of(contact) < speed_of(at, contact);
}

bool Settling::is_due(const Instant& at) {
  const std::vector<ContactPoint>& contacts = at.closed.contacts();
  if (contacts.size() < 2) return false;
  const double threshold = at.closed.approach_threshold();
  bool slow = false;
  for (const ContactPoint& contact : contacts) {
    if (contact.rule.restitution.at_rest() >= 1.0) continue;
    const double approach = -at.world.rate_of(contact), speed = speed_of(at, contact);
    if (approach > speed) return false;
    slow = slow || (approach > threshold && approach <= speed);
  }
  if (!slow) return false;
  Island cluster;
  cluster.bodies = at.closed.bodies();
  for (const BodyIndex body : cluster.bodies) {
    const Object& o = at.world.object(body);
    cluster.constraints.insert(cluster.constraints.end(), o.constraints.begin(), o.constraints.end());
  }
  take_joints(at.world, cluster);
  for (const ContactPoint& contact : contacts) cluster.contacts.push_back({.contact = contact});
  write_state(at.world, cluster);
  // Whether forces press is seen from a stand; what curved paths add is not theirs.
  stop_bodies(cluster.state.data(), cluster.bodies.size());
  const AccelerationStatus status = at.dynamics.solve_unilateral(cluster, at.world.time(), cluster.state.data());
  if (status != AccelerationStatus::solved) return false;
  const ContactDynamics& answer = at.dynamics.answer();
  settles_.assign(contacts.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    if (answer.opens(index) || contacts[i].rule.restitution.at_rest() >= 1.0) continue;
    const double approach = -at.world.rate_of(contacts[i]);
    const double pressing = answer.normal_force()[i] * at.dynamics.inertance(index);
    settles_[i] = approach <= speed_of(at, contacts[i], pressing) || approach <= threshold;
    any = any || (settles_[i] && approach > threshold);
  }
  return any;
}

}  // namespace carom::event
