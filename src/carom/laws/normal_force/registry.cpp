#include "carom/laws/normal_force/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/laws/law_list.h"
#include "carom/laws/normal_force/common_parameters.h"

namespace carom {

namespace {

constexpr const NormalLaw* kNormalLaws[] = {
    &kHertzLaw,               // elastic
    &kExactLaw,               // e = c
    &kHuntCrossleyLaw,        //
    &kHerbertMcwhannellLaw,   //
    &kLeeWangLaw,             //
    &kLankaraniNikraveshLaw,  //
    &kGonthierLaw,            //
    &kFloresLaw,              //
    &kHuGuoLaw,               //
    &kGharibHurmuzluLaw,      // small c
    &kHuntCrossleyFixedLaw,   // without approach speed from here on
    &kTsujiLaw,               //
    &kKuwabaraKonoLaw,        // viscoelastic
    &kKelvinVoigtLaw,         // linear
};

LawList<NormalLaw>& known_normal_laws() {
  static LawList<NormalLaw> laws{kNormalLaws};
  return laws;
}

constexpr std::string_view kRestitutionName = "restitution";

/// All of a table; of a power law e₀ and one of the values below it, which come as near to 0 as one likes.
std::vector<double> values_to_check(const Restitution& restitution) {
  if (restitution.is_constant()) return {};
  if (const auto* table = std::get_if<RestitutionTable>(restitution.law())) return table->values;
  return {restitution.at(2.0 * restitution.constant_up_to())};
}

/// 0 means kNoRebound to a law that can have this and not 0.
double within_reach(const NormalLaw& law, double restitution) {
  if (restitution != 0.0) return restitution;
  for (const LawParameter& parameter : law.parameters)
    if (parameter.name == kRestitutionName && parameter.low > 0.0 && parameter.low <= kNoRebound) return kNoRebound;
  return restitution;
}

double value_or_default(const NormalLaw& law, const LawParameters& given, std::string_view name, double otherwise) {
  for (const LawParameter& parameter : law.parameters)
    if (parameter.name == name && parameter.has_default()) return given.number(parameter);
  return given.number(name).value_or(otherwise);
}

}  // namespace

namespace normal_parameter {

void check_exponent(const LawPlace& place, const LawParameters& given) {
  const double exponent = given.number(kExponent);
  if (exponent == 1.5 || given.has(kStiffness.name)) return;
  throw InputError{
      Kind::missing_field, place.path(kStiffness.name),
      fmt::format("{} is missing, the law '{}' needs it with {} = {}: the stiffness of the materials holds "
                  "for 1.5, expected a number > 0 [N/mⁿ]",
                  place.path(kStiffness.name), place.law, kExponent.name, format_number(exponent))};
}

}  // namespace normal_parameter

std::span<const NormalLaw* const> normal_laws() {
  return known_normal_laws().all();
}

void add_normal_law(const NormalLaw& law) {
  known_normal_laws().add(law);
}

const NormalLaw& normal_law(std::string_view name, const std::string& field) {
  std::vector<std::string_view> known;
  for (const NormalLaw* law : normal_laws()) {
    if (law->name == name) return *law;
    known.push_back(law->name);
  }
  throw InputError{Kind::unknown_name, field, unknown_name_message("normal force law", name, known)};
}

const NormalLaw& default_normal_law() {
  return kExactLaw;
}

const NormalLaw& touching_normal_law() {
  return kHuntCrossleyFixedLaw;
}

NormalInput normal_input(const NormalLaw& law, const LawParameters& given, const std::string& field) {
  const LawPlace place{law.name, field};
  check_parameters(place, given, {law.parameters});
  if (law.check != nullptr) law.check(place, given);
  NormalInput input;
  input.restitution = value_or_default(law, given, "restitution", 1.0);
  input.exponent = value_or_default(law, given, "exponent", &law == &kKelvinVoigtLaw ? 1.0 : 1.5);
  input.reference_speed = given.number("reference_speed").value_or(0.0);
  input.given_stiffness = given.number("stiffness");
  input.relaxation_time = given.number("relaxation_time");
  input.stiffness = input.given_stiffness.value_or(0.0);
  input.constant = law.calibrate(input);
  return input;
}

NormalInput normal_input(const NormalLaw& law, LawParameters given, const Restitution& restitution,
                         const std::string& field) {
  if (!knows(law, kRestitutionName)) return normal_input(law, given, field);
  if (!restitution.is_constant() && law.restitution_at_reference_speed) {
    const std::string path = LawPlace{law.name, field}.path(kRestitutionName);
    throw InputError{Kind::unsupported, path,
                     fmt::format("{} depends on the speed, and so does that of the law '{}', expected a number, or "
                                 "another law, for instance '{}'",
                                 path, law.name, default_normal_law().name)};
  }
  for (const double e : values_to_check(restitution)) {
    given.set(kRestitutionName, within_reach(law, e));
    normal_input(law, given, field);
  }
  given.set(kRestitutionName, within_reach(law, restitution.at_rest()));
  return normal_input(law, given, field);
}

NormalInput at_restitution(const NormalLaw& law, NormalInput input, double restitution) {
  for (const LawParameter& parameter : law.parameters)
    if (parameter.name == kRestitutionName) input.restitution = std::max(within_reach(law, restitution), parameter.low);
  input.constant = law.calibrate(input);
  return input;
}

bool knows(const NormalLaw& law, std::string_view parameter) {
  return std::any_of(law.parameters.begin(), law.parameters.end(),
                     [parameter](const LawParameter& known) { return known.name == parameter; });
}

void check_touching_start(const NormalLaw& law, std::string_view who, const std::string& field) {
  if (!law.needs_approach_speed) return;
  throw InputError{
      Kind::unsupported, field,
      fmt::format("{}: {} touch at the start, and the law '{}' needs the speed at which they meet; expected "
                  "a law without it, for instance '{}' with a reference_speed, or tsuji",
                  field, who, law.name, touching_normal_law().name)};
}

double validity_speed(double young, double density) {
  CAROM_ASSERT(young > 0.0 && density > 0.0);
  return 1e-5 * std::sqrt(young / density);
}

}  // namespace carom
