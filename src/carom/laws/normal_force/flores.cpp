/// Law `flores`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 8(1 − c)/(5c), c the nominal restitution.
///
/// From a linear velocity profile of compression and expansion; e − c between −0.046 and 0.
/// Source: Flores, Machado, Silva & Martins, On the continuous contact force models for soft materials in multibody
/// dynamics, Multibody Syst. Dyn. 25, 2011.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 8.0 * (1.0 - c) / (5.0 * c);
}

}  // namespace

const NormalLaw kFloresLaw{
    .name = "flores",
    .summary = "near c over the whole range",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 8(1 − c)/(5c)",
    .source =
        "Flores, Machado, Silva & Martins, On the continuous contact force models for soft materials in multibody "
        "dynamics, Multibody Syst. Dyn. 25, 2011",
    .parameters = hysteretic::kPositiveParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
