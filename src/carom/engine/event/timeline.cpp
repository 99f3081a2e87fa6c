#include "carom/engine/event/timeline.h"

#include <algorithm>

#include "carom/base/activity.h"
#include "carom/contact/safe_step.h"
#include "carom/engine/event/limit_search.h"

namespace carom::event {

using contact::Advance;
using contact::BodyPart;
using contact::Stretch;

namespace {

/// The queue is cleaned where it has more entries than this, and than so many for each object.
constexpr std::size_t kLongQueue = 4096;
constexpr std::size_t kLongPerObject = 64;
/// How far searches go, relative to how long motions have lasted and to how far there is to go, at least.
constexpr double kAheadOfLast = 4.0;
constexpr double kLeastAhead = 1e-3;
/// What is nearer than this, relative to the sizes, is left to the search itself.
constexpr double kLeftToSearch = 1e-9;

/// How one ball moves against another: their centres from now on, and at what distance they touch.
struct BallPath {
  Vector3d apart, velocity, acceleration;
  double spread;  ///< of the acceleration
  double reach;
};

/// Whether two balls certainly do not meet for so long. Along the line of their centres now
/// |x + vτ + ½aτ²| ≥ n·(x + vτ + ½aτ²), and a straight path is known altogether.
bool stay_apart(const BallPath& path, double remaining) {
  const double reach = path.reach * (1.0 + kLeftToSearch);
  const double square = path.apart.squaredNorm() - reach * reach;
  if (!(square > 0.0)) return false;
  const double closing = path.apart.dot(path.velocity);
  if (path.spread == 0.0 && path.acceleration.isZero(0.0) &&
      (closing >= 0.0 || closing * closing < path.velocity.squaredNorm() * square))
    return true;
  const double distance = path.apart.norm();
  const double bend = 0.5 * (path.apart.dot(path.acceleration) / distance - path.spread);
  return contact::first_descent(distance - reach, closing / distance, bend) > remaining;
}

/// Whether the balls around two bodies do not meet before `until`: `seen` is one of them now.
bool stay_apart(World& world, const Flight& seen, BodyIndex other, double until) {
  const Flight second = world.flight_now(other);
  return stay_apart({seen.position - second.position, seen.velocity - second.velocity,
                     seen.acceleration - second.acceleration, seen.spread + second.spread, seen.radius + second.radius},
                    std::min(until, second.end) - world.time());
}

/// Whether the ball around a body stays off an obstacle until then; `seen` is the body now.
bool stays_off(const World& world, const Flight& seen, ObjectIndex obstacle, double until) {
  const Object& wall = world.object(obstacle);
  const Motion& motion = wall.motion;
  if (!motion.in_closed_form()) return false;
  const double tau = motion.since(world.time(), world.carry());
  const Vector3d apart = seen.position - motion.position_after(tau);
  const Vector3d velocity = seen.velocity - motion.velocity_after(tau);
  const Vector3d acceleration = seen.acceleration - motion.acceleration;
  const double remaining = until - world.time();
  if (wall.parts[0].kind != ShapeKind::half_space)
    return stay_apart({apart, velocity, acceleration, seen.spread, seen.radius + wall.size}, remaining);
  if (motion.max_spin > 0.0) return false;
  const Vector3d& n = wall.parts[0].normal;
  const double gap = n.dot(apart) - seen.radius * (1.0 + kLeftToSearch);
  return gap > 0.0 &&
         contact::first_descent(gap, n.dot(velocity), 0.5 * (n.dot(acceleration) - seen.spread)) > remaining;
}

}  // namespace

// -------------------------------------------------------------------------------------------------- the queue

bool Timeline::valid(const UpcomingEvent& event, const Situation& at) {
  if (event.what == UpcomingEvent::What::report_rest) {
    const HeldContacts::Held& held = at.held.at(event.a);
    return held.alive && held.version == event.version_a;
  }
  if (event.a == kNone) return true;  // at a time, whatever moves
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
  World& world = at.world;
  const bool in_ring = !is_solid(world.part(pair.a, pair.part_a).kind);  // what runs in a ring comes before the ring
  const Mover& a = in_ring ? world.part(pair.b, pair.part_b) : world.part(pair.a, pair.part_a);
  const Mover& b = in_ring ? world.part(pair.a, pair.part_a) : world.part(pair.b, pair.part_b);
  if (!at.held.holds(world, pair)) {
    const bool balls = a.kind == ShapeKind::sphere && b.kind == ShapeKind::sphere;
    contact::SeparatingDirection* const apart =
        balls || !is_solid(b.kind) ? nullptr : &world.apart(pair.a, pair.part_a, pair.b, pair.part_b);
    return first_contact(World::pair(a, b), a, b, stretch, apart);
  }
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

double Timeline::predict_obstacles(const Situation& at, BodyIndex body, const Flight& seen, double horizon) {
  // The first contact with an obstacle bounds all other searches: obstacles do not change their motion.
  Advance first{horizon, 0.0, false};
  ObjectIndex partner;
  const bool ball = at.world.object(body).round && seen.exact;  // whose search is as short
  for (const ObjectIndex other : at.world.obstacles()) {
    if (!at.world.may_meet(body, other)) continue;
    if (!ball && stays_off(at.world, seen, other, first.time)) continue;
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
  schedule(at.world, search(at, first, second, look_ahead(at.world, a, b, until)), first, second, until);
}

/// In a heap motions last for moments, and what is found far ahead comes to nothing: a search goes four times as far as
/// they have lasted, and on from there, twice as far each time, where they still hold. Balls in flight need no steps.
double Timeline::look_ahead(const World& world, BodyIndex a, BodyIndex b, double until) {
  const Flight &first = world.flight(a), &second = world.flight(b);
  const double lasted = std::min(first.lasted, second.lasted);
  if (!(lasted > 0.0) || (world.object(a).round && world.object(b).round)) return until;
  const double age = world.time() - std::max(first.start, second.start);
  const double ahead = std::max({kAheadOfLast * lasted, age, kLeastAhead * (until - world.time())});
  const double end = world.time() + ahead;
  return end > world.time() ? std::min(end, until) : until;
}

void Timeline::predict_body(const Situation& at, BodyIndex body) {
  const Flight seen = at.world.flight_now(body);
  const double until = predict_obstacles(at, body, seen, horizon(at.world, body));
  at.world.grid().neighbours(body, [&](BodyIndex other) {
    // Two bodies of one round are searched from the one that came first.
    if (predicted_[other.slot()] != round_ && !stay_apart(at.world, seen, other, until))
      predict_pair(at, body, other, until);
  });
  predicted_[body.slot()] = round_;
  predict_limits(at, body);
  schedule_cell(at.world, body);
}

/// The limits of joints whose first body this is. The gap of a limit along the motions of its two bodies has a bound on
/// its acceleration, so that none is missed.
void Timeline::predict_limits(const Situation& at, BodyIndex body) {
  World& world = at.world;
  for (const JointIndex joint : world.object(body).joints) {
    if (world.joints().bodies(joint)[0] != body) continue;
    for (const LimitIndex& limit : world.limits(joint)) {
      if (at.held.holds(body, limit)) continue;
      const LimitSearch search(world, limit, horizon(world, body), at.closed);
      if (const std::optional<double> time = search.first()) {
        const ObjectIndex other = search.second();
        queue_.push({*time, 0.0, UpcomingEvent::What::contact, body, other, world.object(body).version,
                     world.object(other).version});
      }
    }
  }
}

void Timeline::predict(const Situation& at, const Bodies& bodies) {
  ++round_;
  predicted_.resize(at.world.model().bodies.size(), 0);
  for (const BodyIndex body : bodies) predict_body(at, body);
  if (!at.world.progress().has_happened.empty() || !at.world.progress().is_on.empty()) predict_script(at, bodies);
}

void Timeline::search_on(const Situation& at, const UpcomingEvent& event) {
  if (at.world.is_body(event.b)) {
    predict_pair(at, event.a, event.b, horizon(at.world, event.a));
  } else {
    predict(at, {event.a});
  }
}

void Timeline::cross_cell(const Situation& at, BodyIndex body) {
  World& world = at.world;
  const Motion& motion = world.object(body).motion;
  const contact::Cell left = world.grid().move(body, motion.position_after(motion.since(world.time(), world.carry())));
  const Flight seen = world.flight_now(body);
  const double until = horizon(world, body);
  world.grid().new_neighbours(body, left, [&](BodyIndex other) {
    if (!stay_apart(world, seen, other, until)) predict_pair(at, body, other, until);
  });
  schedule_cell(world, body);
}

}  // namespace carom::event
