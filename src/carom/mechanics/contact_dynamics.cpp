#include "carom/mechanics/contact_dynamics.h"

#include <algorithm>
#include <cmath>

namespace carom {

using dense::add_scaled;
using dense::dot;
using dense::ensure;

namespace {

/// Residual of the complementarity, relative to the accelerations at hand, that is accepted where no better is found.
constexpr double kAcceptable = 1e-7;

/// A contact is fixed by bilateral rows when less than this of its squared row is left beside them (contact_space.h).
constexpr double kFixed = 1e-14;
/// Residual of bilateral rows, relative to the largest acceleration, above which they contradict each other.
constexpr double kInconsistent = 1e-9;

}  // namespace

// Rows are kept in one array: A first (0 … k−1), then N (k … k+m−1), then T.

void ContactDynamics::whiten(double* row) const {
  if (diagonal_metric_) {
    for (int j = 0; j < n_; ++j) row[j] *= inverse_diagonal_[j];
  } else {
    dense::solve_lower(factor_.data(), inverse_diagonal_.data(), row, n_);
  }
}

bool ContactDynamics::read_metric(const AccelerationProblem& problem) {
  double* diagonal = ensure(inverse_diagonal_, size(n_));
  diagonal_metric_ = problem.diagonal_metric != nullptr || dense::is_diagonal(problem.metric, n_);
  if (diagonal_metric_) {
    for (int i = 0; i < n_; ++i) {
      const double mass =
          problem.diagonal_metric != nullptr ? problem.diagonal_metric[i] : problem.metric[i * (n_ + 1)];
      if (!(mass > 0.0)) return false;
      diagonal[i] = 1.0 / std::sqrt(mass);
    }
    return true;
  }
  double* factor = ensure(factor_, size(n_) * size(n_));
  std::copy_n(problem.metric, n_ * n_, factor);
  return dense::cholesky(factor, diagonal, n_, 1e-15) < 0;
}

bool ContactDynamics::read(const AccelerationProblem& problem) {
  n_ = problem.n;
  m_ = problem.contacts;
  k_ = problem.constraints;
  t_ = problem.tangents;
  const int rows = k_ + m_ + t_;
  for (auto* each : {&free_, &pinned_, &whitened_, &acceleration_}) ensure(*each, size(n_));
  for (auto* each : {&normal_force_, &gap_acceleration_, &q_, &p_, &weight_, &projected_length_}) {
    std::fill_n(ensure(*each, size(m_)), m_, 0.0);
  }
  for (auto* each : {&rough_, &sticks_, &presses_, &opens_}) std::fill_n(ensure(*each, size(m_)), m_, char{0});
  std::fill_n(ensure(tangential_force_, size(t_)), t_, 0.0);
  std::fill_n(ensure(constraint_force_, size(k_)), k_, 0.0);
  ensure(bilateral_row_, size(rows));
  ensure(movable_, size(m_));
  if (!read_metric(problem)) return false;

  std::copy_n(problem.force, n_, free_.data());
  whiten(free_.data());
  scale_ = std::sqrt(dot(free_.data(), free_.data(), n_));

  ensure(row_, size(rows) * size(n_));
  ensure(length_, size(rows));
  ensure(bias_, size(rows));
  const auto take = [&](const double* from, const double* bias, int first, int count) {
    for (int i = 0; i < count; ++i) {
      double* y = row_.data() + size(first + i) * size(n_);
      std::copy_n(from + size(i) * size(n_), n_, y);
      whiten(y);
      const double norm = std::sqrt(dot(y, y, n_));
      const double length = norm > 0.0 ? norm : 1.0;
      for (int j = 0; j < n_; ++j) y[j] /= length;
      length_[first + i] = length;
      bias_[first + i] = bias[i] / length;
      scale_ = std::max(scale_, std::abs(bias_[first + i]));
    }
  };
  take(problem.constraint_rows, problem.constraint_bias, 0, k_);
  take(problem.normal_rows, problem.normal_bias, k_, m_);
  take(problem.tangent_rows, problem.tangent_bias, k_ + m_, t_);
  for (int j = 0; j < t_; ++j) rough_[problem.tangent_contact[j]] = sticks_[problem.tangent_contact[j]] = 1;
  return true;
}

bool ContactDynamics::eliminate(const AccelerationProblem& problem) {
  bilateral_count_ = 0;
  for (int i = 0; i < k_; ++i) bilateral_row_[bilateral_count_++] = i;
  for (int j = 0; j < t_; ++j)
    if (sticks_[problem.tangent_contact[j]]) bilateral_row_[bilateral_count_++] = k_ + m_ + j;
  double* rows = ensure(bilateral_, size(bilateral_count_) * size(n_));
  double* missing = ensure(bilateral_bias_, size(bilateral_count_));
  for (int i = 0; i < bilateral_count_; ++i) {
    const double* y = row_.data() + size(bilateral_row_[i]) * size(n_);
    std::copy_n(y, n_, rows + size(i) * size(n_));
    missing[i] = -bias_[bilateral_row_[i]] - dot(y, free_.data(), n_);
  }
  row_space_.compute(rows, bilateral_count_, n_);
  std::copy_n(free_.data(), n_, pinned_.data());
  if (bilateral_count_ == 0) return true;
  double* move = ensure(work_, size(n_));
  row_space_.solve_rows(missing, move);
  add_scaled(1.0, move, pinned_.data(), n_);
  double worst = 0.0;
  for (int i = 0; i < bilateral_count_; ++i)
    worst = std::max(worst, std::abs(missing[i] - dot(rows + size(i) * size(n_), move, n_)));
  return worst <= kInconsistent * scale_;
}

AccelerationStatus ContactDynamics::solve_normals() {
  // What the bilateral rows leave of each normal, again of unit length; contacts without anything left take no part.
  movable_count_ = 0;
  ensure(projected_, size(m_) * size(n_));
  for (int i = 0; i < m_; ++i) {
    double* y = projected_.data() + size(movable_count_) * size(n_);
    std::copy_n(row_.data() + size(k_ + i) * size(n_), n_, y);
    row_space_.remove_component(y);
    const double square = dot(y, y, n_);
    if (!(square > kFixed)) continue;
    const double length = std::sqrt(square);
    for (int j = 0; j < n_; ++j) y[j] /= length;
    projected_length_[movable_count_] = length;
    movable_[movable_count_++] = i;
  }
  const int count = movable_count_;
  double* matrix = ensure(matrix_, size(count) * size(count));
  double scale = scale_;
  for (int r = 0; r < count; ++r) {
    const double* y = projected_.data() + size(r) * size(n_);
    for (int s = 0; s < r; ++s)
      matrix[r * count + s] = matrix[s * count + r] = dot(y, projected_.data() + size(s) * size(n_), n_);
    matrix[r * count + r] = 1.0;
    const int row = k_ + movable_[r];
    q_[r] = (dot(row_.data() + size(row) * size(n_), pinned_.data(), n_) + bias_[row]) / projected_length_[r];
    // Forces in physical units: λ = p / (length of the projected row · length of the row).
    const double unit = 1.0 / (projected_length_[r] * length_[row]);
    weight_[r] = unit * unit;
    scale = std::max(scale, std::abs(q_[r]));
  }
  std::fill_n(p_.data(), m_, 0.0);
  std::copy_n(pinned_.data(), n_, whitened_.data());
  const LcpData data{matrix, q_.data(), count, scale};
  LcpStatus status = LcpStatus::solved;
  not_unique_ = false;
  if (count > 0) {
    status = lcp_.solve(data, p_.data());
    // Contacts all but dependent (faces on faces) may cost digits; the forces are good to the residual.
    if (status == LcpStatus::failed && lcp_.residual() <= kAcceptable * scale) status = LcpStatus::solved;
    if (status == LcpStatus::solved)
      not_unique_ = least_impulse_.choose(data, weight_.data(), p_.data()) == LeastImpulse::Uniqueness::not_unique;
    for (int r = 0; r < count; ++r) add_scaled(p_[r], projected_.data() + size(r) * size(n_), whitened_.data(), n_);
  }
  for (int i = 0; i < m_; ++i) opens_[i] = scaled_gap_acceleration(i) > kZero * scale;
  for (int i = 0; i < m_; ++i) presses_[i] = 0;
  for (int r = 0; r < count; ++r) presses_[movable_[r]] = p_[r] > kZero * scale;
  if (status == LcpStatus::infeasible) return AccelerationStatus::infeasible;
  if (status == LcpStatus::failed) return AccelerationStatus::failed;
  // A contact that the bilateral rows fix must not be driven into its wall by them.
  for (int i = 0; i < m_; ++i)
    if (!(scaled_gap_acceleration(i) >= -kInconsistent * scale)) return AccelerationStatus::infeasible;
  return AccelerationStatus::solved;
}

double ContactDynamics::scaled_gap_acceleration(int contact) const {
  const int row = k_ + contact;
  return dot(row_.data() + size(row) * size(n_), whitened_.data(), n_) + bias_[row];
}

void ContactDynamics::distribute() {
  // What the normals do not explain of u̇ − u̇_free comes from the bilateral rows.
  double* push = ensure(work_, size(n_));
  for (int j = 0; j < n_; ++j) push[j] = whitened_[j] - free_[j];
  for (int r = 0; r < movable_count_; ++r) {
    const int i = movable_[r];
    const double scaled = p_[r] / projected_length_[r];
    normal_force_[i] = scaled / length_[k_ + i];
    add_scaled(-scaled, row_.data() + size(k_ + i) * size(n_), push, n_);
  }
  if (bilateral_count_ > 0) {
    double* multiplier = ensure(multiplier_, size(k_ + m_ + t_));
    row_space_.solve_columns(push, multiplier);
    for (int b = 0; b < bilateral_count_; ++b) {
      const int row = bilateral_row_[b];
      const double force = multiplier[b] / length_[row];
      if (row < k_)
        constraint_force_[row] = force;
      else
        tangential_force_[row - k_ - m_] = force;
    }
  }
  if (t_ > 0 && (not_unique_ || movable_count_ < m_)) least_forces();
  finish_acceleration();
}

void ContactDynamics::finish_acceleration() {
  std::copy_n(whitened_.data(), n_, acceleration_.data());
  if (diagonal_metric_) {
    for (int j = 0; j < n_; ++j) acceleration_[j] *= inverse_diagonal_[j];
  } else {
    dense::solve_lower_transposed(factor_.data(), inverse_diagonal_.data(), acceleration_.data(), n_);
  }
  for (int i = 0; i < m_; ++i) gap_acceleration_[i] = scaled_gap_acceleration(i) * length_[k_ + i];
}

double ContactDynamics::slip_acceleration(int tangent) const {
  const int row = k_ + m_ + tangent;
  return (dot(row_.data() + size(row) * size(n_), whitened_.data(), n_) + bias_[row]) * length_[row];
}

void ContactDynamics::least_forces() {
  // All rows that may carry a force: bilateral ones, and normals that do not open.
  int count = bilateral_count_;
  for (int i = 0; i < m_; ++i)
    if (!opens_[i]) bilateral_row_[count++] = k_ + i;
  double* rows = ensure(bilateral_, size(count) * size(n_));
  for (int b = 0; b < count; ++b)
    std::copy_n(row_.data() + size(bilateral_row_[b]) * size(n_), n_, rows + size(b) * size(n_));
  row_space_.compute(rows, count, n_);
  double* push = ensure(work_, size(n_));
  for (int j = 0; j < n_; ++j) push[j] = whitened_[j] - free_[j];
  double* multiplier = ensure(multiplier_, size(k_ + m_ + t_));
  row_space_.solve_columns(push, multiplier);
  for (int b = bilateral_count_; b < count; ++b)
    if (multiplier[b] < -kZero * scale_) return;
  for (int b = 0; b < count; ++b) {
    const int row = bilateral_row_[b];
    const double force = multiplier[b] / length_[row];
    if (row < k_) {
      constraint_force_[row] = force;
    } else if (row < k_ + m_) {
      normal_force_[row - k_] = std::max(0.0, force);
      presses_[row - k_] = multiplier[b] > kZero * scale_;
    } else {
      tangential_force_[row - k_ - m_] = force;
    }
  }
}

AccelerationStatus ContactDynamics::solve_smooth(const AccelerationProblem& problem) {
  std::fill_n(sticks_.data(), m_, char{0});
  const bool consistent = eliminate(problem);
  AccelerationStatus status = solve_normals();
  if (status == AccelerationStatus::solved && !consistent) status = AccelerationStatus::inconsistent;
  distribute();
  return status;
}

AccelerationStatus ContactDynamics::solve(const AccelerationProblem& problem) {
  if (!read(problem)) return AccelerationStatus::metric_not_positive_definite;
  if (!std::isfinite(scale_)) return AccelerationStatus::failed;
  acceleration_unique_ = true;
  if (problem.constraint_columns != nullptr) return solve_columns(problem);
  if (t_ == 0) return solve_smooth(problem);
  AccelerationStatus status = AccelerationStatus::solved;
  if (all_stick(problem, status)) return status;
  return solve_cones(problem);
}

}  // namespace carom
