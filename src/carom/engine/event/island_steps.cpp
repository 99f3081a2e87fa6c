/// Integrated steps of an island.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/world.h"

namespace carom::event {

namespace {

/// A rim that lies flat within the last part of a step does so at its end.
constexpr double kToFlat = 1.0 - 1e-6;

/// From this tolerance on iterations need not go on to round-off, but to this part of it, and from the last one on
/// islands that joints alone hold are moved by explicit steps, which are cheaper.
constexpr double kLoose = 1e-12, kEnough = 0.03, kExplicit = 1e-10;

/// Speeds [1/s] at which a body covers less than this part of its size in a second, or in as long as the run has
/// lasted, are those of round-off, as a rule: of a mechanism in balance, for instance.
constexpr double kSlowest = 1e-3;

/// Round-off of forces, relative to the accuracy of steps.
constexpr double kSlender = 1e-4;

}  // namespace

double IslandDynamics::speed_scale(const Island& island, const double* y) {
  build_forces(island, y);
  double fastest = 0.0, largest = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* state = y + kPerBody * static_cast<int>(slot);
    const double radius = extent_of(island.bodies[slot]);
    largest = std::max(largest, radius);
    fastest = std::max(
        {fastest, velocity_of(state).norm(), spin_of(state).norm() * radius, std::sqrt(acceleration_scale_ * radius)});
  }
  return fastest > 0.0 ? std::max(fastest, kSlowest / std::max(1.0, island.time) * largest) : largest;
}

bool IslandDynamics::take_step(Island& island, double latest) {
  double horizon = latest;
  island.stops = false;
  island.excess = {};
  for (const DrivenMotion* drive : drives(island)) horizon = std::min(horizon, drive->next_stop(island.time));
  island.fastest = speed_scale(island, island.state.data());
  for (ActiveContact& active : island.contacts)
    if (contact::starts_from_point(active.contact.feature))
      active.contact = follow(island, active.contact, island.time, island.state.data());
  const bool crowded = island.is_crowded();
  if (crowded) turn_discs(island);
  held_.release();
  if (HeldIsland::fits(island)) {
    held_.prepare(island, island.state.data());
    if (steps_explicitly()) held_.hurry();
    held_.review(island.time, island.state.data());
  }
  if (crowded) {
    take_crowded_step(island, horizon);
  } else if (!integrate_step(island, horizon)) {
    held_.release();
    return false;
  }
  ++accepted;
  island.opening = 1.0;
  no_answer_ = false;
  find_opening(island);
  find_dry_change(island);
  find_singular_position(island);
  if (no_answer_ && island.can_crowd()) {  // redundant contacts whose forces cannot be told: with whole cones, then
    for (ActiveContact& active : island.contacts) active.undecided = true;
    return take_step(island, latest);
  }
  for (const DrivenMotion* drive : drives(island))
    island.stops = island.stops || (island.time < drive->still_from() && island.end() >= drive->still_from());
  if (crowded) {
    put_crowd_back(island);
  } else {
    put_back(island);
  }
  held_.release();
  for (const double value : island.after) island.keeps_joints = island.keeps_joints && std::isfinite(value);
  return true;
}

/// Contacts that last need more than the tolerance says: what drifts off them strikes anew.
bool IslandDynamics::steps_explicitly() const {
  return tolerance_ >= kExplicit && held_.ready();
}

IslandDynamics::Tried IslandDynamics::try_step(Island& island, double h) {
  const auto f = [&](double time, const double* y, double* out) { slope(island, time, y, out); };
  if (steps_explicitly()) {
    const double error = runge_kutta_.step(f, island.time, island.state.data(), h, island.after.data());
    return {error, DenseRungeKutta::step_factor(error)};
  }
  const CollocationResult result = collocation_.step(f, island.time, island.state.data(), h, island.after.data());
  const double error = result.converged ? result.error : std::numeric_limits<double>::infinity();
  return {error, GaussCollocation::step_factor(result)};
}

