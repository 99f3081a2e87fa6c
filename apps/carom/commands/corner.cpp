/// `carom corner`: the disk in a corner, and the published table.

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "carom/base/angle.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/corner/disk_in_corner.h"
#include "carom/laws/corner/prediction.h"
#include "carom/laws/corner/table.h"
#include "commands/table.h"
#include "common/write_file.h"
#include "output/corner_output.h"

namespace carom::app {
namespace corner_command {

std::vector<std::string_view> algorithm_names() {
  return {"NA", "TA"};
}

std::vector<std::string_view> form_names() {
  using corner::Form;
  return {corner::form_name(Form::xy), corner::form_name(Form::phi), corner::form_name(Form::xi_eta)};
}

constexpr Option kOptions[] = {
    {"--alpha",
     {Value::Kind::text, "ANGLE"},
     "half the opening of the corner, between 0 and 90deg: 30deg, pi/6, 0.5236",
     true},
    {"--restitution", {Value::Kind::text, "E"}, "restitution, from 0 to 1", true},
    {"--velocity", {Value::Kind::text, "X,Y"}, "velocity before; x along the bisector into the corner", true},
    {"--algorithm",
     {Value::Kind::choice, "NAME", "algorithm", &algorithm_names},
     "numerical with thresholds, or theoretical with none (default NA)"},
    {"--form", {Value::Kind::choice, "NAME", "form", &form_names}, "coordinates of the iteration (default xy)"},
    {"--s", {Value::Kind::text, "S"}, "a wall is approached above S ‖v‖ (default 2^-51)"},
    {"--sv", {Value::Kind::text, "SV"}, "the disk is at rest below SV ‖v‖ (default 1e-12)"},
    {"--max-steps", {Value::Kind::text, "N"}, "most steps (default 10000)"},
    {"--trace", {}, "show every velocity on the way"},
    {"--table", {Value::Kind::file, "FILE.csv", {}, nullptr, true}, "the 343 published cases, printed or into a file"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "--alpha, --restitution and --velocity are required, unless --table computes the cases of the paper (Fassino and "
    "Pasquero 2019). It stops in zone Z0 when the disk leaves both walls, at REST, or at NMAX (exit code 3) when the "
    "most steps were made.",
};

constexpr std::string_view kExamples[] = {
    "carom corner --alpha 30deg --restitution 0.9 --velocity 1,0.2 --trace",
    "carom corner --table",
};

std::string required(const Arguments& arguments, std::string_view option) {
  if (auto value = arguments.value(option)) return *value;
  throw InputError(
      Kind::usage, std::string(option),
      fmt::format("{} is missing; --alpha, --restitution and --velocity are required without --table", option));
}

corner::Velocity parse_velocity(const std::string& text) {
  const std::vector<std::string> parts = split_list(text);
  if (parts.size() != 2) {
    throw InputError(Kind::size_mismatch, "velocity",
                     fmt::format("velocity is '{}' with {} entries, expected 2 as in 1,0.2", text, parts.size()));
  }
  return {parse_number(parts[0], "velocity.0"), parse_number(parts[1], "velocity.1")};
}

std::int64_t parse_steps(const std::string& text) {
  constexpr double kMostSteps = 1e15;  // whole numbers up to here are exact doubles
  const double value = parse_number(text, "max_steps");
  if (value != std::floor(value)) {
    throw InputError(Kind::wrong_type, "max_steps", fmt::format("max_steps is '{}', expected a whole number", text));
  }
  if (value < 0.0 || value > kMostSteps) {
    throw InputError(Kind::out_of_range, "max_steps",
                     fmt::format("max_steps is '{}', expected a whole number from 0 to 1e15", text));
  }
  return static_cast<std::int64_t>(value);
}

corner::Thresholds parse_thresholds(const Arguments& arguments) {
  const bool theoretical = arguments.value("--algorithm") == "TA";
  corner::Thresholds thresholds = theoretical ? corner::Thresholds::theoretical() : corner::Thresholds{};
  for (const std::string_view option : {"--s", "--sv"}) {
    if (theoretical && arguments.has(option)) {
      throw InputError(Kind::usage, std::string(option),
                       fmt::format("{} is a threshold, and algorithm TA has none", option));
    }
  }
  if (const auto text = arguments.value("--s")) thresholds.approach = parse_number(*text, "s");
  if (const auto text = arguments.value("--sv")) thresholds.rest = parse_number(*text, "sv");
  if (const auto text = arguments.value("--max-steps")) thresholds.max_steps = parse_steps(*text);
  return thresholds;
}

corner::CornerProblem parse_problem(const Arguments& arguments) {
  corner::CornerProblem problem;
  const std::string alpha = required(arguments, "--alpha");
  const std::string restitution = required(arguments, "--restitution");
  const std::string velocity = required(arguments, "--velocity");
  problem.alpha = parse_angle(alpha, "alpha");
  problem.restitution = parse_number(restitution, "restitution");
  problem.velocity = parse_velocity(velocity);
  problem.thresholds = parse_thresholds(arguments);
  if (const auto form = arguments.value("--form")) problem.form = corner::form_from_name(*form);
  problem.trace = arguments.has("--trace");
  return problem;
}

Report run_table(const Arguments& arguments) {
  for (const Option& option : kOptions) {
    if (option.name == "--table" || option.name == "--json" || !arguments.has(option.name)) continue;
    throw InputError(Kind::usage, std::string(option.name),
                     fmt::format("--table computes the published cases and takes no {}", option.name));
  }
  std::string path = arguments.value("--table").value_or("-");
  std::ostringstream csv;
  corner::write_table(csv);
  if (path != "-") write_file(path, csv.str(), "table");
  if (arguments.has("--json")) return {json_text(corner_table_json()), kDone, {}, {}};
  if (path == "-") return {csv.str(), kDone, {}, {}};
  return {fmt::format("the published table is in {}\n", path), kDone, {}, {}};
}

Report run(const Arguments& arguments) {
  if (arguments.has("--table")) return run_table(arguments);
  const corner::CornerProblem problem = parse_problem(arguments);
  const CornerResult result{problem, corner::solve(problem), corner::predict(problem),
                            corner::spectral_radius(problem.alpha, problem.restitution)};
  const int exit_code = result.outcome.stop == corner::Stop::step_limit ? kUnfinished : kDone;
  return {arguments.has("--json") ? json_text(corner_json(result)) : corner_text(result), exit_code, {}, {}};
}

}  // namespace corner_command

const Command kCornerCommand{
    .name = "corner",
    .summary = "the disk in a corner: velocity after the impact, steps and why it stops",
    .argument = {},
    .argument_help = {},
    .options = corner_command::kOptions,
    .notes = corner_command::kNotes,
    .examples = corner_command::kExamples,
    .run = &corner_command::run,
};

}  // namespace carom::app
