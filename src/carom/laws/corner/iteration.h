#pragma once
/// The corner rule in (ẋ, ẏ), one problem at a time and given by the slope k = tan α: the definition, to the last bit,
/// of what `solve` and `solve_batch` return. disk_in_corner.h has the rule and its source.

#include <cmath>
#include <vector>

#include "carom/laws/corner/disk_in_corner.h"

namespace carom::corner {

/// Largest slope: tan of the largest double below π/2 is 1.63e16.
inline constexpr double kMaxSlope = 0x1p54;

/// Components of this size are taken as they are; larger and smaller velocities are brought here by a power of two.
inline constexpr double kPlainMax = 0x1p40;
inline constexpr double kPlainMin = 0x1p-40;

struct SlopeProblem {
  double slope;
  double restitution;
  Velocity velocity;
  Thresholds thresholds;
};

struct SlopeOutcome {
  Velocity velocity;
  double norm;
  Zone zone;
  std::int64_t steps;
  Stop stop;
};

/// ‖v₀‖ as the thresholds see it, rounded to 24 bits. `norm2` = ẋ² + ẏ² in plain range.
inline double threshold_scale(double norm2) {
  return static_cast<double>(std::sqrt(static_cast<float>(norm2)));
}

inline Zone zone_of(double xi, double eta, double approach) {
  if (xi > approach) return eta > approach ? Zone::z12 : Zone::z2;
  return eta > approach ? Zone::z1 : Zone::z0;
}

/// The exponent e for which v·2⁻ᵉ is in plain range; 0 where v already is, or is zero.
int plain_exponent(Velocity v);

/// v·2ᵉ.
inline Velocity scaled(Velocity v, int exponent) {
  return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent)};
}

/// One impact against both walls; v in Z12.
Velocity strike_both(double slope, double restitution, Velocity v);

/// The input is valid. `trace`, where given, receives v₀ … v_steps.
SlopeOutcome iterate(const SlopeProblem& problem, std::vector<TraceEntry>* trace = nullptr);

}  // namespace carom::corner