bool IslandDynamics::integrate_step(Island& island, double horizon) {
  const int size = island.size();
  double largest = 0.0;
  std::vector<double>& scale = displaced_;
  scale.assign(static_cast<std::size_t>(size), 1.0);
  for (const BodyIndex body : island.bodies) largest = std::max(largest, extent_of(body));
  const double fastest = island.fastest;
  double mass = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* part = scale.data() + kPerBody * static_cast<int>(slot);
    const double radius = extent_of(island.bodies[slot]);
    const Body& body = model_->bodies[island.bodies[slot]];
    mass += body.mass;
    for (int k = 0; k < 3; ++k) {
      part[k] = radius;
      part[7 + k] = fastest;
      // About an axis with next to no inertia the round-off of forces alone turns a body.
      const double slender = kSlender * body.mass * radius * radius / body.inertia[k];
      part[10 + k] = fastest / radius * std::max(1.0, slender);
    }
  }
  for (int k = 0; k < island.integrals(); ++k) scale[static_cast<std::size_t>(size - 1 - k)] = mass * fastest * fastest;
  if (steps_explicitly()) {
    runge_kutta_.resize(size);
    runge_kutta_.set_scale(scale.data());
    runge_kutta_.set_tolerance(tolerance_);
  } else {
    collocation_.resize(size);
    collocation_.set_scale(scale.data());
    collocation_.set_tolerance(tolerance_);
    collocation_.set_enough(tolerance_ >= kLoose ? kEnough : 0.0);
  }
  island.after.resize(static_cast<std::size_t>(size));
  double h = island.next_step > 0.0 ? island.next_step : 0.02 * largest / fastest;
  const double smallest = 1e-15 * std::max(std::abs(island.time), 1e-3 * largest / fastest);
  const double slipping = slip_horizon(island);
  for (;;) {
    const bool whole = island.time + h >= horizon;
    const double size_of_step = std::min(whole ? horizon - island.time : h, slipping);
    if (!(size_of_step > 0.0)) return false;
    const auto [error, factor] = try_step(island, size_of_step);
    if (error <= 1.0) {
      if (!turns_are_counted(island)) {
        ++rejected;
        h = 0.5 * size_of_step;
        continue;
      }
      if (!straight_all_along(island)) {
        ++rejected;
        bool bends = false;
        for (ActiveContact& active : island.contacts) {
          bends = bends || (active.straight && !active.was_slow);
          active.straight = active.was_slow;
        }
        if (!bends) h = 0.25 * size_of_step;
        if (h < smallest) return false;
        continue;
      }
      const double flat = part_before_flat(island, size_of_step);
      if (flat < kToFlat) {
        ++rejected;
        h = flat * size_of_step;
        if (h < smallest) return false;
        continue;
      }
      const double bent = part_before_kink(island, size_of_step);
      if (bent < 1.0) {
        ++rejected;
        h = bent * size_of_step;
        if (h < smallest) return false;
        continue;
      }
      island.step = size_of_step;
      // A step that the horizon cut says nothing against the size before it.
      if (!whole || factor < 1.0) {
        island.next_step = size_of_step * factor;
      } else {
        island.next_step = std::max(h, size_of_step * factor);
      }
      break;
    }
    ++rejected;
    h = size_of_step * std::min(factor, 0.5);
    if (h < smallest) return false;
  }
  (void)step_motion().copied_to(island.dense);
  return true;
}

/// Back onto the contacts; what that takes is booked.
void IslandDynamics::put_back(Island& island) {
  std::vector<double>& y = island.after;
  const double end = island.end();
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* state = y.data() + kPerBody * static_cast<int>(slot);
    const Quaterniond q = attitude_of(state);
    write_attitude(q, state);
  }
  const double before = potential(island, end, y.data());
  island.keeps_joints = held_.ready() ? held_.put_places(end, y.data()) : project_positions(island, end, y.data());
  const double lifted = before - potential(island, end, y.data());
  if (held_.ready() && island.keeps_joints) {
    island.correction = held_.put_velocities(y.data());
    island.correction.cut_off += lifted;
    return;
  }
  island.correction = project_velocities(island, end, y.data(), island.contacts.size()).value_or(VelocityCorrection{});
  island.correction.cut_off += lifted;
}

}  // namespace carom::event
