#include "carom/laws/normal_force/line_stiffness.h"

#include <cmath>
#include <numbers>

#include "carom/base/assert.h"

namespace carom {

namespace {

/// u = −ln x of −x (1 + ln x) = d, the branch of small x: u = ln((u − 1)/d) by Newton's method.
double log_force(double d) {
  double u = 2.0 - std::log(d);
  for (int i = 0; i < 50; ++i) {
    const double change = (std::log((u - 1.0) / d) - u) / (1.0 - 1.0 / (u - 1.0));
    u = std::fmax(u + change, 2.0);
    if (std::abs(change) <= 1e-15 * u) break;
  }
  return u;
}

}  // namespace

double line_force(const ContactLine& line, double effective_modulus, double depth) {
  CAROM_ASSERT(line.curvature > 0.0 && line.length > 0.0);
  const double d = 0.25 * depth * line.curvature;
  if (d == 0.0) return 0.0;
  CAROM_ASSERT(d > 0.0 && d <= std::exp(-2.0));
  const double scale = 4.0 * std::numbers::pi * 0.5 * effective_modulus / line.curvature;
  return line.length * scale * std::exp(-log_force(d));
}

LineStiffness line_stiffness(const ContactLine& line, double effective_modulus) {
  const double depth = kLineReferenceDepth / line.curvature;
  const double u = log_force(0.25 * kLineReferenceDepth);
  const double exponent = (u - 1.0) / (u - 2.0);
  return {line_force(line, effective_modulus, depth) / std::pow(depth, exponent), exponent};
}

}  // namespace carom
