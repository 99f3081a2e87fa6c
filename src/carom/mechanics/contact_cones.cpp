/// Accelerations with friction: which contacts stick, slide and open, by one problem of cones.

#include <algorithm>
#include <cmath>

#include "carom/mechanics/contact_dynamics.h"

namespace carom {

using dense::add_scaled;
using dense::dot;
using dense::ensure;

namespace {

/// A normal is fixed by bilateral rows when less than this of its squared row is left beside them (contact_space.h).
constexpr double kFixedNormal = 1e-14;
/// Residual of the cones, relative to the accelerations at hand, that is accepted where no better is found.
constexpr double kAcceptableResidual = 1e-7;

}  // namespace

/// Where no contact has a limit and none slides yet: all stick, and the rest is an LCP in the normal forces. That is
/// the answer where nothing opens, and the forces are unique and push: then no tangential force is without a normal
/// one.
bool ContactDynamics::all_stick(const AccelerationProblem& problem, AccelerationStatus& status) {
  for (int j = 0; j < t_; ++j) {
    if (problem.friction == nullptr) continue;
    const ContactFriction& friction = problem.friction[problem.tangent_contact[j]];
    if (friction.slides || friction.static_friction != kNoSlip) return false;
  }
  const bool consistent = eliminate(problem);
  status = solve_normals();
  if (status != AccelerationStatus::solved || movable_count_ < m_ || not_unique_ || !rows_independent()) return false;
  for (int i = 0; i < m_; ++i)
    if (opens_[i] || (rough_[i] && !presses_[i])) return false;
  if (!consistent) status = AccelerationStatus::inconsistent;
  distribute();
  return true;
}

void ContactDynamics::build_cones(const AccelerationProblem& problem) {
  const int most = m_ + t_;
  ensure(cone_row_, size(most) * size(n_));
  for (auto* each : {&cone_unit_, &cone_offset_, &cone_force_, &cone_rate_}) ensure(*each, size(most));
  ensure(cone_source_, size(most));
  cone_.clear();
  movable_count_ = 0;
  int rows = 0;
  const auto take = [&](int source, double unit) {
    // Rows of one contact are divided by one and the same length, so that cones stay round.
    double* y = cone_row_.data() + size(rows) * size(n_);
    const double* from = row_.data() + size(source) * size(n_);
    for (int j = 0; j < n_; ++j) y[j] = from[j] * length_[source];
    row_space_.remove_component(y);
    for (int j = 0; j < n_; ++j) y[j] /= unit;
    cone_offset_[rows] = (dot(from, pinned_.data(), n_) + bias_[source]) * length_[source] / unit;
    cone_unit_[rows] = unit;
    cone_source_[rows++] = source;
  };
  int tangent = 0;
  for (int i = 0; i < m_; ++i) {
    const int first = tangent;
    while (tangent < t_ && problem.tangent_contact[tangent] == i) ++tangent;
    double* y = ensure(work_, size(n_));
    std::copy_n(row_.data() + size(k_ + i) * size(n_), n_, y);
    row_space_.remove_component(y);
    const double square = dot(y, y, n_);
    if (!(square > kFixedNormal)) continue;  // nothing presses or opens there
    const double unit = std::sqrt(square) * length_[k_ + i];
    take(k_ + i, unit);
    for (int j = first; j < tangent; ++j) take(k_ + m_ + j, unit);
    ConeContact& contact = cone_.emplace_back();
    contact.tangents = tangent - first;
    contact.stiffness = unit * unit;  // least Σλ² of the forces themselves
    if (contact.tangents > 0) {
      const ContactFriction friction = problem.friction != nullptr ? problem.friction[i] : ContactFriction{};
      const bool kinetic = friction.slides || friction.lets_go;
      contact.friction = kinetic ? friction.kinetic_friction : friction.static_friction;
      if (friction.slides) contact.direction = problem.friction[i].direction;
    }
    movable_[movable_count_++] = i;
  }
  double* matrix = ensure(cone_matrix_, size(rows) * size(rows));
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s <= r; ++s)
      matrix[r * rows + s] = matrix[s * rows + r] =
          dot(cone_row_.data() + size(r) * size(n_), cone_row_.data() + size(s) * size(n_), n_);
}

