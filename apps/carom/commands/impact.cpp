/// `carom impact`: one impact problem through one law.

#include <fmt/format.h>

#include "carom/laws/impact/all_outcomes.h"
#include "carom/laws/impact/registry.h"
#include "commands/table.h"
#include "output/outcome_json.h"
#include "output/outcome_text.h"
#include "problem_input.h"

namespace carom::app {
namespace impact_command {

constexpr Option kOptions[] = {
    {"--law", kLawValue, "law to use instead of the file's (default compliant)"},
    {"--all", {}, "print all outcomes that the law allows, side by side"},
    kAuditOption,
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "A problem has a metric (or its diagonal), a velocity, and contacts with a normal row each; a contact approaches "
    "where normal · velocity + offset < 0. Exit code 3 means that the law did not finish; what it reached is printed.",
    "With friction a law may allow several outcomes. Up to four planar contacts all are found, beyond that --audit "
    "full "
    "and --all search from several starts; the flag outcome-not-unique says that there are others.",
};

constexpr std::string_view kExamples[] = {
    "carom impact examples/cradle.json --law geometric",
    "carom impact examples/two-outcomes.json --all",
    "echo '{\"metric\": [[1]], \"velocity\": [-1], \"contacts\": [{\"normal\": [1]}]}' | carom impact -",
};

const ImpactLaw& chosen_law(const Arguments& arguments, const scene::ProblemFile& file) {
  if (const auto name = arguments.value("--law")) return impact_law(*name);
  return file.law.empty() ? default_impact_law() : impact_law(file.law);
}

std::vector<std::string> notes(const ImpactProblem& problem, const ImpactLaw& law, const ImpactOutcome& outcome) {
  std::vector<std::string> lines;
  for (const std::string& option : unused_options(problem, law)) {
    lines.push_back(fmt::format("the law {} does not use the option '{}'", law.name, option));
  }
  bool rough = false;
  for (const Contact& contact : problem.contacts) rough = rough || contact.tangents.rows() > 0;
  if (rough && outcome.steps > 0 && outcome.tangential_impulses.empty()) {
    lines.push_back(law.needs.friction
                        ? "no contact has friction or is rough, so that tangents are not used"
                        : fmt::format("the law {} takes contacts as smooth and does not use their tangents", law.name));
  }
  return lines;
}

Report run(const Arguments& arguments) {
  const ProblemInput input = read_problem(*arguments.argument());
  const ImpactProblem& problem = input.file.problem;
  return pointing_into(input.document, [&] {
    const ImpactLaw& law = chosen_law(arguments, input.file);
    ImpactSolver solver;
    ImpactOutcome outcome = solve_audited(solver, problem, law, audit_depth(arguments));
    if (arguments.has("--all")) {
      find_outcomes(solver, problem, law, OutcomeSearch::several_starts, outcome);
      if (outcome.outcomes.empty()) outcome.outcomes.push_back(ImpactOutcome(outcome));
    }
    Report report;
    report.exit_code = finished(outcome.stop) ? kDone : kUnfinished;
    if (arguments.has("--json")) {
      report.text = json_text(outcome_json(problem, law, outcome));
    } else {
      report.text =
          arguments.has("--all") ? outcomes_text(problem, law, outcome.outcomes) : outcome_text(problem, law, outcome);
      report.notes = notes(problem, law, outcome);
    }
    return report;
  });
}

}  // namespace impact_command

const Command kImpactCommand{
    .name = "impact",
    .summary = "put one impact problem through one law and audit the outcome",
    .argument = kProblemValue,
    .argument_help = kProblemHelp,
    .options = impact_command::kOptions,
    .notes = impact_command::kNotes,
    .examples = impact_command::kExamples,
    .run = &impact_command::run,
};

}  // namespace carom::app
