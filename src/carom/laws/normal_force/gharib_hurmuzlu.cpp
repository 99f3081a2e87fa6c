/// Law `gharib-hurmuzlu`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 1/c, c the nominal restitution.
///
/// For c near 0 only, where 1/c is the limit of the exact λ; at c = 1 the bodies still lose, e = 0.594.
/// Source: Gharib & Hurmuzlu, A new contact force model for low coefficient of restitution impact, J. Appl. Mech. 79,
/// 2012; the formula as commonly given.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

/// No default: c = 1 is not elastic here.
constexpr LawParameter kParameters[] = {
    {.name = "restitution",
     .low = normal_parameter::kLeastRestitution,
     .help = "nominal restitution c, meant to be small: at 1 the bodies rebound at 0.594",
     .required = true,
     .advice = normal_parameter::kPositiveRestitution.advice},
    normal_parameter::kExponent,
    normal_parameter::kStiffness,
};

double lambda(double c) {
  return 1.0 / c;
}

}  // namespace

const NormalLaw kGharibHurmuzluLaw{
    .name = "gharib-hurmuzlu",
    .summary = "for small restitution only",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 1/c",
    .source =
        "Gharib & Hurmuzlu, A new contact force model for low coefficient of restitution impact, J. Appl. Mech. "
        "79, 2012 (formula as commonly given)",
    .parameters = kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