AccelerationStatus ContactDynamics::solve_cones(const AccelerationProblem& problem) {
  std::fill_n(sticks_.data(), m_, char{0});
  const bool consistent = eliminate(problem);
  build_cones(problem);
  ensure(cone_mode_, size(movable_count_));
  double scale = scale_;
  int rows = 0;
  for (const ConeContact& contact : cone_) rows += 1 + contact.tangents;
  for (int r = 0; r < rows; ++r) scale = std::max(scale, std::abs(cone_offset_[r]));
  const ConeData data{cone_matrix_.data(), cone_offset_.data(), cone_, scale};
  ConeResult result{.status = ConeStatus::solved};
  undecided_ = false;
  for (bool changed = movable_count_ > 0; changed;) {
    changed = false;
    result = cones_.solve(data, cone_force_.data(), cone_rate_.data(), cone_mode_.data());
    if (result.status == ConeStatus::failed && result.residual <= kAcceptableResidual * scale)
      result.status = ConeStatus::solved;
    if (result.status != ConeStatus::solved) break;
    int row = 0;
    for (int c = 0; c < movable_count_; ++c) {
      ConeContact& contact = cone_[size(c)];
      const double* force = cone_force_.data() + row;
      row += 1 + contact.tangents;
      if (contact.tangents == 0 || contact.direction != nullptr) continue;
      if (contact.friction == kNoSlip) {
        // Held without being pressed, in the limit of large μ: it neither sticks nor opens, and slides without force.
        double held = std::abs(force[1]);
        if (contact.tangents > 1) held = std::hypot(force[1], force[2]);
        if (force[0] > kZero * scale || held <= kZero * scale) continue;
        contact.friction = 0.0;
        undecided_ = changed = true;
        continue;
      }
      if (cone_mode_[c] != ConeMode::slip || problem.friction == nullptr) continue;
      // Friction only falls on the way: one without limit that slides without force does not get it back.
      const double kinetic = problem.friction[movable_[c]].kinetic_friction;
      changed = changed || contact.friction > kinetic;
      contact.friction = std::min(contact.friction, kinetic);
    }
  }
  if (result.status == ConeStatus::infeasible || result.status == ConeStatus::failed) {
    // Contacts without limit that cannot stick together slide.
    bool limited = false;
    for (const ConeContact& contact : cone_) limited = limited || (contact.tangents > 0 && contact.friction != kNoSlip);
    if (!limited) {
      const AccelerationStatus status = solve_smooth(problem);
      return status == AccelerationStatus::solved ? AccelerationStatus::undecided : status;
    }
    return result.status == ConeStatus::infeasible ? AccelerationStatus::infeasible : AccelerationStatus::failed;
  }
  acceleration_unique_ = result.velocities_unique;
  take_cone_forces();
  if (!consistent) return AccelerationStatus::inconsistent;
  return undecided_ ? AccelerationStatus::undecided : AccelerationStatus::solved;
}

