/// `carom compare`: one impact problem through several laws, side by side.

#include <fmt/format.h>

#include <algorithm>

#include "carom/engine/event/event_engine.h"
#include "carom/laws/impact/registry.h"
#include "commands/table.h"
#include "output/outcome_json.h"
#include "output/outcome_text.h"
#include "problem_input.h"
#include "scene_input.h"

namespace carom::app {
namespace {

constexpr Option kOptions[] = {
    {"--laws", kLawListValue, "laws to compare (default all)"},
    kSetOption,
    kAuditOption,
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The law that the file names is not looked at. Exit code 0 means that the laws could be compared, also where one "
    "of "
    "them did not finish: its row says so.",
};

constexpr std::string_view kExamples[] = {
    "carom compare examples/cradle.json",
    "carom compare scenes/pool-break.toml --laws newton,poisson",
    "carom compare examples/corner.toml --laws newton,geometric --audit full",
};

std::vector<const ImpactLaw*> chosen_laws(const Arguments& arguments) {
  std::vector<const ImpactLaw*> laws;
  for (const std::string& name : arguments.list("--laws")) laws.push_back(&impact_law(name));
  if (laws.empty()) laws.assign(impact_laws().begin(), impact_laws().end());
  return laws;
}

/// Options of the problem that none of the laws uses.
std::vector<std::string> unused_by_all(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws) {
  std::vector<std::string> unused = unused_options(problem, *laws.front());
  for (const ImpactLaw* law : laws.subspan(1)) {
    const std::vector<std::string> others = unused_options(problem, *law);
    std::erase_if(unused, [&others](const std::string& option) {
      return std::find(others.begin(), others.end(), option) == others.end();
    });
  }
  return unused;
}

/// The problem of a file, or the first impact of a scene.
ProblemInput read_problem_or_scene(const Arguments& arguments) {
  scene::Document document = scene::read_document(*arguments.argument());
  if (!scene::is_scene(document)) {
    if (!arguments.all("--set").empty())
      throw InputError(Kind::usage, "--set", "--set changes a scene, and the file is an impact problem");
    return read_problem(std::move(document));
  }
  const SceneInput input = read_scene(std::move(document), arguments);
  std::optional<ImpactProblem> problem = pointing_into_scene(input.document, [&] {
    return EventEngine(input.file.model, input.file.state, scene::event_options(input.file.run)).first_impact();
  });
  if (!problem) {
    throw InputError(Kind::unsupported, *arguments.argument(),
                     fmt::format("nothing strikes anything within {} s of model time, so there is no impact to compare",
                                 input.file.run.duration));
  }
  return {input.document, {std::move(*problem), {}, {}}};
}

Report run(const Arguments& arguments) {
  const std::vector<const ImpactLaw*> laws = chosen_laws(arguments);
  const ProblemInput input = read_problem_or_scene(arguments);
  const ImpactProblem& problem = input.file.problem;
  const std::vector<ImpactOutcome> outcomes =
      pointing_into(input.document, [&] { return compare_laws(problem, laws, audit_depth(arguments)); });

  Report report;
  if (arguments.has("--json")) {
    Json list = Json::array();
    for (std::size_t i = 0; i < laws.size(); ++i) list.push_back(outcome_json(problem, *laws[i], outcomes[i]));
    report.text = json_text(Json{{"outcomes", std::move(list)}});
    return report;
  }
  report.text = comparison_text(problem, outcomes);
  for (const std::string& option : unused_by_all(problem, laws)) {
    report.notes.push_back(fmt::format("none of these laws uses the option '{}'", option));
  }
  return report;
}

}  // namespace

const Command kCompareCommand{
    .name = "compare",
    .summary = "put one impact problem through several laws, side by side",
    .argument = kProblemValue,
    .argument_help =
        "impact problem, JSON or TOML, or a scene, of which the first impact is taken; - reads standard input",
    .options = kOptions,
    .notes = kNotes,
    .examples = kExamples,
    .run = &run,
};

}  // namespace carom::app
