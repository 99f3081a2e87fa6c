/// Accelerations and forces of an island, and velocities and places put back on its contacts.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

/// Part of the velocities by which constraints may be violated, a tenth of what impact problems let pass.
constexpr double kSatisfied = 1e-10;

}  // namespace

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
  const auto n = static_cast<std::size_t>(n_);
  const bool eliminates = eliminates_joints(island);
  if (eliminates) hold_joints();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (is_held(row) && !row.equation) continue;
    if (eliminates && !row.touching) continue;
    const bool bilateral = is_held(row);
    auto& rows = bilateral ? bilateral_rows_ : (row.normal ? normal_rows_ : tangent_rows_);
    auto& bias = bilateral ? bilateral_bias_ : (row.normal ? normal_bias_ : tangent_bias_);
    rows.resize(rows.size() + n, 0.0);
    double* const entries = rows.data() + rows.size() - n;
    bias.push_back(row.bias);
    if (eliminates) {
      bias.back() += take_left_row(row, entries);
    } else {
      row.add_to(entries, 1.0);
    }
    if (!bilateral && !row.normal) tangent_contact_.push_back(row.owner);
    if (row.owner >= 0 && row.normal) {
      inertance_[static_cast<std::size_t>(row.owner)] = row.square(inverse_mass_.data());
      if (!bilateral) friction_[static_cast<std::size_t>(row.owner)] = friction_of(island, r);
    }
  }
  AccelerationProblem problem;
  problem.n = n_;
  problem.diagonal_metric = mass_.data();
  problem.force = eliminates ? held_force_.data() : force_.data();
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
  wall_power_ = motor_power_ = 0.0;
  answer_force_.assign(rows_.size(), 0.0);
  std::size_t bilateral_row = 0, normal_row = 0, tangent_row = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if ((is_held(row) && !row.equation) || (eliminates && !row.touching)) continue;
    if (is_held(row)) {
      answer_force_[r] = dynamics_.constraint_force()[bilateral_row++];
    } else if (row.normal) {
      answer_force_[r] = dynamics_.normal_force()[normal_row++];
    } else {
      answer_force_[r] = dynamics_.tangential_force()[tangent_row++];
    }
  }
  if (eliminates) {
    std::vector<double> pushed = force_;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (rows_[r].touching) rows_[r].add_to(pushed.data(), answer_force_[r]);
    for (std::size_t k = 0; k < n; ++k) pushed[k] *= inverse_mass_[k];
    take_joint_forces(pushed, answer_force_);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) book_row_power(rows_[r], answer_force_[r]);
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
  if (HeldIsland::fits(island)) {
    held_.prepare(island, y);
    const VelocityCorrection correction = held_.put_velocities(time, y);
    held_.release();
    return correction;
  }
  build_forces(island, y);
  build_rows(island, time, y);
  bool moves = false;
  for (const Row& row : rows_) moves = moves || (row.equation && row.rate != 0.0);
  if (!moves) return VelocityCorrection{};
  // G v⁺ = G v + Rᵀp with R v⁺ + w = 0 (or ≥ 0 ⟂ p): the same mathematics as for accelerations.
  double before = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) {
    force_[k] = mass_[k] * velocity_[k];
    before += 0.5 * force_[k] * velocity_[k];
  }
  for (Row& row : rows_) row.bias = row.wall_rate;
  if (solve(island, held) != AccelerationStatus::solved) return std::nullopt;
  acceleration_.assign(dynamics_.acceleration().begin(), dynamics_.acceleration().end());
  double after = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k)
    after += 0.5 * mass_[k] * acceleration_[k] * acceleration_[k];
  write_velocities(acceleration_, y);
  // The row forces are impulses here, and so is the "power" through the walls their work.
  return VelocityCorrection{before - after + wall_power_ + motor_power_, wall_power_, motor_power_};
}

bool IslandDynamics::satisfies_constraints(const Island& island, double time, const double* y) {
  build_forces(island, y);
  build_rows(island, time, y);
  double energy = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) energy += mass_[k] * velocity_[k] * velocity_[k];
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.owner >= 0 || !row.equation ||
           row.rate * row.rate <= kSatisfied * kSatisfied * row.square(inverse_mass_.data()) * energy;
  });
}

/// What presses is one motion of the bodies, the smallest that closes all gaps so fast: else impulses might have to end
/// it that bodies at rest balance, and there are none. No solution is missing for want of that (the copositive problem
/// of Stewart and Trinkle).
bool IslandDynamics::press_together(const Island& island, double time, const double* y, double approach) {
  Island closing = island;
  for (ActiveContact& active : closing.contacts) active.mode = ContactMode::smooth;
  build_forces(closing, y);
  build_rows(closing, time, y);
  std::fill(force_.begin(), force_.end(), 0.0);
  for (Row& row : rows_) row.bias = row.owner >= 0 ? approach : 0.0;
  (void)solve(closing, closing.contacts.size());
  const std::vector<double> together(dynamics_.acceleration().begin(), dynamics_.acceleration().end());
  build_forces(island, y);
  build_rows(island, time, y);
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) force_[k] = mass_[k] * (velocity_[k] + together[k]);
  for (Row& row : rows_) row.bias = row.wall_rate;
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
  if (!active.contact.is_limit()) alone.joints.clear();
  build(alone, time, island.state.data());
  return rows_.back().bias + rows_.back().along(dynamics_.acceleration().data());
}

}  // namespace carom::event
