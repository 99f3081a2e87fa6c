/// The right-hand side of integrated steps.

#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/event/island.h"
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

/// Accelerations with all rows as equations, where these are independent: with the free acceleration a₀ = G⁻¹f and the
/// symmetric definite M = R G⁻¹Rᵀ, which is sparse since a row knows two bodies at most,
///   a = a₀ + G⁻¹Rᵀλ,   M λ = −(R a₀ + bias),
/// by Cholesky's factors of the rows scaled to unit length. One step of refinement makes up for the squared condition
/// of M: the rows hold to round-off of the accelerations. Returns false, and leaves it to ContactDynamics, where rows
/// depend on each other.
bool IslandDynamics::solve_independent() {
  const auto n = static_cast<std::size_t>(n_);
  const std::size_t count = rows_.size();
  inverse_mass_.resize(n);
  acceleration_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    inverse_mass_[k] = 1.0 / metric_[k * (n + 1)];
    acceleration_[k] = force_[k] * inverse_mass_[k];
  }
  wall_power_ = 0.0;
  if (count == 0) return true;
  // Sums over the coordinates of the bodies that row r knows.
  const auto over = [&](const Row& row, const auto& term) {
    double sum = 0.0;
    for (const int slot : {row.slot_a, row.slot_b})
      if (slot >= 0)
        for (auto k = static_cast<std::size_t>(6 * slot); k < static_cast<std::size_t>(6 * slot + 6); ++k)
          sum += term(k);
    return sum;
  };
  const auto entries = [&](std::size_t r) { return matrix_.data() + r * n; };
  gram_.resize(count * count);
  unit_.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    const double* x = entries(r);
    unit_[r] = 1.0 / std::sqrt(over(rows_[r], [&](std::size_t k) { return x[k] * x[k] * inverse_mass_[k]; }));
    if (!std::isfinite(unit_[r])) return false;
    gram_[r * count + r] = 1.0;
    for (std::size_t s = 0; s < r; ++s) {
      if (!rows_[r].shares_body(rows_[s])) {
        gram_[r * count + s] = 0.0;
        continue;
      }
      const double* z = entries(s);
      gram_[r * count + s] =
          unit_[r] * unit_[s] * over(rows_[r], [&](std::size_t k) { return x[k] * z[k] * inverse_mass_[k]; });
    }
  }
  const auto size = static_cast<int>(count);
  inverse_diagonal_.resize(count);
  if (dense::cholesky(gram_.data(), inverse_diagonal_.data(), size, kDependent) >= 0) return false;
  multiplier_.resize(count);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t r = 0; r < count; ++r) {
      const double* x = entries(r);
      multiplier_[r] =
          -unit_[r] * (rows_[r].bias + over(rows_[r], [&](std::size_t k) { return x[k] * acceleration_[k]; }));
    }
    dense::solve_lower(gram_.data(), inverse_diagonal_.data(), multiplier_.data(), size);
    dense::solve_lower_transposed(gram_.data(), inverse_diagonal_.data(), multiplier_.data(), size);
    for (std::size_t r = 0; r < count; ++r) {
      const double force = unit_[r] * multiplier_[r];
      const double* x = entries(r);
      over(rows_[r], [&](std::size_t k) { return acceleration_[k] += force * x[k] * inverse_mass_[k]; });
      wall_power_ -= force * rows_[r].wall_rate;
    }
  }
  return true;
}

void IslandDynamics::slope(const Island& island, double time, const double* y, double* out) {
  Activity::tick();
  ++evaluations;
  build(island, time, y);
  bool bad = false;
  friction_power_ = 0.0;
  if (has_slides(island) || island.resists_turning()) {
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
}

}  // namespace carom::event
