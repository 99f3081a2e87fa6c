#include "output/plot_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/export/csv.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

double first_of(const Series& series) {
  return series.value.empty() ? std::numeric_limits<double>::quiet_NaN() : series.value.front();
}

double last_of(const Series& series) {
  return series.value.empty() ? std::numeric_limits<double>::quiet_NaN() : series.value.back();
}

}  // namespace

Extent extent_of(const Series& series, double scale) {
  Extent extent;
  for (const double value : series.value) {
    if (!std::isfinite(value)) continue;
    if (!(value >= extent.minimum)) extent.minimum = value;
    if (!(value <= extent.maximum)) extent.maximum = value;
  }
  const double same = 1e-13 * std::max({std::abs(extent.minimum), std::abs(extent.maximum), scale});
  for (std::size_t i = 0; i < series.value.size(); ++i) {
    if (std::isnan(extent.minimum_time) && series.value[i] <= extent.minimum + same)
      extent.minimum_time = series.time[i];
    if (std::isnan(extent.maximum_time) && series.value[i] >= extent.maximum - same)
      extent.maximum_time = series.time[i];
  }
  return extent;
}

Json plot_json(const PlotData& data, const std::optional<std::string>& file) {
  Json json{{"file", file ? Json(*file) : Json()}, {"quantities", Json::array()}};
  std::size_t points = 0;
  for (const PlottedSeries& member : data.series) {
    const Extent extent = extent_of(member.drawn);
    Json entry{{"name", member.quantity.name},
               {"unit", member.quantity.unit},
               {"minimum", json_number(extent.minimum)},
               {"minimum_time", json_number(extent.minimum_time)},
               {"maximum", json_number(extent.maximum)},
               {"maximum_time", json_number(extent.maximum_time)},
               {"first", json_number(first_of(member.drawn))},
               {"last", json_number(last_of(member.drawn))}};
    if (data.records.size() > 1) entry["record"] = data.records[member.record];
    json["quantities"].push_back(std::move(entry));
    points += member.series.value.size();
  }
  json["points"] = points;
  return json;
}

namespace {

/// The largest of what has the same unit: what is round-off of it is nothing.
double scale_of(const PlotData& data, const std::string& unit) {
  double scale = 0.0;
  for (const PlottedSeries& member : data.series) {
    if (member.quantity.unit != unit) continue;
    const Extent extent = extent_of(member.drawn);
    for (const double value : {extent.minimum, extent.maximum})
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  }
  return scale;
}

}  // namespace

std::string plot_text(const PlotData& data, const std::optional<std::string>& file) {
  const bool compared = data.records.size() > 1;
  std::vector<Column> columns{{"quantity", Align::left}};
  if (compared) columns.push_back({"record", Align::left});
  // Of several records there is no room for times.
  for (const char* const title : {"minimum", "at [s]", "maximum", "at [s]", "first", "last"})
    if (!compared || std::string_view(title) != "at [s]") columns.push_back({title});
  columns.push_back({"unit", Align::left});
  TextTable table(columns);
  for (const PlottedSeries& member : data.series) {
    std::vector<std::string> row{printable(member.quantity.name)};
    if (compared) row.push_back(printable(data.records[member.record], 40));
    constexpr int kDigits = 6, kTimeDigits = 9;
    // The error of the balance is round-off, and asked for as such.
    const bool is_error = member.quantity.name == "energy.balance_error";
    const double scale = is_error ? 0.0 : scale_of(data, member.quantity.unit);
    const Extent extent = extent_of(member.drawn, scale);
    const auto value = [scale](double number) { return rounded_cell(number, scale, kDigits); };
    const auto add_extreme = [&](double number, double time) {
      row.push_back(value(number));
      if (!compared) row.push_back(cell(time, kTimeDigits));
    };
    add_extreme(extent.minimum, extent.minimum_time);
    add_extreme(extent.maximum, extent.maximum_time);
    row.insert(row.end(), {value(first_of(member.drawn)), value(last_of(member.drawn))});
    row.push_back(member.quantity.unit);
    table.add_row(std::move(row));
  }
  return table.text() + (file ? fmt::format("\npicture: {}\n", printable(*file, 200)) : std::string());
}

std::string plot_csv(const PlotData& data) {
  const bool compared = data.records.size() > 1;
  std::string text = compared ? "record,quantity,unit,time,value\n" : "quantity,unit,time,value\n";
  const auto add = [&](const PlottedSeries& member) {
    std::string beginning = compared ? csv_field(data.records[member.record]) + "," : "";
    beginning += csv_field(member.quantity.name) + "," + csv_field(member.quantity.unit) + ",";
    for (std::size_t i = 0; i < member.series.time.size(); ++i) {
      text += beginning + format_number(member.series.time[i]) + "," + format_number(member.series.value[i]) + "\n";
    }
  };
  std::for_each(data.against.begin(), data.against.end(), add);
  std::for_each(data.series.begin(), data.series.end(), add);
  return text;
}

}  // namespace carom::app
