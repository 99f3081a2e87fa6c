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
/// How far searches go, at first: so many passages, or seconds where nothing moves.
constexpr double kPassages = 64.0;
constexpr double kWhereNothingMoves = 1.0;
/// How far they go between bodies in a heap, relative to how long motions have lasted and the run has, at least.
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

/// For how long two balls certainly do not meet. Along the line of their centres now
/// |x + vτ + ½aτ²| ≥ n·(x + vτ + ½aτ²), and a straight path is known altogether.
double time_apart(const BallPath& path) {
  const double reach = path.reach * (1.0 + kLeftToSearch);
  const double square = path.apart.squaredNorm() - reach * reach;
  if (!(square > 0.0)) return 0.0;
  const double closing = path.apart.dot(path.velocity);
  if (path.spread == 0.0 && path.acceleration.isZero(0.0) &&
      (closing >= 0.0 || closing * closing < path.velocity.squaredNorm() * square))
    return contact::kForever;
  const double distance = path.apart.norm();
  const double bend = 0.5 * (path.apart.dot(path.acceleration) / distance - path.spread);
  return contact::first_descent(distance - reach, closing / distance, bend);
}

/// Whether nothing happens in `remaining`, which may be for ever, where nothing does for so long.
bool covers(double quiet, double remaining) {
  return quiet > remaining || quiet == contact::kForever;
}

/// Whether the balls around two bodies do not meet before `until`: `seen` is one of them now.
bool stay_apart(World& world, const Flight& seen, BodyIndex other, double until) {
  const Flight second = world.flight_now(other);
  return covers(
      time_apart({seen.position - second.position, seen.velocity - second.velocity,
                  seen.acceleration - second.acceleration, seen.spread + second.spread, seen.radius + second.radius}),
      std::min(until, second.end) - world.time());
}

/// For how long the ball around a body stays off an obstacle; `seen` is the body now.
double time_off(const World& world, const Flight& seen, ObjectIndex obstacle) {
  const Object& wall = world.object(obstacle);
  const Motion& motion = wall.motion;
  if (!motion.in_closed_form()) return 0.0;
  const double tau = motion.since(world.time(), world.carry());
  const Vector3d apart = seen.position - motion.position_after(tau);
  const Vector3d velocity = seen.velocity - motion.velocity_after(tau);
  const Vector3d acceleration = seen.acceleration - motion.acceleration;
  if (wall.parts[0].kind != ShapeKind::half_space)
    return time_apart({apart, velocity, acceleration, seen.spread, seen.radius + wall.size});
  if (motion.max_spin > 0.0) return 0.0;
  const Vector3d& n = wall.parts[0].normal;
  const double gap = n.dot(apart) - seen.radius * (1.0 + kLeftToSearch);
  if (!(gap > 0.0)) return 0.0;
  return contact::first_descent(gap, n.dot(velocity), 0.5 * (n.dot(acceleration) - seen.spread));
}

/// The time in which an object moves by that length, at least.
double passage_of(World& world, ObjectIndex index, double length) {
  const Object& o = world.object(index);
  const BodyState& now = world.now(index);
  const double speed = now.velocity.norm() + now.angular_velocity.norm() * length +
                       std::sqrt((o.motion.acceleration.norm() + o.free_acceleration.norm()) * length);
  double passage = length / speed;
  if (o.motion.turning == contact::Turning::driven)
    passage = std::min(passage, world.model().obstacle(index).motion->quiet_window(world.time()));
  return passage;
}

