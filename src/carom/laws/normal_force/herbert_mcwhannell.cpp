/// Law `herbert-mcwhannell`: F = K δⁿ (1 + λ δ̇/v₀) with λ = 6(1 − c)/((2c − 1)² + 3), c the nominal restitution.
///
/// Near c down to about 0.7 (e = 0.7227 there); e ≥ 0.4877 for every c.
/// Source: Herbert & McWhannell, Shape and frequency composition of pulses from an impact pair, J. Eng. Ind. 99, 1977;
/// the formula as commonly given.

#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

double lambda(double c) {
  return 6.0 * (1.0 - c) / ((2.0 * c - 1.0) * (2.0 * c - 1.0) + 3.0);
}

}  // namespace

const NormalLaw kHerbertMcwhannellLaw{
    .name = "herbert-mcwhannell",
    .summary = "as hunt-crossley, with a correction that keeps e near c down to about 0.7",
    .formula = "F = K δⁿ (1 + λ δ̇/v₀), λ = 6(1 − c)/((2c − 1)² + 3)",
    .source =
        "Herbert & McWhannell, Shape and frequency composition of pulses from an impact pair, J. Eng. Ind. 99, 1977 "
        "(formula as commonly given)",
    .parameters = hysteretic::kParameters,
    .needs_approach_speed = true,
    .low_speed_only = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &hysteretic::calibrate<&lambda>,
    .prepare = &hysteretic::prepare,
    .effective_restitution = &hysteretic::effective_restitution<&lambda>,
};

}  // namespace carom
