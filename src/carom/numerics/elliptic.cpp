#include "carom/numerics/elliptic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/assert.h"

namespace carom::elliptic {

namespace {

constexpr double kPi = std::numbers::pi;

/// Beyond this argument sech is below 1e-151: its square and 1 − tanh are zero to round-off.
constexpr double kLargestHyperbolic = 350.0;

double arithmetic_geometric_mean(double a, double g) {
  // Quadratic convergence: once they agree to 1e-8 the mean is exact to round-off.
  while (std::abs(a - g) > 1e-8 * a) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g);
    a = mean;
  }
  return 0.5 * (a + g);
}

/// φ = jπ + δ with |δ| ≤ π/2.
struct ReducedAngle {
  double half_turns;
  Amplitude rest;
};

ReducedAngle reduce(double phi) {
  // Two parts of π, so that the multiple is subtracted exactly.
  constexpr double kPiHigh = 0x1.921fb544p+1;
  constexpr double kPiLow = 0x1.0b4611a626331p-33;
  const double half_turns = std::nearbyint(phi / kPi);
  const double rest = (phi - half_turns * kPiHigh) - half_turns * kPiLow;
  return {half_turns, {std::sin(rest), std::max(std::cos(rest), 0.0)}};
}

}  // namespace

double carlson_rf(double x, double y, double z) {
  CAROM_ASSERT(x >= 0.0 && y >= 0.0 && z >= 0.0);
  const double start = (x + y + z) / 3.0;
  // The series below leaves out terms of degree eight in the relative deviations: 0.007⁸ < 1e-17.
  double spread = std::max({std::abs(start - x), std::abs(start - y), std::abs(start - z)}) / 0.007;
  const double dx = start - x;
  const double dy = start - y;
  double mean = start;
  double power = 1.0;
  while (spread > mean) {
    const double root_x = std::sqrt(x);
    const double root_y = std::sqrt(y);
    const double root_z = std::sqrt(z);
    const double lambda = root_x * root_y + root_y * root_z + root_z * root_x;
    if (lambda == 0.0) return std::numeric_limits<double>::infinity();  // two arguments are zero
    x = 0.25 * (x + lambda);
    y = 0.25 * (y + lambda);
    z = 0.25 * (z + lambda);
    mean = 0.25 * (mean + lambda);
    spread *= 0.25;
    power *= 0.25;
  }
  const double X = dx * power / mean;
  const double Y = dy * power / mean;
  const double Z = -(X + Y);
  const double e2 = X * Y - Z * Z;
  const double e3 = X * Y * Z;
  const double series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0 -
                        5.0 * e2 * e2 * e2 / 208.0 + 3.0 * e3 * e3 / 104.0 + e2 * e2 * e3 / 16.0;
  return series / std::sqrt(mean);
}

double carlson_rc(double x, double y) {
  CAROM_ASSERT(x >= 0.0 && y > 0.0);
  if (x == 0.0) return 0.5 * kPi / std::sqrt(y);
  const double ratio = (y - x) / x;
  if (std::abs(ratio) < 1e-3) {
    // arctan(√r)/√r about r = 0, to round-off.
    double sum = 0.0;
    for (int k = 6; k >= 0; --k) sum = 1.0 / (2 * k + 1) - ratio * sum;
    return sum / std::sqrt(x);
  }
  if (y > x) return std::atan(std::sqrt(ratio)) / std::sqrt(y - x);
  return std::asinh(std::sqrt((x - y) / y)) / std::sqrt(x - y);
}

