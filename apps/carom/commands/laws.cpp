/// `carom laws`: every law with its options, what it promises and where it comes from.

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/number.h"
#include "carom/laws/impact/registry.h"
#include "commands/table.h"
#include "output/json.h"
#include "output/text_table.h"

namespace carom::app {
namespace {

constexpr Option kOptions[] = {kJsonOption};
constexpr std::string_view kExamples[] = {"carom laws"};
constexpr std::string_view kNotes[] = {
    "Options of a law are given in the problem file under 'options'. A promise of a law holds for every problem "
    "(always) or under the condition named; what is not listed is not promised.",
};

std::string_view promise_name(Promise promise) {
  switch (promise) {
    case Promise::none: return "none";
    case Promise::when_all_approach: return "when-all-approach";
    case Promise::when_restitutions_equal: return "when-restitutions-equal";
    case Promise::always: return "always";
  }
  return "none";
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
  add("only pushes", promises.pushes_only);
  add("leaves nothing approaching", promises.separates);
  return text.empty() ? "nothing" : text;
}

Json parameter_json(const LawParameter& parameter) {
  if (parameter.is_flag) {
    return {{"name", parameter.name}, {"type", "flag"},  {"default", parameter.default_value != 0.0},
            {"low", nullptr},         {"high", nullptr}, {"help", parameter.help}};
  }
  return {{"name", parameter.name},
          {"type", "number"},
          {"default", json_number(parameter.default_value)},
          {"low", json_number(parameter.low)},
          {"high", json_number(parameter.high)},
          {"help", parameter.help}};
}

Json law_json(const ImpactLaw& law) {
  Json parameters = Json::array();
  for (const LawParameter& parameter : law.parameters) parameters.push_back(parameter_json(parameter));
  return {{"family", "impact"},
          {"name", law.name},
          {"default", &law == &default_impact_law()},
          {"summary", law.summary},
          {"parameters", std::move(parameters)},
          {"promises",
           {{"no_energy_created", promise_name(law.promises.no_energy_created)},
            {"pushes_only", promise_name(law.promises.pushes_only)},
            {"separates", promise_name(law.promises.separates)}}},
          {"source", law.source}};
}

std::string line(std::string_view label, std::string_view text) {
  constexpr int kIndent = 12;
  return fmt::format("  {:<10}{}\n", label, wrap(text, kIndent));
}

std::string parameter_text(const LawParameter& parameter) {
  if (parameter.is_flag) {
    return fmt::format("{} = {}: {}", parameter.name, parameter.default_value != 0.0, parameter.help);
  }
  return fmt::format("{} = {}, from {} to {}: {}", parameter.name, format_number(parameter.default_value),
                     format_number(parameter.low), format_number(parameter.high), parameter.help);
}

std::string law_text(const ImpactLaw& law) {
  std::string text = fmt::format("{}\n", law.name);
  text += fmt::format("  {}\n", wrap(law.summary, 2));
  text += line("promises", promises_in_words(law.promises));
  bool first = true;
  for (const LawParameter& parameter : law.parameters) {
    text += line(first ? "options" : "", parameter_text(parameter));
    first = false;
  }
  text += line("source", law.source);
  return text;
}

Report run(const Arguments& arguments) {
  if (arguments.has("--json")) {
    Json laws = Json::array();
    for (const ImpactLaw* law : impact_laws()) laws.push_back(law_json(*law));
    return {json_text(Json{{"laws", std::move(laws)}}), kDone, {}, {}};
  }
  std::string text = "Impact laws: rigid bodies, configuration frozen\n";
  for (const ImpactLaw* law : impact_laws()) text += "\n" + law_text(*law);
  return {text, kDone, {}, {}};
}

}  // namespace

const Command kLawsCommand{
    .name = "laws",
    .summary = "list every law with its options, its promises and its source",
    .argument = {},
    .argument_help = {},
    .options = kOptions,
    .notes = kNotes,
    .examples = kExamples,
    .run = &run,
};

}  // namespace carom::app
