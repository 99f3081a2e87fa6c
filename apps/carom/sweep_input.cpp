#include "sweep_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/analysis/problem_path.h"
#include "carom/analysis/sweep/variation.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/laws/impact/registry.h"
#include "problem_input.h"
#include "scene_input.h"

namespace carom::app {
namespace {

double number_of(const std::string& text, std::string_view option) {
  constexpr double kMost = 9007199254740992.0;  // 2⁵³
  const NumberText number = read_number(text);
  if (number.status == NumberStatus::good && number.value >= 0.0 && number.value <= kMost &&
      number.value == std::floor(number.value)) {
    return number.value;
  }
  throw InputError(Kind::out_of_range, std::string(option),
                   fmt::format("{} is '{}', expected a whole number from 0 on", option, printable(text)));
}

SweepOptions options_of(const Arguments& arguments) {
  SweepOptions options;
  options.vary = arguments.all("--vary");
  options.measures = arguments.all("--measure");
  // Words behind the first one belong to `--measure a b c`.
  const std::vector<std::string>& words = arguments.all_arguments();
  if (words.size() > 1 && options.measures.empty()) {
    throw InputError(Kind::usage, "", fmt::format("'{}' is one argument too many", printable(words[1])));
  }
  options.measures.insert(options.measures.end(), words.begin() + 1, words.end());
  options.zip = arguments.has("--zip");
  for (const char* const option : {"--random", "--latin"}) {
    if (arguments.has(option) && whole_number(arguments, option, 0) == 0) {
      throw InputError(Kind::out_of_range, option, fmt::format("{} needs a number of points from 1 on", option));
    }
  }
  options.random = whole_number(arguments, "--random", 0);
  options.latin = whole_number(arguments, "--latin", 0);
  options.seed = whole_number(arguments, "--seed", 0);
  options.each = arguments.value("--each").value_or("");
  options.last = whole_number(arguments, "--last", 0);
  if (const auto from = arguments.value("--from")) options.from = parse_number(*from, "--from");
  for (const char* const option : {"--from", "--last"}) {
    if (!arguments.has(option) || !options.each.empty()) continue;
    throw InputError(Kind::usage, option, fmt::format("{} chooses among the rows of --each, which is missing", option));
  }
  return options;
}

/// Settings of an impact problem, `restitution=0.5` or `law=newton`; `--law` among them.
void apply(const std::string& setting, ImpactProblem& problem, std::string& law) {
  const std::size_t equals = setting.find('=');
  const sweep::Variation value = sweep::read_variation(setting);
  if (equals == std::string::npos || value.values.size() != 1) {
    throw InputError(Kind::usage, "--set", fmt::format("--set {}: expected path=value", printable(setting)));
  }
  if (value.path == "law" || value.path == "run.law") {
    law = value.values.front().text();
  } else {
    ProblemPath(problem, value.path).set(problem, value.values.front());
  }
}

Sweep problem_sweep(scene::Document document, const Arguments& arguments) {
  ProblemInput input = read_problem(std::move(document));
  std::string law = input.file.law.empty() ? std::string(default_impact_law().name) : input.file.law;
  for (const std::string& setting : arguments.all(kSetOption.name)) apply(setting, input.file.problem, law);
  return Sweep(input.file.problem, law, options_of(arguments));
}

}  // namespace

Sweep read_sweep(const Arguments& arguments) {
  scene::Document document = scene::read_document(*arguments.argument());
  if (!scene::is_scene(document)) return problem_sweep(std::move(document), arguments);
  Scene scene(std::move(document));
  for (const std::string& setting : arguments.all(kSetOption.name)) scene.set(setting);
  return Sweep(scene, options_of(arguments));
}

sweep::Shard read_shard(const Arguments& arguments) {
  const auto text = arguments.value("--shard");
  return text ? sweep::read_shard(*text) : sweep::Shard();
}

std::size_t whole_number(const Arguments& arguments, std::string_view option, std::size_t absent) {
  const auto text = arguments.value(option);
  return text ? static_cast<std::size_t>(number_of(*text, option)) : absent;
}

std::vector<std::size_t> kept_points(const Arguments& arguments, std::size_t points) {
  const auto text = arguments.value("--keep");
  std::vector<std::size_t> kept;
  if (!text) return kept;
  constexpr std::size_t kMost = 10000;
  for (const std::string& part : split_list(*text == "all" ? fmt::format("0-{}", points - 1) : *text)) {
    const std::size_t dash = part.find('-');
    const auto first = static_cast<std::size_t>(number_of(part.substr(0, dash), "--keep"));
    const auto last =
        dash == std::string::npos ? first : static_cast<std::size_t>(number_of(part.substr(dash + 1), "--keep"));
    if (last >= points || first > last || kept.size() + (last - first) >= kMost) {
      throw InputError(Kind::out_of_range, "--keep",
                       fmt::format("--keep {}: expected points from 0 to {}, at most {} of them", printable(*text),
                                   points - 1, kMost));
    }
    for (std::size_t point = first; point <= last; ++point) kept.push_back(point);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace carom::app
