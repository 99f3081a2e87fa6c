#include "output/atlas_output.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/number.h"
#include "carom/export/csv.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

struct Summary {
  Range range;
  std::size_t empty = 0;              ///< cells without a value
  std::vector<std::size_t> of_class;  ///< cells of each class
};

Summary summary_of(const Map& map) {
  Summary summary;
  summary.of_class.assign(map.classes.size(), 0);
  for (const double value : map.values) {
    if (std::isnan(value)) {
      ++summary.empty;
    } else if (map.classes.empty()) {
      summary.range.add(value);
    } else {
      ++summary.of_class[static_cast<std::size_t>(value)];
    }
  }
  return summary;
}

std::string percent(std::size_t part, std::size_t whole) {
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string law_words(const atlas::LawMap& one) {
  return one.law.empty() ? "all" : one.law;
}

std::string column_name(const atlas::Axis& axis) {
  return axis.angle ? axis.name + "_deg" : axis.name;
}

Json axis_json(const atlas::Axis& axis, double low, double high) {
  return {
      {"name", axis.name}, {"unit", axis.angle ? "deg" : ""}, {"low", json_number(low)}, {"high", json_number(high)}};
}

double centre(double low, double high, std::size_t i, std::size_t count) {
  return low + (static_cast<double>(i) + 0.5) * ((high - low) / static_cast<double>(count));
}

std::string value_field(const Map& map, double value) {
  if (std::isnan(value) || map.classes.empty()) return format_number(value);
  return csv_field(map.classes[static_cast<std::size_t>(value)]);
}

}  // namespace

std::string atlas_text(const atlas::Family& family, const atlas::Atlas& atlas) {
  const Map& first = atlas.maps.front().map;
  std::string text = fmt::format("{}: {} x {} cells\n{} from {} to {}, {} from {} to {}\n\n", family.title,
                                 first.columns, first.rows, column_name(family.x), cell(first.x_low),
                                 cell(first.x_high), column_name(family.y), cell(first.y_low), cell(first.y_high));
  TextTable values({{"law", Align::left}, {"quantity", Align::left}, {"least"}, {"greatest"}, {"no value"}});
  TextTable classes({{"law", Align::left}, {"quantity", Align::left}, {"class", Align::left}, {"cells"}});
  bool any_values = false, any_classes = false;
  for (const atlas::LawMap& one : atlas.maps) {
    const Summary summary = summary_of(one.map);
    const std::string quantity(atlas::quantity_name(one.quantity));
    const std::size_t cells = one.map.values.size();
    if (one.map.classes.empty()) {
      const bool none = summary.range.empty();
      values.add_row({law_words(one), quantity, none ? "–" : cell(summary.range.low),
                      none ? "–" : cell(summary.range.high), percent(summary.empty, cells)});
      any_values = true;
      continue;
    }
    for (std::size_t i = 0; i < one.map.classes.size(); ++i) {
      if (summary.of_class[i] == 0) continue;
      classes.add_row({law_words(one), quantity, one.map.classes[i], percent(summary.of_class[i], cells)});
    }
    if (summary.empty > 0) classes.add_row({law_words(one), quantity, "no impact", percent(summary.empty, cells)});
    any_classes = true;
  }
  if (any_classes) text += classes.text();
  if (any_values) text += (any_classes ? "\n" : "") + values.text();
  return text;
}

Json atlas_json(const atlas::Family& family, const atlas::Atlas& atlas) {
  const Map& first = atlas.maps.front().map;
  Json maps = Json::array();
  for (const atlas::LawMap& one : atlas.maps) {
    const Summary summary = summary_of(one.map);
    Json json{{"law", one.law.empty() ? Json() : Json(one.law)},
              {"quantity", atlas::quantity_name(one.quantity)},
              {"cells", one.map.values.size()},
              {"without_value", summary.empty}};
    if (one.map.classes.empty()) {
      json["least"] = json_number(summary.range.low);
      json["greatest"] = json_number(summary.range.high);
    } else {
      for (std::size_t i = 0; i < one.map.classes.size(); ++i)
        json["classes"][one.map.classes[i]] = summary.of_class[i];
    }
    maps.push_back(std::move(json));
  }
  return {{"family", family.name},
          {"x", axis_json(family.x, first.x_low, first.x_high)},
          {"y", axis_json(family.y, first.y_low, first.y_high)},
          {"columns", first.columns},
          {"rows", first.rows},
          {"maps", std::move(maps)}};
}

std::string atlas_csv(const atlas::Family& family, const atlas::Atlas& atlas) {
  const Map& first = atlas.maps.front().map;
  std::string text = csv_field(column_name(family.x)) + ',' + csv_field(column_name(family.y));
  for (const atlas::LawMap& one : atlas.maps) {
    const std::string quantity(atlas::quantity_name(one.quantity));
    text += ',' + csv_field(one.law.empty() ? quantity : one.law + '.' + quantity);
  }
  text += '\n';
  for (std::size_t row = 0; row < first.rows; ++row) {
    const std::string y = format_number(centre(first.y_low, first.y_high, row, first.rows));
    for (std::size_t column = 0; column < first.columns; ++column) {
      text += format_number(centre(first.x_low, first.x_high, column, first.columns)) + ',' + y;
      for (const atlas::LawMap& one : atlas.maps) {
        text += ',' + value_field(one.map, one.map.values[row * first.columns + column]);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace carom::app
