#pragma once
/// A velocity in a plane that a constant acceleration A and a resistance B against its own direction change,
///   u̇ = A − B u/|u|,   B > |A|,
/// until it is zero: the slip of a ball across an incline, and its rolling there against resistance.
///
/// With φ the angle from A to u, w = tan(φ/2), p = B/|A| and s = w/w₀ the hodograph is |u| = |u₀| s^(p−1) (1 +
/// w₀²s²)/(1 + w₀²), and |A| dt = −|u₀|/(1 + w₀²) s^(p−2) (1 + w₀²s²) ds: time, way and length of the way are sums of
/// powers of s. Given a time, y = s^(p−1) is found by Newton's method; time is concave in it, and from y = 1 the method
/// comes down monotonically.

#include <Eigen/Core>

#include "carom/base/archive.h"

namespace carom::event {

class TurningSlip {
 public:
  /// Whether A and B are such that this way is accurate: neither does B hardly exceed |A|, nor does A vanish beside B.
  static bool covers(const Eigen::Vector3d& acceleration, double resistance);

  /// To be filled from an archive.
  TurningSlip() = default;
  /// u₀ ≠ 0 and A in a plane, not along each other.
  TurningSlip(const Eigen::Vector3d& velocity, const Eigen::Vector3d& acceleration, double resistance);

  /// When u is zero [s].
  [[nodiscard]] double duration() const { return duration_; }

  struct State {
    Eigen::Vector3d velocity;  ///< u
    Eigen::Vector3d way;       ///< ∫u dt
    double length;             ///< ∫|u| dt
  };
  /// At a time up to the duration.
  [[nodiscard]] State at(double time) const;

  /// What a run goes on from, into an archive or back (island_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  Eigen::Vector3d along_ = Eigen::Vector3d::UnitX();   ///< unit: A,
  Eigen::Vector3d across_ = Eigen::Vector3d::UnitY();  ///< and the side of it that u is on
  double p_ = 0.0, w_ = 0.0, speed_ = 0.0, time_scale_ = 1.0, duration_ = 0.0;
};

}  // namespace carom::event
