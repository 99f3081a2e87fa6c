/// `carom compare`: one impact problem through several laws, side by side.

#include <fmt/format.h>

#include <algorithm>

#include "carom/analysis/compliant_outcome.h"
#include "carom/engine/engine_options.h"
#include "carom/engine/engine_registry.h"
#include "carom/laws/impact/registry.h"
#include "carom/simulation/simulation.h"
#include "commands/table.h"
#include "output/outcome_json.h"
#include "output/outcome_text.h"
#include "problem_input.h"
#include "scene_input.h"

namespace carom::app {
namespace compare_command {

std::vector<std::string_view> names_to_compare() {
  std::vector<std::string_view> names = impact_law_names();
  names.push_back(kCompliantOutcome);
  return names;
}

constexpr Option kOptions[] = {
    {"--laws",
     {Value::Kind::choice_list, "NAME,…", "law", &names_to_compare},
     "laws to compare (default all); smooth: a scene's forces"},
    kSetOption,
    kDurationOption,
    kAuditOption,
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The law that the file names is not looked at. Exit code 0 means that the laws could be compared, also where one "
    "of "
    "them did not finish: its row says so.",
    "Of a scene whose pairs have a stiffness the row smooth is what the compliant engine makes of the same impact: it "
    "runs from the start until contacts have closed and all have opened again.",
};

constexpr std::string_view kExamples[] = {
    "carom compare examples/cradle.json",
    "carom compare scenes/pool-break.toml --laws newton,poisson",
    "carom compare scenes/touching-chain.toml --laws compliant,sequential,smooth",
    "carom compare examples/corner.toml --laws newton,geometric --audit full",
};

/// What to compare.
struct Choice {
  std::vector<const ImpactLaw*> laws;
  bool smooth = false;  ///< the compliant engine as well
  bool named = false;   ///< because the user named it
  bool all = false;     ///< nothing was named
};

Choice chosen_laws(const Arguments& arguments) {
  Choice choice;
  const std::vector<std::string> names = arguments.list("--laws");
  for (const std::string& name : names) {
    if (name == kCompliantOutcome) {
      choice.smooth = choice.named = true;
    } else {
      choice.laws.push_back(&impact_law(name));
    }
  }
  choice.all = names.empty();
  if (choice.all) choice.smooth = true;
  return choice;
}

/// Says which laws were not compared, for a person.
std::string left_out(std::span<const ImpactLaw* const> compared) {
  std::string text;
  for (const ImpactLaw* law : impact_laws())
    if (std::find(compared.begin(), compared.end(), law) == compared.end())
      text += fmt::format("{} answers one contact only and is left out\n", law->name);
  return text;
}

/// Options of the problem that none of the laws uses.
std::vector<std::string> unused_by_all(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws) {
  if (laws.empty()) return {};
  std::vector<std::string> unused = unused_options(problem, *laws.front());
  for (const ImpactLaw* law : laws.subspan(1)) {
    const std::vector<std::string> others = unused_options(problem, *law);
    std::erase_if(unused, [&others](const std::string& option) {
      return std::find(others.begin(), others.end(), option) == others.end();
    });
  }
  return unused;
}

/// The problem of a file, or the first impact of a scene, which is kept.
struct Subject {
  ProblemInput input;
  std::optional<scene::SceneFile> scene;
};

Subject read_problem_or_scene(const Arguments& arguments) {
  scene::Document document = scene::read_document(*arguments.argument());
  if (!scene::is_scene(document)) {
    if (!arguments.all("--set").empty())
      throw InputError(Kind::usage, "--set", "--set changes a scene, and the file is an impact problem");
    return {read_problem(std::move(document)), {}};
  }
  const scene::Document kept = document;
  SceneInput input = read_scene(Scene(std::move(document)), arguments);
  Scene rigid = input.scene;
  rigid.set("run.engine", std::string(engine_kinds().front().name));
  std::optional<ImpactProblem> problem = Simulation(rigid).first_impact();
  if (!problem) {
    throw InputError(Kind::unsupported, *arguments.argument(),
                     fmt::format("nothing strikes anything within {} s of model time, so there is no impact to compare",
                                 input.file.run.duration));
  }
  return {{kept, {std::move(*problem), {}, {}}}, std::move(input.file)};
}

/// The outcome of the compliant engine, or a note on why there is none.
std::optional<ImpactOutcome> smooth_outcome(const Subject& subject, const Choice& choice, Report& report) {
  if (!choice.smooth) return std::nullopt;
  if (!subject.scene) {
    if (!choice.named) return std::nullopt;
    throw InputError(Kind::usage, "--laws", "smooth moves the bodies of a scene, and the file is an impact problem");
  }
  const scene::SceneFile& scene = *subject.scene;
  CompliantImpact impact =
      compliant_outcome(scene.model, scene.state, smooth_options(scene.run), subject.input.file.problem);
  if (!impact.outcome) report.notes.push_back(fmt::format("smooth is left out: {}", impact.reason));
  return std::move(impact.outcome);
}

Json outcomes_json(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws,
                   std::span<const ImpactOutcome> outcomes) {
  ImpactLaw smooth{};
  smooth.name = kCompliantOutcome;
  Json list = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const ImpactLaw& law = i < laws.size() ? *laws[i] : smooth;
    Json outcome = outcome_json(problem, law, outcomes[i]);
    if (i < laws.size() && !outcomes[i].slip_before.empty())
      outcome["tangents"] = law.needs.friction ? "coulomb" : law.needs.tangents ? "no-slip" : "unused";
    list.push_back(std::move(outcome));
  }
  Json json{{"outcomes", std::move(list)}};
  if (!problem.coordinates.empty()) json["coordinates"] = problem.coordinates;
  return json;
}

Report run(const Arguments& arguments) {
  Choice choice = chosen_laws(arguments);
  const Subject subject = read_problem_or_scene(arguments);
  const ImpactProblem& problem = subject.input.file.problem;
  Report report;
  if (choice.all) choice.laws = laws_that_answer(problem);
  std::vector<ImpactOutcome> outcomes =
      pointing_into(subject.input.document, [&] { return compare_laws(problem, choice.laws, audit_depth(arguments)); });

  if (auto smooth = smooth_outcome(subject, choice, report)) outcomes.push_back(std::move(*smooth));
  if (arguments.has("--json")) {
    report.text = json_text(outcomes_json(problem, choice.laws, outcomes));
    return report;
  }
  report.text = comparison_text(problem, outcomes);
  if (choice.all) report.text += left_out(choice.laws);
  for (const std::string& option : unused_by_all(problem, choice.laws)) {
    report.notes.push_back(fmt::format("none of these laws uses the option '{}'", option));
  }
  return report;
}

}  // namespace compare_command

const Command kCompareCommand{
    .name = "compare",
    .summary = "put one impact problem through several laws, side by side",
    .argument = kProblemValue,
    .argument_help =
        "impact problem, JSON or TOML, or a scene, of which the first impact is taken; - reads standard input",
    .options = compare_command::kOptions,
    .notes = compare_command::kNotes,
    .examples = compare_command::kExamples,
    .run = &compare_command::run,
};

}  // namespace carom::app
