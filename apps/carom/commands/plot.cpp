/// `carom plot`: quantities of recorded runs over time, as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>

#include "carom/analysis/refinement.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "commands/plot_sweep.h"
#include "commands/table.h"
#include "common/gnuplot.h"
#include "common/write_file.h"
#include "output/plot_numbers.h"
#include "output/plot_output.h"
#include "output/sweep_columns.h"

namespace carom::app {
namespace plot_command {

constexpr Option kOptions[] = {
    {"--out",
     {Value::Kind::file, "FILE"},
     "the picture, .svg, .png or .pdf (default: named after the record, .svg)",
     true,
     false,
     "-o"},
    {"--from", {Value::Kind::text, "TIME"}, "begin at this time [s]"},
    {"--to", {Value::Kind::text, "TIME"}, "end at this time [s]"},
    {"--against", {Value::Kind::quantity, "QUANTITY"}, "what stands on the other axis instead of the time"},
    {"--compare", {}, "several records, given first: the same quantities of each in one picture"},
    {"--log", {}, "logarithmic values"},
    {"--events", {}, "mark the impacts, also where they are many"},
    {"--no-events", {}, "do not mark impacts (default: up to 60 are marked)"},
    {"--size",
     {Value::Kind::text, "WxH"},
     "size of the picture in pixels (default 960 wide, as high as needed), or for print, as 85x60mm, where a PNG has "
     "300 "
     "dots to an inch"},
    {"--font", {Value::Kind::text, "PT"}, "size of the letters in points (default 9)"},
    {"--title", {Value::Kind::text, "TEXT"}, "title (default that of the scene)"},
    {"--data",
     {Value::Kind::file, "FILE"},
     "write the values as well, .csv, or the input of gnuplot, .gp; without --out only these"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "Quantities: energy (all parts that are not zero), energy.kinetic (or gravity, springs, loads, contacts, total, "
    "dissipated, impacts, damping, cut_off, contact_damping, friction, swallowed, wall_work, torque_work, motor_work, "
    "balance_error), "
    "position.BODY.x (y, z, radial), velocity.BODY.x (y, z, radial, speed), acceleration.BODY.x (y, z, radial, "
    "magnitude), "
    "angular_velocity.BODY.x (y, z, rate), orientation.BODY.w (x, y, z), kinetic.BODY, momentum.x (y, z), "
    "angular_momentum.x (y, z), coordinate.JOINT and rate.JOINT (0, 1 where it has two), joint_force.JOINT.x (y, z, "
    "magnitude), joint_couple.JOINT.x (y, z, magnitude), "
    "of impacts joint_impulse.JOINT.x and joint_couple_impulse.JOINT.x (y, z, magnitude), gap.A.B, impulse.A, "
    "impulse.A.B, of contacts that last force.A, force.A.B, friction.A.B.x (y, z, magnitude), "
    "couple.A.B.x (y, z, magnitude) and mode.A.B (sticks, rolls, slides). Without a component all of them are meant; "
    "without any "
    "quantity, energy. A name that holds a dot or could be mistaken is put in quotation marks: position.\"my.ball\".x.",
    "At impacts, and wherever else velocities jump, values stand twice, before and after, as the run had them: "
    "positions are exact where accelerations are constant, otherwise as exact as the samples allow. Curves follow the "
    "motion between samples. "
    "Quantities of one unit share a panel. Long series are drawn with at most some 4000 points, of which none that "
    "stands out is lost. Pictures are drawn by gnuplot, which has to be installed.",
    "The table of carom sweep instead of a record: quantities are its columns. One varied path gives curves, two on a "
    "grid heat maps, several rows for each point a bifurcation diagram (how many rows fall into each cell), anything "
    "else a scatter matrix; --against COLUMN chooses the x axis.",
};

constexpr std::string_view kExamples[] = {
    "d=$(mktemp -d); carom run scenes/cradle.toml --out $d/r.h5; carom plot $d/r.h5 --data $d/r.csv",
};

constexpr std::size_t kFewImpacts = 60;
constexpr std::size_t kMostImpacts = 4000;

struct Request {
  std::vector<std::string> files;
  std::vector<std::string> quantities;
};

bool looks_like_record(const std::string& word) {
  return word.ends_with(".h5") || is_record(word);
}

Request read_request(const Arguments& arguments) {
  Request request;
  for (const std::string& word : arguments.all_arguments()) {
    const bool first = request.files.empty();
    if (first || (arguments.has("--compare") && request.quantities.empty() && looks_like_record(word))) {
      request.files.push_back(word);
      continue;
    }
    if (looks_like_record(word)) {
      throw InputError(
          Kind::usage, "",
          arguments.has("--compare")
              ? fmt::format("'{}' stands behind a quantity; records come first", printable(word))
              : fmt::format("'{}' is another record; several are compared with --compare", printable(word)));
    }
    request.quantities.push_back(word);
  }
  if (arguments.has("--compare") && request.files.size() < 2) {
    throw InputError(Kind::usage, "", "--compare needs two records or more");
  }
  if (request.quantities.empty()) request.quantities.emplace_back("energy");
  return request;
}

TimeSpan read_span(const Arguments& arguments) {
  TimeSpan span;
  if (const auto from = arguments.value("--from")) span.from = parse_number(*from, "--from");
  if (const auto to = arguments.value("--to")) span.to = parse_number(*to, "--to");
  if (span.from > span.to) {
    throw InputError(Kind::out_of_range, "--to", fmt::format("--to is {}, before --from, {}", span.to, span.from));
  }
  return span;
}

/// One of the sides of `--size 800x600` or `--size 85x60mm`.
double read_side(const std::string& text, const std::string& whole, double unit) {
  constexpr double kLeast = 150.0, kMost = 10000.0;
  const NumberText number = read_number(text);
  const bool good = number.status == NumberStatus::good;
  const double pixels = std::round(number.value * unit);
  if (!good || !(pixels >= kLeast && pixels <= kMost) || (unit == 1.0 && number.value != pixels)) {
    throw InputError(Kind::out_of_range, "--size",
                     fmt::format("--size is '{}', expected WxH with sides from 150 to 10000, or WxHmm from 40 to 2600",
                                 printable(whole)));
  }
  return pixels;
}

void set_size(Picture& picture, const Arguments& arguments) {
  if (const auto letters = arguments.value("--font")) {
    picture.letters = parse_number(*letters, "--font");
    if (!(picture.letters >= 4.0 && picture.letters <= 40.0))
      throw InputError(Kind::out_of_range, "--font", "--font is the size of letters, from 4 to 40 pt");
  }
  const auto size = arguments.value("--size");
  if (!size) return;
  picture.for_print = size->ends_with("mm");
  const double unit = picture.for_print ? 96.0 / 25.4 : 1.0;
  const std::string sides = picture.for_print ? size->substr(0, size->size() - 2) : *size;
  const std::size_t cross = sides.find('x');
  picture.width = read_side(sides.substr(0, cross), *size, unit);
  picture.height = read_side(cross == std::string::npos ? "" : sides.substr(cross + 1), *size, unit);
}

std::vector<Quantity> find_all(const RecordInfo& record, const std::vector<std::string>& names) {
  std::vector<Quantity> found;
  for (const std::string& name : names) {
    for (Quantity& quantity : find_quantities(record, name)) {
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&quantity](const Quantity& other) { return other.name == quantity.name; });
      if (same == found.end()) {
        found.push_back(std::move(quantity));
      } else {
        same->kept_if_zero = same->kept_if_zero || quantity.kept_if_zero;
      }
    }
  }
  return found;
}

void refuse_events(const std::vector<Quantity>& quantities) {
  for (const Quantity& quantity : quantities) {
    if (!quantity.at_events()) continue;
    throw InputError(
        Kind::unsupported, "--against",
        fmt::format("{} is known at events only, and --against needs what is sampled", printable(quantity.name)));
  }
}

/// The quantity of `--against`.
std::optional<Quantity> find_against(const RecordInfo& record, const Arguments& arguments,
                                     const std::vector<Quantity>& quantities) {
  const auto name = arguments.value("--against");
  if (!name) return std::nullopt;
  std::vector<Quantity> found = find_quantities(record, *name);
  if (found.size() > 1) {
    throw InputError(Kind::usage, "--against",
                     fmt::format("--against {} means {} quantities, expected one, such as {}", printable(*name),
                                 found.size(), printable(found.front().name)));
  }
  refuse_events(found);
  refuse_events(quantities);
  return found.front();
}

void read_record(QuantityReader& reader, const Request& request, const Arguments& arguments, PlotData& data) {
  std::vector<Quantity> quantities = find_all(reader.info(), request.quantities);
  const std::size_t count = quantities.size();
  if (auto against = find_against(reader.info(), arguments, quantities)) quantities.push_back(std::move(*against));
  const ReadAt where = quantities.size() > count ? ReadAt::all_jumps : ReadAt::own_jumps;
  std::vector<Series> series = reader.read(quantities, read_span(arguments), where);
  std::vector<Series> drawn = series;
  const std::span<const Quantity> all(quantities);
  if (where == ReadAt::all_jumps) {
    refine(reader, all, read_span(arguments), drawn);
  } else {
    for (std::size_t i = 0; i < quantities.size(); ++i)
      refine(reader, all.subspan(i, 1), read_span(arguments), std::span(drawn).subspan(i, 1));
  }
  const std::size_t record = data.records.size();
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    auto& list = i < count ? data.series : data.against;
    list.push_back({record, std::move(quantities[i]), std::move(series[i]), std::move(drawn[i])});
  }
}

