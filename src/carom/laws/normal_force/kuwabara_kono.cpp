/// Law `kuwabara-kono`: F = K (δ^{3/2} + A δ^{1/2} δ̇), viscoelastic spheres.
///
/// The rebound depends on β = A (K/m)^{2/5} v^{1/5} alone, m the reduced mass: e = 1 − 1.15345 β + 0.79827 β² … The
/// faster, the more is lost. A is given as `relaxation_time`, or follows from the restitution at a reference speed:
/// β(e) is then found by integrating collisions (collision.h), once.
/// Sources: Kuwabara & Kono, Restitution coefficient in a collision between two spheres, Jpn. J. Appl. Phys. 26, 1987;
/// Ramírez, Pöschel, Brilliantov & Schwager, Coefficient of restitution of colliding viscoelastic spheres, Phys. Rev. E
/// 60, 1999 (the series).

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/laws/normal_force/collision.h"
#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr double kFirstCoefficient = 1.1534488580952889;
constexpr double kLeastRestitution = 1e-3;

constexpr LawParameter kParameters[] = {
    {.name = "relaxation_time",
     .high = normal_parameter::kUnbounded,
     .help = "A of the material; without it restitution and reference_speed must be given",
     .unit = "s",
     .optional = true},
    {.name = "restitution",
     .default_value = 1.0,
     .low = kLeastRestitution,
     .help = "restitution at the reference speed, instead of a relaxation_time",
     .advice = normal_parameter::kTrueRestitution.advice},
    {.name = "reference_speed",
     .high = normal_parameter::kUnbounded,
     .help = "impact speed at which the restitution holds",
     .unit = "m/s",
     .optional = true,
     .low_excluded = true},
    normal_parameter::kStiffness,
};

void check(const LawPlace& place, const LawParameters& given) {
  const double restitution = given.number(kParameters[1]);
  if (given.has("relaxation_time")) {
    if (restitution == 1.0) return;
    throw InputError{Kind::out_of_range, place.path("restitution"),
                     fmt::format("{} of the law 'kuwabara-kono' is {}, expected none beside a relaxation_time, which "
                                 "says how much is lost",
                                 place.path("restitution"), restitution)};
  }
  if (restitution == 1.0 || given.has("reference_speed")) return;
  throw InputError{Kind::missing_field, place.path("reference_speed"),
                   fmt::format("{} is missing, the law 'kuwabara-kono' needs it beside a restitution (or a "
                               "relaxation_time instead of both)",
                               place.path("reference_speed"))};
}

/// Rebound of the dimensionless collision K = m = v = 1, A = β.
double rebound(double beta) {
  const NormalForce force{.stiffness = 1.0, .exponent = 1.5, .damping = beta, .damping_exponent = 0.5};
  return two_body_collision(force, {.reduced_mass = 1.0, .speed = 1.0}).restitution;
}

/// β whose collision gives e: the secant method on ln e, which is nearly linear in β for small and in ln β for large β,
/// kept between bounds.
double beta_of(double restitution) {
  if (restitution == 1.0) return 0.0;
  double low = 0.0;
  double high = std::pow(restitution, -0.6) * 2.0;  // e < β^{−5/3} for large β
  const auto excess = [restitution](double beta) { return std::log(rebound(beta) / restitution); };
  double beta = std::min(-std::log(restitution) / kFirstCoefficient, 0.5 * high);
  double value = excess(beta);
  double slope = -kFirstCoefficient;
  for (int i = 0; i < 60; ++i) {
    (value > 0.0 ? low : high) = beta;
    double next = beta - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = next - beta;
    const double next_value = excess(next);
    beta = next;
    if (std::abs(change) <= 1e-13 * beta || std::abs(next_value) <= 1e-14) break;
    slope = (next_value - value) / change;
    value = next_value;
  }
  return beta;
}

/// A where it is given, otherwise β.
double calibrate(const NormalInput& input) {
  return input.relaxation_time ? *input.relaxation_time : beta_of(input.restitution);
}

NormalForce prepare(const NormalInput& input) {
  CAROM_ASSERT(input.stiffness > 0.0 && input.reduced_mass > 0.0);
  double time = input.constant;
  if (!input.relaxation_time && time > 0.0) {
    CAROM_ASSERT(input.reference_speed > 0.0);
    time /= std::pow(input.stiffness / input.reduced_mass, 0.4) * std::pow(input.reference_speed, 0.2);
  }
  return {.stiffness = input.stiffness, .exponent = 1.5, .damping = input.stiffness * time, .damping_exponent = 0.5};
}

double effective_restitution(double nominal) {
  return nominal;
}

}  // namespace

const NormalLaw kKuwabaraKonoLaw{
    .name = "kuwabara-kono",
    .summary = "viscoelastic spheres: loses more at higher speed; for bodies that touch from the start",
    .formula = "F = K (δ^{3/2} + A δ^{1/2} δ̇)",
    .source =
        "Kuwabara & Kono, Restitution coefficient in a collision between two spheres, Jpn. J. Appl. Phys. 26, "
        "1987",
    .parameters = kParameters,
    .restitution_at_reference_speed = true,
    .check = &check,
    .calibrate = &calibrate,
    .prepare = &prepare,
    .effective_restitution = &effective_restitution,
};

}  // namespace carom
