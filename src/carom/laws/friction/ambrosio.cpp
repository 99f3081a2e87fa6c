/// Law `ambrosio`: no friction below v₀, from there linear to μ at v₁.
///
/// Below v₀ nothing slows a body down: it may creep for ever, and "at rest" has to mean slower than v₀.
/// Source: Ambrósio, Impact of rigid and flexible multibody systems: deformation description and contact models, in:
/// Virtual Nonlinear Multibody Systems, 2003; the formula as commonly given.

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    friction_parameter::kCoefficient,
    {.name = "v0",
     .default_value = 1e-4,
     .high = friction_parameter::kUnbounded,
     .help = "speed up to which there is no friction",
     .unit = "m/s"},
    {.name = "v1",
     .default_value = 1e-3,
     .high = friction_parameter::kUnbounded,
     .help = "speed from which there is all of it; above v0",
     .unit = "m/s",
     .low_excluded = true},
};

void check(const LawPlace& place, const LawParameters& given) {
  const double v0 = given.number(kParameters[1]);
  const double v1 = given.number(kParameters[2]);
  if (v1 > v0) return;
  throw InputError{Kind::out_of_range, place.path(given.has("v1") ? "v1" : "v0"),
                   fmt::format("{} of the law 'ambrosio' is {} with v0 = {}, expected v1 > v0", place.path("v1"),
                               format_number(v1), format_number(v0))};
}

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::ambrosio;
  friction.mu = given.number(kParameters[0]);
  friction.speed = given.number(kParameters[1]);
  friction.end_speed = given.number(kParameters[2]);
  return friction;
}

}  // namespace

const FrictionLaw kAmbrosioLaw{
    .name = "ambrosio",
    .summary = "none below v₀, linear to μ at v₁",
    .formula = "μ(v) = 0 for v ≤ v₀, μ (v − v₀)/(v₁ − v₀) up to v₁, μ beyond",
    .source =
        "Ambrósio, Impact of rigid and flexible multibody systems: deformation description and contact models, in: "
        "Virtual Nonlinear Multibody Systems, 2003 (formula as commonly given)",
    .parameters = kParameters,
    .check = &check,
    .prepare = &prepare,
};

}  // namespace carom