bool is_zero(const Series& series) {
  return std::all_of(series.value.begin(), series.value.end(), [](double value) { return value == 0.0; });
}

/// Parts of a group that are zero in all records.
void drop_zero_parts(PlotData& data) {
  std::vector<std::string> kept;
  for (const PlottedSeries& member : data.series) {
    if (member.quantity.kept_if_zero || !is_zero(member.series)) kept.push_back(member.quantity.name);
  }
  std::erase_if(data.series, [&kept](const PlottedSeries& member) {
    return std::find(kept.begin(), kept.end(), member.quantity.name) == kept.end();
  });
}

std::string title_of(QuantityReader& reader, const Arguments& arguments) {
  if (const auto title = arguments.value("--title")) return *title;
  try {
    return reader.scene().title;
  } catch (const InputError&) {
    return {};  // a picture does without
  }
}

void mark_impacts(QuantityReader& reader, const Arguments& arguments, PlotData& data, std::vector<std::string>& notes) {
  if (arguments.has("--no-events") || arguments.has("--against")) return;
  const bool asked = arguments.has("--events");
  const auto times = reader.impact_times(read_span(arguments), asked ? kMostImpacts : kFewImpacts);
  data.impacts.push_back(times.value_or(std::vector<double>{}));
  if (!times && asked) {
    notes.push_back(fmt::format("there are more than {} impacts, too many to be marked; --from and --to choose fewer",
                                kMostImpacts));
  }
}

