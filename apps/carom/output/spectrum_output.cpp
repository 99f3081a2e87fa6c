#include "output/spectrum_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/number.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kPeaks = 12;

/// The bearing's name of a peak; empty where it has none. A peak is placed well within a bin.
std::string name_of(const Peak& peak, const SpectrumResult& result) {
  if (!result.lines) return {};
  return bearing_line_name(*result.lines, peak.frequency, 0.5 * result.density.resolution());
}

Json peaks_json(const Spectrum& spectrum, const SpectrumResult& result) {
  Json list = Json::array();
  for (const Peak& peak : strongest_peaks(spectrum, kPeaks)) {
    const std::string name = name_of(peak, result);
    list.push_back(Json{{"frequency", json_number(peak.frequency)},
                        {"level", json_number(peak.level)},
                        {"rms", json_number(peak.rms)},
                        {"name", name.empty() ? Json() : Json(name)}});
  }
  return list;
}

/// `m²/Hz`, `(m/s²)²/Hz`.
std::string density_unit(const SpectrumResult& result) {
  const std::string& unit = result.quantity.unit;
  return (unit.find('/') == std::string::npos ? unit : "(" + unit + ")") + "²/Hz";
}

std::string peaks_table(const Spectrum& spectrum, const SpectrumResult& result) {
  std::vector<Column> columns{{"frequency [Hz]"},
                              {fmt::format("level [{}]", density_unit(result))},
                              {fmt::format("rms [{}]", result.quantity.unit)}};
  if (result.lines) columns.push_back({"line", Align::left});
  TextTable table(std::move(columns));
  for (const Peak& peak : strongest_peaks(spectrum, kPeaks)) {
    std::vector<std::string> row{cell(peak.frequency, 6), cell(peak.level, 4), cell(peak.rms, 4)};
    if (result.lines) row.push_back(name_of(peak, result));
    table.add_row(std::move(row));
  }
  return table.text();
}

/// The lines of the bearing and those of the peaks that have names, as far as they fit.
std::vector<NamedLine> named_lines(const Spectrum& spectrum, const SpectrumResult& result, double range) {
  if (!result.lines) return {};
  std::vector<NamedLine> wanted{{result.lines->outer_race, "BPFO"},
                                {result.lines->inner_race, "BPFI"},
                                {result.lines->ball_spin, "BSF"},
                                {result.lines->cage, "FTF"}};
  for (const Peak& peak : strongest_peaks(spectrum, kPeaks)) wanted.push_back({peak.frequency, name_of(peak, result)});
  constexpr double kRoom = 0.018;  // of the axis
  std::vector<NamedLine> lines;
  for (const NamedLine& line : wanted) {
    const bool crowded = std::any_of(lines.begin(), lines.end(), [&line, range](const NamedLine& other) {
      return std::abs(other.x - line.x) < kRoom * range;
    });
    if (!line.name.empty() && line.x > kRoom * range && line.x <= range && !crowded) lines.push_back(line);
  }
  return lines;
}

Panel spectrum_panel(const Spectrum& spectrum, const SpectrumResult& result, const std::string& label, double range) {
  constexpr double kSeen = 1e-12;  // of the greatest level
  Panel panel;
  panel.y_label = fmt::format("{} [{}]", label, density_unit(result));
  panel.x_label = "frequency [Hz]";
  panel.x_range = {0.0, range};
  panel.logarithmic = true;
  panel.legend = false;
  Curve curve;
  curve.width = 1.1;
  for (std::size_t k = 0; k < spectrum.frequency.size() && spectrum.frequency[k] <= range; ++k) {
    curve.x.push_back(spectrum.frequency[k]);
    curve.y.push_back(spectrum.level[k]);
  }
  if (!curve.y.empty()) panel.log_floor = kSeen * *std::max_element(curve.y.begin(), curve.y.end());
  panel.curves.push_back(std::move(curve));
  panel.named_lines = named_lines(spectrum, result, range);
  return panel;
}

/// As far as the envelope says something.
double envelope_range(const SpectrumResult& result) {
  constexpr double kHarmonics = 6.0;
  const double nyquist = 0.5 * result.sampling_rate;
  const double wanted =
      result.lines ? kHarmonics * result.lines->inner_race : 0.5 * (result.band->high - result.band->low);
  return std::min(nyquist, std::max(wanted, 16.0 * result.density.resolution()));
}

}  // namespace

Picture spectrum_picture(const SpectrumResult& result, const std::string& title) {
  Picture picture;
  picture.title = title;
  picture.panels.push_back(spectrum_panel(result.density, result, "density", 0.5 * result.sampling_rate));
  if (result.envelope) {
    picture.panels.push_back(spectrum_panel(*result.envelope, result, "envelope", envelope_range(result)));
  }
  constexpr int kPanelHeight = 300;
  picture.height = 60 + (kPanelHeight + 66) * static_cast<int>(picture.panels.size());
  return picture;
}

Json spectrum_json(const SpectrumResult& result) {
  Json json{{"body", result.body},
            {"quantity", measure_name(result.quantity.measure)},
            {"axis", result.component},
            {"unit", result.quantity.unit},
            {"samples", result.samples},
            {"sampling_rate", json_number(result.sampling_rate)},
            {"segments", result.density.segments},
            {"resolution", json_number(result.density.resolution())}};
  json["psd"] =
      Json{{"frequency", json_numbers(result.density.frequency)}, {"level", json_numbers(result.density.level)}};
  json["envelope"] = nullptr;
  if (result.envelope) {
    json["envelope"] = Json{{"band", {json_number(result.band->low), json_number(result.band->high)}},
                            {"frequency", json_numbers(result.envelope->frequency)},
                            {"level", json_numbers(result.envelope->level)},
                            {"peaks", peaks_json(*result.envelope, result)}};
  }
  json["lines"] = nullptr;
  if (result.lines) {
    json["lines"] = Json{{"FTF", json_number(result.lines->cage)},
                         {"BPFO", json_number(result.lines->outer_race)},
                         {"BPFI", json_number(result.lines->inner_race)},
                         {"BSF", json_number(result.lines->ball_spin)}};
  }
  json["peaks"] = peaks_json(result.density, result);
  return json;
}

std::string spectrum_text(const SpectrumResult& result) {
  std::string text = fmt::format("{} of {}, {}: {} samples at {:.6g} Hz, {} segments, resolution {:.4g} Hz\n",
                                 measure_name(result.quantity.measure), result.body, result.component, result.samples,
                                 result.sampling_rate, result.density.segments, result.density.resolution());
  if (result.lines) {
    text += fmt::format("bearing: FTF {:.6g} Hz, BPFO {:.6g} Hz, BPFI {:.6g} Hz, BSF {:.6g} Hz\n", result.lines->cage,
                        result.lines->outer_race, result.lines->inner_race, result.lines->ball_spin);
  }
  text += "\nstrongest lines\n" + peaks_table(result.density, result);
  if (result.envelope) {
    text += fmt::format("\nstrongest lines of the envelope from {:.6g} to {:.6g} Hz\n", result.band->low,
                        result.band->high);
    text += peaks_table(*result.envelope, result);
  }
  return text;
}

std::string spectrum_csv(const SpectrumResult& result) {
  std::string text = result.envelope ? "frequency,psd,envelope\n" : "frequency,psd\n";
  for (std::size_t k = 0; k < result.density.frequency.size(); ++k) {
    text += format_number(result.density.frequency[k]) + "," + format_number(result.density.level[k]);
    if (result.envelope) text += "," + format_number(result.envelope->level[k]);
    text += "\n";
  }
  return text;
}

}  // namespace carom::app
