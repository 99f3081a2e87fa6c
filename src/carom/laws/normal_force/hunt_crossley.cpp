/// Law `hunt-crossley`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 3(1 − c)/2, c the nominal restitution.
///
/// From the energy lost at c ≈ 1 to first order, so good for nearly elastic contacts; e ≥ 0.4877 for every c.
/// Source: Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42, 1975.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 1.5 * (1.0 - c);
}

}  // namespace

const NormalLaw kHuntCrossleyLaw{
    .name = "hunt-crossley",
    .summary = "light damping: λ from the loss of energy to first order",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 3(1 − c)/2",
    .source =
        "Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42, 1975",
    .parameters = hysteretic::kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
