/// Law `tsuji`: F = K δ^{3/2} + α √(mK) δ^{1/4} δ̇, m the reduced mass.
///
/// The damping for which the restitution depends neither on the speed nor on K and m: α = √5 ζ, ζ by the formula with
/// the clamp F ≥ 0 (damping_ratio.h). Defined for bodies that touch from the start.
/// Source: Tsuji, Tanaka & Ishida, Lagrangian numerical simulation of plug flow of cohesionless particles in a
/// horizontal pipe, Powder Technol. 71, 1992; we calibrate α with the clamp, they without.

#include "carom/base/assert.h"
#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/damping_ratio.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {normal_parameter::kTrueRestitution, normal_parameter::kStiffness};

double calibrate(const NormalInput& input) {
  return std::sqrt(5.0) * damping_ratio(input.restitution);
}

NormalForce prepare(const NormalInput& input) {
  CAROM_ASSERT(input.stiffness > 0.0 && input.reduced_mass > 0.0);
  return {.stiffness = input.stiffness,
          .exponent = 1.5,
          .damping = input.constant * std::sqrt(input.reduced_mass * input.stiffness),
          .damping_exponent = 0.25};
}

double effective_restitution(double nominal) {
  return nominal;
}

}  // namespace

const NormalLaw kTsujiLaw{
    .name = "tsuji",
    .summary = "the same restitution at every speed; for bodies that touch from the start",
    .formula = "F = K δ^{3/2} + α √(mK) δ^{1/4} δ̇, e = exp(−2ζ acos ζ/√(1−ζ²)), ζ = α/√5",
    .source =
        "Tsuji, Tanaka & Ishida, Lagrangian numerical simulation of plug flow of cohesionless particles in a "
        "horizontal pipe, Powder Technol. 71, 1992; calibrated with the clamp F ≥ 0",
    .parameters = kParameters,
    .calibrate = &calibrate,
    .prepare = &prepare,
    .effective_restitution = &effective_restitution,
};

}  // namespace carom
