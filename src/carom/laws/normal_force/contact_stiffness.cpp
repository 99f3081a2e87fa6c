#include "carom/laws/normal_force/contact_stiffness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/numerics/elliptic.h"

namespace carom {

namespace {

/// (1 − ν²)/E
double compliance(const ElasticMaterial& material) {
  return (1.0 - material.poisson) * (1.0 + material.poisson) / material.young;
}

/// With D = (𝓕 − 𝓔)/m = R_D(0, κ², 1)/3, B = (𝓔 − κ²𝓕)/m = κ²R_D(0, 1, κ²)/3 and κ = 1/k, no difference of nearly
/// equal numbers is left: 𝓔 = B + κ²D, R_x/R_y = κ²D/B. [DLMF 19.25.1]
struct EllipseIntegrals {
  explicit EllipseIntegrals(double square)  // κ²
      : d(elliptic::carlson_rj(0.0, square, 1.0, 1.0) / 3.0),
        b(square * elliptic::carlson_rj(0.0, 1.0, square, square) / 3.0),
        square_(square) {}
  double d;
  double b;

  [[nodiscard]] double second_kind() const { return b + square_ * d; }
  [[nodiscard]] double radius_ratio() const { return square_ * d / b; }  // R_x/R_y

 private:
  double square_;
};

}  // namespace

double effective_modulus(const ElasticMaterial& a, const ElasticMaterial& b) {
  return 2.0 / (compliance(a) + compliance(b));
}

// The secant method in x = ln κ on ln(R_x/R_y), a function with a slope between 3/2 (circle) and 2 (line).
ContactEllipse contact_ellipse(const RelativeCurvatures& curvatures) {
  CAROM_ASSERT(curvatures.smaller > 0.0 && curvatures.larger >= curvatures.smaller);
  const double target = std::log(curvatures.smaller / curvatures.larger);
  const auto value = [](double x) { return std::log(EllipseIntegrals(std::exp(2.0 * x)).radius_ratio()); };
  double x = target / 1.5;
  double excess = value(x) - target;
  double slope = 1.5;
  for (int i = 0; i < 50; ++i) {
    const double change = -excess / slope;
    x = std::min(x + change, 0.0);
    if (std::abs(change) <= 2.0 * std::numeric_limits<double>::epsilon()) break;
    const double next = value(x) - target;
    slope = std::clamp((next - excess) / change, 1.4, 2.1);
    excess = next;
  }
  const double square = std::exp(2.0 * x);
  return {.ratio = std::exp(-x),
          .first_kind = elliptic::complete_first_kind({-std::expm1(2.0 * x), square}),
          .second_kind = EllipseIntegrals(square).second_kind()};
}

double hertz_stiffness(const RelativeCurvatures& curvatures, double effective_modulus, std::string_view who) {
  if (!(curvatures.smaller > 0.0)) {
    throw InputError{
        Kind::unsupported, "stiffness",
        fmt::format("the surfaces of {} do not touch in a point (relative curvatures {} and {} 1/m), so the "
                    "materials give no stiffness; expected a pair with a stiffness",
                    who, format_number(curvatures.smaller), format_number(curvatures.larger))};
  }
  if (curvatures.smaller == curvatures.larger) return 2.0 / 3.0 * effective_modulus / std::sqrt(curvatures.larger);
  const ContactEllipse ellipse = contact_ellipse(curvatures);
  const double radius = 1.0 / (curvatures.smaller + curvatures.larger);
  const double first = ellipse.first_kind;
  return std::numbers::pi * ellipse.ratio * effective_modulus *
         std::sqrt(radius * ellipse.second_kind / (4.5 * first * first * first));
}

}  // namespace carom