double carlson_rj(double x, double y, double z, double p) {
  CAROM_ASSERT(x >= 0.0 && y >= 0.0 && z >= 0.0 && p > 0.0);
  const double start = (x + y + z + 2.0 * p) / 5.0;
  // Terms of degree six are left out: 0.0015⁶ ≈ 1e-17.
  double spread =
      std::max({std::abs(start - x), std::abs(start - y), std::abs(start - z), std::abs(start - p)}) / 0.0015;
  const double dx = start - x;
  const double dy = start - y;
  const double dz = start - z;
  double delta = (p - x) * (p - y) * (p - z);
  double mean = start;
  double power = 1.0;
  double sum = 0.0;
  while (spread > mean) {
    const double root_x = std::sqrt(x);
    const double root_y = std::sqrt(y);
    const double root_z = std::sqrt(z);
    const double root_p = std::sqrt(p);
    const double lambda = root_x * root_y + root_y * root_z + root_z * root_x;
    const double d = (root_p + root_x) * (root_p + root_y) * (root_p + root_z);
    sum += power / d * carlson_rc(1.0, 1.0 + delta / (d * d));
    x = 0.25 * (x + lambda);
    y = 0.25 * (y + lambda);
    z = 0.25 * (z + lambda);
    p = 0.25 * (p + lambda);
    mean = 0.25 * (mean + lambda);
    spread *= 0.25;
    power *= 0.25;
    delta *= 0.015625;
  }
  const double X = dx * power / mean;
  const double Y = dy * power / mean;
  const double Z = dz * power / mean;
  const double P = -0.5 * (X + Y + Z);
  const double e2 = X * Y + X * Z + Y * Z - 3.0 * P * P;
  const double e3 = X * Y * Z + 2.0 * e2 * P + 4.0 * P * P * P;
  const double e4 = (2.0 * X * Y * Z + e2 * P + 3.0 * P * P * P) * P;
  const double e5 = X * Y * Z * P * P;
  const double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 -
                        9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
  return power / (mean * std::sqrt(mean)) * series + 6.0 * sum;
}

double complete_first_kind(Parameter parameter) {
  if (parameter.complement == 0.0) return std::numeric_limits<double>::infinity();
  return 0.5 * kPi / arithmetic_geometric_mean(1.0, std::sqrt(parameter.complement));
}

double first_kind(Amplitude amplitude, Parameter parameter) {
  const double s = amplitude.sine;
  const double c2 = amplitude.cosine * amplitude.cosine;
  // 1 − m s² = c² + (1−m) s², without cancellation.
  return s * carlson_rf(c2, c2 + parameter.complement * s * s, c2 + s * s);
}

double first_kind(double phi, Parameter parameter) {
  const ReducedAngle angle = reduce(phi);
  const double rest = first_kind(angle.rest, parameter);
  return angle.half_turns == 0.0 ? rest : 2.0 * angle.half_turns * complete_first_kind(parameter) + rest;
}

double third_kind(double n, Amplitude amplitude, Parameter parameter) {
  const double s = amplitude.sine;
  const double c2 = amplitude.cosine * amplitude.cosine;
  const double delta2 = c2 + parameter.complement * s * s;
  const double one = c2 + s * s;
  return s * carlson_rf(c2, delta2, one) + n * s * s * s / 3.0 * carlson_rj(c2, delta2, one, c2 + (1.0 - n) * s * s);
}

double third_kind(double n, double phi, Parameter parameter) {
  const ReducedAngle angle = reduce(phi);
  const double rest = third_kind(n, angle.rest, parameter);
  return angle.half_turns == 0.0 ? rest : 2.0 * angle.half_turns * third_kind(n, {1.0, 0.0}, parameter) + rest;
}

Cubic combine(const std::array<double, 4>& weight, const std::array<Cubic, 4>& basis) {
  Cubic sum{};
  for (int k = 3; k >= 0; --k)
    for (int i = 0; i < 4; ++i) sum[i] += weight[k] * basis[k][i];
  return sum;
}

