#pragma once
/// A square linear system A x = r that may be singular: complete pivoting with a rank decision.
///
/// Gives one solution (free unknowns zero), how far r is from being reached, and a basis of the null space. Rows should
/// be given with entries of order one. Sizes from 1 to about a hundred.

#include <vector>

namespace carom {

class RankedSystem {
 public:
  /// A pivot at or below this part of the largest entry ends the elimination.
  static constexpr double kNoPivot = 1e-11;

  /// Factorises `a` (n×n, row-major; not kept).
  void compute(const double* a, int n);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int nullity() const { return n_ - rank_; }

  /// x with A x = r in the rows that were used as pivots; returns the largest residual of the others, reduced.
  double solve(const double* r, double* x);

  /// Vector k of a basis of the null space, 0 ≤ k < nullity().
  void null_vector(int k, double* x);

 private:
  void back_substitute(double* x) const;

  int n_ = 0;
  int rank_ = 0;
  std::vector<double> factor_;     // L below (unit diagonal), U above, rows and columns exchanged
  std::vector<int> row_, column_;  // row i of the factor is row row_[i] of A, column j column_[j]
  std::vector<double> work_;
};

}  // namespace carom
