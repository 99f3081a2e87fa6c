/// Law `hunt-crossley-fixed`: F = K δⁿ (1 + a δ̇) with a = λ_exact(e)/v_ref.
///
/// The hysteretic force with the approach speed replaced by a fixed one: defined for bodies that touch from the start
/// and convergent as gaps close. A collision at speed v has the restitution of λ = a v: e at v_ref, less above it, more
/// below.
/// Source: Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42, 1975
/// (their force has a constant factor of δ̇); λ as in `exact`.

#include "carom/base/assert.h"
#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {normal_parameter::kTrueRestitution, normal_parameter::kReferenceSpeed,
                                        normal_parameter::kExponent, normal_parameter::kStiffness};

double calibrate(const NormalInput& input) {
  return hysteretic::exact_lambda(input.restitution) / input.reference_speed;
}

NormalForce prepare(const NormalInput& input) {
  CAROM_ASSERT(input.stiffness > 0.0);
  return {.stiffness = input.stiffness,
          .exponent = input.exponent,
          .damping = input.stiffness * input.constant,
          .damping_exponent = input.exponent};
}

double effective_restitution(double nominal) {
  return nominal;
}

}  // namespace

const NormalLaw kHuntCrossleyFixedLaw{
    .name = "hunt-crossley-fixed",
    .summary = "hysteretic damping with a fixed speed: for bodies that touch from the start",
    .formula = "F = K δⁿ (1 + a δ̇), a = λ_exact(e)/v_ref",
    .source =
        "Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42, "
        "1975; λ as in exact",
    .parameters = kParameters,
    .restitution_at_reference_speed = true,
    .check = &normal_parameter::check_exponent,
    .calibrate = &calibrate,
    .prepare = &prepare,
    .effective_restitution = &effective_restitution,
};

}  // namespace carom
