/// Law `kelvin-voigt`: F = k δ + 2ζ √(km) δ̇, a linear spring and dashpot, m the reduced mass.
///
/// The restitution is the same at every speed; ζ by the formula with the clamp F ≥ 0 (damping_ratio.h). The force jumps
/// at first contact. k is the pair's `stiffness` [N/m]: Hertz's K has another unit and says nothing about it.
/// Source: Schwager & Pöschel, Coefficient of restitution and linear-dashpot model revisited, Granular Matter 9, 2007.

#include "carom/base/assert.h"
#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/damping_ratio.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    normal_parameter::kTrueRestitution,
    {.name = "stiffness",
     .high = normal_parameter::kUnbounded,
     .help = "k of the linear spring",
     .unit = "N/m",
     .required = true,
     .low_excluded = true},
};

double calibrate(const NormalInput& input) {
  return damping_ratio(input.restitution);
}

NormalForce prepare(const NormalInput& input) {
  CAROM_ASSERT(input.stiffness > 0.0 && input.reduced_mass > 0.0);
  return {.stiffness = input.stiffness,
          .exponent = 1.0,
          .damping = 2.0 * input.constant * std::sqrt(input.stiffness * input.reduced_mass),
          .damping_exponent = 0.0};
}

double effective_restitution(double nominal) {
  return nominal;
}

}  // namespace

const NormalLaw kKelvinVoigtLaw{
    .name = "kelvin-voigt",
    .summary = "linear spring and dashpot: the same restitution at every speed",
    .formula = "F = k δ + 2ζ √(km) δ̇, e = exp(−2ζ acos ζ/√(1−ζ²))",
    .source =
        "Schwager & Pöschel, Coefficient of restitution and linear-dashpot model revisited, Granular Matter 9, "
        "2007",
    .parameters = kParameters,
    .calibrate = &calibrate,
    .prepare = &prepare,
    .effective_restitution = &effective_restitution,
};

}  // namespace carom
