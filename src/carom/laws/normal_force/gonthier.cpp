/// Law `gonthier`: F = K δⁿ (1 + λ δ̇/v₀) with λ = (1 − c²)/c, c the nominal restitution.
///
/// The approximate solution of the equation for λ; e − c between −0.033 and 0.006. The same formula: Zhang & Sharf
/// 2009. Source: Gonthier et al., A regularized contact model with asymmetric damping and dwell-time dependent
/// friction, Multibody Syst. Dyn. 11, 2004.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return (1.0 - c * c) / c;
}

}  // namespace

const NormalLaw kGonthierLaw{
    .name = "gonthier",
    .summary = "near c over the whole range, better below c = 0.5 than above",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = (1 − c²)/c",
    .source =
        "Gonthier et al., A regularized contact model with asymmetric damping and dwell-time dependent friction, "
        "Multibody Syst. Dyn. 11, 2004",
    .parameters = hysteretic::kPositiveParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
