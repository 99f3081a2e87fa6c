#include "carom/laws/normal_force/hysteretic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/assert.h"
#include "carom/numerics/lambert_w.h"

namespace carom::hysteretic {

double restitution(double lambda) {
  CAROM_ASSERT(lambda >= 0.0);
  if (lambda == 0.0) return 1.0;
  return lambert_w0_above_branch(log_shortfall(lambda)) / lambda;
}

// g(λ) = g(−λe) has the root λ = 0 for every e. Dividing by λ² and writing g(x)/x² = ½ − x r(x), r the third remainder
// of the logarithm, leaves f(λ) = ½(1 − e²) − λ [r(λ) + e³ r(−λe)] = 0, which has one root in [0, 1/e), keeps its
// digits as e → 1, and decreases. Newton's method between bounds, with the slope that holds at the root:
//   f' = (1 + e)(1 − e − λe)/(λ(1 + λ)(1 − λe)).
double exact_lambda(double e) {
  CAROM_ASSERT(e > 0.0 && e <= 1.0);
  const double start = 0.5 * (1.0 - e) * (1.0 + e);
  if (start == 0.0) return 0.0;
  double low = 0.0;
  double high = 1.0 / e;
  double lambda = std::min(3.0 * start / (1.0 + e * e * e), 0.9 * high);
  for (int i = 0; i < 200; ++i) {
    const double s = lambda * e;
    double next = 0.0;
    if (s < 1.0) {
      const double value = start - lambda * (log_third_remainder(lambda) + e * e * e * log_third_remainder(-s));
      (value > 0.0 ? low : high) = lambda;
      next = lambda - value * lambda * (1.0 + lambda) * (1.0 - s) / ((1.0 + e) * (1.0 - e - s));
    } else {
      high = lambda;  // 1 − λe is below round-off
    }
    if (!(next > low && next < high)) next = low + 0.5 * (high - low);
    if (std::abs(next - lambda) <= 2.0 * std::numeric_limits<double>::epsilon() * lambda) return next;
    lambda = next;
  }
  return lambda;
}

double greatest_depth(const NormalInput& input, double lambda) {
  const double share = lambda > 0.0 ? log_shortfall(lambda) / (lambda * lambda) : 0.5;
  const double energy = input.reduced_mass * input.approach_speed * input.approach_speed;
  return std::pow((input.exponent + 1.0) * energy / input.stiffness * share, 1.0 / (input.exponent + 1.0));
}

NormalForce prepare(const NormalInput& input) {
  CAROM_ASSERT(input.stiffness > 0.0 && input.approach_speed > 0.0);
  return {.stiffness = input.stiffness,
          .exponent = input.exponent,
          .damping = input.stiffness * input.constant / input.approach_speed,
          .damping_exponent = input.exponent};
}

}  // namespace carom::hysteretic
