/// Law `alciatore`: between two pool balls, μ(v) = (9.951e-3 + 0.108 e^{−1.088 v}) tanh(v/v_r), v in m/s.
///
/// A fit to measured throw of phenolic balls, falling with the sliding speed; regularised at v = 0 like `coulomb`. The
/// three constants may be given for other balls.
/// Source: Alciatore, technical proof TP A.14, The effects of cut angle, speed and spin on object ball throw, 2006.

#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    friction_parameter::kRegularisationSpeed,
    {.name = "lasting",
     .default_value = 9.951e-3,
     .high = friction_parameter::kUnbounded,
     .help = "coefficient at high speed"},
    {.name = "falling",
     .default_value = 0.108,
     .high = friction_parameter::kUnbounded,
     .help = "part of the coefficient that decays with speed"},
    {.name = "decay",
     .default_value = 1.088,
     .high = friction_parameter::kUnbounded,
     .help = "how fast it decays",
     .unit = "s/m"},
};

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::alciatore;
  friction.speed = given.number(kParameters[0]);
  friction.kinetic = given.number(kParameters[1]);
  friction.mu = given.number(kParameters[2]);
  friction.decay = given.number(kParameters[3]);
  return friction;
}

}  // namespace

const FrictionLaw kAlciatoreLaw{
    .name = "alciatore",
    .summary = "between pool balls, falling with the sliding speed",
    .formula = "μ(v) = (9.951e-3 + 0.108 e^{−1.088 v}) tanh(v/v_r)",
    .source =
        "Alciatore, The effects of cut angle, speed, and spin on object ball throw, technical proof TP A.14, 2006",
    .parameters = kParameters,
    .prepare = &prepare,
};

}  // namespace carom
