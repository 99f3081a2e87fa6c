/// Accelerations of an island whose contacts slide against friction, with what each contact does fixed.
///
/// Equations r·a + bias = 0 over the rows R (normals, tangents of sticking contacts, constraints); their forces λ push
/// along the columns C: along the row itself, and at a sliding contact along n − μ_k ê·T, friction included:
///   a = G⁻¹(f + Cᵀλ),   M λ = −(R G⁻¹f + bias),   M = R G⁻¹Cᵀ, not symmetric.
/// Rows that depend on each other are normal (a box on four corners): the λ of least norm is taken. Where joints are
/// eliminated (island_reduced.cpp) R are the rows of contacts, f what the joints leave of the forces, and C W in place
/// of C G⁻¹.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
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
  acceleration_.resize(n);
  for (std::size_t k = 0; k < n; ++k) acceleration_[k] = force_[k] * inverse_mass_[k];
  const bool eliminates = eliminates_joints(island);
  std::vector<double> pushed;  // accelerations of free bodies under all forces but those of joints that are eliminated
  if (eliminates) {
    hold_joints();
    pushed.swap(acceleration_);
    acceleration_ = held_acceleration_;
  }
  equation_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].equation && (rows_[r].touching || !eliminates)) equation_.push_back(r);
  const std::size_t count = equation_.size();
  column_.assign(count * n, 0.0);
  unit_.resize(count);
  row_force_.assign(rows_.size(), 0.0);
  friction_power_ = wall_power_ = motor_power_ = 0.0;
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t r = equation_[e];
    double* c = column_.data() + e * n;
    rows_[r].add_to(c, 1.0);
    if (rows_[r].normal && rows_[r].owner >= 0) {
      const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
      if (active.slides()) {
        const Eigen::Vector2d along = slip_direction(island, r) * active.contact.rule.friction.kinetic_friction;
        for (const std::size_t k : {0u, 1u}) rows_[r + 1 + k].add_to(c, -along[static_cast<Eigen::Index>(k)]);
      }
      add_resistance(r, c);
    }
    unit_[e] = 1.0 / std::sqrt(rows_[r].square(inverse_mass_.data()));
    if (!std::isfinite(unit_[e])) return false;
    for (std::size_t k = 0; k < n; ++k) c[k] *= inverse_mass_[k];
  }
  const std::vector<double> free_column = eliminates ? column_ : std::vector<double>();
  for (std::size_t e = 0; e < count && eliminates; ++e) elimination_.project(column_.data() + e * n);
  system_.resize(count * count);
  right_.resize(count);
  multiplier_.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    for (std::size_t s = 0; s < count; ++s)
      system_[e * count + s] = unit_[e] * unit_[s] * rows_[equation_[e]].along(column_.data() + s * n);
  }
  equations_.compute(system_.data(), static_cast<int>(count), static_cast<int>(count));
  forces_unique_ = equations_.rank() == static_cast<int>(count);
  // The second round is a step of refinement.
  for (int round = 0; round < 2 && count > 0; ++round) {
    for (std::size_t e = 0; e < count; ++e) {
      const Row& row = rows_[equation_[e]];
      right_[e] = -unit_[e] * (row.bias + row.along(acceleration_));
    }
    equations_.solve_rows(right_.data(), multiplier_.data());
    for (std::size_t e = 0; e < count; ++e) {
      const double force = unit_[e] * multiplier_[e];
      const double* c = column_.data() + e * n;
      for (std::size_t k = 0; k < n; ++k) acceleration_[k] += force * c[k];
      for (std::size_t k = 0; k < pushed.size(); ++k) pushed[k] += force * free_column[e * n + k];
      row_force_[equation_[e]] += force;
    }
  }
  if (eliminates) {
    take_joint_forces(pushed, row_force_);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!rows_[r].touching) book_row_power(rows_[r], row_force_[r]);
  }
  for (const std::size_t r : equation_) {
    book_row_power(rows_[r], row_force_[r]);
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
