#include "carom/numerics/ranked_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/numerics/dense.h"

namespace carom {

void RankedSystem::compute(const double* a, int n) {
  n_ = n;
  rank_ = 0;
  double* f = dense::ensure(factor_, n, n);
  std::copy_n(a, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), f);
  dense::ensure(row_, n);
  dense::ensure(column_, n);
  dense::ensure(work_, 2 * n);
  for (int i = 0; i < n; ++i) row_[i] = column_[i] = i;
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    int best_row = k;
    int best_column = k;
    double best = 0.0;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(f[i * n + j]) > best) {
          best = std::abs(f[i * n + j]);
          best_row = i;
          best_column = j;
        }
    largest = std::max(largest, best);
    if (!(best > kNoPivot * largest)) return;
    if (best_row != k) {
      std::swap_ranges(f + k * n, f + k * n + n, f + best_row * n);
      std::swap(row_[k], row_[best_row]);
    }
    if (best_column != k) {
      for (int i = 0; i < n; ++i) std::swap(f[i * n + k], f[i * n + best_column]);
      std::swap(column_[k], column_[best_column]);
    }
    const double inverse = 1.0 / f[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      double& factor = f[i * n + k];
      if (factor == 0.0) continue;
      factor *= inverse;
      for (int j = k + 1; j < n; ++j) f[i * n + j] -= factor * f[k * n + j];
    }
    ++rank_;
  }
}

void RankedSystem::back_substitute(double* x) const {
  for (int i = rank_ - 1; i >= 0; --i) {
    const double* row = factor_.data() + static_cast<std::ptrdiff_t>(i) * n_;
    for (int j = i + 1; j < rank_; ++j) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  }
}

double RankedSystem::solve(const double* r, double* x) {
  double* y = work_.data();
  double* z = work_.data() + n_;
  double missed = 0.0;
  for (int i = 0; i < n_; ++i) {
    double value = r[row_[i]];
    for (int j = 0; j < std::min(i, rank_); ++j) value -= factor_[static_cast<std::size_t>(i * n_ + j)] * y[j];
    y[i] = value;
    z[i] = i < rank_ ? value : 0.0;
    if (i >= rank_) missed = std::max(missed, std::abs(value));
  }
  back_substitute(z);
  for (int i = 0; i < n_; ++i) x[column_[i]] = z[i];
  return missed;
}

void RankedSystem::null_vector(int k, double* x) {
  double* z = work_.data();
  for (int i = 0; i < n_; ++i) z[i] = i < rank_ ? -factor_[static_cast<std::size_t>(i * n_ + rank_ + k)] : 0.0;
  back_substitute(z);
  z[rank_ + k] = 1.0;
  for (int i = 0; i < n_; ++i) x[column_[i]] = z[i];
}

}  // namespace carom
