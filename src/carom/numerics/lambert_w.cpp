#include "carom/numerics/lambert_w.h"

#include <cmath>
#include <limits>

#include "carom/base/assert.h"

namespace carom {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// e as the sum of two doubles.
constexpr double kEulerHigh = 0x1.5bf0a8b145769p+1;
constexpr double kEulerLow = 0x1.4d57ee2b1013ap-53;

/// (artanh r − r)/r³ = Σ r^{2k}/(2k + 3) for r = x/(2 + x), whose artanh is ½ ln(1 + x).
double artanh_third_remainder(double x) {
  const double r = x / (2.0 + x);
  const double square = r * r;
  if (square > 0.15) return (0.5 * std::log1p(x) - r) / (r * square);
  constexpr int kSeriesTerms = 20;  // 0.15²⁰ = 3e-17
  double sum = 0.0;
  for (int k = kSeriesTerms - 1; k >= 0; --k) sum = sum * square + 1.0 / (2 * k + 3);
  return sum;
}

/// Newton's method with the second derivative (Halley) on f(s) = log_shortfall(−s) − d.
double refine_above_branch(double s, double d) {
  for (int i = 0; i < 20; ++i) {
    const double value = log_shortfall(-s) - d;
    const double slope = s / (1.0 - s);
    const double curvature = 1.0 / ((1.0 - s) * (1.0 - s));
    const double newton = value / slope;
    const double change = newton / (1.0 - 0.5 * newton * curvature / slope);
    s -= change;
    if (!(std::abs(change) > 2.0 * kEpsilon * s)) break;
  }
  return s;
}

}  // namespace

// With r = x/(2 + x), ln(1 + x) = 2 artanh r; what is left after taking out 2r has terms of one sign for x > 0.
double log_shortfall(double x) {
  CAROM_ASSERT(x > -1.0);
  if (std::abs(x) > 0.5) return x - std::log1p(x);
  const double r = x / (2.0 + x);
  return x * r - 2.0 * r * r * r * artanh_third_remainder(x);
}

double log_third_remainder(double x) {
  CAROM_ASSERT(x > -1.0);
  // Far out the quotient r³/x³ is not needed and the direct formula has nothing to cancel.
  if (x > 10.0) return (std::log1p(x) / x - 1.0 + 0.5 * x) / (x * x);
  const double sum = 2.0 + x;
  return 0.5 / sum + 2.0 * artanh_third_remainder(x) / (sum * sum * sum);
}

double lambert_w0_above_branch(double d) {
  CAROM_ASSERT(d >= 0.0);
  if (d == 0.0) return 0.0;
  if (d > 1.0) {
    const double x = std::exp(-1.0 - d);
    const double s = 1.0 - x - x * x;  // W₀ = −x − x² − 3x³/2 …
    return d > 15.0 ? s : refine_above_branch(s, d);
  }
  // The series in p = √(2(1 + e x)) at the branch point.
  const double p = std::sqrt(-2.0 * std::expm1(-d));
  return refine_above_branch(p * (1.0 + p * (-1.0 / 3.0 + p * (11.0 / 72.0 - p * 43.0 / 540.0))), d);
}

double lambert_w0(double x) {
  if (x < -0.25) {
    const double above = std::fma(x, kEulerHigh, 1.0) + x * kEulerLow;  // 1 + e x
    if (above < -kEpsilon) return std::numeric_limits<double>::quiet_NaN();
    if (above <= 0.0) return -1.0;
    return lambert_w0_above_branch(-std::log1p(-above)) - 1.0;
  }
  if (x == 0.0 || std::isnan(x) || std::isinf(x)) return x;
  const double logarithm = std::log1p(x);
  double w = logarithm * (1.0 - std::log1p(logarithm) / (2.0 + logarithm));
  for (int i = 0; i < 20; ++i) {
    const double next = w / (1.0 + w) * (1.0 + std::log(x / w));
    const double change = next - w;
    w = next;
    if (!(std::abs(change) > 2.0 * kEpsilon * std::abs(w))) break;
  }
  return w;
}

}  // namespace carom
