/// Accelerations and forces of an island, and velocities and places put back on its contacts.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island.h"
#include "carom/engine/event/island_state.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

/// Friction of the contact whose normal is row r.
ContactFriction IslandDynamics::friction_of(const Island& island, std::size_t r) const {
  const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
  ContactFriction friction;
  if (!active.has_limit()) return friction;
  friction.static_friction = active.contact.rule.friction.static_friction;
  friction.kinetic_friction = active.contact.rule.friction.kinetic_friction;
  friction.lets_go = active.lets_go;
  friction.slides = active.slides();
  if (!friction.slides) return friction;
  const Eigen::Vector2d along = slip_direction(island, r);
  friction.direction[0] = along[0];
  friction.direction[1] = along[1];
  return friction;
}

AccelerationStatus IslandDynamics::solve(const Island& island, std::size_t held) {
  const auto is_held = [&](const Row& row) { return row.owner < 0 || static_cast<std::size_t>(row.owner) < held; };
  bilateral_rows_.clear();
  bilateral_bias_.clear();
  normal_rows_.clear();
  normal_bias_.clear();
  tangent_rows_.clear();
  tangent_bias_.clear();
  tangent_contact_.clear();
  inertance_.assign(island.contacts.size(), 0.0);
  friction_.assign(island.contacts.size(), {});
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (is_held(row) && !row.equation) continue;
    const double* entries = matrix_.data() + r * static_cast<std::size_t>(n_);
    const bool bilateral = is_held(row);
    auto& rows = bilateral ? bilateral_rows_ : (row.normal ? normal_rows_ : tangent_rows_);
    auto& bias = bilateral ? bilateral_bias_ : (row.normal ? normal_bias_ : tangent_bias_);
    rows.insert(rows.end(), entries, entries + n_);
    bias.push_back(row.bias);
    if (!bilateral && !row.normal) tangent_contact_.push_back(row.owner);
    if (row.owner >= 0 && row.normal) {
      double sum = 0.0;
      for (int k = 0; k < n_; ++k)
        sum += entries[k] * entries[k] / metric_[static_cast<std::size_t>(k) * static_cast<std::size_t>(n_ + 1)];
      inertance_[static_cast<std::size_t>(row.owner)] = sum;
      if (!bilateral) friction_[static_cast<std::size_t>(row.owner)] = friction_of(island, r);
    }
  }
  AccelerationProblem problem;
  problem.n = n_;
  problem.metric = metric_.data();
  problem.force = force_.data();
  problem.constraints = static_cast<int>(bilateral_bias_.size());
  problem.constraint_rows = bilateral_rows_.data();
  problem.constraint_bias = bilateral_bias_.data();
  problem.contacts = static_cast<int>(normal_bias_.size());
  problem.normal_rows = normal_rows_.data();
  problem.normal_bias = normal_bias_.data();
  problem.tangents = static_cast<int>(tangent_bias_.size());
  problem.tangent_rows = tangent_rows_.data();
  problem.tangent_bias = tangent_bias_.data();
  problem.tangent_contact = tangent_contact_.data();
  problem.friction = friction_.data();
  const AccelerationStatus status = dynamics_.solve(problem);
  // The force of a row does the work −w per time through its wall.
  wall_power_ = 0.0;
  std::size_t bilateral_row = 0, normal_row = 0, tangent_row = 0;
  for (const Row& row : rows_) {
    if (is_held(row) && !row.equation) continue;
    double force = 0.0;
    if (is_held(row)) {
      force = dynamics_.constraint_force()[bilateral_row++];
    } else if (row.normal) {
      force = dynamics_.normal_force()[normal_row++];
    } else {
      force = dynamics_.tangential_force()[tangent_row++];
    }
    wall_power_ -= force * row.wall_rate;
  }
  return status;
}

AccelerationStatus IslandDynamics::solve_unilateral(const Island& island, double time, const double* y) {
  build(island, time, y);
  return solve_resisted(island);
}

AccelerationStatus IslandDynamics::solve_bilateral(const Island& island, double time, const double* y) {
  build(island, time, y);
  return solve(island, island.contacts.size());
}

