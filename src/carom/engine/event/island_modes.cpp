/// How long what the contacts of an island do holds: open, slide, stick.
///
/// During a step each contact that persists slides or sticks; both hold as long as its normal force pushes, and
///   slide   the slip has not come to its end,
///   stick   the friction that it needs is at most μ_s λ.
/// Where the forces are not unique (a box on four corners), not those of least norm decide but whether some forces
/// within all cones do what the modes say: the problem of cones is asked.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"

namespace carom::event {

namespace {

/// Forces below this part of the accelerations at hand are none.
constexpr double kNoForce = 1e-11;
/// Friction beyond its limit by less than this is at it.
constexpr double kRoundOff = 1e-14;
/// A contact that does not stick has a slip acceleration above this part of the accelerations at hand.
constexpr double kHeld = 1e-12;
/// Slips whose directions turn slower than this part of the accelerations at hand go straight.
constexpr double kStraight = 1e-9;
/// How fast, relative to the fastest speed, a slip may have become across the direction that it was taken to keep.
constexpr double kBent = 1e-12;
/// The same relative to the slip itself.
constexpr double kBentPart = 1e-9;

}  // namespace

/// The slip along the direction that it had at the start of the step: below zero once it has come to its end.
double IslandDynamics::kept_slip(const Island& island, std::size_t normal_row) const {
  const auto owner = static_cast<std::size_t>(rows_[normal_row].owner);
  const Vector3d& direction = island.contacts[owner].direction;
  return slip_at(normal_row)
      .dot(Eigen::Vector2d(tangent_[2 * owner].dot(direction), tangent_[2 * owner + 1].dot(direction)));
}

bool IslandDynamics::keeps_modes(const Island& island, double time, const double* y) {
  build(island, time, y);
  if (!solve_sliding(island)) return false;
  bool forces_hold = true;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (!row.normal || row.owner < 0) continue;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(row.owner)];
    if (active.slides() && pushes_itself_in(r)) return false;  // Painlevé
    const double force = row_force_[r], none = kNoForce * acceleration_scale_ / inertance_of_row(r);
    if (!(force >= -none)) forces_hold = false;
    if (active.slides() && kept_slip(island, r) < 0.0) return false;
    if (!active.sticks() || !active.has_limit()) continue;
    const double friction = std::hypot(row_force_[r + 1], row_force_[r + 2]);
    const double limit = active.contact.rule.friction.static_friction * std::max(force, 0.0);
    if (friction > limit * (1.0 + kRoundOff) + kRoundOff * acceleration_scale_ / inertance_of_row(r))
      forces_hold = false;
  }
  if (forces_hold) return true;
  if (forces_unique_) return false;
  const AccelerationStatus status = solve_resisted(island);
  no_answer_ = no_answer_ || status == AccelerationStatus::failed;
  if (status != AccelerationStatus::solved) return false;
  // Motors and joints may press contacts harder than forces at the centres tell: what is left of that is round-off.
  double scale = acceleration_scale_;
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    scale = std::max(scale, dynamics_.normal_force()[i] * inertance(static_cast<int>(i)));
  int tangent = 0;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    if (dynamics_.opens(index)) return false;
    if (island.contacts[i].mode == ContactMode::smooth) continue;
    const double slipping = std::hypot(dynamics_.slip_acceleration(tangent), dynamics_.slip_acceleration(tangent + 1));
    tangent += 2;
    if (!island.contacts[i].sticks()) continue;
    if ((dynamics_.presses(index) && dynamics_.slides(index)) || slipping > kHeld * scale) return false;
  }
  return true;
}

/// Painlevé's question: whether a sliding contact that is pressed more comes together more, p = n G⁻¹(n − μ_k ê·T) < 0.
bool IslandDynamics::pushes_itself_in(std::size_t normal_row) const {
  const auto e =
      static_cast<std::size_t>(std::find(equation_.begin(), equation_.end(), normal_row) - equation_.begin());
  return rows_[normal_row].along(column_.data() + e * static_cast<std::size_t>(n_)) < 0.0;
}