/// Whether the search for the first contact of two objects is in closed form (time_of_impact.h).
bool is_closed(const Object& a, const Object& b) {
  if (!a.round || !a.motion.in_closed_form() || !b.motion.in_closed_form() || b.parts.size() != 1) return false;
  if (b.parts[0].kind == ShapeKind::half_space) return b.motion.max_spin == 0.0;
  return b.parts[0].kind == ShapeKind::sphere && b.parts[0].placement == nullptr &&
         a.motion.acceleration == b.motion.acceleration;
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

bool Timeline::stays_quiet(const Situation& at) {
  const UpcomingEvent* const first = next(at);
  if (first == nullptr) return true;
  using What = UpcomingEvent::What;
  if (queue_.has([&](const UpcomingEvent& event) {
        return event.what != What::search_on && event.time <= end_ && valid(event, at);
      }))
    return false;
  for (const BodyIndex body : at.world.bodies()) {
    for (const ObjectIndex other : at.world.obstacles()) {
      if (!at.world.may_meet(body, other) || !at.world.is_moving(other)) continue;
      const Advance found = search(at, body, other, end_);
      if (found.hit || found.time < end_) return false;
    }
  }
  return true;
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
  if (exit < world.object(body).motion.end)
    queue_.push({exit, 0.0, UpcomingEvent::What::cell, body, body, version, version});
}

// ------------------------------------------------------------------------------------------------- the search

double Timeline::ahead(double now, double passage) const {
  return std::max(std::isfinite(passage) ? kPassages * passage : kWhereNothingMoves, now - start_);
}

double Timeline::horizon(World& world, const Bodies& bodies) const {
  double passage = contact::kForever;
  for (const BodyIndex body : bodies) passage = std::min(passage, passage_of(world, body, world.object(body).size));
  return world.time() + ahead(world.time(), passage);
}

double Timeline::horizon(World& world, BodyIndex body, ObjectIndex obstacle) const {
  const Object& o = world.object(body);
  if (is_closed(o, world.object(obstacle))) return o.motion.end;
  const double passage = std::min(passage_of(world, body, o.size), passage_of(world, obstacle, o.size));
  return std::min(o.motion.end, world.time() + ahead(world.time(), passage));
}

/// In a heap motions last for moments, and what is found far ahead comes to nothing: a search goes four times as far as
/// they have lasted, and on from there, twice as far each time, where they still hold.
double Timeline::horizon(World& world, BodyIndex a, BodyIndex b, double until) const {
  const Object &first = world.object(a), &second = world.object(b);
  if (is_closed(first, second)) return until;
  const double now = world.time(), lasted = std::min(world.flight(a).lasted, world.flight(b).lasted);
  double length = 0.0;
  if (!(lasted > 0.0) || (first.round && second.round)) {
    length = ahead(now, std::min(passage_of(world, a, first.size), passage_of(world, b, second.size)));
  } else {
    const double age = now - std::max(world.flight(a).start, world.flight(b).start);
    length = std::max({kAheadOfLast * lasted, age, kLeastAhead * (now - start_)});
  }
  return now + length > now ? std::min(now + length, until) : until;
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

double Timeline::predict_obstacles(const Situation& at, BodyIndex body, const Flight& seen) {
  // The first contact with an obstacle bounds all other searches: obstacles do not change their motion.
  World& world = at.world;
  const Object& o = world.object(body);
  const double end = o.motion.end;
  Advance first{end, 0.0, false};
  ObjectIndex partner;
  for (const ObjectIndex other : world.obstacles()) {
    if (!world.may_meet(body, other) || (o.at_rest && !world.is_moving(other))) continue;
    const bool closed = is_closed(o, world.object(other));  // whose search is as short as a look at the bounds
    const double off = closed ? 0.0 : time_off(world, seen, other);
    if (covers(off, first.time - world.time())) continue;
    const double until = closed ? first.time : std::min(first.time, horizon(world, body, other));
    const Advance found = off > until - world.time() ? Advance{until, 0.0, false} : search(at, body, other, until);
    if (found.hit || found.time < first.time) {
      first = found;
      partner = other;
    }
  }
  if (partner != kNone) schedule(world, first, body, partner, end);
  return first.hit ? first.time : end;
}

void Timeline::predict_pair(const Situation& at, BodyIndex a, BodyIndex b, double latest) {
  Activity::tick();
  if (!at.world.may_meet(a, b)) return;
  const BodyIndex first = std::min<int>(a, b);
  const BodyIndex second = std::max<int>(a, b);
  if (at.world.object(a).at_rest && at.world.object(b).at_rest) return;
  const double until = std::min(latest, at.world.object(b).motion.end);
  schedule(at.world, search(at, first, second, horizon(at.world, first, second, until)), first, second, until);
}

void Timeline::predict_body(const Situation& at, BodyIndex body) {
  const Flight seen = at.world.flight_now(body);
  const double until = predict_obstacles(at, body, seen);
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
  if (world.object(body).joints.empty()) return;
  const double latest = horizon(world, {body});
  for (const JointIndex joint : world.object(body).joints) {
    if (world.joints().bodies(joint)[0] != body) continue;
    for (const LimitIndex& limit : world.limits(joint)) {
      if (at.held.holds(body, limit)) continue;
      const LimitSearch search(world, limit, std::min(world.object(body).motion.end, latest), at.closed);
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
  if (event.which >= 0) {
    predict_script(at, {event.a}, event.which);
  } else if (at.world.is_body(event.b)) {
    predict_pair(at, event.a, event.b, at.world.object(event.a).motion.end);
  } else {
    (void)predict_obstacles(at, event.a, at.world.flight_now(event.a));
  }
}

void Timeline::cross_cell(const Situation& at, BodyIndex body) {
  World& world = at.world;
  const Motion& motion = world.object(body).motion;
  const contact::Cell left = world.grid().move(body, motion.position_after(motion.since(world.time(), world.carry())));
  const Flight seen = world.flight_now(body);
  const double until = motion.end;
  world.grid().new_neighbours(body, left, [&](BodyIndex other) {
    if (!stay_apart(world, seen, other, until)) predict_pair(at, body, other, until);
  });
  schedule_cell(world, body);
}

}  // namespace carom::event
