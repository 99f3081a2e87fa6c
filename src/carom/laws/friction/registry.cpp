#include "carom/laws/friction/registry.h"

#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/law_list.h"

namespace carom {

namespace {

constexpr const FrictionLaw* kFrictionLaws[] = {
    &kCoulombLaw,           // regularised by tanh
    &kThrelfallLaw,         //
    &kAmbrosioLaw,          // none below v₀
    &kBengisuAkayLaw,       // static and kinetic
    &kAlciatoreLaw,         // pool balls
    &kTangentialSpringLaw,  // with history
};

LawList<FrictionLaw>& known_friction_laws() {
  static LawList<FrictionLaw> laws{kFrictionLaws};
  return laws;
}

constexpr LawParameter kResistanceParameters[] = {
    {.name = "rolling",
     .high = friction_parameter::kUnbounded,
     .help = "a rolling ball slows down at rolling · g (cloth: 0.005–0.015)"},
    {.name = "spinning",
     .high = friction_parameter::kUnbounded,
     .help = "torque against spinning about the normal, per normal force",
     .unit = "m"},
    {.name = "rolling_speed",
     .default_value = 1e-3,
     .high = friction_parameter::kUnbounded,
     .help = "speed at the rim below which both go to zero",
     .unit = "m/s",
     .low_excluded = true},
};

}  // namespace

std::span<const FrictionLaw* const> friction_laws() {
  return known_friction_laws().all();
}

void add_friction_law(const FrictionLaw& law) {
  known_friction_laws().add(law);
}

const FrictionLaw& friction_law(std::string_view name, const std::string& field) {
  std::vector<std::string_view> known;
  for (const FrictionLaw* law : friction_laws()) {
    if (law->name == name) return *law;
    known.push_back(law->name);
  }
  throw InputError{Kind::unknown_name, field, unknown_name_message("friction law", name, known)};
}

std::span<const LawParameter> resistance_parameters() {
  return kResistanceParameters;
}

Friction prepare_friction(const FrictionLaw& law, const LawParameters& given, const std::string& field) {
  const LawPlace place{law.name, field};
  check_parameters(place, given, {law.parameters, resistance_parameters()});
  if (law.check != nullptr) law.check(place, given);
  Friction friction = law.prepare(given);
  friction.own = law.own;
  return friction;
}

TurningResistance turning_resistance(const LawParameters& given) {
  return {.rolling = given.number(kResistanceParameters[0]),
          .spinning = given.number(kResistanceParameters[1]),
          .rolling_speed = given.number(kResistanceParameters[2])};
}

Resistance prepare_resistance(const TurningResistance& given, const RollingBody& body) {
  CAROM_ASSERT(body.radius > 0.0 && body.mass > 0.0 && body.inertia > 0.0);
  const double arm = body.radius + body.inertia / (body.mass * body.radius);  // R (1 + J/(mR²))
  return {.rolling = given.rolling * arm, .spinning = given.spinning, .rate = given.rolling_speed / body.radius};
}

}  // namespace carom
