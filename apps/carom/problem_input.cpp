#include "problem_input.h"

#include <algorithm>

#include "carom/laws/impact/registry.h"

namespace carom::app {
namespace {

std::vector<scene::OptionName> law_options() {
  std::vector<scene::OptionName> options;
  for (const ImpactLaw* law : impact_laws()) {
    for (const LawParameter& parameter : law->parameters) {
      const auto same = [&parameter](const scene::OptionName& option) { return option.name == parameter.name; };
      if (std::none_of(options.begin(), options.end(), same))
        options.push_back({parameter.name, parameter.is_flag, parameter.choices});
    }
  }
  return options;
}

}  // namespace

ProblemInput read_problem(const std::string& path) {
  return read_problem(scene::read_document(path));
}

ProblemInput read_problem(scene::Document document) {
  scene::ProblemFile file = scene::read_problem_file(document, law_options());
  return {std::move(document), std::move(file)};
}

std::vector<std::string_view> impact_law_names() {
  std::vector<std::string_view> names;
  for (const ImpactLaw* law : impact_laws()) names.push_back(law->name);
  return names;
}

std::vector<std::string_view> audit_names() {
  return {"basic", "full"};
}

AuditDepth audit_depth(const Arguments& arguments) {
  return arguments.value(kAuditOption.name) == "full" ? AuditDepth::full : AuditDepth::basic;
}

std::vector<std::string> unused_options(const ImpactProblem& problem, const ImpactLaw& law) {
  std::vector<std::string> unused;
  for (const auto& option : problem.options.by_law) {
    const auto same = [&option](const LawParameter& parameter) { return parameter.name == option.first; };
    if (std::none_of(law.parameters.begin(), law.parameters.end(), same)) unused.push_back(option.first);
  }
  return unused;
}

}  // namespace carom::app
