#pragma once
/// Positions in which what joints keep becomes dependent, so that rigid mechanics does not determine the motion: looked
/// for within steps, not at their ends only.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "carom/base/archive.h"

namespace carom {

/// How much was left of the row that depends on others the most, squared, at the stages of a step; 0: it does.
class IndependenceWatch {
 public:
  void begin() {
    least_ = std::numeric_limits<double>::infinity();
    most_ = 0.0;
  }
  void note(double independence) {
    least_ = std::min(least_, independence);
    most_ = std::max(most_, independence);
  }
  /// Whether it may have gone through zero in between: then some stage saw less than half of it, beside the others.
  [[nodiscard]] bool came_near_zero() const { return least_ <= 0.25 * most_; }

  void transfer(Archive& archive) { archive(least_, most_); }

 private:
  double least_ = 1.0, most_ = 1.0;
};

/// The middle of the first moment in which nothing is left of a row, within a stretch of known motion.
std::optional<double> singular_instant(const std::function<double(double)>& independence, double from, double to);

}  // namespace carom
