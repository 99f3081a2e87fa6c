#pragma once
/// Lemke's complementary pivoting with a lexicographic ratio test.
///
/// Finds p with 0 ≤ p ⟂ M p + q ≥ 0, or a secondary ray. For a positive semidefinite M a ray proves that there is no
/// solution; the lexicographic rule excludes cycling for degenerate and singular M, as far as round-off lets it.
/// Source: Cottle, Pang & Stone, The Linear Complementarity Problem, 1992, algorithms 4.4.5 and 4.9.3.

#include <cstddef>
#include <vector>

namespace carom {

class Lemke {
 public:
  enum class End {
    solution,
    ray,
    cycle,  ///< a basis has come again: round-off decides what the ratio test does
    pivot_limit
  };

  /// `basic[i]` tells afterwards whether p_i is basic; after a ray, `ray` (size m) is its direction in p.
  End solve(const double* m_matrix, const double* q, int m, long max_pivots);

  std::vector<double> solution;
  std::vector<char> basic;
  std::vector<double> ray;

 private:
  int lexicographic_row(int entering) const;
  void pivot(int row, int column);
  [[nodiscard]] double& at(int row, int column) { return tableau_[static_cast<std::size_t>(row) * width_ + column]; }
  [[nodiscard]] double at(int row, int column) const {
    return tableau_[static_cast<std::size_t>(row) * width_ + column];
  }

  // Columns: w_0…w_{m−1}, p_0…p_{m−1}, z₀, right-hand side.
  int m_ = 0;
  int width_ = 0;
  std::vector<double> tableau_;
  std::vector<int> basis_;
};

}  // namespace carom
