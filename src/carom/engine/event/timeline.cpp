#include "carom/engine/event/timeline.h"

#include <algorithm>

#include "carom/base/activity.h"

namespace carom::event {

using contact::Advance;
using contact::BodyPart;
using contact::Stretch;

namespace {

/// The queue is cleaned where it has more entries than this, and than so many for each object.
constexpr std::size_t kLongQueue = 4096;
constexpr std::size_t kLongPerObject = 64;

/// The flight of a body, begun anew now.
Flight flight_now(const World& world, BodyIndex body) {
  Flight flight = world.flight(body);
  const double tau = flight.since(world.time(), world.carry());
  flight.position = flight.position_after(tau);
  flight.velocity = flight.velocity_after(tau);
  return flight;
}

/// Whether the balls around two bodies do not meet from now on: `seen` is one of them now.
bool paths_diverge(const World& world, const Flight& seen, BodyIndex other) {
  const Flight& second = world.flight(other);
  if (!seen.exact || !second.exact || seen.acceleration != second.acceleration) return false;
  const double tau = second.since(world.time(), world.carry());
  const Vector3d x = seen.position - second.position_after(tau);
  const Vector3d v = seen.velocity - second.velocity_after(tau);
  const double reach = (seen.radius + second.radius) * (1.0 + 1e-9);  // round-off is left to the search itself
  const double c = x.squaredNorm() - reach * reach;
  const double closing = x.dot(v);
  return c > 0.0 && (closing >= 0.0 || closing * closing < v.squaredNorm() * c);
}

}  // namespace

// -------------------------------------------------------------------------------------------------- the queue

bool Timeline::valid(const UpcomingEvent& event, const Situation& at) {
  if (event.what == UpcomingEvent::What::report_rest) {
    const HeldContacts::Held& held = at.held.at(event.a);
    return held.alive && held.version == event.version_a;
  }
  return at.world.object(event.a).version == event.version_a && at.world.object(event.b).version == event.version_b;
}

const UpcomingEvent* Timeline::next(const Situation& at) {
  while (!queue_.empty() && !valid(queue_.top(), at)) queue_.pop();
  if (queue_.size() > kLongQueue && queue_.size() > kLongPerObject * at.world.object_count())
    queue_.clean([&](const UpcomingEvent& entry) { return valid(entry, at); });
  return queue_.empty() || queue_.top().time > end_ ? nullptr : &queue_.top();
}

UpcomingEvent Timeline::take() {
  const UpcomingEvent event = queue_.top();
  queue_.pop();
  return event;
}

void Timeline::add_step_end(const World& world, BodyIndex body, double time, double carry) {
  const std::uint32_t version = world.object(body).version;
  queue_.push({time, carry, UpcomingEvent::What::step_end, body, body, version, version});
}

void Timeline::add_report(const HeldContacts& held, HeldIndex index, double time) {
  const std::uint32_t version = held.at(index).version;
  queue_.push({time, 0.0, UpcomingEvent::What::report_rest, index, index, version, version});
}

void Timeline::schedule(const World& world, const Advance& found, BodyIndex a, ObjectIndex b, double horizon) {
  sampled_ = sampled_ || found.sampled;
  if (!found.hit && !(found.time < horizon)) return;
  queue_.push({found.time, found.carry, found.hit ? UpcomingEvent::What::contact : UpcomingEvent::What::search_on, a, b,
               world.object(a).version, world.object(b).version});
}

void Timeline::schedule_cell(const World& world, BodyIndex body) {
  if (world.grid().single()) return;
  const double exit = world.grid().exit_time(body, world.object(body).motion, world.time());
  const std::uint32_t version = world.object(body).version;
  if (exit < horizon(world, body)) queue_.push({exit, 0.0, UpcomingEvent::What::cell, body, body, version, version});
}

// ------------------------------------------------------------------------------------------------- the search

double Timeline::horizon(const World& world, BodyIndex body) const {
  return std::min(end_, world.object(body).motion.end);
}

/// The first contact of two objects is that of two of their parts.
Advance Timeline::search(const Situation& at, BodyIndex a, ObjectIndex b, double horizon) const {
  const World& world = at.world;
  Stretch stretch{world.time(), world.carry(), horizon, at.closed.velocity_noise(world, a, b)};
  Advance best{horizon, 0.0, false};
  const auto parts_a = static_cast<int>(world.object(a).parts.size());
  const auto parts_b = static_cast<int>(world.object(b).parts.size());
  for (int part_a = 0; part_a < parts_a; ++part_a) {
    for (int part_b = 0; part_b < parts_b; ++part_b) {
      stretch.horizon = best.time;
      const Advance found = search_parts(at, {a, part_a, b, part_b}, stretch);
      const bool sampled = best.sampled || found.sampled;
      if (found.hit || found.time < best.time) best = found;
      best.sampled = sampled;
    }
  }
  return best;
}

Advance Timeline::search_parts(const Situation& at, const HeldContacts::PartPair& pair, const Stretch& stretch) const {
  const World& world = at.world;
  const Mover& a = world.part(pair.a, pair.part_a);
  const Mover& b = world.part(pair.b, pair.part_b);
  if (!at.held.holds(world, pair)) return first_contact(World::pair(a, b), a, b, stretch);
  if (b.kind != ShapeKind::half_space) return {stretch.horizon, 0.0, false};
  return search_beside_held(at, pair, stretch);
}

/// Held by some of its pieces, a part may come down on the plane with others.
Advance Timeline::search_beside_held(const Situation& at, const HeldContacts::PartPair& pair,
                                     const Stretch& stretch) const {
  const Mover& part = at.world.part(pair.a, pair.part_a);
  const Mover& floor = at.world.part(pair.b, pair.part_b);
  Advance best{stretch.horizon, 0.0, false};
  using Hold = HeldContacts::PieceHold;
  for (BodyPart piece : at.world.object(pair.a).pieces[static_cast<std::size_t>(pair.part_a)]) {
    const Hold hold = at.held.hold_of(at.world, pair, piece);
    if (hold == Hold::on_point || hold == Hold::on_face) continue;
    if (hold == Hold::on_rim) {
      if (piece.half) continue;
      piece.side = BodyPart::Side::far;
    }
    const Advance found =
        first_contact_of_part(part, piece, floor, {stretch.time, stretch.carry, best.time, stretch.velocity_noise});
    if (found.hit || found.time < best.time) best = found;
  }
  return best;
}

double Timeline::predict_obstacles(const Situation& at, BodyIndex body, double horizon) {
  // The first contact with an obstacle bounds all other searches: obstacles do not change their motion.
  Advance first{horizon, 0.0, false};
  ObjectIndex partner;
  for (const ObjectIndex other : at.world.obstacles()) {
    if (!at.world.may_meet(body, other)) continue;
    const Advance found = search(at, body, other, first.time);
    if (found.hit || found.time < first.time) {
      first = found;
      partner = other;
    }
  }
  if (partner != kNone) schedule(at.world, first, body, partner, horizon);
  return first.hit ? first.time : horizon;
}

void Timeline::predict_pair(const Situation& at, BodyIndex a, BodyIndex b, double horizon) {
  Activity::tick();
  if (!at.world.may_meet(a, b)) return;
  const BodyIndex first = std::min<int>(a, b);
  const BodyIndex second = std::max<int>(a, b);
  const double until = std::min(horizon, at.world.object(b).motion.end);
  schedule(at.world, search(at, first, second, until), first, second, until);
}

void Timeline::predict(const Situation& at, BodyIndex body) {
  const double until = predict_obstacles(at, body, horizon(at.world, body));
  const Flight seen = flight_now(at.world, body);
  at.world.grid().neighbours(body, [&](BodyIndex other) {
    if (!paths_diverge(at.world, seen, other)) predict_pair(at, body, other, until);
  });
  schedule_cell(at.world, body);
}

void Timeline::search_on(const Situation& at, const UpcomingEvent& event) {
  if (at.world.is_body(event.b)) {
    predict_pair(at, event.a, event.b, horizon(at.world, event.a));
  } else {
    predict(at, event.a);
  }
}

void Timeline::cross_cell(const Situation& at, BodyIndex body) {
  World& world = at.world;
  const Motion& motion = world.object(body).motion;
  const contact::Cell left = world.grid().move(body, motion.position_after(motion.since(world.time(), world.carry())));
  const Flight seen = flight_now(world, body);
  world.grid().new_neighbours(body, left, [&](BodyIndex other) {
    if (!paths_diverge(world, seen, other)) predict_pair(at, body, other, horizon(world, body));
  });
  schedule_cell(world, body);
}

}  // namespace carom::event
