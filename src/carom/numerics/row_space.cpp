#include "carom/numerics/row_space.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/dense.h"

namespace carom {

using dense::add_scaled;
using dense::dot;
using dense::ensure;

void RowSpace::compute(const double* rows, int count, int n) {
  count_ = count;
  n_ = n;
  rank_ = 0;
  doubtful_ = false;
  if (count == 0) return;
  const auto size = static_cast<std::size_t>(count) * static_cast<std::size_t>(n);
  double* left = ensure(work_, size);
  std::copy(rows, rows + size, left);
  ensure(basis_, size);
  std::fill_n(ensure(r_, count, count), count * count, 0.0);
  std::fill_n(ensure(used_, count), count, char{0});

  double largest = 0.0;
  for (int step = 0; step < std::min(count, n); ++step) {
    int pivot = -1;
    double best = 0.0;
    for (int i = 0; i < count; ++i) {
      if (used_[i]) continue;
      const double norm = dot(left + i * n, left + i * n, n);
      if (pivot < 0 || norm > best) {
        pivot = i;
        best = norm;
      }
    }
    const double distance = std::sqrt(best);
    largest = std::max(largest, distance);
    if (distance > kDoubtfulFrom * largest && distance < kDoubtfulTo * largest) doubtful_ = true;
    if (!(distance > kDependent * largest)) break;

    double* q = basis_.data() + static_cast<std::ptrdiff_t>(step) * n;
    std::copy(left + pivot * n, left + pivot * n + n, q);
    for (int k = 0; k < step; ++k) {  // re-orthogonalise, and book what is taken out
      const double c = dot(basis(k), q, n);
      r_[k * count + pivot] += c;
      add_scaled(-c, basis(k), q, n);
    }
    const double norm = std::sqrt(dot(q, q, n));
    for (int i = 0; i < n; ++i) q[i] /= norm;
    used_[pivot] = 1;
    r_[step * count + pivot] = norm;
    for (int i = 0; i < count; ++i) {
      if (used_[i]) continue;
      const double c = dot(q, left + i * n, n);
      r_[step * count + i] = c;
      add_scaled(-c, q, left + i * n, n);
    }
    rank_ = step + 1;
  }

  // Second stage: R = R₂ᵀ Q₂.
  std::copy_n(r_.data(), rank_ * count, ensure(q2_, count, count));
  ensure(r2_, rank_, rank_);
  orthonormalise(q2_, rank_, count, r2_.data());
  ensure(coefficient_, rank_);
}

void RowSpace::orthonormalise(std::vector<double>& rows, int count, int n, double* triangle) {
  // rows[i] = Σ_{k ≤ i} triangle[i][k] q_k; the rows are independent here.
  for (int i = 0; i < count; ++i) {
    double* row = rows.data() + static_cast<std::ptrdiff_t>(i) * n;
    for (int k = 0; k < count; ++k) triangle[i * count + k] = 0.0;
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < i; ++k) {
        const double* q = rows.data() + static_cast<std::ptrdiff_t>(k) * n;
        const double c = dot(q, row, n);
        triangle[i * count + k] += c;
        add_scaled(-c, q, row, n);
      }
    const double norm = std::sqrt(dot(row, row, n));
    triangle[i * count + i] = norm;
    for (int j = 0; j < n; ++j) row[j] /= norm;
  }
}

void RowSpace::remove_component(double* x) const {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < rank_; ++k) add_scaled(-dot(basis(k), x, n_), basis(k), x, n_);
}

void RowSpace::solve_rows(const double* b, double* z) {
  // Y z = b, z = Qᵀc: Rᵀ c = b in least squares, Rᵀ = Q₂ᵀ R₂ with R₂ upper triangular (= triangleᵀ).
  for (int k = 0; k < rank_; ++k) coefficient_[k] = dot(q2_.data() + k * count_, b, count_);
  for (int k = rank_ - 1; k >= 0; --k) {
    double value = coefficient_[k];
    for (int i = k + 1; i < rank_; ++i) value -= r2_[i * rank_ + k] * coefficient_[i];
    coefficient_[k] = value / r2_[k * rank_ + k];
  }
  std::fill_n(z, n_, 0.0);
  for (int k = 0; k < rank_; ++k) add_scaled(coefficient_[k], basis(k), z, n_);
}

void RowSpace::solve_columns(const double* z, double* lambda) {
  // Yᵀλ = Qᵀ R λ = z: R λ = Q z, least norm λ = Q₂ᵀ y with (triangle) y = Q z.
  for (int k = 0; k < rank_; ++k) {
    double value = dot(basis(k), z, n_);
    for (int i = 0; i < k; ++i) value -= r2_[k * rank_ + i] * coefficient_[i];
    coefficient_[k] = value / r2_[k * rank_ + k];
  }
  std::fill_n(lambda, count_, 0.0);
  for (int k = 0; k < rank_; ++k) add_scaled(coefficient_[k], q2_.data() + k * count_, lambda, count_);
}

}  // namespace carom
