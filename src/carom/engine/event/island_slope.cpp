/// The right-hand side of integrated steps.

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/numerics/dense.h"

namespace carom::event {

namespace {

/// Rows of which less than this (squared, of a unit row) is left beside the others are left to the rank-revealing way.
constexpr double kDependent = 1e-6;

bool has_slides(const Island& island) {
  for (const ActiveContact& active : island.contacts)
    if (active.slides()) return true;
  return false;
}

}  // namespace

/// From which column on each row of M may have other entries than zero: that of the first row that knows one of its
/// bodies. Along a chain rows know their neighbours only.
void IslandDynamics::find_profile() {
  constexpr int kLanes = 4;  // as dense::cholesky asks for
  earliest_.assign(static_cast<std::size_t>(n_ / 6), static_cast<int>(rows_.size()));
  profile_.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    int first = static_cast<int>(r);
    for (const int slot : rows_[r].slots) {
      if (slot < 0) continue;
      int& earliest = earliest_[static_cast<std::size_t>(slot)];
      earliest = std::min(earliest, static_cast<int>(r));
      first = std::min(first, earliest);
    }
    profile_[r] = first - first % kLanes;
  }
}

/// Accelerations with all rows as equations, where these are independent: with the free acceleration a₀ = G⁻¹f and the
/// symmetric definite M = R G⁻¹Rᵀ, which is sparse since a row knows two bodies at most,
///   a = a₀ + G⁻¹Rᵀλ,   M λ = −(R a₀ + bias),
/// by Cholesky's factors of the rows scaled to unit length. One step of refinement makes up for the squared condition
/// of M: the rows hold to round-off of the accelerations. Returns false, and leaves it to ContactDynamics, where rows
/// depend on each other.
bool IslandDynamics::solve_independent() {
  const auto n = static_cast<std::size_t>(n_);
  const std::size_t count = rows_.size();
  acceleration_.resize(n);
  for (std::size_t k = 0; k < n; ++k) acceleration_[k] = force_[k] * inverse_mass_[k];
  wall_power_ = motor_power_ = 0.0;
  if (count == 0) return true;
  gram_.resize(count * count);
  unit_.resize(count);
  find_profile();
  for (std::size_t r = 0; r < count; ++r) {
    unit_[r] = 1.0 / std::sqrt(rows_[r].square(inverse_mass_.data()));
    if (!std::isfinite(unit_[r])) return false;
    gram_[r * count + r] = 1.0;
    for (auto s = static_cast<std::size_t>(profile_[r]); s < r; ++s)
      gram_[r * count + s] = unit_[r] * unit_[s] * rows_[r].product(rows_[s], inverse_mass_.data());
  }
  const auto size = static_cast<int>(count);
  inverse_diagonal_.resize(count);
  const int* first = profile_.data();
  if (dense::cholesky(gram_.data(), inverse_diagonal_.data(), size, kDependent, first) >= 0) return false;
  multiplier_.resize(count);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t r = 0; r < count; ++r)
      multiplier_[r] = -unit_[r] * (rows_[r].bias + rows_[r].along(acceleration_));
    dense::solve_lower(gram_.data(), inverse_diagonal_.data(), multiplier_.data(), size, first);
    dense::solve_lower_transposed(gram_.data(), inverse_diagonal_.data(), multiplier_.data(), size, first);
    for (std::size_t r = 0; r < count; ++r) {
      const double force = unit_[r] * multiplier_[r];
      rows_[r].for_each([&](double entry, std::size_t k) { acceleration_[k] += force * entry * inverse_mass_[k]; });
      book_row_power(rows_[r], force);
    }
  }
  return true;
}

void IslandDynamics::slope(const Island& island, double time, const double* y, double* out) {
  Activity::tick();
  ++evaluations;
  bool bad = false;
  friction_power_ = 0.0;
  if (!held_.ready()) build(island, time, y);
  if (held_.ready()) {
    solve_held(island, time, y);
  } else if (has_slides(island) || island.resists_turning()) {
    bad = !solve_sliding(island);
  } else if (!solve_independent()) {
    const AccelerationStatus status = solve(island, island.contacts.size());
    bad = status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent;
    acceleration_.assign(dynamics_.acceleration().begin(), dynamics_.acceleration().end());
  }
  const auto count = static_cast<int>(island.bodies.size());
  for (int slot = 0; slot < count; ++slot) {
    const double* state = y + kPerBody * slot;
    double* rate = out + kPerBody * slot;
    const Quaterniond q(state[3], state[4], state[5], state[6]);
    const Quaterniond turning = q * Quaterniond(0.0, state[10], state[11], state[12]);
    for (int k = 0; k < 3; ++k) rate[k] = state[7 + k];
    rate[3] = 0.5 * turning.w();
    rate[4] = 0.5 * turning.x();
    rate[5] = 0.5 * turning.y();
    rate[6] = 0.5 * turning.z();
    for (int k = 0; k < 6; ++k)
      rate[7 + k] = bad ? std::nan("") : acceleration_[static_cast<std::size_t>(6 * slot + k)];
  }
  out[kPerBody * count] = damping_power_;
  out[kPerBody * count + 1] = torque_power_;
  out[kPerBody * count + 2] = wall_power_;
  if (island.dissipates()) out[kPerBody * count + 3] = friction_power_;
  const int last = island.size() - 1;
  if (island.driven) out[last - (island.dry.empty() ? 0 : 1)] = motor_power();
  if (!island.dry.empty()) out[last] = dry_power_;
}

}  // namespace carom::event
