/// What happens next to a body.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

bool EventEngine::Core::held(int a, int b) const {
  for (const int index : object(a).held_by) {
    const PersistentContact& persistent = persistent_[static_cast<std::size_t>(index)];
    if (persistent.contact.a == a && persistent.contact.b == b) return true;
    if (persistent.contact.a == b && persistent.contact.b == a) return true;
  }
  for (const int constraint : object(a).constraints) {
    const auto* rolling = std::get_if<RollingConstraint>(&model_.constraints[static_cast<std::size_t>(constraint)]);
    if (rolling != nullptr && bodies_ + rolling->plane == b) return true;
  }
  return false;
}

bool EventEngine::Core::holds_at(int a, int b, const Vector3d& point) const {
  for (const int index : object(a).held_by) {
    const ContactPoint& contact = persistent_[static_cast<std::size_t>(index)].contact;
    if (contact.a == a && contact.b == b && (contact.local_point - point).norm() < 1e-6 * object(a).size) return true;
  }
  return false;
}

EventEngine::Core::HeldEnd EventEngine::Core::held_end(int a, int b, double end) const {
  for (const int index : object(a).held_by) {
    const ContactPoint& contact = persistent_[static_cast<std::size_t>(index)].contact;
    if (contact.a != a || contact.b != b) continue;
    if (contact.feature == Feature::rim && contact.rim_end == end) return HeldEnd::rim;
    if (contact.feature == Feature::point_on_face && contact.local_point.z() * end > 0.0) return HeldEnd::face;
  }
  return HeldEnd::none;
}

/// What the velocities of two objects are known to: those of a cluster that has just been resolved and settled as far
/// as laws and contact forces are, all others to round-off.
double EventEngine::Core::still(int a, int b) const {
  const auto settled = [&](int index) { return !is_body(index) || in_cluster_[static_cast<std::size_t>(index)]; };
  return gathered_ == instant_ && settled(a) && settled(b) ? kApproach * speed_ : 0.0;
}

Advance EventEngine::Core::search(int a, int b, double horizon) const {
  const Object& first = object(a);
  const Object& second = object(b);
  const Stretch stretch{now_, now_carry_, horizon, still(a, b)};
  if (!held(a, b)) return first_contact(pair(a, b), first.mover, second.mover, stretch);
  Advance best{horizon, 0.0, false};
  if (second.mover.kind != ShapeKind::half_space) return best;
  // Held by some of its points, the body may come down with others.
  const auto consider = [&](const BodyPart& part) {
    const Advance found =
        first_contact_of_part(first.mover, part, second.mover, {now_, now_carry_, best.time, stretch.still});
    if (found.hit || found.time < best.time) best = found;
  };
  for (const Vector3d& vertex : first.vertices)
    if (!holds_at(a, b, vertex)) consider({vertex});
  if (const Cylinder* cylinder = std::get_if<Cylinder>(first.mover.shape)) {
    for (const double end : {-1.0, 1.0}) {
      const Vector3d centre(0.0, 0.0, end * cylinder->half_length);
      const HeldEnd hold = held_end(a, b, end);
      if (hold == HeldEnd::face) continue;
      consider({centre, cylinder->radius, hold == HeldEnd::rim ? BodyPart::Side::far : BodyPart::Side::near});
    }
  }
  return best;
}

/// Whether the balls around two bodies do not meet from now on: `seen` is one of them now.
bool EventEngine::Core::ways_part(const Flight& seen, int other) const {
  const Flight& second = flight_[static_cast<std::size_t>(other)];
  if (!seen.exact || !second.exact || seen.acceleration != second.acceleration) return false;
  const double tau = second.since(now_, now_carry_);
  const Vector3d x = seen.position - second.position_after(tau);
  const Vector3d v = seen.velocity - second.velocity_after(tau);
  const double reach = (seen.radius + second.radius) * (1.0 + 1e-9);  // round-off is left to the search itself
  const double c = x.squaredNorm() - reach * reach;
  const double closing = x.dot(v);
  return c > 0.0 && (closing >= 0.0 || closing * closing < v.squaredNorm() * c);
}

/// The flight of a body, begun anew now.
Flight EventEngine::Core::flight_now(int body) const {
  Flight flight = flight_[static_cast<std::size_t>(body)];
  const double tau = flight.since(now_, now_carry_);
  flight.position = flight.position_after(tau);
  flight.velocity = flight.velocity_after(tau);
  return flight;
}

void EventEngine::Core::schedule(const Advance& found, int a, int b, double horizon) {
  if (found.sampled) result_.guarantee = Guarantee::sampled;
  if (!found.hit && !(found.time < horizon)) return;
  const Upcoming kind = found.hit ? Upcoming::contact : Upcoming::look_again;
  queue_.push({found.time, found.carry, kind, a, b, object(a).version, object(b).version});
}

double EventEngine::Core::predict_obstacles(int body, double horizon) {
  // The first contact with an obstacle bounds all other searches: obstacles do not change their ways.
  Advance first{horizon, 0.0, false};
  int partner = kNone;
  for (int other = bodies_; other < static_cast<int>(objects_.size()); ++other) {
    const Advance found = search(body, other, first.time);
    if (found.hit || found.time < first.time) {
      first = found;
      partner = other;
    }
  }
  if (partner != kNone) schedule(first, body, partner, horizon);
  return first.hit ? first.time : horizon;
}

void EventEngine::Core::predict_pair(int a, int b, double horizon) {
  const int first = std::min(a, b);
  const int second = std::max(a, b);
  const double until = std::min(horizon, object(b).motion.end);
  schedule(search(first, second, until), first, second, until);
}

void EventEngine::Core::predict(int body) {
  if (over_) return;
  const double horizon = std::min(options_.duration, object(body).motion.end);
  const double until = predict_obstacles(body, horizon);
  const Flight seen = flight_now(body);
  grid_->neighbours(body, [&](int other) {
    if (!ways_part(seen, other)) predict_pair(body, other, until);
  });
  schedule_cell(body);
}

void EventEngine::Core::schedule_cell(int body) {
  if (grid_->single()) return;
  const double exit = grid_->exit_time(body, object(body).motion, now_);
  if (exit < std::min(options_.duration, object(body).motion.end))
    queue_.push({exit, 0.0, Upcoming::cell, body, body, object(body).version, object(body).version});
}

void EventEngine::Core::cross_cell(int body) {
  const Vector3d position = object(body).motion.position_after(object(body).motion.since(now_, now_carry_));
  const Cell left = grid_->move(body, position);
  const double horizon = std::min(options_.duration, object(body).motion.end);
  const Flight seen = flight_now(body);
  grid_->new_neighbours(body, left, [&](int other) {
    if (!ways_part(seen, other)) predict_pair(body, other, horizon);
  });
  schedule_cell(body);
}

}  // namespace carom
