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

/// Where it is looked for: the motion is known from `from` to `to`, and good enough for a guess up to `farthest`.
struct SingularStretch {
  double from, to;
  double farthest;
};

/// The instant in which nothing is left of a row: the middle of the moment for which less is left of it than can be
/// told from nothing. Where steps get shorter and shorter and the stretch ends within that moment, the instant at which
/// the distance, the root of what is left, comes to zero if it goes on as it did before.
std::optional<double> singular_instant(const std::function<double(double)>& independence,
                                       const SingularStretch& stretch);

}  // namespace carom