/// Errors of a record among several say which one.
template <class Work>
void naming_file(const std::string& file, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    Place place = error.place();
    if (place.file.empty()) place.file = file;
    throw InputError(error.kind(), place, error.what());
  }
}

PlotData read_all(const Request& request, const Arguments& arguments, std::vector<std::string>& notes) {
  PlotData data;
  data.logarithmic = arguments.has("--log");
  std::vector<std::unique_ptr<RecordReader>> records;
  std::vector<const RecordInfo*> infos;
  for (const std::string& file : request.files) {
    records.push_back(std::make_unique<RecordReader>(file));
    infos.push_back(&records.back()->info());
    QuantityReader reader(*records.back());
    naming_file(file, [&] { read_record(reader, request, arguments, data); });
    data.records.push_back(file);
    mark_impacts(reader, arguments, data, notes);
    const auto is_energy = [](const PlottedSeries& member) { return member.quantity.measure == Measure::energy; };
    if (reader.leaves_out_energies(read_span(arguments)) &&
        std::any_of(data.series.begin(), data.series.end(), is_energy))
      notes.push_back(
          fmt::format("{}: events times bodies are more than five million, so energies are drawn at the "
                      "samples alone and join them across jumps; less time (--from, --to) has them",
                      printable(file, 200)));
    if (data.records.size() == 1) data.title = title_of(reader, arguments);
    if (!infos.back()->complete) {
      notes.push_back(fmt::format("{}: the run has not ended or was killed; this is what it has written so far",
                                  printable(file, 200)));
    }
  }
  if (infos.size() > 1) data.records = distinctions(infos, request.files);
  drop_zero_parts(data);
  return data;
}

void refuse_empty(const PlotData& data) {
  const auto has_values = [](const PlottedSeries& member) { return !member.drawn.value.empty(); };
  if (std::any_of(data.series.begin(), data.series.end(), has_values)) return;
  throw InputError(Kind::out_of_range, "samples", "there is nothing to plot in this span of time");
}

std::optional<std::string> picture_file(const Arguments& arguments, const Request& request) {
  if (auto file = arguments.value("--out")) return file;
  if (arguments.has("--data")) return std::nullopt;
  return std::filesystem::path(request.files.front()).replace_extension(".svg").string();
}

void write_data(const std::string& path, const PlotData& data, const Picture& picture) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".gp") return write_file(path, gnuplot_script(picture, PictureFormat::svg), "script");
  if (ending == ".csv") return write_file(path, plot_csv(data), "values");
  throw InputError(Kind::usage, "--data",
                   fmt::format("'{}' is no name for data, expected .csv or .gp", printable(path)));
}

Report run(const Arguments& arguments) {
  if (is_sweep_table(*arguments.argument())) return plot_sweep(arguments);
  const Request request = read_request(arguments);
  const std::optional<std::string> file = picture_file(arguments, request);
  if (file) picture_format(*file);
  Report report;
  const PlotData data = read_all(request, arguments, report.notes);
  refuse_empty(data);
  Picture picture = plot_picture(data);
  set_size(picture, arguments);
  if (const auto path = arguments.value("--data")) write_data(*path, data, picture);
  if (file) draw(picture, *file);
  report.text = arguments.has("--json") ? json_text(plot_json(data, file)) : plot_text(data, file);
  return report;
}

}  // namespace plot_command

const Command kPlotCommand{
    .name = "plot",
    .summary = "draw quantities of a recorded run",
    .argument = {.kind = Value::Kind::record_then_quantities, .name = "RUN.h5 QUANTITY", .repeated = true},
    .argument_help = "record of carom run --out, and what to draw of it (default energy)",
    .options = plot_command::kOptions,
    .notes = plot_command::kNotes,
    .examples = plot_command::kExamples,
    .run = &plot_command::run,
};

}  // namespace carom::app
