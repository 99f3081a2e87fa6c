/// Law `bengisu-akay`: rises to the static coefficient at v₀, then falls to the kinetic one.
///
///   μ(v) = μ_s [1 − (v − v₀)²/v₀²] for v < v₀,   μ_k + (μ_s − μ_k) e^{−ξ(v − v₀)} beyond.
/// Source: Bengisu & Akay, Stability of friction-induced vibrations in multi-degree-of-freedom systems, J. Sound Vib.
/// 171, 1994; the formula as commonly given.

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "static",
     .high = friction_parameter::kUnbounded,
     .help = "static coefficient μ_s, the greatest",
     .required = true},
    {.name = "kinetic",
     .high = friction_parameter::kUnbounded,
     .help = "kinetic coefficient μ_k, at most the static one",
     .required = true},
    {.name = "v0",
     .default_value = 1e-3,
     .high = friction_parameter::kUnbounded,
     .help = "speed at which μ_s is reached",
     .unit = "m/s",
     .low_excluded = true},
    {.name = "decay",
     .default_value = 100.0,
     .high = friction_parameter::kUnbounded,
     .help = "ξ, how fast μ falls from μ_s to μ_k",
     .unit = "s/m"},
};

void check(const LawPlace& place, const LawParameters& given) {
  const double fixed = given.number(kParameters[0]);
  const double kinetic = given.number(kParameters[1]);
  if (kinetic <= fixed) return;
  throw InputError{Kind::out_of_range, place.path("kinetic"),
                   fmt::format("{} of the law 'bengisu-akay' is {}, expected at most the static coefficient, {}",
                               place.path("kinetic"), format_number(kinetic), format_number(fixed))};
}

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::bengisu_akay;
  friction.mu = given.number(kParameters[0]);
  friction.kinetic = given.number(kParameters[1]);
  friction.speed = given.number(kParameters[2]);
  friction.decay = given.number(kParameters[3]);
  return friction;
}

}  // namespace

const FrictionLaw kBengisuAkayLaw{
    .name = "bengisu-akay",
    .summary = "static coefficient at v₀, falling to the kinetic one",
    .formula = "μ(v) = μ_s [1 − (v − v₀)²/v₀²] for v < v₀, μ_k + (μ_s − μ_k) e^{−ξ(v − v₀)} beyond",
    .source =
        "Bengisu & Akay, Stability of friction-induced vibrations in multi-degree-of-freedom systems, J. Sound "
        "Vib. 171, 1994 (formula as commonly given)",
    .parameters = kParameters,
    .check = &check,
    .prepare = &prepare,
};

}  // namespace carom
