/// `carom laws`: every law of the three families (impact, normal force, friction) with its parameters, what it
/// promises, what it makes of a nominal restitution, and where it comes from.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "carom/base/json.h"
#include "carom/base/number.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/impact/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "commands/table.h"
#include "common/text_table.h"

namespace carom::app {
namespace laws_command {

constexpr Option kOptions[] = {kJsonOption};
constexpr std::string_view kExamples[] = {"carom laws"};
constexpr std::string_view kNotes[] = {
    "Options of an impact law are given in the problem file under 'options'. A promise of a law holds for every "
    "problem "
    "(always) or under the condition named; what is not listed is not promised.",
    "Normal force and friction laws are named in a scene's [[pair]], for the smooth engine. The restitution given to a "
    "normal force law is nominal: the table at its end says how fast two bodies really part.",
};

std::string_view promise_name(Promise promise) {
  switch (promise) {
    case Promise::none: return "none";
    case Promise::when_all_approach: return "when-all-approach";
    case Promise::when_restitutions_equal: return "when-restitutions-equal";
    case Promise::with_default_options: return "with-default-options";
    case Promise::always: return "always";
  }
  return "none";
}

std::string_view takes_name(TakesContacts takes) {
  switch (takes) {
    case TakesContacts::all: return "all";
    case TakesContacts::not_separating: return "not-separating";
    case TakesContacts::approaching: return "approaching";
  }
  return "all";
}

std::string promises_in_words(const Promises& promises) {
  std::string text;
  const auto add = [&text](std::string_view what, Promise promise) {
    if (promise == Promise::none) return;
    std::string when(promise_name(promise));
    std::replace(when.begin(), when.end(), '-', ' ');
    text += fmt::format("{}{} ({})", text.empty() ? "" : " · ", what, when);
  };
  add("creates no energy", promises.no_energy_created);
  add("nor with friction", promises.no_energy_created_with_friction);
  add("only pushes", promises.pushes_only);
  add("leaves nothing approaching", promises.separates);
  return text.empty() ? "nothing" : text;
}

Json parameter_json(const LawParameter& parameter) {
  const bool flag = parameter.is_flag;
  if (!parameter.choices.empty()) {
    Json choices = Json::array();
    for (const std::string_view choice : parameter.choices) choices.push_back(choice);
    return {{"name", parameter.name},
            {"type", "choice"},
            {"default", parameter.choices.front()},
            {"required", parameter.required},
            {"choices", std::move(choices)},
            {"help", parameter.help}};
  }
  Json value;
  if (parameter.has_default())
    value = flag ? Json(parameter.default_value != 0.0) : json_number(parameter.default_value);
  return {{"name", parameter.name},
          {"type", flag ? "flag" : "number"},
          {"default", std::move(value)},
          {"required", parameter.required},
          {"low", flag ? Json(nullptr) : json_number(parameter.low)},
          {"high", flag ? Json(nullptr) : json_number(parameter.high)},
          {"unit", parameter.unit.empty() ? Json(nullptr) : Json(parameter.unit)},
          {"help", parameter.help}};
}

Json parameters_json(std::initializer_list<std::span<const LawParameter>> lists) {
  Json parameters = Json::array();
  for (const std::span<const LawParameter> list : lists)
    for (const LawParameter& parameter : list) parameters.push_back(parameter_json(parameter));
  return parameters;
}

Json law_json(const ImpactLaw& law) {
  return {{"family", "impact"},
          {"name", law.name},
          {"default", &law == &default_impact_law()},
          {"summary", law.summary},
          {"parameters", parameters_json({law.parameters})},
          {"promises",
           {{"no_energy_created", promise_name(law.promises.no_energy_created)},
            {"pushes_only", promise_name(law.promises.pushes_only)},
            {"separates", promise_name(law.promises.separates)},
            {"no_energy_created_with_friction", promise_name(law.promises.no_energy_created_with_friction)}}},
          {"takes_contacts", takes_name(law.needs.takes)},
          {"needs_tangents", law.needs.tangents},
          {"friction", law.needs.friction},
          {"single_contact", law.needs.single_contact},
          {"source", law.source}};
}

/// The nominal restitutions of the tables that the law accepts.
std::vector<double> nominal_restitutions(const NormalLaw& law) {
  std::vector<double> values;
  for (const LawParameter& parameter : law.parameters) {
    if (parameter.name != "restitution") continue;
    for (int tenths = 1; tenths <= 10; ++tenths)
      if (tenths / 10.0 >= parameter.low) values.push_back(tenths / 10.0);
  }
  return values;
}

Json law_json(const NormalLaw& law) {
  Json effective = Json::array();
  for (const double c : nominal_restitutions(law))
    effective.push_back(Json::array({c, json_number(law.effective_restitution(c))}));
  return {{"family", "normal-force"},
          {"name", law.name},
          {"default", &law == &default_normal_law()},
          {"summary", law.summary},
          {"formula", law.formula},
          {"parameters", parameters_json({law.parameters})},
          {"needs_approach_speed", law.needs_approach_speed},
          {"restitution_at_reference_speed", law.restitution_at_reference_speed},
          {"low_speed_only", law.low_speed_only},
          {"effective_restitution", std::move(effective)},
          {"source", law.source}};
}

Json law_json(const FrictionLaw& law) {
  return {{"family", "friction"},
          {"name", law.name},
          {"default", false},
          {"summary", law.summary},
          {"formula", law.formula},
          {"parameters", parameters_json({law.parameters, resistance_parameters()})},
          {"has_history", law.has_history},
          {"source", law.source}};
}

std::string line(std::string_view label, std::string_view text) {
  constexpr int kIndent = 12;
  return fmt::format("  {:<10}{}\n", label, wrap(text, kIndent));
}

std::string range_text(const LawParameter& parameter) {
  const std::string low = format_number(parameter.low);
  if (parameter.low == parameter.high) return low + " only";
  if (!std::isfinite(parameter.high)) return fmt::format("{} {}", parameter.low_excluded ? "above" : "from", low);
  return fmt::format("from {} to {}", low, format_number(parameter.high));
}

std::string parameter_text(const LawParameter& parameter) {
  if (!parameter.choices.empty()) {
    return fmt::format("{} = {}, or {}: {}", parameter.name, parameter.choices.front(),
                       fmt::join(parameter.choices.subspan(1), ", "), parameter.help);
  }
  if (parameter.is_flag) {
    return fmt::format("{} = {}: {}", parameter.name, parameter.default_value != 0.0, parameter.help);
  }
  const std::string unit = parameter.unit.empty() ? "" : fmt::format(" [{}]", parameter.unit);
  std::string value;
  if (parameter.has_default()) value = fmt::format(" = {}", format_number(parameter.default_value));
  if (parameter.required) value = " (required)";
  if (parameter.optional) value = " (may be left out)";
  return fmt::format("{}{}{}, {}: {}", parameter.name, unit, value, range_text(parameter), parameter.help);
}

std::string parameters_text(std::span<const LawParameter> parameters) {
  std::string text;
  for (const LawParameter& parameter : parameters)
    text += line(text.empty() ? "options" : "", parameter_text(parameter));
  return text;
}

std::string_view tangents_in_words(const LawNeeds& needs) {
  if (needs.friction) return "Coulomb friction, and contacts that do not slip";
  return needs.tangents ? "no slip at any contact that has tangents" : "not used: every contact is smooth";
}

std::string law_text(const ImpactLaw& law) {
  std::string text = fmt::format("{}\n", law.name);
  text += fmt::format("  {}\n", wrap(law.summary, 2));
  text += line("promises", promises_in_words(law.promises));
  text += line("tangents", tangents_in_words(law.needs));
  if (law.needs.single_contact) text += line("contacts", "one only");
  text += parameters_text(law.parameters);
  text += line("source", law.source);
  return text;
}

std::string law_text(const NormalLaw& law) {
  std::string text = fmt::format("{}\n", law.name);
  text += fmt::format("  {}\n", wrap(law.summary, 2));
  text += line("force", law.formula);
  if (law.needs_approach_speed)
    text += line("needs", "v₀, the speed at first contact: not for bodies that touch from the start");
  if (law.low_speed_only) text += line("meant", "for impact speeds below 1e-5 √(E/ρ)");
  text += parameters_text(law.parameters);
  text += line("source", law.source);
  return text;
}

std::string law_text(const FrictionLaw& law) {
  std::string text = fmt::format("{}\n", law.name);
  text += fmt::format("  {}\n", wrap(law.summary, 2));
  text += line("force", law.formula);
  text += parameters_text(law.parameters);
  text += line("source", law.source);
  return text;
}

/// How fast two bodies really part, for the laws whose restitution is nominal.
std::string restitution_table() {
  std::vector<Column> columns{{"nominal c", Align::left}};
  for (const double c : nominal_restitutions(default_normal_law())) columns.push_back({fmt::format("{:.1f}", c)});
  TextTable table(std::move(columns));
  for (const NormalLaw* law : normal_laws()) {
    if (!law->needs_approach_speed) continue;
    std::vector<std::string> cells{std::string(law->name)};
    for (const double c : nominal_restitutions(*law))
      cells.push_back(fmt::format("{:.3f}", law->effective_restitution(c)));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string text_of_all() {
  std::string text = "Impact laws: rigid bodies, configuration frozen\n";
  for (const ImpactLaw* law : impact_laws()) text += "\n" + law_text(*law);
  text += "\nNormal force laws: bodies overlap by the depth δ, which grows at the rate δ̇\n";
  for (const NormalLaw* law : normal_laws()) text += "\n" + law_text(*law);
  text += "\n" +
          wrap(
              "Rebound e of two bodies for the nominal restitution c, at every speed, mass and stiffness. The "
              "laws not listed have e = c (hunt-crossley-fixed and kuwabara-kono at the reference speed).",
              0) +
          "\n\n" + restitution_table();
  text += "\nFriction laws: the tangential force is −N μ(v) against the sliding velocity\n";
  for (const FrictionLaw* law : friction_laws()) text += "\n" + law_text(*law);
  text += "\nResistance to rolling and spinning, beside each friction law\n" + parameters_text(resistance_parameters());
  return text;
}

Report run(const Arguments& arguments) {
  if (!arguments.has("--json")) return {text_of_all(), kDone, {}, {}};
  Json laws = Json::array();
  for (const ImpactLaw* law : impact_laws()) laws.push_back(law_json(*law));
  for (const NormalLaw* law : normal_laws()) laws.push_back(law_json(*law));
  for (const FrictionLaw* law : friction_laws()) laws.push_back(law_json(*law));
  return {json_text(Json{{"laws", std::move(laws)}}), kDone, {}, {}};
}

}  // namespace laws_command

const Command kLawsCommand{
    .name = "laws",
    .summary = "list every law with its options, its promises and its source",
    .argument = {},
    .argument_help = {},
    .options = laws_command::kOptions,
    .notes = laws_command::kNotes,
    .examples = laws_command::kExamples,
    .run = &laws_command::run,
};

}  // namespace carom::app
