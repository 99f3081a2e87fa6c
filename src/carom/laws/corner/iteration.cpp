#include "carom/laws/corner/iteration.h"

#include <algorithm>

namespace carom::corner {
namespace {

/// Below this ẋ² + ẏ² loses digits; the state is then multiplied by 2³⁰⁰, the thresholds with it.
constexpr double kFaded = 0x1p-600;
constexpr int kLift = 300;

/// Below this slope k⁴ẋ² may leave the range of a double, and 1 − (1+ε)k² is 1 to all digits.
constexpr double kTinySlope = 0x1p-60;

/// The Z12 rule divided by ẏ², with 1 for 1 − (1+ε)k²:
///     t = k²ẋ/ẏ,  ẋ' = (1 − εt²)ẋ/(1+t²),  ẏ' = −((1+ε)(kẋ)²/ẏ + εẏ)/(1+t²)
Velocity strike_both_narrow(double k, double e, Velocity v) {
  if (v.y == 0.0) return {-e * v.x, -e * v.y};
  const double kx = k * v.x;
  const double ratio = v.y / kx;  // in (−1, 1)
  if (std::abs(ratio) > k) {
    const double t = k / ratio;
    const double w = 1.0 + t * t;
    return {(1.0 - e * t * t) * v.x / w, -((1.0 + e) * (kx / ratio) + e * v.y) / w};
  }
  const double s = ratio / k;  // 1/t, in [−1, 1]
  const double w = 1.0 + s * s;
  return {(s * s - e) * v.x / w, -((1.0 + e) * (s * v.x) + e * (s * s) * v.y) / w};
}

struct State {
  Velocity v;
  double xi, eta, norm2;
};

State state_of(double k, Velocity v) {
  const double kx = k * v.x;
  return {v, kx + v.y, kx - v.y, v.x * v.x + v.y * v.y};
}

}  // namespace

int plain_exponent(Velocity v) {
  const double largest = std::max(std::abs(v.x), std::abs(v.y));
  if ((largest >= kPlainMin && largest <= kPlainMax) || largest == 0.0) return 0;
  return std::ilogb(largest);
}

Velocity strike_both(double k, double e, Velocity v) {
  if (k < kTinySlope) return strike_both_narrow(k, e, v);
  const double k2 = k * k;
  const double k4 = k2 * k2;
  const double x2 = v.x * v.x;
  const double y2 = v.y * v.y;
  const double d = k4 * x2 + y2;
  return {((1.0 - (1.0 + e) * k2) * y2 - e * k4 * x2) * v.x / d, (k2 * (k2 - (1.0 + e)) * x2 - e * y2) * v.y / d};
}

SlopeOutcome iterate(const SlopeProblem& problem, std::vector<TraceEntry>* trace) {
  const double k = problem.slope;
  const double e = problem.restitution;
  const double k2 = k * k;
  const double divisor = 1.0 + k2;
  const double a = 1.0 - e * k2;
  const double b = (1.0 + e) * k;
  const double c = e - k2;

  int exponent = plain_exponent(problem.velocity);
  State s = state_of(k, exponent == 0 ? problem.velocity : scaled(problem.velocity, -exponent));
  const double speed = threshold_scale(s.norm2);
  double approach = problem.thresholds.approach * speed;
  double rest = problem.thresholds.rest * speed;
  double rest2 = rest * rest;

  SlopeOutcome out{problem.velocity, 0.0, zone_of(s.xi, s.eta, approach), 0, Stop::z0};
  Zone zone = out.zone;
  if (trace != nullptr) trace->push_back({zone, problem.velocity});
  while (zone != Zone::z0 && s.norm2 > rest2 && out.steps < problem.thresholds.max_steps) {
    const auto [x, y] = s.v;
    if (zone == Zone::z1) {
      s = state_of(k, {(a * x + b * y) / divisor, (b * x - c * y) / divisor});
    } else if (zone == Zone::z2) {
      s = state_of(k, {(a * x - b * y) / divisor, (-b * x - c * y) / divisor});
    } else {
      s = state_of(k, strike_both(k, e, s.v));
    }
    ++out.steps;
    while (s.norm2 < kFaded && s.v != Velocity{}) {
      s = state_of(k, scaled(s.v, kLift));
      exponent -= kLift;
      approach = std::ldexp(approach, kLift);
      rest = std::ldexp(rest, kLift);
      rest2 = rest * rest;
    }
    zone = zone_of(s.xi, s.eta, approach);
    if (trace != nullptr) trace->push_back({zone, scaled(s.v, exponent)});
  }
  if (zone != Zone::z0) out.stop = s.norm2 > rest2 ? Stop::step_limit : Stop::rest;
  out.velocity = exponent == 0 ? s.v : scaled(s.v, exponent);
  out.norm = std::ldexp(std::sqrt(s.norm2), exponent);
  return out;
}

}  // namespace carom::corner
