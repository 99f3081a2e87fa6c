#include "output/spectrum_output.h"

#include <fmt/format.h>

#include "carom/base/number.h"
#include "output/text_table.h"

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

std::string peaks_table(const Spectrum& spectrum, const SpectrumResult& result) {
  const std::string unit(unit_name(result.quantity));
  const std::string squared = result.quantity == Quantity::position ? unit + "²" : "(" + unit + ")²";
  std::vector<Column> columns{
      {"frequency [Hz]"}, {fmt::format("level [{}/Hz]", squared)}, {fmt::format("rms [{}]", unit)}};
  if (result.lines) columns.push_back({"line", Align::left});
  TextTable table(std::move(columns));
  for (const Peak& peak : strongest_peaks(spectrum, kPeaks)) {
    std::vector<std::string> row{cell(peak.frequency, 6), cell(peak.level, 4), cell(peak.rms, 4)};
    if (result.lines) row.push_back(name_of(peak, result));
    table.add_row(std::move(row));
  }
  return table.text();
}

std::string_view name_of(Quantity quantity) {
  return quantity_names()[static_cast<std::size_t>(quantity)];
}

std::string_view name_of(Component component) {
  return component_names()[static_cast<std::size_t>(component)];
}

}  // namespace

Json spectrum_json(const SpectrumResult& result) {
  Json json{{"body", result.body},
            {"quantity", name_of(result.quantity)},
            {"axis", name_of(result.component)},
            {"unit", unit_name(result.quantity)},
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
                                 name_of(result.quantity), result.body, name_of(result.component), result.samples,
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
