/// Law `hu-guo`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 3(1 − c)/(2c), c the nominal restitution.
///
/// As hunt-crossley near c = 1 and as 1/c near 0; e − c between −0.035 and 0.
/// Source: Hu & Guo, A dissipative contact force model for impact analysis in multibody dynamics, Multibody Syst. Dyn.
/// 35, 2015; the formula as commonly given.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 1.5 * (1.0 - c) / c;
}

}  // namespace

const NormalLaw kHuGuoLaw{
    .name = "hu-guo",
    .summary = "near c over the whole range, closest of the formulas above c = 0.5",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 3(1 − c)/(2c)",
    .source =
        "Hu & Guo, A dissipative contact force model for impact analysis in multibody dynamics, Multibody Syst. Dyn. "
        "35, 2015 (formula as commonly given)",
    .parameters = hysteretic::kPositiveParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