/// Equations A v̇ + a = 0 whose forces push along other directions: (A G⁻¹Cᵀ)κ = −(A G⁻¹f + a), not symmetric. Where the
/// rows depend on each other the κ of least norm is taken.
AccelerationStatus ContactDynamics::solve_columns(const AccelerationProblem& problem) {
  double* columns = ensure(cone_row_, size(k_) * size(n_));
  double* matrix = ensure(cone_matrix_, size(k_) * size(k_));
  double* missing = ensure(cone_offset_, size(k_));
  double* force = ensure(cone_force_, size(k_));
  for (int i = 0; i < k_; ++i) {
    double* z = columns + size(i) * size(n_);
    std::copy_n(problem.constraint_columns + size(i) * size(n_), n_, z);
    whiten(z);
    for (int j = 0; j < n_; ++j) z[j] /= length_[i];
  }
  for (int i = 0; i < k_; ++i)
    for (int j = 0; j < k_; ++j)
      matrix[i * k_ + j] = dot(row_.data() + size(i) * size(n_), columns + size(j) * size(n_), n_);
  row_space_.compute(matrix, k_, k_);
  std::copy_n(free_.data(), n_, whitened_.data());
  double worst = 0.0;
  for (int round = 0; round < 2; ++round) {  // the second is a step of refinement
    for (int i = 0; i < k_; ++i) missing[i] = -bias_[i] - dot(row_.data() + size(i) * size(n_), whitened_.data(), n_);
    row_space_.solve_rows(missing, force);
    for (int i = 0; i < k_; ++i) {
      add_scaled(force[i], columns + size(i) * size(n_), whitened_.data(), n_);
      constraint_force_[i] += force[i] / length_[i];
    }
  }
  for (int i = 0; i < k_; ++i)
    worst = std::max(worst, std::abs(bias_[i] + dot(row_.data() + size(i) * size(n_), whitened_.data(), n_)));
  finish_acceleration();
  if (!std::isfinite(worst)) return AccelerationStatus::failed;
  return worst <= kAcceptableResidual * scale_ ? AccelerationStatus::solved : AccelerationStatus::inconsistent;
}

void ContactDynamics::take_cone_forces() {
  std::copy_n(pinned_.data(), n_, whitened_.data());
  std::fill_n(normal_force_.data(), m_, 0.0);
  std::fill_n(tangential_force_.data(), t_, 0.0);
  double* push = ensure(work_, size(n_));
  int row = 0;
  for (int c = 0; c < movable_count_; ++c) {
    const int contact = movable_[c];
    presses_[contact] = cone_force_[row] > kZero * scale_;
    for (int t = 0; t <= cone_[size(c)].tangents; ++t, ++row) {
      add_scaled(cone_force_[row], cone_row_.data() + size(row) * size(n_), whitened_.data(), n_);
      const double force = cone_force_[row] / cone_unit_[row];
      if (t == 0)
        normal_force_[contact] = force;
      else
        tangential_force_[cone_source_[row] - k_ - m_] = force;
    }
  }
  for (int i = 0; i < m_; ++i) opens_[i] = scaled_gap_acceleration(i) > kZero * scale_;
  for (int c = 0; c < movable_count_; ++c) {
    const int contact = movable_[c];
    const ConeContact& cone = cone_[size(c)];
    sticks_[contact] = cone.tangents > 0 && !opens_[contact] && cone.friction > 0.0 &&
                       cone_mode_[c] == ConeMode::stick && cone.direction == nullptr;
  }
  for (int r = 0, c = 0; c < movable_count_; ++c) {
    const bool open = opens_[movable_[c]] != 0 || cone_mode_[c] == ConeMode::open;
    for (int t = 0; t <= cone_[size(c)].tangents; ++t, ++r) {
      if (!open) continue;
      (t == 0 ? normal_force_[movable_[c]] : tangential_force_[cone_source_[r] - k_ - m_]) = 0.0;
    }
  }
  // What the contacts do not explain of u̇ − u̇_free comes from the bilateral rows.
  for (int j = 0; j < n_; ++j) push[j] = whitened_[j] - free_[j];
  for (int r = 0; r < row; ++r) {
    const int source = cone_source_[r];
    add_scaled(-cone_force_[r] / cone_unit_[r] * length_[source], row_.data() + size(source) * size(n_), push, n_);
  }
  if (k_ > 0) {
    double* multiplier = ensure(multiplier_, size(k_ + m_ + t_));
    row_space_.solve_columns(push, multiplier);
    for (int i = 0; i < k_; ++i) constraint_force_[i] = multiplier[i] / length_[i];
  }
  finish_acceleration();
}

}  // namespace carom
