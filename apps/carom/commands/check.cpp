/// `carom check`: whether a scene is in order, and how its bodies stand to everything at the start.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "carom/base/diagnostic.h"
#include "carom/base/json.h"
#include "carom/base/utf8.h"
#include "carom/engine/engine_registry.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/mechanics/loose_parts.h"
#include "commands/table.h"
#include "common/error_json.h"
#include "common/text_table.h"
#include "output/pair_findings.h"
#include "scene_input.h"

namespace carom::app {
namespace check_command {

constexpr Option kOptions[] = {kSetOption, kLawOption, kEngineOption, kDurationOption, kJsonOption};

constexpr std::string_view kNotes[] = {
    "Nothing is run. The gaps are those of all pairs that can meet at the start, of more than 60 pairs the 30 that are "
    "nearest (--json: all), listed for scenes of up to 200 bodies; "
    "the normal points from b to a. Keys that only another engine uses are checked too; those that may have been meant "
    "for this one are listed as "
    "unused.",
    "Pairs of materials with a normal force law are listed with the restitution that a central collision of two "
    "bodies in one point really has beside the nominal one, and with their stiffness, which follows from materials and "
    "curvatures where the pair gives none. Where a face or an edge lands, or a blow is eccentric, a law whose damping "
    "depends on the mass (tsuji, kelvin-voigt) gives back another part.",
    "Everything that is wrong is listed: with --json in \"errors\", beside the first one in \"error\".",
};

constexpr std::string_view kExamples[] = {
    "printf 'format = 1\\n[run]\\nduration = 1\\n' | carom check - --set world.gravity=[0,0,-9.81]",
};

/// What is known of a scene that could be read.
struct Findings {
  const scene::SceneFile& scene;
  std::vector<InputError> complaints;           ///< that keep it from running
  std::optional<std::vector<InitialGap>> gaps;  ///< none: too many bodies
  std::vector<PairFinding> pairs;               ///< that have force laws
};

Findings examine(const scene::SceneFile& scene, std::vector<InputError> complaints) {
  Findings findings{scene, std::move(complaints), {}, {}};
  if (scene.model.body_count() <= kMostBodiesWithGaps) findings.gaps = initial_gaps(scene.model, scene.state);
  findings.pairs = find_pairs(scene, findings.gaps ? *findings.gaps : std::vector<InitialGap>{});
  return findings;
}

/// The first error as every command gives it, and beside it all of them.
Json complaints_json(const InputError& first, const std::vector<InputError>& all) {
  Json json = error_json(first);
  Json list = Json::array();
  for (const InputError& error : all) list.push_back(error_json(error)["error"]);
  json["errors"] = std::move(list);
  return json;
}

std::string complaints_text(const std::vector<InputError>& complaints) {
  std::string text;
  for (const InputError& error : complaints) text += format_diagnostic(error);
  return text;
}

Json vector_json(const Eigen::Vector3d& vector) {
  return json_numbers(std::span<const double>(vector.data(), 3));
}

Json gaps_json(const Findings& findings) {
  if (!findings.gaps) return {};
  const Model& model = findings.scene.model;
  Json list = Json::array();
  for (const InitialGap& gap : *findings.gaps) {
    list.push_back({{"a", model.name(gap.a)},
                    {"b", model.name(gap.b)},
                    {"distance", json_number(gap.nearest.distance)},
                    {"point_a", vector_json(gap.nearest.point_a)},
                    {"point_b", vector_json(gap.nearest.point_b)},
                    {"normal", vector_json(gap.nearest.normal)}});
  }
  return list;
}

/// Objects whose parts do not hang together, with the number of pieces.
Json loose_parts_json(const Model& model, const std::vector<LooseParts>& found) {
  Json list = Json::array();
  for (const LooseParts& loose : found) {
    list.push_back({{"name", model.name(loose.object)}, {"pieces", loose.pieces}, {"piece_of_part", loose.piece}});
  }
  return list;
}

Json findings_json(const Findings& findings) {
  const scene::SceneFile& scene = findings.scene;
  const std::vector<InputError>& complaints = findings.complaints;
  Json json = complaints.empty() ? Json::object() : complaints_json(complaints.front(), complaints);
  json["title"] = scene.title;
  json["engine"] = scene.run.engine;
  json["law"] = engine_kind(scene.run.engine).has_forces ? Json() : Json(scene.run.law);
  json["bodies"] = scene.model.bodies.size();
  json["obstacles"] = scene.model.obstacles.size();
  json["constraints"] = scene.model.constraints.size();
  json["joints"] = scene.model.joints.size();
  json["unused"] = scene.unused;
  const std::vector<LooseParts> loose = loose_parts(scene.model);
  if (!loose.empty()) json["loose_parts"] = loose_parts_json(scene.model, loose);
  json["pairs"] = pairs_json(findings.pairs);
  json["gaps"] = gaps_json(findings);
  return json;
}

std::string vector_cell(const Eigen::Vector3d& vector, double scale) {
  constexpr int kDigits = 4;
  return fmt::format("{}, {}, {}", rounded_cell(vector.x(), scale, kDigits), rounded_cell(vector.y(), scale, kDigits),
                     rounded_cell(vector.z(), scale, kDigits));
}

/// Of very many pairs those that are nearest to each other, in the order of the list.
std::vector<InitialGap> nearest_gaps(const std::vector<InitialGap>& gaps) {
  constexpr std::size_t kFewGaps = 60, kShownOfMany = 30;
  if (gaps.size() <= kFewGaps) return gaps;
  std::vector<double> distances;
  for (const InitialGap& gap : gaps) distances.push_back(gap.nearest.distance);
  std::nth_element(distances.begin(), distances.begin() + kShownOfMany - 1, distances.end());
  const double limit = distances[kShownOfMany - 1];
  const auto nearer = std::count_if(distances.begin(), distances.end(), [limit](double d) { return d < limit; });
  auto as_near = kShownOfMany - static_cast<std::size_t>(nearer);
  std::vector<InitialGap> shown;
  for (const InitialGap& gap : gaps) {
    if (gap.nearest.distance == limit && as_near > 0) {
      shown.push_back(gap);
      --as_near;
    } else if (gap.nearest.distance < limit) {
      shown.push_back(gap);
    }
  }
  return shown;
}

std::string gaps_text(const Model& model, const std::vector<InitialGap>& gaps) {
  TextTable table({{"a", Align::left}, {"b", Align::left}, {"gap [m]"}, {"at [m]"}, {"normal"}});
  const std::vector<InitialGap> shown = nearest_gaps(gaps);
  for (const InitialGap& gap : shown) {
    const Eigen::Vector3d& point = gap.nearest.point_a;
    table.add_row({model.name(gap.a), model.name(gap.b), cell(gap.nearest.distance),
                   vector_cell(point, point.lpNorm<Eigen::Infinity>()), vector_cell(gap.nearest.normal, 1.0)});
  }
  std::string text = table.text();
  if (shown.size() < gaps.size())
    text += fmt::format("{} more pairs, none of them nearer (--json lists all)\n", gaps.size() - shown.size());
  return text;
}

std::string findings_text(const Findings& findings) {
  const scene::SceneFile& scene = findings.scene;
  std::string text = scene.title.empty() ? "" : printable(scene.title, kLongestTitle) + "\n";
  const auto bodies = static_cast<long>(scene.model.bodies.size());
  const std::string method =
      engine_kind(scene.run.engine).has_forces ? "integrator " + scene.run.integrator : "law " + scene.run.law;
  const auto joints = static_cast<long>(scene.model.joints.size());
  text += fmt::format("{} {}, {}, {}{}; engine {}, {}, {} s\n", bodies, bodies == 1 ? "body" : "bodies",
                      counted(static_cast<long>(scene.model.obstacles.size()), "obstacle"),
                      counted(static_cast<long>(scene.model.constraints.size()), "constraint"),
                      joints == 0 ? "" : ", " + counted(joints, "joint"), scene.run.engine, method,
                      cell(scene.run.duration));
  if (!findings.pairs.empty()) text += "\n" + pairs_text(findings.pairs);
  if (findings.gaps && !findings.gaps->empty()) text += "\n" + gaps_text(scene.model, *findings.gaps);
  if (!findings.gaps) text += fmt::format("gaps are listed for up to {} bodies\n", kMostBodiesWithGaps);
  return text;
}

/// Of a scene that could not be read, or that its engine refuses.
Report refusal(const Arguments& arguments, const InputError& first, const std::vector<InputError>& all) {
  Report report;
  report.exit_code = kBadInput;
  if (arguments.has("--json")) {
    report.text = json_text(complaints_json(first, all));
  } else {
    report.diagnostic = complaints_text(all);
  }
  return report;
}

Report report_of(const Arguments& arguments, const Findings& findings) {
  const scene::SceneFile& scene = findings.scene;
  Report report;
  if (!findings.complaints.empty()) report.exit_code = kBadInput;
  if (arguments.has("--json")) {
    report.text = json_text(findings_json(findings));
    return report;
  }
  report.text = findings_text(findings);
  report.diagnostic = complaints_text(findings.complaints);
  if (!scene.unused.empty()) {
    report.notes.push_back(
        fmt::format("the engine {} does not use {}", scene.run.engine, fmt::join(scene.unused, ", ")));
  }
  for (const LooseParts& loose : loose_parts(scene.model)) {
    report.notes.push_back(loose_parts_text(scene.model, loose));
  }
  return report;
}

Report run(const Arguments& arguments) {
  Scene checked = Scene::read(*arguments.argument());
  for (const std::string& setting : arguments.all(kSetOption.name)) checked.set(setting);
  std::vector<InputError> complaints = checked.check();
  try {
    const scene::SceneFile scene = checked.build();
    const bool bodies_overlap = !complaints.empty() && complaints.front().kind() == Kind::overlap;
    if (!complaints.empty() && !bodies_overlap) return refusal(arguments, complaints.front(), complaints);
    return report_of(arguments, examine(scene, std::move(complaints)));
  } catch (const InputError& first) {
    return refusal(arguments, first, complaints);
  }
}

}  // namespace check_command

const Command kCheckCommand{
    .name = "check",
    .summary = "check a scene without running it and list the gaps at the start",
    .argument = kSceneValue,
    .argument_help = kSceneHelp,
    .options = check_command::kOptions,
    .notes = check_command::kNotes,
    .examples = check_command::kExamples,
    .run = &check_command::run,
};

}  // namespace carom::app
