/// Law `lankarani-nikravesh`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 3(1 − c²)/4, c the nominal restitution.
///
/// From the energy lost at c ≈ 1; for c = 0.7 the bodies rebound at 0.796, and never below 0.663.
/// Source: Lankarani & Nikravesh, A contact force model with hysteresis damping for impact analysis of multibody
/// systems, J. Mech. Des. 112, 1990.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 0.75 * (1.0 - c * c);
}

}  // namespace

const NormalLaw kLankaraniNikraveshLaw{
    .name = "lankarani-nikravesh",
    .summary = "the usual law of multibody codes, for nearly elastic contacts",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 3(1 − c²)/4",
    .source =
        "Lankarani & Nikravesh, A contact force model with hysteresis damping for impact analysis of multibody "
        "systems, J. Mech. Des. 112, 1990",
    .parameters = hysteretic::kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
