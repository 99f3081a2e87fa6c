/// Accelerations of an island whose contacts slide against friction, with what each contact does fixed.
///
/// Equations r·a + bias = 0 over the rows R (normals, tangents of sticking contacts, constraints); their forces λ push
/// along the columns C: along the row itself, and at a sliding contact along n − μ_k ê·T, friction included:
///   a = G⁻¹(f + Cᵀλ),   M λ = −(R G⁻¹f + bias),   M = R G⁻¹Cᵀ, not symmetric.
/// Rows that depend on each other are normal (a box on four corners): the λ of least norm is taken.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island.h"
#include "carom/numerics/dense.h"

namespace carom::event {

namespace {

/// A slip below this part of the island's speeds is round-off, and has no direction of its own.
constexpr double kNoSlipYet = 1e-13;

}  // namespace

/// Along the slip. Where the direction is kept, or the slip has only begun, that of the start of the step, carried
/// along with the tangent plane; a slip that has crossed zero within a step goes on as if it had not, so that the
/// right-hand side stays smooth up to the instant at which it is found to be zero.
Eigen::Vector2d IslandDynamics::slip_direction(const Island& island, std::size_t normal_row) const {
  const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[normal_row].owner)];
  Eigen::Vector2d kept(tangent_[2 * static_cast<std::size_t>(rows_[normal_row].owner)].dot(active.direction),
                       tangent_[2 * static_cast<std::size_t>(rows_[normal_row].owner) + 1].dot(active.direction));
  kept.normalize();
  if (active.straight) return kept;
  const Eigen::Vector2d slip = slip_at(normal_row);
  const double speed = slip.norm();
  if (!(speed > kNoSlipYet * island.fastest)) return kept;
  return slip.dot(kept) < 0.0 ? Eigen::Vector2d(-slip / speed) : Eigen::Vector2d(slip / speed);
}

bool IslandDynamics::solve_sliding(const Island& island) {
  const auto n = static_cast<std::size_t>(n_);
  inverse_mass_.resize(n);
  acceleration_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    inverse_mass_[k] = 1.0 / metric_[k * (n + 1)];
    acceleration_[k] = force_[k] * inverse_mass_[k];
  }
  equation_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].equation) equation_.push_back(r);
  const std::size_t count = equation_.size();
  column_.resize(count * n);
  unit_.resize(count);
  row_force_.assign(rows_.size(), 0.0);
  friction_power_ = wall_power_ = 0.0;
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t r = equation_[e];
    const double* x = matrix_.data() + r * n;
    double* c = column_.data() + e * n;
    std::copy(x, x + n, c);
    if (rows_[r].normal && rows_[r].owner >= 0) {
      const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
      if (active.slides()) {
        const Eigen::Vector2d along = slip_direction(island, r) * active.contact.rule.friction.kinetic_friction;
        for (std::size_t k = 0; k < n; ++k) c[k] -= along[0] * x[n + k] + along[1] * x[2 * n + k];
      }
      add_resistance(r, c);
    }
    double square = 0.0;
    for (std::size_t k = 0; k < n; ++k) square += x[k] * x[k] * inverse_mass_[k];
    unit_[e] = 1.0 / std::sqrt(square);
    if (!std::isfinite(unit_[e])) return false;
  }
  system_.resize(count * count);
  right_.resize(count);
  multiplier_.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    const double* x = matrix_.data() + equation_[e] * n;
    for (std::size_t s = 0; s < count; ++s) {
      const double* c = column_.data() + s * n;
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += x[k] * c[k] * inverse_mass_[k];
      system_[e * count + s] = unit_[e] * unit_[s] * sum;
    }
  }
  equations_.compute(system_.data(), static_cast<int>(count), static_cast<int>(count));
  forces_unique_ = equations_.rank() == static_cast<int>(count);
  // The second round is a step of refinement.
  for (int round = 0; round < 2 && count > 0; ++round) {
    for (std::size_t e = 0; e < count; ++e) {
      const double* x = matrix_.data() + equation_[e] * n;
      double rate = rows_[equation_[e]].bias;
      for (std::size_t k = 0; k < n; ++k) rate += x[k] * acceleration_[k];
      right_[e] = -unit_[e] * rate;
    }
    equations_.solve_rows(right_.data(), multiplier_.data());
    for (std::size_t e = 0; e < count; ++e) {
      const double force = unit_[e] * multiplier_[e];
      const double* c = column_.data() + e * n;
      for (std::size_t k = 0; k < n; ++k) acceleration_[k] += force * c[k] * inverse_mass_[k];
      row_force_[equation_[e]] += force;
    }
  }
  for (const std::size_t r : equation_) {
    wall_power_ -= row_force_[r] * rows_[r].wall_rate;
    if (!rows_[r].normal || rows_[r].owner < 0) continue;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
    if (!resisting_.empty()) {
      const Resisting& resisting = resisting_[static_cast<std::size_t>(rows_[r].owner)];
      friction_power_ += row_force_[r] * resisting.power;
      wall_power_ += row_force_[r] * resisting.wall_power;
    }
    if (!active.slides()) continue;
    const Eigen::Vector2d along = slip_direction(island, r);
    const double friction = active.contact.rule.friction.kinetic_friction * row_force_[r];
    friction_power_ += friction * along.dot(slip_at(r));
    for (const std::size_t k : {0u, 1u}) {
      row_force_[r + 1 + k] = -friction * along[static_cast<Eigen::Index>(k)];
      wall_power_ -= row_force_[r + 1 + k] * rows_[r + 1 + k].wall_rate;
    }
  }
  return true;
}

}  // namespace carom::event
