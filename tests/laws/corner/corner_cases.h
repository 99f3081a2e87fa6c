#pragma once
/// Random corner problems shared by the tests of this folder.

#include <cmath>
#include <numbers>
#include <random>

#include "carom/laws/corner/disk_in_corner.h"

namespace carom::corner {

class CornerCases {
 public:
  explicit CornerCases(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

  /// ε with a fair share of 0, 1 and nearly elastic values.
  double restitution() {
    const double choice = uniform(0.0, 1.0);
    if (choice < 0.1) return 0.0;
    if (choice < 0.3) return 1.0;
    return choice < 0.4 ? uniform(0.9, 1.0) : uniform(0.0, 1.0);
  }

  /// α from 0.01 to 1.55, narrow corners as often as wide ones.
  double alpha() { return uniform(0.0, 1.0) < 0.5 ? 0.01 * std::pow(155.0, uniform(0.0, 1.0)) : uniform(0.01, 1.55); }

  Velocity direction() {
    const double phi = uniform(-std::numbers::pi, std::numbers::pi);
    return {std::cos(phi), std::sin(phi)};
  }

  CornerProblem problem() {
    CornerProblem p;
    p.restitution = restitution();
    p.alpha = alpha();
    p.velocity = direction();
    return p;
  }

 private:
  std::mt19937_64 engine_;
};

inline double distance(Velocity a, Velocity b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace carom::corner
