#include "carom/engine/event/limit_search.h"

#include <algorithm>

#include "carom/contact/gap_search.h"
#include "carom/contact/safe_step.h"

namespace carom::event {

LimitSearch::LimitSearch(World& world, const LimitIndex& limit, double horizon, const ClosedContacts& closed)
    : world_(world), limit_(limit), horizon_(horizon) {
  const std::span<const BodyIndex> bodies = world.joints().bodies(limit.joint);
  first_ = bodies[0];
  second_ = bodies[1] == kNone ? world.ground() : ObjectIndex(bodies[1]);
  if (world.is_body(second_)) horizon_ = std::min(horizon_, world.object(second_).motion.end);
  noise_ = closed.velocity_noise(world, first_, second_);
}

MotionBounds LimitSearch::bounds_of(ObjectIndex object, double duration) const {
  const Motion& motion = world_.object(object).motion;
  MotionBounds bounds;
  bounds.acceleration = motion.acceleration.norm() + motion.acceleration_spread;
  bounds.speed = world_.now(object).velocity.norm() + bounds.acceleration * duration;
  bounds.spin = motion.max_spin;
  bounds.spin_rate = motion.max_spin_rate;
  return bounds;
}

std::optional<double> LimitSearch::first() const {
  const double duration = horizon_ - world_.time();
  if (!(duration > 0.0)) return std::nullopt;
  const JointKinematics& joints = world_.joints();
  const double size = joints.size(limit_.joint);
  BodyState a, b;
  const auto states_after = [&](double tau) {
    const auto at = [&](ObjectIndex object) {
      const Motion& motion = world_.object(object).motion;
      return motion.after(motion.since(world_.time(), world_.carry()) + tau);
    };
    a = at(first_);
    if (world_.is_body(second_)) b = at(second_);
    return joints.states(
        limit_.joint, world_.time() + tau, [&](BodyIndex body) -> const BodyState& { return body == first_ ? a : b; },
        [&](JointIndex joint) -> const JointTurns& { return world_.turns(joint); });
  };
  const contact::GapFunction gap = [&](double tau) {
    const JointStates states = states_after(tau);
    const JointRow row = limit_row(joints, limit_, states);
    return contact::GapSample{row.residual, rate_of(row, states)};
  };
  contact::GapSearch search;
  search.end = duration;
  search.noise = contact::kGapRoundoff * size;
  search.closed = search.noise;
  search.bound = limit_acceleration_bound(joints, limit_, world_.states_of(limit_.joint), bounds_of(first_, duration),
                                          bounds_of(second_, duration), duration);
  // A gap at round-off that neither closes nor opens by more than velocities are known to stays as it is.
  const contact::GapSample now = gap(0.0);
  if (*search.bound == 0.0 && now.rate >= -noise_) return std::nullopt;
  const std::optional<double> after = contact::first_closing(gap, search).time;
  if (!after) return std::nullopt;
  // What is left of a gap at round-off takes long where it closes slowly.
  const contact::GapSample there = gap(*after);
  const double rest =
      there.gap > 0.0 && there.rate < 0.0 ? contact::safe_root(there.gap, there.rate, *search.bound) : 0.0;
  return world_.time() + *after + rest;
}

}  // namespace carom::event