std::optional<VelocityCorrection> IslandDynamics::project_velocities(const Island& island, double time, double* y,
                                                                     std::size_t held) {
  build_forces(island, y);
  build_rows(island, time, y);
  bool moves = false;
  for (const Row& row : rows_) moves = moves || (row.equation && row.rate != 0.0);
  if (!moves) return VelocityCorrection{};
  // G v⁺ = G v + Rᵀp with R v⁺ + w = 0 (or ≥ 0 ⟂ p): the same mathematics as for accelerations.
  double before = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) {
    const double mass = metric_[k * static_cast<std::size_t>(n_ + 1)];
    force_[k] = mass * velocity_[k];
    before += 0.5 * mass * velocity_[k] * velocity_[k];
  }
  for (Row& row : rows_) row.bias = row.wall_rate;
  const AccelerationStatus status = solve(island, held);
  if (status != AccelerationStatus::solved) return std::nullopt;
  double after = 0.0;
  for (int k = 0; k < n_; ++k) {
    const double moved = dynamics_.acceleration()[static_cast<std::size_t>(k)];
    after += 0.5 * metric_[static_cast<std::size_t>(k) * static_cast<std::size_t>(n_ + 1)] * moved * moved;
  }
  write_velocities(dynamics_.acceleration(), y);
  // The row forces are impulses here, and so is the "power" through the walls their work.
  return VelocityCorrection{before - after + wall_power_, wall_power_};
}

bool IslandDynamics::press_together(const Island& island, double time, const double* y, double approach) {
  build_forces(island, y);
  build_rows(island, time, y);
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k)
    force_[k] = metric_[k * static_cast<std::size_t>(n_ + 1)] * velocity_[k];
  for (Row& row : rows_) row.bias = row.wall_rate - (row.normal && row.owner >= 0 ? approach : 0.0);
  const AccelerationStatus status = solve(island, 0);
  return status != AccelerationStatus::infeasible && status != AccelerationStatus::failed;
}

std::vector<double> IslandDynamics::moved_on(const Island& island, const double* y, double time) const {
  std::vector<double> moved(y, y + island.size());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* state = moved.data() + kPerBody * static_cast<int>(slot);
    const double* a = dynamics_.acceleration().data() + 6 * slot;
    Eigen::Map<Vector3d>(state) += time * (velocity_of(state) + 0.5 * time * Eigen::Map<const Vector3d>(a));
    const Vector3d turn = time * (spin_of(state) + 0.5 * time * Eigen::Map<const Vector3d>(a + 3));
    const Quaterniond turned = attitude_of(state) * rotation_by(turn);
    write_attitude(turned, state);
    for (int k = 0; k < 6; ++k) state[7 + k] += time * a[k];
  }
  return moved;
}

double IslandDynamics::gap_acceleration(const Island& island, const ActiveContact& active, double time) {
  Island alone = island;
  alone.contacts.assign(1, active);
  alone.contacts[0].mode = ContactMode::smooth;
  alone.constraints.clear();
  build(alone, time, island.state.data());
  double sum = rows_[0].bias;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) sum += matrix_[k] * dynamics_.acceleration()[k];
  return sum;
}

bool IslandDynamics::put_gaps(const Island& island, double time, const double* y) {
  // Normal rows of contacts, rolling planes and rods have a gap; all others none.
  bool off = false;
  std::size_t next = 0;
  const auto gap_of = [&](Row& row, double gap, double size) {
    row.bias = gap;
    off = off || std::abs(gap) > 1e-15 * size;
  };
  for (Row& row : rows_) row.bias = 0.0;
  for (const ConstraintIndex index : island.constraints) {
    const Constraint& constraint = model_->constraints[index];
    if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
      ContactPoint contact;
      contact.a = rolling->body;
      contact.b = model_->body_count() + rolling->plane;
      gap_of(rows_[next], follow(island, contact, time, y).gap, extent_of(contact.a));
      next += 3;
    } else if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
      const double* state = y + kPerBody * island.slot(rod->body);
      gap_of(rows_[next], (position_of(state) - rod->pivot).norm() - rod->length, rod->length);
      next += 1;
    } else {
      next += 3;
    }
  }
  for (const ActiveContact& active : island.contacts) {
    gap_of(rows_[next], follow(island, active.contact, time, y).gap, extent_of(active.contact.a));
    next += active.mode == ContactMode::smooth ? 1 : 3;
  }
  return off;
}

void IslandDynamics::project_positions(const Island& island, double time, double* y) {
  build_forces(island, y);
  build_rows(island, time, y);
  if (!put_gaps(island, time, y)) return;
  std::fill(force_.begin(), force_.end(), 0.0);
  if (solve(island, island.contacts.size()) != AccelerationStatus::solved) return;
  move_bodies(dynamics_.acceleration(), y);
}

}  // namespace carom::event
