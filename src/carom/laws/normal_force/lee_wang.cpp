/// Law `lee-wang`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 3(1 − c)/4, c the nominal restitution.
///
/// Half of hunt-crossley: e ≈ (1 + c)/2 for c ≈ 1.
/// Source: Lee & Wang, On the dynamics of intermittent-motion mechanisms, J. Mech. Trans. Autom. 105, 1983; the formula
/// as commonly given.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 0.75 * (1.0 - c);
}

}  // namespace

const NormalLaw kLeeWangLaw{
    .name = "lee-wang",
    .summary = "half the damping of hunt-crossley: rebounds far above c",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 3(1 − c)/4",
    .source =
        "Lee & Wang, On the dynamics of intermittent-motion mechanisms, J. Mech. Trans. Autom. 105, 1983 (formula as "
        "commonly given)",
    .parameters = hysteretic::kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