std::vector<bool> IslandDynamics::jammed(const Island& island, double time, const double* y) {
  std::vector<bool> found(island.contacts.size(), false);
  if (!solve_modes(island, time, y)) return found;
  for (const std::size_t r : equation_) {
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    const auto owner = static_cast<std::size_t>(rows_[r].owner);
    found[owner] = island.contacts[owner].slides() && pushes_itself_in(r);
  }
  return found;
}

/// At the instant at which the modes of a step end: which contacts have used up their friction.
void IslandDynamics::mark_limits(Island& island, double time, const double* y) {
  for (ActiveContact& active : island.contacts) active.lets_go = active.pulls = false;
  build(island, time, y);
  if (!solve_sliding(island)) return;
  const bool asked = !forces_unique_ && solve_resisted(island) == AccelerationStatus::solved;
  std::size_t tangent = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    const auto owner = static_cast<std::size_t>(rows_[r].owner);
    ActiveContact& active = island.contacts[owner];
    active.pulls = forces_unique_ && row_force_[r] < 0.0;
    if (active.mode == ContactMode::smooth) continue;
    const std::span<const double> forces = dynamics_.tangential_force();
    const double normal = asked ? dynamics_.normal_force()[owner] : row_force_[r];
    const double friction =
        asked ? std::hypot(forces[tangent], forces[tangent + 1]) : std::hypot(row_force_[r + 1], row_force_[r + 2]);
    tangent += 2;
    if (!active.sticks() || !active.has_limit() || !(normal > 0.0)) continue;
    active.lets_go = friction >= active.contact.rule.friction.static_friction * normal * (1.0 - kAtLimit);
    // Where it is to go: against the friction, and of several that do that of least norm.
    if (active.lets_go)
      active.direction =
          -(tangent_[2 * owner] * row_force_[r + 1] + tangent_[2 * owner + 1] * row_force_[r + 2]).normalized();
  }
}

/// Prepares a step: which slips go straight, and how long it may be. A slip that ends while its direction turns is not
/// smooth at its end: steps halve the time that it lasts, until it is slow and the rest of it can be taken as straight.
/// One that begins goes off along its acceleration, smoothly.
double IslandDynamics::slip_horizon(Island& island) {
  if (std::none_of(island.contacts.begin(), island.contacts.end(), [](const ActiveContact& a) { return a.slides(); }))
    return contact::kForever;
  build(island, island.time, island.state.data());
  const double slow = kSlowSlip * island.fastest;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    const auto owner = static_cast<std::size_t>(rows_[r].owner);
    ActiveContact& active = island.contacts[owner];
    if (!active.slides()) continue;
    active.straight = active.was_slow = false;
    const Eigen::Vector2d slip = slip_at(r);
    if (slip.norm() > slow || (!active.begins && slip.norm() > 0.0))
      active.direction = (tangent_[2 * owner] * slip[0] + tangent_[2 * owner + 1] * slip[1]).normalized();
  }
  if (!solve_sliding(island)) return contact::kForever;
  double horizon = contact::kForever;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
    if (!active.slides()) continue;
    Eigen::Vector2d rate;
    for (const std::size_t k : {0u, 1u}) {
      const Row& row = rows_[r + 1 + k];
      rate[static_cast<Eigen::Index>(k)] = row.bias + row.along(acceleration_);
    }
    const Eigen::Vector2d along = slip_direction(island, r);
    const Eigen::Vector2d turning = rate - along * along.dot(rate);
    active.straight = turning.norm() <= kStraight * acceleration_scale_;
    if (active.straight) continue;
    const double speed = slip_at(r).norm();
    const double lasts = along.dot(rate) < 0.0 ? speed / -along.dot(rate) : contact::kForever;
    if (speed > slow) {
      horizon = std::min({horizon, 0.5 * lasts, 0.5 * speed / turning.norm()});
    } else {
      active.straight = active.was_slow = true;
      horizon = std::min(horizon, 2.0 * (active.begins ? slow / rate.norm() : lasts));
    }
  }
  return horizon;
}

