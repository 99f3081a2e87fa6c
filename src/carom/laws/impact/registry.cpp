#include "carom/laws/impact/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/laws/law_list.h"

namespace carom {

namespace {

constexpr const ImpactLaw* kImpactLaws[] = {
    &kCompliantLaw,      // rigid limit of compliant contacts
    &kGeometricLaw,      // Fassino & Pasquero
    &kIncrementalLaw,    // Routh, Darboux & Keller
    &kNewtonLaw,         // coupled Newton restitution
    &kPoissonLaw,        // compression and expansion
    &kRoughLaw,          // Treschev & Zubelevich
    &kSequentialLaw,     // one contact at a time
    &kSuperpositionLaw,  // Stanescu & Pandrea
};

LawList<ImpactLaw>& known_laws() {
  static LawList<ImpactLaw> laws{kImpactLaws};
  return laws;
}

void check_value(const LawParameter& parameter, double value) {
  const std::string field = fmt::format("options.{}", parameter.name);
  if (!std::isfinite(value))
    throw InputError{Kind::not_finite, field, fmt::format("{} is {}, expected a finite number", field, value)};
  if (!parameter.choices.empty()) {
    if (!(value >= 0.0) || value >= static_cast<double>(parameter.choices.size()) || value != std::floor(value))
      throw InputError{
          Kind::out_of_range, field,
          fmt::format("{} is {}, expected the index of one of {}", field, value, fmt::join(parameter.choices, ", "))};
  } else if (parameter.is_flag) {
    if (value != 0.0 && value != 1.0)
      throw InputError{Kind::out_of_range, field, fmt::format("{} is {}, expected true or false", field, value)};
  } else if (value < parameter.low || value > parameter.high) {
    throw InputError{
        Kind::out_of_range, field,
        fmt::format("{} is {}, expected a number from {} to {}", field, value, parameter.low, parameter.high)};
  }
}

}  // namespace

std::span<const ImpactLaw* const> impact_laws() {
  return known_laws().all();
}

void add_impact_law(const ImpactLaw& law) {
  known_laws().add(law);
}

const ImpactLaw& impact_law(std::string_view name) {
  std::vector<std::string_view> known;
  for (const ImpactLaw* law : impact_laws()) {
    if (law->name == name) return *law;
    known.push_back(law->name);
  }
  throw InputError{Kind::unknown_name, "law", unknown_name_message("law", name, known)};
}

const ImpactLaw& default_impact_law() {
  return kCompliantLaw;
}

const ImpactLaw& law_for_rough_contacts(const ImpactLaw& chosen) {
  return chosen.needs.answers_lone_rough_contact() ? chosen : kRoughLaw;
}

const ImpactLaw& law_for_contacts(const ImpactLaw& chosen, int contacts) {
  return chosen.needs.single_contact && contacts > 1 ? default_impact_law() : chosen;
}

void check_law(const ImpactProblem& problem, const ImpactLaw& law) {
  if (law.needs.single_contact && problem.contacts.size() > 1)
    throw InputError{Kind::unsupported, "contacts",
                     fmt::format("contacts has {} entries, and the law '{}' answers one contact only; '{}' takes "
                                 "several",
                                 problem.contacts.size(), law.name, default_impact_law().name)};
  if (law.needs.friction) return;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (!(problem.contacts[i].friction > 0.0)) continue;
    std::string others;
    for (const ImpactLaw* other : impact_laws())
      if (other->needs.friction) others += fmt::format("{}{}", others.empty() ? "" : ", ", other->name);
    throw InputError{Kind::unsupported, fmt::format("contacts.{}.friction", i),
                     fmt::format("contacts.{}.friction is {}, and the law '{}' knows no friction; {} do", i,
                                 problem.contacts[i].friction, law.name, others)};
  }
}

void validate_law_options(const ImpactOptions& options) {
  for (const auto& [name, value] : options.by_law) {
    bool found = false;
    std::vector<std::string_view> known{"tolerance", "rest", "max_steps"};
    for (const ImpactLaw* law : impact_laws())
      for (const LawParameter& parameter : law->parameters) {
        known.push_back(parameter.name);
        if (parameter.name == name) {
          check_value(parameter, value);
          found = true;
        }
      }
    if (!found) throw InputError{Kind::unknown_name, "options." + name, unknown_name_message("option", name, known)};
  }
}

}  // namespace carom
