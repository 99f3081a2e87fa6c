#include "carom/mechanics/contact_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {
/// A contact is inert when less than this of its inertance is left by the constraints.
constexpr double kInert = 1e-14;
/// A v⁻ = 0 must hold to this, relative to |a||v⁻| in the metric.
constexpr double kConstraintResidual = 1e-9;
/// Speeds within these bounds are taken as they are.
constexpr double kSlow = 1e-100;
constexpr double kFast = 1e100;
}  // namespace

void ContactSpace::choose_speed_unit(const ImpactProblem& problem) {
  double largest = 0.0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(problem.velocity[i]));
  for (const Contact& contact : problem.contacts) largest = std::max(largest, std::abs(contact.offset));
  speed_unit_ = 1.0;
  if (largest > 0.0 && (largest < kSlow || largest > kFast)) speed_unit_ = std::ldexp(1.0, std::ilogb(largest));
  ensure(velocity_, static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) velocity_[i] = problem.velocity[i] / speed_unit_;
}

void ContactSpace::factorise_metric(const ImpactProblem& problem) {
  const auto order = static_cast<std::size_t>(n_);
  double* l = ensure(factor_, order * order);
  ensure(inverse_diagonal_, order);
  ensure(whitened_, order);
  const double* g = problem.metric.data();
  for (int i = 0; i < n_; ++i)
    for (int j = problem.diagonal ? i : 0; j <= i; ++j) l[i * n_ + j] = 0.5 * (g[i * n_ + j] + g[j * n_ + i]);
  diagonal_metric_ = problem.diagonal || dense::is_diagonal(l, n_);
  int failed = -1;
  if (diagonal_metric_) {
    for (int i = n_ - 1; i >= 0; --i) {
      double& entry = l[i * (n_ + 1)];
      if (!(entry > 0.0)) failed = i;
      entry = std::sqrt(entry);
      inverse_diagonal_[i] = 1.0 / entry;
    }
  } else {
    failed = dense::cholesky(l, inverse_diagonal_.data(), n_, 4.0 * n_ * 2.2e-16);
  }
  if (failed >= 0)
    throw InputError{
        Kind::metric_not_positive_definite, "metric",
        fmt::format("metric is not positive definite: the pivot of row {} (diagonal entry {}) is not above "
                    "round-off, expected vᵀGv > 0 for every v ≠ 0",
                    failed, g[failed * n_ + failed])};
  if (diagonal_metric_) {
    for (int i = 0; i < n_; ++i) whitened_[i] = l[i * (n_ + 1)] * velocity_[i];
  } else {
    dense::multiply_lower_transposed(l, velocity_.data(), whitened_.data(), n_);
  }
  const double energy = dot(whitened_.data(), whitened_.data(), n_);
  if (!std::isfinite(energy) || !std::isfinite(energy * speed_unit_ * speed_unit_))
    throw InputError{Kind::out_of_range, "velocity",
                     "velocity is too large: its kinetic energy is not a finite number"};
  reference_speed_ = std::sqrt(energy);
}

void ContactSpace::read_constraints(const ImpactProblem& problem) {
  const int count = static_cast<int>(problem.persistent.rows());
  if (count > 0) {
    double* rows = ensure(constraint_rows_, static_cast<std::size_t>(count) * static_cast<std::size_t>(n_));
    ensure(constraint_norm_, static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      double* y = rows + static_cast<std::ptrdiff_t>(k) * n_;
      const double* a = problem.persistent.data() + static_cast<std::ptrdiff_t>(k) * n_;
      whiten(a, y);
      const double norm = std::sqrt(dot(y, y, n_));
      if (!std::isfinite(norm))
        throw InputError{Kind::out_of_range, fmt::format("persistent.{}", k),
                         fmt::format("persistent.{} is too large for this metric: a G⁻¹ aᵀ is not a finite number", k)};
      const double residual = dot(a, velocity_.data(), n_);
      if (std::abs(residual) > kConstraintResidual * norm * reference_speed_)
        throw InputError{Kind::constraint_violated, fmt::format("persistent.{}", k),
                         fmt::format("persistent.{} times velocity is {}, expected 0: the velocity before the impact "
                                     "must satisfy the persistent constraints",
                                     k, residual * speed_unit_)};
      constraint_norm_[k] = norm > 0.0 ? norm : 1.0;
      for (int i = 0; i < n_; ++i) y[i] /= constraint_norm_[k];
    }
  }
  constraints_.compute(constraint_rows_.data(), count, n_);
}

