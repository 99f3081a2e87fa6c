/// `carom spectrum`: how a body of a recorded run vibrates.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "carom/analysis/record_signal.h"
#include "carom/base/angle.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "commands/table.h"
#include "common/gnuplot.h"
#include "common/write_file.h"
#include "output/spectrum_output.h"

namespace carom::app {
namespace spectrum_command {

constexpr Measure kMeasuresOfABody[] = {Measure::acceleration, Measure::velocity, Measure::position};

std::vector<std::string_view> measure_names() {
  std::vector<std::string_view> names;
  for (const Measure measure : kMeasuresOfABody) names.push_back(measure_name(measure));
  return names;
}

/// Those that all three have.
std::vector<std::string_view> axis_names() {
  return component_names(Measure::position);
}

constexpr Option kOptions[] = {
    {"--body", {Value::Kind::object, "NAME"}, "the body", true},
    {"--axis",
     {Value::Kind::choice, "AXIS", "axis", &axis_names},
     "component, radial being that along the position as seen from the origin (default x)"},
    {"--quantity", {Value::Kind::choice, "NAME", "quantity", &measure_names}, "what of it (default acceleration)"},
    {"--segment", {Value::Kind::text, "SECONDS"}, "length of the segments (default a quarter of the record)"},
    {"--envelope", {}, "the spectrum of the envelope as well"},
    {"--band", {Value::Kind::text, "LO,HI"}, "its band [Hz] (default about the strongest resonance)"},
    {"--bearing",
     {Value::Kind::text, "KEY=VALUE,…"},
     "names the lines of a ball bearing: balls, ball and pitch (diameters [m]), inner and outer (turns per second), "
     "angle (of contact, default 0)"},
    {"--out", {Value::Kind::file, "FILE"}, "draw the spectra: .svg, .png or .pdf (by gnuplot)", false, false, "-o"},
    {"--csv", {Value::Kind::file, "FILE.csv"}, "write the spectra into a file"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The level is a one-sided power density by Welch's method: half-overlapping segments under Hann's window; its "
    "integral over the frequencies is the mean square. The resolution is one over the length of a segment. "
    "Accelerations "
    "are central differences of the recorded velocities, of second order: lines above a tenth of the sampling rate "
    "appear too low by more than 6 %, so choose output_step accordingly.",
    "The envelope is that of the analytic signal within the band. Without --band it reaches from half the frequency of "
    "the strongest line to one and a half times; lines below a twentieth of half the sampling rate are passed over, "
    "with "
    "--bearing those below five times BPFI.",
    "A line of a bearing is named BPFO (balls passing a point of the outer race), BPFI (of the inner), BSF (spin of a "
    "ball) or FTF (cage), 2×BPFO for a harmonic, BPFO+fo for a side band at the speed of the outer race.",
};

constexpr std::string_view kExamples[] = {
    "f=$(mktemp); carom run scenes/bouncing-ball.toml --out $f; carom spectrum $f --body ball --axis z",
};

InputError missing_body(const RecordInfo& info) {
  std::string message = "--body is missing; the record has ";
  if (info.bodies == 0) return {Kind::usage, "--body", message + "no bodies"};
  constexpr std::size_t kMostNames = 20;
  for (std::size_t i = 0; i < std::min(info.bodies, kMostNames); ++i) message += (i > 0 ? ", " : "") + info.objects[i];
  return {Kind::usage, "--body", message + (info.bodies > kMostNames ? ", …" : "")};
}

Measure chosen_measure(const Arguments& arguments) {
  const auto name = arguments.value("--quantity");
  if (!name) return Measure::acceleration;
  return *std::find_if(std::begin(kMeasuresOfABody), std::end(kMeasuresOfABody),
                       [&name](Measure measure) { return measure_name(measure) == *name; });
}

Band read_band(const Arguments& arguments) {
  const std::vector<std::string> parts = arguments.list("--band");
  if (parts.size() != 2) {
    throw InputError(Kind::size_mismatch, "--band",
                     fmt::format("--band has {} numbers, expected two: LO,HI", parts.size()));
  }
  return {parse_number(parts[0], "--band"), parse_number(parts[1], "--band")};
}

/// The values of `--bearing` by key.
std::map<std::string, std::string, std::less<>> bearing_values(const Arguments& arguments) {
  constexpr std::string_view kKeys[] = {"balls", "ball", "pitch", "inner", "outer", "angle"};
  std::map<std::string, std::string, std::less<>> values;
  for (const std::string& part : arguments.list("--bearing")) {
    const std::size_t sign = part.find('=');
    if (sign == std::string::npos) {
      throw InputError(Kind::syntax, "--bearing", fmt::format("'{}' in --bearing, expected KEY=VALUE", part));
    }
    const std::string key = part.substr(0, sign);
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
      throw InputError(Kind::unknown_name, "--bearing", unknown_name_message("key of --bearing", key, kKeys));
    }
    if (!values.emplace(key, part.substr(sign + 1)).second) {
      throw InputError(Kind::duplicate_name, "--bearing", fmt::format("{} is given twice in --bearing", key));
    }
  }
  for (const std::string_view key : {"balls", "ball", "pitch"}) {
    if (!values.contains(key)) {
      throw InputError(Kind::missing_field, "--bearing", fmt::format("--bearing has no {}", key));
    }
  }
  if (!values.contains("inner") && !values.contains("outer")) {
    throw InputError(Kind::missing_field, "--bearing", "--bearing has neither inner nor outer, the turns per second");
  }
  return values;
}

BearingLines read_bearing(const Arguments& arguments) {
  const auto values = bearing_values(arguments);
  const auto number = [&values](std::string_view key) {
    const auto found = values.find(key);
    return found == values.end() ? 0.0 : parse_number(found->second, key);
  };
  const double balls = number("balls");
  constexpr double kMostBalls = 1e6;
  if (!(balls >= 1.0 && balls <= kMostBalls && balls == std::floor(balls))) {
    throw InputError(Kind::out_of_range, "balls", fmt::format("balls is {}, expected a whole number from 1", balls));
  }
  const auto angle = values.find("angle");
  return bearing_lines({.balls = static_cast<int>(balls),
                        .ball_diameter = number("ball"),
                        .pitch_diameter = number("pitch"),
                        .contact_angle = angle == values.end() ? 0.0 : parse_angle(angle->second, "angle")},
                       {.inner = number("inner"), .outer = number("outer")});
}

/// Below this lie the lines of the motion itself, and not the resonances that it excites.
double resonances_begin(const Signal& signal, const std::optional<BearingLines>& lines) {
  constexpr double kOfNyquist = 0.05;
  constexpr double kOfBearing = 5.0;
  return lines ? std::min(kOfBearing * lines->inner_race, 0.5 * signal.nyquist()) : kOfNyquist * signal.nyquist();
}

SpectrumResult compute(RecordReader& record, const Arguments& arguments) {
  const std::optional<std::string> body = arguments.value("--body");
  if (!body) throw missing_body(record.info());
  SpectrumResult result;
  result.body = *body;
  result.component = arguments.value("--axis").value_or("x");
  if (arguments.has("--bearing")) result.lines = read_bearing(arguments);
  if (arguments.has("--band")) result.band = read_band(arguments);

  result.quantity = body_quantity(record.info(), chosen_measure(arguments), *body, result.component);
  const Signal signal = record_signal(record, result.quantity);
  result.samples = signal.values.size();
  result.sampling_rate = 1.0 / signal.step;
  double segment = default_segment(signal);
  if (const auto text = arguments.value("--segment")) segment = parse_number(*text, "--segment");
  result.density = welch_spectrum(signal, segment);
  if (arguments.has("--envelope") || result.band) {
    if (!result.band) result.band = strongest_band(result.density, resonances_begin(signal, result.lines));
    result.envelope = welch_spectrum(envelope(signal, *result.band), segment);
  }
  return result;
}

/// What a reader of the tables should know; JSON says it in its fields.
std::vector<std::string> remarks(const RecordReader& record, const SpectrumResult& result) {
  std::vector<std::string> notes;
  if (!record.info().complete) {
    notes.emplace_back("the run has not ended or was killed; this is the spectrum of what it has written so far");
  }
  if (!result.lines) return notes;
  constexpr double kCoarse = 0.25;
  double least = result.lines->cage;
  for (const double speed : {std::abs(result.lines->speeds.inner), std::abs(result.lines->speeds.outer)}) {
    if (speed > 0.0) least = std::min(least, speed);
  }
  if (result.density.resolution() > kCoarse * least) {
    notes.push_back(
        fmt::format("the resolution of {:.3g} Hz is coarse beside the {:.3g} Hz between lines of the bearing, so names "
                    "may be wrong; "
                    "a longer --segment, or a longer run, separates them",
                    result.density.resolution(), least));
  }
  return notes;
}

Report run(const Arguments& arguments) {
  RecordReader record(*arguments.argument());
  if (const auto path = arguments.value("--out")) picture_format(*path);
  const SpectrumResult result = compute(record, arguments);
  Report report;
  if (!arguments.has("--json")) report.notes = remarks(record, result);
  if (const auto path = arguments.value("--out")) {
    const std::string title =
        fmt::format("{} of {}, {}", measure_name(result.quantity.measure), result.body, result.component);
    draw(spectrum_picture(result, title), *path);
  }
  if (const auto path = arguments.value("--csv")) write_file(*path, spectrum_csv(result), "spectrum");
  report.text = arguments.has("--json") ? json_text(spectrum_json(result)) : spectrum_text(result);
  return report;
}

}  // namespace spectrum_command

const Command kSpectrumCommand{
    .name = "spectrum",
    .summary = "spectrum of the motion of a body in a recorded run",
    .argument = {Value::Kind::file, "RUN.h5"},
    .argument_help = "record of carom run --out",
    .options = spectrum_command::kOptions,
    .notes = spectrum_command::kNotes,
    .examples = spectrum_command::kExamples,
    .run = &spectrum_command::run,
};

}  // namespace carom::app
