#pragma once
/// Small dense kernels on row-major arrays: what the impact laws need, without allocation.
/// `n` is the order, rows are `stride` apart where a stride is given, otherwise n. Sizes from 1 to several hundred.

#include <cstddef>
#include <vector>

namespace carom::dense {

/// Makes room for at least `size` entries; never gives memory back, so that a reused workspace stops allocating.
template <class T>
inline T* ensure(std::vector<T>& storage, std::size_t size) {
  if (storage.size() < size) storage.resize(size);
  return storage.data();
}

/// The same for rows × columns entries.
template <class T>
inline T* ensure(std::vector<T>& storage, int rows, int columns) {
  return ensure(storage, static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
}

/// a·b. Four partial sums, always combined in the same order: strict floating point allows no other vectorisation.
inline double dot(const double* a, const double* b, int n) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  double rest = 0.0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

/// y ← y + c x
inline void add_scaled(double c, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] += c * x[i];
}

/// Cholesky factor of a symmetric matrix, of which the lower triangle is read: S = L Lᵀ, in place (lower triangle).
/// `inverse_diagonal[i] = 1/L_ii`. Returns −1, or the first row whose pivot is not above `threshold`·S_ii: S is then
/// not positive definite to working precision.
/// `first`, where given, says of each row before which column it has zeros only, a multiple of 4; these are neither
/// read nor written, so that a banded matrix takes a time linear in its order, and the bits are the same.
int cholesky(double* s, double* inverse_diagonal, int n, double threshold, const int* first = nullptr);

/// Whether nothing stands below the diagonal of s (n×n, row-major): factors and solutions are then component by
/// component.
bool is_diagonal(const double* s, int n);

/// x ← L⁻¹ x, with the factor and inverse diagonal of cholesky().
void solve_lower(const double* l, const double* inverse_diagonal, double* x, int n, const int* first = nullptr);

/// x ← L⁻ᵀ x.
void solve_lower_transposed(const double* l, const double* inverse_diagonal, double* x, int n,
                            const int* first = nullptr);

/// y ← Lᵀ x (lower triangle of l only).
void multiply_lower_transposed(const double* l, const double* x, double* y, int n);

/// Diagonally pivoted Cholesky of a symmetric positive semidefinite S: Pᵀ S P = L Lᵀ, rank-revealing.
struct PivotedCholesky {
  /// Factorises a copy of s (n×n). A pivot at or below `threshold`·(largest diagonal) ends it.
  void compute(const double* s, int n, double threshold);

  /// Column j (0 ≤ j < n − rank) of a basis of the null space of S, in the original order of rows.
  void null_vector(int j, double* out) const;

  int order = 0;
  int rank = 0;
  /// Largest magnitude left in the part that was not factorised: near zero if S is semidefinite.
  double remainder = 0.0;
  double largest_diagonal = 0.0;
  std::vector<double> factor;    ///< L, order×order, columns ≥ rank hold the remainder
  std::vector<int> permutation;  ///< row i of the factor is row permutation[i] of S

 private:
  mutable std::vector<double> work_;
};

}  // namespace carom::dense
