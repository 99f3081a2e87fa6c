/// `carom atlas`: the outcomes of the laws over two parameters, as maps.

#include "carom/analysis/atlas/atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/angle.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/laws/impact/registry.h"
#include "commands/table.h"
#include "common/map_picture.h"
#include "common/signal_watch.h"
#include "common/task_progress.h"
#include "common/write_file.h"
#include "output/atlas_output.h"
#include "problem_input.h"

namespace carom::app {
namespace atlas_command {

constexpr std::string_view kFile = "file";
constexpr std::string_view kFriction = "friction";

std::vector<std::string_view> atlas_families() {
  std::vector<std::string_view> names = atlas::family_names();
  names.push_back(kFriction);
  names.push_back(kFile);
  return names;
}

constexpr Option kOptions[] = {
    {"--laws", kLawListValue, "laws to map (default all but compliant and rough; friction: all that know it)"},
    {"--quantity",
     {Value::Kind::choice, "NAME", "quantity", &atlas::quantity_names},
     "what to map (default direction in a corner, mode with friction, energy elsewhere)"},
    {"--out", {Value::Kind::file, "FILE"}, "the picture, .svg or .png (by gnuplot)", true, false, "-o"},
    {"--data", {Value::Kind::file, "FILE.csv"}, "write the value of every cell"},
    {"--size", {Value::Kind::text, "NxM"}, "cells along x and along y (default 200x200)"},
    {"--x", {Value::Kind::text, "LOW,HIGH"}, "range of the first parameter; angles as 5deg,pi/4"},
    {"--y", {Value::Kind::text, "LOW,HIGH"}, "range of the second parameter"},
    {"--direction", {Value::Kind::text, "ANGLE"}, "corner: direction of approach, from the bisector"},
    {"--aim", {Value::Kind::text, "F"}, "corner: approach along (1, F tan α) instead (default 2/3)"},
    {"--alpha", {Value::Kind::text, "ANGLE"}, "approach: half the opening of the corner (default 20deg)"},
    {"--planes", {Value::Kind::text, "N"}, "ellipsoid: 2 or 3 planes (default 2)"},
    {"--problem", kProblemValue, "file, friction: the impact problem"},
    {"--contact", {Value::Kind::text, "NAME"}, "friction: the contact whose approach is turned (default their mean)"},
    {"--vary", {Value::Kind::text, "PATH"}, "file: a number of it; given twice, for x and for y", false, true},
    {"--width", {Value::Kind::text, "PIXELS"}, "width of the picture (default by the number of maps)"},
    {"--threads", {Value::Kind::text, "N"}, "threads (default one for each processor); the map is the same"},
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain, json or none, on standard error (default: bar on a terminal, none elsewhere)"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "Families: corner, a disk in a corner over half its opening α and the restitution ε; approach, the same over its "
    "direction and ε; ellipsoid, one that strikes two or three planes at once, over its Bryan angles ψ and θ; file, an "
    "impact problem with two of its numbers varied, such as contacts.0.restitution and velocity.1; friction, any "
    "problem "
    "with tangents over the direction of approach φ (0 head-on, ±90° grazing) and the coefficient of friction μ.",
    "Quantities: steps, direction (of v⁺, in a corner), turn (angle from v⁻ to v⁺), energy (T⁺/T⁻), stop, audit, mode "
    "(what "
    "friction did: slides, sticks, reverses, jams), solutions (how many outcomes the law allows), zone "
    "(which contacts approach), disagreement (largest ‖v⁺ − v⁺‖ between two laws), jump (largest ‖v⁺ − v⁺‖ to a "
    "neighbouring cell); the last two relative to ‖v⁻‖, in the kinetic norm. Several laws get a map each, and one of "
    "their disagreement.",
};

constexpr std::string_view kExamples[] = {
    "carom atlas corner --laws geometric --quantity steps -o $(mktemp -d)/corner.svg",
    "carom atlas ellipsoid --laws newton,superposition --quantity audit --size 60x60",
    "carom atlas friction --problem examples/kane-pendulum.json --size 60x60",
};

/// Options that belong to one family.
constexpr std::pair<std::string_view, std::string_view> kOwners[] = {
    {"--direction", "corner"}, {"--aim", "corner"},      {"--alpha", "approach"},  {"--planes", "ellipsoid"},
    {"--problem", kFile},      {"--problem", kFriction}, {"--contact", kFriction}, {"--vary", kFile},
};

void refuse_foreign_options(const Arguments& arguments, const std::string& family) {
  for (const auto& owner : kOwners) {
    const bool given = arguments.has(owner.first) || !arguments.all(owner.first).empty();
    const bool owned = std::any_of(std::begin(kOwners), std::end(kOwners), [&](const auto& other) {
      return other.first == owner.first && other.second == family;
    });
    if (!given || owned) continue;
    throw InputError(Kind::usage, std::string(owner.first),
                     fmt::format("{} is for the family {}, not for {}", owner.first, owner.second, family));
  }
}

std::size_t whole_number(const std::string& text, const char* option, double least, double most) {
  const NumberText number = read_number(text);
  if (number.status != NumberStatus::good || number.value != std::floor(number.value) || number.value < least ||
      number.value > most) {
    throw InputError(
        Kind::out_of_range, option,
        fmt::format("{} is '{}', expected a whole number from {} to {}", option, printable(text), least, most));
  }
  return static_cast<std::size_t>(number.value);
}

Range parse_range(const Arguments& arguments, const char* option, bool angle) {
  const auto text = arguments.value(option);
  if (!text) return {};
  const std::vector<std::string> parts = split_list(*text);
  if (parts.size() != 2) {
    throw InputError(Kind::size_mismatch, option,
                     fmt::format("{} is '{}', expected LOW,HIGH", option, printable(*text)));
  }
  const auto parse = [&](const std::string& part) {
    return angle ? parse_angle(part, option) : parse_number(part, option);
  };
  Range range;
  range.low = parse(parts[0]);
  range.high = parse(parts[1]);
  if (!(range.low < range.high)) {
    throw InputError(Kind::out_of_range, option,
                     fmt::format("{} is '{}', expected a low and a higher value", option, printable(*text)));
  }
  return range;
}

atlas::Family file_family(const Arguments& arguments) {
  const auto path = arguments.value("--problem");
  const std::vector<std::string> varied = arguments.all("--vary");
  if (!path || varied.size() != 2 || !arguments.has("--x") || !arguments.has("--y")) {
    throw InputError(Kind::usage, "--vary",
                     "the family file needs --problem FILE, --vary PATH twice, and the ranges --x and --y");
  }
  return atlas::varied_family(read_problem(*path).file.problem, {varied[0], parse_range(arguments, "--x", false)},
                              {varied[1], parse_range(arguments, "--y", false)});
}

atlas::Family friction_family(const Arguments& arguments) {
  const auto path = arguments.value("--problem");
  if (!path) throw InputError(Kind::usage, "--problem", "the family friction needs --problem FILE");
  return atlas::friction_family(read_problem(*path).file.problem, arguments.value("--contact").value_or(""));
}

atlas::Family corner_family(const Arguments& arguments) {
  const auto direction = arguments.value("--direction");
  const auto aim = arguments.value("--aim");
  if (direction && aim) throw InputError(Kind::usage, "--aim", "--aim and --direction both say where the disk goes");
  atlas::Aim chosen;
  if (direction) chosen = {0.0, parse_angle(*direction, "--direction"), true};
  if (aim) chosen.share = parse_number(*aim, "--aim");
  return atlas::corner_family(chosen);
}

atlas::Family chosen_family(const Arguments& arguments) {
  const std::string name = *arguments.argument();
  refuse_foreign_options(arguments, name);
  if (name == kFile) return file_family(arguments);
  if (name == kFriction) return friction_family(arguments);
  if (name == "corner") return corner_family(arguments);
  if (name == "approach")
    return atlas::approach_family(parse_angle(arguments.value("--alpha").value_or("20deg"), "alpha"));
  return atlas::ellipsoid_family(
      static_cast<int>(whole_number(arguments.value("--planes").value_or("2"), "--planes", 2, 3)));
}

std::vector<const ImpactLaw*> chosen_laws(const Arguments& arguments, const atlas::Family& family) {
  std::vector<const ImpactLaw*> laws;
  for (const std::string& name : arguments.list("--laws")) laws.push_back(&impact_law(name));
  if (!laws.empty()) return laws;
  for (const ImpactLaw* law : impact_laws()) {
    if (family.name == kFriction) {
      if (law->needs.friction && (!law->needs.single_contact || family.contacts.size() == 1)) laws.push_back(law);
      continue;
    }
    if (law != &kCompliantLaw && law != &kRoughLaw && !law->needs.single_contact) laws.push_back(law);
  }
  return laws;
}

atlas::Request read_request(const Arguments& arguments, const atlas::Family& family) {
  constexpr double kMostSide = 20000, kMostThreads = 1024;
  atlas::Request request;
  request.laws = chosen_laws(arguments, family);
  request.quantity = family.corner              ? atlas::Quantity::direction
                     : family.name == kFriction ? atlas::Quantity::mode
                                                : atlas::Quantity::energy;
  if (const auto name = arguments.value("--quantity")) request.quantity = atlas::quantity_from_name(*name);
  if (const auto size = arguments.value("--size")) {
    const std::size_t cross = size->find('x');
    request.columns = whole_number(size->substr(0, cross), "--size", 1, kMostSide);
    request.rows = whole_number(cross == std::string::npos ? "" : size->substr(cross + 1), "--size", 1, kMostSide);
  }
  request.x = parse_range(arguments, "--x", family.x.angle);
  request.y = parse_range(arguments, "--y", family.y.angle);
  if (const auto threads = arguments.value("--threads")) {
    request.threads = static_cast<int>(whole_number(*threads, "--threads", 1, kMostThreads));
  }
  return request;
}

void require_map_name(const std::string& path) {
  if (path.ends_with(".svg") || path.ends_with(".png")) return;
  throw InputError(Kind::usage, "--out",
                   fmt::format("the picture is '{}', expected a name ending in .svg or .png", printable(path)));
}

int picture_width(const Arguments& arguments, std::size_t maps) {
  if (const auto width = arguments.value("--width")) {
    return static_cast<int>(whole_number(*width, "--width", 300, 10000));
  }
  return maps <= 1 ? 640 : maps <= 4 ? 1000 : 1400;
}

void write_picture(const std::string& path, const atlas::Atlas& made, int width) {
  std::vector<Map> maps;
  for (const atlas::LawMap& one : made.maps) maps.push_back(one.map);
  draw_maps(maps, width, path);
}

atlas::Atlas make(const Arguments& arguments, const atlas::Family& family, const atlas::Request& request) {
  const auto style = arguments.value("--progress");
  const SignalWatch watch;
  TaskProgress progress(progress_style(style ? &*style : nullptr), "rows of the map");
  return atlas::make_atlas(
      family, request,
      {[&progress](double done, double all) { progress.report(done, all); }, &SignalWatch::interrupted()});
}

Report run(const Arguments& arguments) {
  const auto picture = arguments.value("--out");
  // Mistakes are reported before the work.
  if (picture) require_map_name(*picture);
  picture_width(arguments, 1);
  const atlas::Family family = chosen_family(arguments);
  const atlas::Request request = read_request(arguments, family);
  const atlas::Atlas made = make(arguments, family, request);
  Report report;
  if (!made.complete) {
    report.exit_code = kInterrupted;
    report.notes.emplace_back("interrupted: nothing is written");
    return report;
  }
  if (picture) write_picture(*picture, made, picture_width(arguments, made.maps.size()));
  const auto data = arguments.value("--data");
  if (data) write_file(*data, atlas_csv(family, made), "data");
  report.text = arguments.has("--json") ? json_text(atlas_json(family, made)) : atlas_text(family, made);
  return report;
}

}  // namespace atlas_command

const Command kAtlasCommand{
    .name = "atlas",
    .summary = "map the outcomes of laws over two parameters, and where they disagree",
    .argument = {Value::Kind::choice, "FAMILY", "family", &atlas_command::atlas_families},
    .argument_help = "corner, approach, ellipsoid, friction or file",
    .options = atlas_command::kOptions,
    .notes = atlas_command::kNotes,
    .examples = atlas_command::kExamples,
    .run = &atlas_command::run,
};

}  // namespace carom::app