/// Whether slips that were taken to go straight did, in the middle and at the end of the step.
bool IslandDynamics::straight_all_along(const Island& island) {
  if (std::none_of(island.contacts.begin(), island.contacts.end(),
                   [](const ActiveContact& a) { return a.slides() && a.straight; }))
    return true;
  const DensePolynomial motion = step_motion();
  for (const double theta : {0.5, 1.0}) {
    displaced_.resize(static_cast<std::size_t>(island.size()));
    motion.value(theta, 0, island.size(), displaced_.data());
    build_forces(island, displaced_.data());
    build_rows(island, motion.start + theta * motion.step, displaced_.data());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!rows_[r].normal || rows_[r].owner < 0) continue;
      const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
      if (!active.slides() || !active.straight) continue;
      const Eigen::Vector2d along = slip_direction(island, r), slip = slip_at(r);
      const double across = std::abs(along[0] * slip[1] - along[1] * slip[0]);
      const double slow = active.was_slow ? kSlowSlip * island.fastest : 0.0;
      if (across > kBent * island.fastest + kBentPart * slip.norm() + slow) return false;
    }
  }
  return true;
}

/// How far forces and slips are from where the modes end, all modes held as equations [m/s²]; a slip counts as what it
/// would take to end it during the step.
double IslandDynamics::least_margin(const Island& island, double time, const double* y) {
  build(island, time, y);
  double least = contact::kForever;
  if (!solve_sliding(island)) return least;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
    double margin = row_force_[r];
    if (active.sticks() && active.has_limit())
      margin = std::min(margin, active.contact.rule.friction.static_friction * row_force_[r] -
                                    std::hypot(row_force_[r + 1], row_force_[r + 2]));
    least = std::min(least, margin * inertance_of_row(r));
    if (active.slides()) least = std::min(least, kept_slip(island, r) / island.step);
  }
  return least;
}

/// The end of the modes lies between two parts of the step; where the margin has a zero between them it is most likely
/// there. False position, then a look just before and just after it: what it finds has to be true.
void IslandDynamics::narrow_by_margin(const Island& island, double& kept, double& lost) {
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  const auto margin = [&](double theta) {
    motion.value(theta, 0, island.size(), y.data());
    return least_margin(island, island.time + theta * island.step, y.data());
  };
  double low = kept, high = lost, above = margin(kept), below = margin(lost);
  if (!(above > 0.0 && below < 0.0)) return;
  for (int k = 0, side = 0; k < 60 && high - low > 1e-15; ++k) {
    double middle = low + (high - low) * (above / (above - below));
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = margin(middle);
    if (value > 0.0) {
      low = middle;
      above = value;
      if (side == 1) below *= 0.5;
      side = 1;
    } else {
      high = middle;
      below = value;
      if (side == -1) above *= 0.5;
      side = -1;
      if (value == 0.0) break;
    }
    if (k > 6 && k % 4 == 0 && high - low > 1e-3 * (lost - kept)) {
      const double half = 0.5 * (low + high), there = margin(half);
      (there > 0.0 ? low : high) = half;
      (there > 0.0 ? above : below) = there;
    }
  }
  const auto holds = [&](double theta) {
    motion.value(theta, 0, island.size(), y.data());
    return keeps_modes(island, island.time + theta * island.step, y.data());
  };
  const double wide = 4.0 * std::max(high - low, 1e-15);
  if (high + wide < lost) (holds(high + wide) ? kept : lost) = high + wide;
  if (lost == high + wide && low - wide > kept) (holds(low - wide) ? kept : lost) = low - wide;
}

double IslandDynamics::inertance_of_row(std::size_t r) const {
  return rows_[r].square(inverse_mass_.data());
}

}  // namespace carom::event
