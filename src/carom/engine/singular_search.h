#pragma once
/// Positions in which what joints keep becomes dependent, so that rigid mechanics does not determine the motion: looked
/// for within steps, not at their ends only.
///
/// How far rows are from being dependent is the volume that they span, each of unit length, rows that always depend on
/// others apart. Its square V is a smooth function of time, about c²(t − t₀)² where a singular position is passed and
/// c²(t − t₀)² + ε² where one is only come near to. Bodies that are off their joints by δ within a step see the second
/// with ε² about δ. So V is not taken where it is least, but extrapolated to there from places a little before, where
/// bodies can be put on their joints.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "carom/base/archive.h"

namespace carom {

/// The logarithm of V at the stages of a step.
class IndependenceWatch {
 public:
  void begin() {
    least_ = std::numeric_limits<double>::infinity();
    most_ = -std::numeric_limits<double>::infinity();
  }
  void note(double log_volume) {
    least_ = std::min(least_, log_volume);
    most_ = std::max(most_, log_volume);
  }
  /// Whether V may have gone through zero in between: then some stage saw less than half of it, beside the others.
  [[nodiscard]] bool came_near_zero() const { return least_ <= most_ - kHalf; }

  void transfer(Archive& archive) { archive(least_, most_); }

 private:
  static constexpr double kHalf = 0.6931471805599453;  ///< log 2
  double least_ = 0.0, most_ = 0.0;
};

/// The logarithm of V along the motion of a step.
struct VolumeOnMotion {
  std::function<double(double)> as_integrated;
  /// With bodies put on their joints; none where that cannot be done.
  std::function<std::optional<double>(double)> on_joints;
  /// Whether rows are so near to being dependent that no step can begin there.
  std::function<bool(double)> is_blocked;
};

/// Where it is looked for: the motion is known from `from` to `to`, and good enough for a guess up to `farthest`.
struct SingularStretch {
  double from, to;
  double farthest;
};

/// The instant of a singular position, if there is one.
std::optional<double> singular_instant(const VolumeOnMotion& volume, const SingularStretch& stretch);

}  // namespace carom
