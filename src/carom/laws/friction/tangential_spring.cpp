/// Law `tangential-spring`: a spring along the surface, F_t = −k_t s − c_t ṡ, limited to |F_t| ≤ μN.
///
/// s is the tangential displacement since first contact; where the limit is reached the spring slides along (s is held
/// at the length that gives μN). The engine keeps s. The only law here that can hold a body still, and that can give
/// tangential energy back: a superball needs it.
/// Source: Cundall & Strack, A discrete numerical model for granular assemblies, Géotechnique 29, 1979.

#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    friction_parameter::kCoefficient,
    {.name = "stiffness",
     .high = friction_parameter::kUnbounded,
     .help = "k_t of the spring along the surface",
     .unit = "N/m",
     .required = true,
     .low_excluded = true},
    {.name = "damping", .high = friction_parameter::kUnbounded, .help = "c_t, along with the spring", .unit = "N s/m"},
};

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::tangential_spring;
  friction.mu = given.number(kParameters[0]);
  friction.spring_stiffness = given.number(kParameters[1]);
  friction.spring_damping = given.number(kParameters[2]);
  return friction;
}

}  // namespace

const FrictionLaw kTangentialSpringLaw{
    .name = "tangential-spring",
    .summary = "a spring with history along the surface, limited by μN: holds, and gives energy back",
    .formula = "F_t = −k_t s − c_t ṡ, |F_t| ≤ μN",
    .source = "Cundall & Strack, A discrete numerical model for granular assemblies, Géotechnique 29, 1979",
    .parameters = kParameters,
    .has_history = true,
    .prepare = &prepare,
};

}  // namespace carom