JacobiFunctions::JacobiFunctions(Parameter parameter)
    : parameter_(parameter),
      hyperbolic_(parameter.m > parameter.complement),
      quarter_(complete_first_kind(parameter)),
      complementary_quarter_(complete_first_kind(parameter.exchanged())),
      root_complement_(std::sqrt(parameter.complement)) {
  const double own = hyperbolic_ ? complementary_quarter_ : quarter_;
  const double other = hyperbolic_ ? quarter_ : complementary_quarter_;
  scale_ = 0.5 * kPi / own;
  log_nome_ = -kPi * (other / own);
  nome_ = std::exp(log_nome_);
  inverse_quarter_ = 1.0 / quarter_;
  if (std::isfinite(quarter_)) {
    quarter_high_ = static_cast<double>(static_cast<float>(quarter_));
    quarter_low_ = quarter_ - quarter_high_;
  }

  const double q = nome_;
  const double q2 = q * q;
  const double q4 = q2 * q2;
  const double q6 = q4 * q2;
  const double q9 = q4 * q4 * q;
  const double theta2 = 1.0 + (q2 + q6);  // without the factor 2q^{1/4}
  const double theta3 = 1.0 + 2.0 * (q + q4 + q9);
  const double theta4 = 1.0 - 2.0 * (q - q4 + q9);
  const double factor_s = hyperbolic_ ? theta3 / theta4 : theta3 / theta2;
  const double factor_c = hyperbolic_ ? 1.0 : theta4 / theta2;
  const double factor_d = hyperbolic_ ? theta2 / theta3 : theta4 / theta3;
  const double factor_n = hyperbolic_ ? theta2 / theta4 : 1.0;
  const double q12 = q6 * q6;
  series_s_ = combine({factor_s, -q2 * factor_s, q6 * factor_s, -q12 * factor_s}, kOddSine);
  series_c_ = combine({factor_c, q2 * factor_c, q6 * factor_c, q12 * factor_c}, kOddCosine);
  series_d_ = combine({factor_d, 2.0 * q * factor_d, 2.0 * q4 * factor_d, 2.0 * q9 * factor_d}, kEvenCosine);
  series_n_ = combine({factor_n, -2.0 * q * factor_n, 2.0 * q4 * factor_n, -2.0 * q9 * factor_n}, kEvenCosine);
}

JacobiFunctions::Spot JacobiFunctions::locate(double u) const {
  Spot spot;
  spot.quarter = std::nearbyint(u * inverse_quarter_);
  const double rest = (u - spot.quarter * quarter_high_) - spot.quarter * quarter_low_;
  const double index = spot.quarter - 4.0 * std::floor(0.25 * spot.quarter);  // 0, 1, 2, 3
  spot.odd = index == 1.0 || index == 3.0;
  spot.sign = index >= 2.0 ? -1.0 : 1.0;
  if (hyperbolic_) {
    const double w = std::clamp(rest * scale_, -kLargestHyperbolic, kLargestHyperbolic);
    const double growth = std::expm1(std::abs(w));
    const double decay = growth / (1.0 + growth);  // 1 − e^{−|w|}
    spot.sine = std::copysign(0.5 * (growth + decay), w);
    spot.cosine = 1.0 + 0.5 * (growth - decay);
    spot.double_angle = 1.0 + 2.0 * spot.sine * spot.sine;
  } else {
    const double rho = rest * scale_;
    spot.sine = std::sin(rho);
    spot.cosine = std::cos(rho);
    spot.double_angle = 1.0 - 2.0 * spot.sine * spot.sine;
  }
  return spot;
}

JacobiValues JacobiFunctions::reduced(const Spot& spot) const {
  const double s = spot.sine * evaluate(series_s_, spot.double_angle);
  const double even = evaluate(series_n_, spot.double_angle);
  const double odd = spot.cosine * evaluate(series_c_, spot.double_angle);
  const double d = evaluate(series_d_, spot.double_angle);
  const double c = hyperbolic_ ? even : odd;
  const double n = hyperbolic_ ? odd : even;
  if (spot.odd) {
    // sn(r+K) = cn/dn, cn(r+K) = −√(1−m) sn/dn, dn(r+K) = √(1−m)/dn.
    const double inverse = 1.0 / d;
    return {c * inverse, -root_complement_ * s * inverse, root_complement_ * n * inverse};
  }
  const double inverse = 1.0 / n;
  return {s * inverse, c * inverse, d * inverse};
}

JacobiValues JacobiFunctions::operator()(double u) const {
  const Spot spot = locate(u);
  JacobiValues values = reduced(spot);
  values.sn *= spot.sign;
  values.cn *= spot.sign;
  return values;
}

}  // namespace carom::elliptic
