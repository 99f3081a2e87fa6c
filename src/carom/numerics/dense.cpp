#include "carom/numerics/dense.h"

#include <algorithm>
#include <cmath>

namespace carom::dense {

int cholesky(double* s, double* inverse_diagonal, int n, double threshold, const int* first) {
  for (int i = 0; i < n; ++i) {
    double* row = s + static_cast<std::ptrdiff_t>(i) * n;
    const double diagonal = row[i];
    const int begin = first == nullptr ? 0 : first[i];
    for (int j = begin; j < i; ++j) {
      const double* other = s + static_cast<std::ptrdiff_t>(j) * n;
      const int both = std::max(begin, first == nullptr ? 0 : first[j]);
      row[j] = (row[j] - dot(row + both, other + both, j - both)) * inverse_diagonal[j];
    }
    const double pivot = diagonal - dot(row + begin, row + begin, i - begin);
    if (!(pivot > threshold * diagonal) || !(pivot > 0.0)) return i;
    row[i] = std::sqrt(pivot);
    inverse_diagonal[i] = 1.0 / row[i];
  }
  return -1;
}

bool is_diagonal(const double* s, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (s[i * n + j] != 0.0) return false;
  return true;
}

void solve_lower(const double* l, const double* inverse_diagonal, double* x, int n, const int* first) {
  for (int i = 0; i < n; ++i) {
    const int begin = first == nullptr ? 0 : first[i];
    const double* row = l + static_cast<std::ptrdiff_t>(i) * n;
    x[i] = (x[i] - dot(row + begin, x + begin, i - begin)) * inverse_diagonal[i];
  }
}

void solve_lower_transposed(const double* l, const double* inverse_diagonal, double* x, int n, const int* first) {
  for (int i = n - 1; i >= 0; --i) {
    const int begin = first == nullptr ? 0 : first[i];
    x[i] *= inverse_diagonal[i];
    add_scaled(-x[i], l + static_cast<std::ptrdiff_t>(i) * n + begin, x + begin, i - begin);
  }
}

void multiply_lower_transposed(const double* l, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0.0;
  for (int i = 0; i < n; ++i) add_scaled(x[i], l + static_cast<std::ptrdiff_t>(i) * n, y, i + 1);
}

void PivotedCholesky::compute(const double* s, int n, double threshold) {
  order = n;
  rank = 0;
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  double* a = ensure(factor, size);
  std::copy(s, s + size, a);
  ensure(permutation, n);
  for (int i = 0; i < n; ++i) permutation[i] = i;
  largest_diagonal = 0.0;
  for (int i = 0; i < n; ++i) largest_diagonal = std::max(largest_diagonal, std::abs(a[i * n + i]));

  // Right-looking: after k columns the trailing block holds the Schur complement.
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (a[i * n + i] > a[best * n + best]) best = i;
    if (!(a[best * n + best] > threshold * largest_diagonal)) break;
    if (best != k) {
      std::swap(permutation[k], permutation[best]);
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
      for (int i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + best]);
    }
    const double pivot = std::sqrt(a[k * n + k]);
    a[k * n + k] = pivot;
    for (int i = k + 1; i < n; ++i) a[i * n + k] /= pivot;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j) {
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
        a[j * n + i] = a[i * n + j];
      }
    rank = k + 1;
  }
  remainder = 0.0;
  for (int i = rank; i < n; ++i)
    for (int j = rank; j < n; ++j) remainder = std::max(remainder, std::abs(a[i * n + j]));
}

void PivotedCholesky::null_vector(int j, double* out) const {
  // S = P [L₁; L₂][L₁; L₂]ᵀ Pᵀ: the null vectors are P [−L₁⁻ᵀ L₂ᵀ e_j; e_j].
  const int n = order;
  double* x = ensure(work_, n);
  const int row = rank + j;
  for (int i = rank - 1; i >= 0; --i) {
    double value = -factor[row * n + i];
    for (int k = i + 1; k < rank; ++k) value -= factor[k * n + i] * x[k];
    x[i] = value / factor[i * n + i];
  }
  for (int i = 0; i < n; ++i) out[i] = 0.0;
  for (int i = 0; i < rank; ++i) out[permutation[i]] = x[i];
  out[permutation[row]] = 1.0;
}

}  // namespace carom::dense
