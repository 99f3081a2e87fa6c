/// Law `threlfall`: μ(v) = μ (1 − e^{−3v/v_r}) up to v_r, 0.95 μ beyond.
///
/// As published it jumps by 2e-4 μ at v_r, where 1 − e⁻³ = 0.95021; with `saturating` the value beyond is 1 − e⁻³ and
/// the force continuous.
/// Source: Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM, Mech.
/// Mach. Theory 13, 1978; the formula as commonly given.

#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    friction_parameter::kCoefficient,
    friction_parameter::kRegularisationSpeed,
    {.name = "saturating", .is_flag = true, .help = "beyond v_r the factor 1 − e⁻³ instead of the published 0.95"},
};

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::threlfall;
  friction.mu = given.number(kParameters[0]);
  friction.speed = given.number(kParameters[1]);
  friction.saturation = given.flag(kParameters[2]) ? -std::expm1(-3.0) : 0.95;
  return friction;
}

}  // namespace

const FrictionLaw kThrelfallLaw{
    .name = "threlfall",
    .summary = "exponential rise to 0.95 μ at the speed v_r",
    .formula = "μ(v) = μ (1 − e^{−3v/v_r}) for v ≤ v_r, 0.95 μ beyond",
    .source =
        "Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM, "
        "Mech. Mach. Theory 13, 1978 (formula as commonly given)",
    .parameters = kParameters,
    .prepare = &prepare,
};

}  // namespace carom
