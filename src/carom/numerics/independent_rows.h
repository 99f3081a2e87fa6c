#pragma once
/// Which of some rows to keep so that all others depend on them: by Gram–Schmidt, the row that is farthest from the
/// span of those chosen first. The rows that are kept are as independent of each other as the whole set allows;
/// eliminating rows in another order may keep two that are nearly parallel and leave out one that is not.
///
/// Distances are those of rows of unit length from the span of the others, accurate to round-off: the squares that a
/// factorisation of Y Yᵀ finds are lost below 1e-16, where distances are 1e-8 still.

#include <vector>

namespace carom {

class IndependentRows {
 public:
  /// Of `rows`, count×n, of unit length or zero, which are changed. One that is within `threshold` of the span of those
  /// kept is left out.
  void choose(std::vector<double>& rows, int count, int n, double threshold);
  /// One entry for each row.
  [[nodiscard]] const std::vector<char>& left_out() const { return left_out_; }
  /// The least distance of a row that was kept from the span of those before it; 1 where none was.
  [[nodiscard]] double least_distance() const { return least_distance_; }

 private:
  std::vector<char> left_out_;
  std::vector<double> square_;  ///< of what is left of each row
  double least_distance_ = 1.0;
};

}  // namespace carom
