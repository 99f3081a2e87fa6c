/// Law `coulomb`: μ(v) = μ tanh(v/v_r), Coulomb's friction made smooth at v = 0.
///
/// A body that Coulomb's law would hold creeps: on a slope of angle θ at v = v_r artanh(tan θ/μ).
/// Source: Coulomb, Théorie des machines simples, 1785; the regularisation is customary.

#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {friction_parameter::kCoefficient, friction_parameter::kRegularisationSpeed};

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::coulomb;
  friction.mu = given.number(kParameters[0]);
  friction.speed = given.number(kParameters[1]);
  return friction;
}

}  // namespace

const FrictionLaw kCoulombLaw{
    .name = "coulomb",
    .summary = "constant coefficient, smooth at v = 0",
    .formula = "μ(v) = μ tanh(v/v_r)",
    .source = "Coulomb, Théorie des machines simples, 1785",
    .parameters = kParameters,
    .prepare = &prepare,
};

}  // namespace carom
