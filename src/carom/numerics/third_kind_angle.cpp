#include "carom/numerics/third_kind_angle.h"

#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/assert.h"

namespace carom::elliptic {

namespace {

/// Terms of the logarithmic derivative of θ₁: the nome to this power is below round-off.
constexpr int kSlopeTerms = 13;

}  // namespace

ThirdKindAngle::ThirdKindAngle(const JacobiFunctions& functions, double nu)
    : stretch_(std::sqrt(1.0 + nu)), hyperbolic_(functions.hyperbolic()) {
  CAROM_ASSERT(nu > 0.0);
  // η = F(arctan(1/√ν) | 1−m), by the homogeneity of R_F.
  const double eta = carlson_rf(nu, nu + functions.parameter().m, 1.0 + nu);
  if (hyperbolic_) {
    prepare_hyperbolic(functions, eta);
  } else {
    prepare_trigonometric(functions, eta);
  }
}

// θ₁(ρ − iy) = Σ (−1)ⁿ q^{n(n+1)} sin (2n+1)(ρ − iy) and θ₂ likewise with cosines, common factors left out. The weights
// q^{n(n+1)} cosh (2n+1)y are divided by ½e^y, and q e^{2y} ≤ 1 is formed from logarithms: nothing overflows as q → 0.
void ThirdKindAngle::prepare_trigonometric(const JacobiFunctions& functions, double eta) {
  const double scale = 0.5 * std::numbers::pi / functions.quarter_period();
  const double y = scale * eta;
  const double q = functions.nome();
  const double ratio = std::exp(2.0 * y + functions.log_nome());
  std::array<double, 4> cosh_weight{};
  std::array<double, 4> sinh_weight{};
  double weight = 1.0;        // q^{n²} ratioⁿ
  double factor = q * ratio;  // q^{2n+1} ratio
  for (int n = 0; n < 4; ++n) {
    const double decayed = std::expm1(-2.0 * (2 * n + 1) * y);
    cosh_weight[n] = weight * (2.0 + decayed);
    sinh_weight[n] = -weight * decayed;
    weight *= factor;
    factor *= q * q;
  }
  const auto alternate = [](std::array<double, 4> w) { return std::array<double, 4>{w[0], -w[1], w[2], -w[3]}; };
  even_real_ = combine(alternate(cosh_weight), kOddSine);
  even_imaginary_ = combine(alternate(sinh_weight), kOddCosine);
  odd_real_ = combine(cosh_weight, kOddCosine);
  odd_imaginary_ = combine(sinh_weight, kOddSine);

  // Im θ₁'/θ₁(−iy) = coth y − 4 Σ q^{2n} sinh 2ny/(1 − q^{2n}).
  double sum = 0.0;
  double power = 1.0;    // q^{2n}
  double growing = 1.0;  // q^{2n} e^{2ny}
  double falling = 1.0;  // q^{2n} e^{−2ny}
  const double decay = std::exp(-2.0 * y) * q * q;
  for (int n = 1; n <= kSlopeTerms; ++n) {
    power *= q * q;
    growing *= q * ratio;
    falling *= decay;
    sum += (growing - falling) / (1.0 - power);
  }
  slope_ = scale * (1.0 / std::tanh(y) - 2.0 * sum);
  step_ = 0.0;
}

// −iθ₁(x + iw) and θ₄(x + iw) in the nome q', common factors left out.
void ThirdKindAngle::prepare_hyperbolic(const JacobiFunctions& functions, double eta) {
  const double scale = 0.5 * std::numbers::pi / functions.complementary_quarter_period();
  const double x = scale * eta;
  const double q = functions.nome();
  std::array<double, 4> odd_sine{};
  std::array<double, 4> odd_cosine{};
  std::array<double, 4> even_sine{};
  std::array<double, 4> even_cosine{};
  for (int n = 0; n < 4; ++n) {
    const double sign = n % 2 == 0 ? 1.0 : -1.0;
    const double odd_weight = sign * std::pow(q, n * (n + 1));
    const double even_weight = sign * (n == 0 ? 1.0 : 2.0 * std::pow(q, n * n));
    odd_sine[n] = odd_weight * std::sin((2 * n + 1) * x);
    odd_cosine[n] = odd_weight * std::cos((2 * n + 1) * x);
    even_sine[n] = -2.0 * even_weight * std::sin(2 * n * x);
    even_cosine[n] = even_weight * std::cos(2 * n * x);
  }
  even_real_ = combine(odd_cosine, kOddSine);
  even_imaginary_ = combine(odd_sine, kOddCosine);
  odd_real_ = combine(even_cosine, kEvenCosine);
  odd_imaginary_ = combine(even_sine, kEvenSine);

  // θ₁'/θ₁(x) = cot x + 4 Σ q^{2n} sin 2nx/(1 − q^{2n}).
  double sum = 0.0;
  double power = 1.0;
  for (int n = 1; n <= kSlopeTerms / 2; ++n) {
    power *= q * q;
    sum += power / (1.0 - power) * std::sin(2 * n * x);
  }
  slope_ = scale * (1.0 / std::tan(x) + 4.0 * sum);
  step_ = x;
}

ThirdKindAngle::Complex ThirdKindAngle::bounded(const JacobiFunctions::Spot& spot, const JacobiValues& reduced) const {
  const double C = spot.double_angle;
  double real = 0.0;
  double imaginary = 0.0;
  if (!spot.odd) {
    real = spot.sine * evaluate(even_real_, C);
    imaginary = -spot.cosine * evaluate(even_imaginary_, C);
  } else if (hyperbolic_) {
    real = evaluate(odd_real_, C);
    imaginary = spot.sine * spot.cosine * evaluate(odd_imaginary_, C);
  } else {
    real = spot.cosine * evaluate(odd_real_, C);
    imaginary = spot.sine * evaluate(odd_imaginary_, C);
  }
  const double sn = stretch_ * reduced.sn;
  const double cn = reduced.cn;
  return {real * sn - imaginary * cn, real * cn + imaginary * sn};
}

}  // namespace carom::elliptic
