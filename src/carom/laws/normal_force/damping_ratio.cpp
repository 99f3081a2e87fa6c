#include "carom/laws/normal_force/damping_ratio.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/assert.h"

namespace carom {

namespace {

/// A(ζ): smooth at 1, where acos and the root both vanish; there by its series Σ k!/(2k+1)!! (1 − ζ)ᵏ.
double angle_over_sine(double ratio) {
  const double below = 1.0 - ratio;
  if (std::abs(below) < 0.1) {
    constexpr int kTerms = 13;  // 0.05¹³ = 1e-17
    double sum = 1.0;
    for (int k = kTerms; k >= 1; --k) sum = 1.0 + sum * below * k / (2 * k + 1);
    return sum;
  }
  const double square = below * (1.0 + ratio);  // 1 − ζ²
  return ratio < 1.0 ? std::acos(ratio) / std::sqrt(square) : std::acosh(ratio) / std::sqrt(-square);
}

}  // namespace

double clamped_restitution(double damping_ratio) {
  CAROM_ASSERT(damping_ratio >= 0.0);
  return std::exp(-2.0 * damping_ratio * angle_over_sine(damping_ratio));
}

// Newton's method on ζ A(ζ) = −½ ln e, with (1 − ζ²) A' = ζA − 1. The left-hand side is increasing and concave, so from
// below the root the iteration climbs to it.
double damping_ratio(double restitution) {
  CAROM_ASSERT(restitution > 0.0 && restitution <= 1.0);
  const double target = -0.5 * std::log(restitution);
  double ratio = 2.0 * target / std::numbers::pi;
  for (int i = 0; i < 100; ++i) {
    const double angle = angle_over_sine(ratio);
    const double square = (1.0 - ratio) * (1.0 + ratio);
    // (ζA − 1)/(1 − ζ²) → −1/3 at ζ = 1.
    const double slope = angle + ratio * (std::abs(square) < 1e-4 ? -1.0 / 3.0 : (ratio * angle - 1.0) / square);
    const double change = (target - ratio * angle) / slope;
    ratio += change;
    if (std::abs(change) <= 2.0 * std::numeric_limits<double>::epsilon() * ratio) break;
  }
  return ratio;
}

}  // namespace carom
