#pragma once
/// Rank-revealing factorisation of a few rows: the space they span, and least-norm solutions in it.
///
/// For Y (r×n) it finds Y = Rᵀ Q with Q (rank×n) orthonormal, by Gram–Schmidt with row pivoting and
/// re-orthogonalisation, then R = R₂ᵀ Q₂ likewise: a complete orthogonal decomposition. Dependent rows are normal in
/// mechanics (a ball that rolls on the floor and meets a wall has 5 rows of rank 4); forming Y Yᵀ instead would lose
/// everything at rows that are dependent to 1e-7. Rows should be given with norms of order one: the rank is decided by
/// the distance of a row from the span of the others, relative to the largest row.

#include <cstddef>
#include <vector>

namespace carom {

class RowSpace {
 public:
  /// A row is dependent when less than this of it (relative to the largest row) lies outside the span of the others.
  static constexpr double kDependent = 1e-11;
  /// A rejected or accepted row within this range of distances is a doubtful decision.
  static constexpr double kDoubtfulFrom = 1e-13;
  static constexpr double kDoubtfulTo = 1e-9;

  /// Factorises `rows` (count×n, row-major; not kept).
  void compute(const double* rows, int count, int n);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int rank() const { return rank_; }
  /// Whether some distance fell into the doubtful range, so that the rank might as well be one more or less.
  [[nodiscard]] bool doubtful() const { return doubtful_; }
  /// Row k of the orthonormal basis, 0 ≤ k < rank.
  [[nodiscard]] const double* basis(int k) const { return basis_.data() + static_cast<std::ptrdiff_t>(k) * n_; }

  /// Row k of an orthonormal basis of the range of Y, 0 ≤ k < rank: `count` entries.
  [[nodiscard]] const double* range_basis(int k) const { return q2_.data() + static_cast<std::ptrdiff_t>(k) * count_; }

  /// x ← x − Qᵀ Q x, twice, so that what remains is orthogonal to the rows to round-off.
  void remove_component(double* x) const;

  /// The least-norm least-squares solution z of Y z = b (b: count, z: n).
  void solve_rows(const double* b, double* z);

  /// The least-norm least-squares solution λ of Yᵀ λ = z (z: n, λ: count).
  void solve_columns(const double* z, double* lambda);

 private:
  static void orthonormalise(std::vector<double>& rows, int count, int n, double* triangle);

  int count_ = 0;
  int n_ = 0;
  int rank_ = 0;
  bool doubtful_ = false;
  std::vector<double> basis_;  // Q: rank×n
  std::vector<double> work_;   // rows being reduced: count×n
  std::vector<double> r_;      // R: rank×count, row k in the original order of rows
  std::vector<double> q2_;     // Q₂: rank×count
  std::vector<double> r2_;     // R₂: rank×rank, R = R₂ᵀ Q₂ with R₂ᵀ lower triangular
  std::vector<double> coefficient_;
  std::vector<char> used_;
};

}  // namespace carom