void ContactSpace::read_contacts(const ImpactProblem& problem) {
  const auto count = problem.contacts.size();
  ensure(contact_, count);
  ensure(rows_, count * static_cast<std::size_t>(n_));
  ensure(cosines_, count * count);
  for (std::vector<double>* field : {&rate_, &restitution_, &stiffness_, &root_inertance_}) ensure(*field, count);
  movable_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Contact& contact = problem.contacts[i];
    double* y = rows_.data() + static_cast<std::ptrdiff_t>(movable_) * n_;
    whiten(contact, contact.normal.data(), y);
    const double free_inertance = product(contact, y, y);
    if (!std::isfinite(free_inertance) || !(free_inertance > 0.0))
      throw InputError{
          Kind::out_of_range, fmt::format("contacts.{}.normal", i),
          fmt::format("contacts.{}.normal is out of range for this metric: n G⁻¹ nᵀ is {}", i, free_inertance)};
    double inertance = free_inertance;
    if (constraints_.rank() > 0) {
      constraints_.remove_component(y);
      inertance = dot(y, y, n_);
      if (inertance <= kInert * free_inertance) continue;
    }
    const double root = std::sqrt(inertance);
    contact.visit_known(n_, [&](int first, int entries) {
      for (int k = first; k < first + entries; ++k) y[k] /= root;
    });
    const double offset = contact.offset / speed_unit_;
    rate_[movable_] = (product(contact, contact.normal.data(), velocity_.data()) + offset) / root;
    reference_speed_ = std::max(reference_speed_, std::abs(offset) / root);
    root_inertance_[movable_] = root;
    restitution_[movable_] = problem.restitution_of(contact);
    stiffness_[movable_] = contact.stiffness;
    contact_[movable_] = static_cast<int>(i);
    ++movable_;
  }
  std::fill_n(cosines_.data(), static_cast<std::size_t>(movable_) * static_cast<std::size_t>(movable_), 0.0);
  sparse_.read(rows_.data(), movable_, n_, [&](int r, const auto& visit) {
    problem.contacts[static_cast<std::size_t>(contact_[r])].visit_known(n_, visit);
  });
  for (int a = 0; a < movable_; ++a)
    sparse_.visit_neighbours(a, [&](int b) {
      const double cosine = a == b ? 1.0 : std::clamp(sparse_.dot(a, b), -1.0, 1.0);
      cosines_[a * movable_ + b] = cosine;
      cosines_[b * movable_ + a] = cosine;
    });
}

void ContactSpace::prepare(const ImpactProblem& problem) {
  validate(problem);
  n_ = static_cast<int>(problem.velocity.size());
  ensure(work_, static_cast<std::size_t>(n_));
  choose_speed_unit(problem);
  factorise_metric(problem);
  read_constraints(problem);
  read_contacts(problem);
}

void ContactSpace::whiten(const double* row, double* y) const {
  if (diagonal_metric_) {
    for (int i = 0; i < n_; ++i) y[i] = row[i] * inverse_diagonal_[i];
    return;
  }
  std::copy_n(row, n_, y);
  dense::solve_lower(factor_.data(), inverse_diagonal_.data(), y, n_);
}

void ContactSpace::whiten(const Contact& contact, const double* row, double* y) const {
  if (!diagonal_metric_ || !contact.knows_few()) {
    whiten(row, y);
    return;
  }
  std::fill_n(y, n_, 0.0);
  contact.visit_known(n_, [&](int first, int count) {
    for (int i = first; i < first + count; ++i) y[i] = row[i] * inverse_diagonal_[i];
  });
}

double ContactSpace::product(const Contact& contact, const double* row, const double* vector) const {
  double sum = 0.0;
  contact.visit_known(n_, [&](int first, int count) { sum += dot(row + first, vector + first, count); });
  return sum;
}

void ContactSpace::move(const double* change, double* velocity_after) const {
  if (diagonal_metric_) {
    for (int i = 0; i < n_; ++i) velocity_after[i] = change[i] * inverse_diagonal_[i];
  } else {
    std::copy_n(change, n_, velocity_after);
    dense::solve_lower_transposed(factor_.data(), inverse_diagonal_.data(), velocity_after, n_);
  }
  for (int i = 0; i < n_; ++i) velocity_after[i] += velocity_[i];
}

void ContactSpace::constraint_impulses(const double* push, double* lambda) {
  // Âᵀ λ̂ = −(part of the push in the span of A)
  for (int i = 0; i < n_; ++i) work_[i] = -push[i];
  constraints_.solve_columns(work_.data(), lambda);
  for (int k = 0; k < constraints_.count(); ++k) lambda[k] /= constraint_norm_[k];
  if (!constraints_independent()) take_least_impulses(lambda);
}

/// What λ has of impulses that do nothing is taken away. With Q₂ the range of the rows of unit length, 1 − Q₂ᵀQ₂ spans
/// these of the unit rows, and its columns divided by the lengths of the rows those of the rows as they are.
void ContactSpace::take_least_impulses(double* lambda) {
  const int count = constraints_.count();
  double* idle = ensure(idle_rows_, static_cast<std::size_t>(count) * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    double* row = idle + static_cast<std::ptrdiff_t>(i) * count;
    std::fill_n(row, count, 0.0);
    row[i] = 1.0;
    for (int k = 0; k < constraints_.rank(); ++k)
      dense::add_scaled(-constraints_.range_basis(k)[i], constraints_.range_basis(k), row, count);
    for (int j = 0; j < count; ++j) row[j] /= constraint_norm_[j];
  }
  idle_.compute(idle, count, count);
  idle_.remove_component(lambda);
}

}  // namespace carom
