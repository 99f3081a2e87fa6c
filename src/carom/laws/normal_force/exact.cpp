/// Law `exact`: F = K δⁿ (1 + λ δ̇/v₀) with the λ that really gives the restitution asked for.
///
/// λ solves λ(1 + e) = ln[(1 + λ)/(1 − λe)], for which the other members of the family have approximations. The
/// equation: Zhang & Sharf, Validation of nonlinear viscoelastic contact force models for low speed impact, J. Appl.
/// Mech. 76, 2009; solved to round-off in hysteretic.cpp.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {normal_parameter::kTrueRestitution, normal_parameter::kExponent,
                                        normal_parameter::kStiffness};

}  // namespace

const NormalLaw kExactLaw{
    .name = "exact",
    .summary = "the member of the hysteretic family whose two-body collision has e = c",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ(1 + e) = ln[(1 + λ)/(1 − λe)]",
    .source =
        "Zhang & Sharf, Validation of nonlinear viscoelastic contact force models for low speed impact, "
        "J. Appl. Mech. 76, 2009 (the equation); solved to round-off",
    .parameters = kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&hysteretic::exact_lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&hysteretic::exact_lambda>,
};

}  // namespace carom
