#pragma once
/// Infinitely many bounces in finite time: when they end, and when a bounce is too low to be told from rest.
///
/// A contact that leaves with gap rate γ⁺ under constant gap acceleration −a flies for 2γ⁺/a and returns with −γ⁺; with
/// restitution e the flights form a geometric series, and its end is
///   T = 2γ⁺/(a(1 − e))
/// later. Exact for constant a; else as good as a is constant over T, which shrinks with the height γ²/2a at which the
/// series is cut off.

#include <cmath>

namespace carom::contact {

/// Remaining time of the bounces: `rate_after` ≥ 0, gap acceleration −`pull` with pull > 0, 0 ≤ restitution < 1.
inline double accumulation_remainder(double rate_after, double pull, double restitution) {
  return 2.0 * rate_after / (pull * (1.0 - restitution));
}

/// The gap rate of a bounce of this height, √(2 a h): slower ones count as rest.
inline double rest_rate(double pull, double height) {
  return std::sqrt(2.0 * pull * height);
}

}  // namespace carom::contact
