#pragma once
/// Infinitely many bounces in finite time: when they end, and when a bounce is too low to be told from rest.
///
/// A contact that leaves with gap rate γ⁺ under constant gap acceleration −a flies for 2γ⁺/a and returns with −γ⁺; with
/// restitution e the flights form a geometric series, and its end is
///   T = 2γ⁺/(a(1 − e))
/// later. Exact for constant a; else as good as a is constant over T, which shrinks with the height γ²/2a at which the
/// series is cut off.

#include <cmath>
#include <optional>

#include "carom/mechanics/restitution.h"

namespace carom::contact {

/// Remaining time of the bounces: `rate_after` ≥ 0, gap acceleration −`pull` with pull > 0, 0 ≤ restitution < 1.
inline double accumulation_remainder(double rate_after, double pull, double restitution) {
  return 2.0 * rate_after / (pull * (1.0 - restitution));
}

/// The same where e may depend on the speed: flight by flight while it does, then the series. None where no bounces
/// follow (e = 0), or where they never end because slow ones lose nothing.
inline std::optional<double> end_of_bounces(double rate_after, double pull, const Restitution& restitution) {
  constexpr int kMostFlights = 10'000;  // that many without coming to rest will hardly end at all
  const double e = restitution.at_rest();
  if (!(e > 0.0 && e < 1.0)) return std::nullopt;
  double time = 0.0;
  double rate = rate_after;
  for (int flight = 0; rate > restitution.constant_up_to(); ++flight) {
    if (flight == kMostFlights) return std::nullopt;
    time += 2.0 * rate / pull;
    rate *= restitution.at(rate);
  }
  return time + accumulation_remainder(rate, pull, e);
}

/// The gap rate of a bounce of this height, √(2 a h): slower ones count as rest.
inline double rest_rate(double pull, double height) {
  return std::sqrt(2.0 * pull * height);
}

}  // namespace carom::contact
