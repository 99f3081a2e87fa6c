/// Law `coulomb`: Coulomb's friction. The rigid engine has it exactly: a contact sticks as long as |F_t| ≤ μ_s N, and
/// slides with |F_t| = μ_k N against the slip. With forces it is made smooth at v = 0, μ(v) = μ_k tanh(v/v_r), and a
/// body that Coulomb's law would hold creeps: on a slope of angle θ at v = v_r artanh(tan θ/μ_k).
/// Source: Coulomb, Théorie des machines simples, 1785; the regularisation is customary.

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "coefficient",
     .high = friction_parameter::kUnbounded,
     .help = "coefficient of friction μ, static and kinetic; or give both of these",
     .optional = true},
    {.name = "static",
     .high = friction_parameter::kUnbounded,
     .help = "static coefficient μ_s, with `kinetic`",
     .optional = true},
    {.name = "kinetic",
     .high = friction_parameter::kUnbounded,
     .help = "kinetic coefficient μ_k, at most the static one; with `static`",
     .optional = true},
    friction_parameter::kRegularisationSpeed,
};

void check(const LawPlace& place, const LawParameters& given) {
  const bool both = given.has("coefficient");
  for (const char* const name : {"static", "kinetic"}) {
    if (both && given.has(name))
      throw InputError{Kind::size_mismatch, place.path(name),
                       fmt::format("{} stands beside a coefficient, expected either `coefficient` for both or "
                                   "`static` and `kinetic`",
                                   place.path(name))};
    if (!both && !given.has(name)) {
      const std::string missing = place.path(given.has("static") || given.has("kinetic") ? name : "coefficient");
      throw InputError{Kind::missing_field, missing,
                       fmt::format("{} is missing, the law 'coulomb' needs it: `coefficient`, or `static` and "
                                   "`kinetic`, expected a number of at least 0",
                                   missing)};
    }
  }
  const Coulomb coefficients = coulomb_coefficients(given);
  if (coefficients.kinetic_friction <= coefficients.static_friction) return;
  throw InputError{
      Kind::out_of_range, place.path("kinetic"),
      fmt::format("{} of the law 'coulomb' is {}, expected at most the static coefficient, {}", place.path("kinetic"),
                  format_number(coefficients.kinetic_friction), format_number(coefficients.static_friction))};
}

Friction prepare(const LawParameters& given) {
  Friction friction;
  friction.kind = FrictionKind::coulomb;
  friction.mu = coulomb_coefficients(given).kinetic_friction;
  friction.speed = given.number(kParameters[3]);
  return friction;
}

}  // namespace

Coulomb coulomb_coefficients(const LawParameters& given) {
  const std::optional<double> both = given.number("coefficient");
  return {both ? *both : given.number("static").value_or(0.0), both ? *both : given.number("kinetic").value_or(0.0)};
}

const FrictionLaw kCoulombLaw{
    .name = "coulomb",
    .summary = "sticks up to a static coefficient, slides with a kinetic one; with forces smooth at v = 0",
    .formula = "μ(v) = μ_k tanh(v/v_r)",
    .source = "Coulomb, Théorie des machines simples, 1785",
    .parameters = kParameters,
    .check = &check,
    .prepare = &prepare,
};

}  // namespace carom
