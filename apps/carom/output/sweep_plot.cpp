#include "output/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "carom/analysis/thinning.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom::app {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostMeasures = 6;  ///< of a picture, where nobody says which
constexpr std::size_t kMostCurves = 12;   ///< of a panel
constexpr std::size_t kMostCurvePoints = 4000;

/// A column as it is drawn: logarithms where it was varied so.
std::vector<double> drawn(const SweepColumn& column) {
  std::vector<double> values = column.numbers;
  if (column.logarithmic)
    for (double& value : values) value = std::log10(std::abs(value));
  return values;
}

std::string label_of(const SweepColumn& column) {
  if (!column.logarithmic) return column.name;
  const bool negative = std::any_of(column.numbers.begin(), column.numbers.end(), [](double x) { return x < 0.0; });
  return negative ? "log10 |" + column.name + "|" : "log10 " + column.name;
}

bool has_numbers(const SweepColumn& column) {
  return std::any_of(column.numbers.begin(), column.numbers.end(), [](double x) { return std::isfinite(x); });
}

std::vector<std::size_t> measures_of(const SweepColumns& table, const SweepPictureRequest& request) {
  std::vector<std::size_t> chosen;
  for (const std::string& name : request.measures) {
    chosen.push_back(table.find(name));
    const SweepColumn& column = table.columns[chosen.back()];
    if (column.is_text() || has_numbers(column)) continue;
    throw InputError(Kind::unsupported, "column",
                     fmt::format("the column '{}' has no finite number to draw", printable(name)));
  }
  if (!chosen.empty()) return chosen;
  for (std::size_t c = table.varied; c < table.columns.size() && chosen.size() < kMostMeasures; ++c) {
    const SweepColumn& column = table.columns[c];
    if (!column.is_text() && column.name != "index" && has_numbers(column)) chosen.push_back(c);
  }
  if (chosen.empty()) throw InputError(Kind::unsupported, "column", "the table has no numbers to draw");
  return chosen;
}

std::vector<double> distinct(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

bool all_finite(const std::vector<double>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// The range of the finite values, a little widened where there is but one.
Range span_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values) range.add(value);
  if (range.empty()) range = {0.0, 1.0};
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return range;
}

// ------------------------------------------------------------------------------------------------ curves

std::string group_name(const SweepColumns& table, std::size_t x, std::size_t row) {
  std::string name;
  for (std::size_t v = 0; v < table.varied; ++v) {
    if (v == x) continue;
    const SweepColumn& column = table.columns[v];
    const std::string value = column.is_text() ? column.words[row] : format_number(column.numbers[row]);
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", column.name, value);
  }
  return name;
}

/// How many curves there would be, or some more than can be told apart.
std::size_t group_count(const SweepColumns& table, std::size_t x) {
  std::set<std::string> names;
  for (std::size_t row = 0; row < table.rows && names.size() <= kMostCurves; ++row) {
    names.insert(group_name(table, x, row));
  }
  return names.size();
}

Picture curves_of(const SweepColumns& table, std::size_t x, const std::vector<std::size_t>& measures,
                  const SweepPictureRequest& request) {
  Picture picture;
  picture.title = request.title;
  picture.x_label = label_of(table.columns[x]);
  const std::vector<double> xs = drawn(table.columns[x]);
  picture.x_range = span_of(xs);
  for (const std::size_t measure : measures) {
    Panel panel;
    panel.y_label = table.columns[measure].name;
    panel.logarithmic = request.logarithmic;
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t row = 0; row < table.rows; ++row) groups[group_name(table, x, row)].push_back(row);
    panel.legend = groups.size() > 1 && groups.size() <= kMostCurves;
    for (auto& [name, rows] : groups) {
      std::stable_sort(rows.begin(), rows.end(), [&xs](std::size_t a, std::size_t b) { return xs[a] < xs[b]; });
      Curve curve;
      curve.label = name;
      curve.colour = static_cast<int>(panel.curves.size());
      std::vector<double> values;
      for (const std::size_t row : rows) values.push_back(table.columns[measure].numbers[row]);
      for (const std::size_t i : thinned(values, kMostCurvePoints)) {
        curve.x.push_back(xs[rows[i]]);
        curve.y.push_back(values[i]);
      }
      panel.curves.push_back(std::move(curve));
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

// ------------------------------------------------------------------------------------------------ maps

/// Ends of a scale whose cells have the values in their middle.
std::pair<double, double> cell_ends(const std::vector<double>& values) {
  const double low = values.front(), high = values.back();
  const double half = values.size() > 1 ? 0.5 * (high - low) / static_cast<double>(values.size() - 1) : 0.5;
  return {low - half, high + half};
}

std::size_t place_of(const std::vector<double>& sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

/// The part of a stop before its reason.
std::string class_of(const std::string& word) {
  return word.substr(0, word.find(':'));
}

Map heat_map(const SweepColumns& table, std::size_t measure, const SweepPictureRequest& request) {
  const std::vector<double> xs = drawn(table.columns[0]), ys = drawn(table.columns[1]);
  const std::vector<double> x_values = distinct(xs), y_values = distinct(ys);
  const SweepColumn& column = table.columns[measure];
  Map map;
  map.title = request.title.empty() ? column.name : request.title;
  map.x_label = label_of(table.columns[0]);
  map.y_label = label_of(table.columns[1]);
  map.value_label = column.name;
  std::tie(map.x_low, map.x_high) = cell_ends(x_values);
  std::tie(map.y_low, map.y_high) = cell_ends(y_values);
  map.columns = x_values.size();
  map.rows = y_values.size();
  map.values.assign(map.columns * map.rows, kNoNumber);
  map.logarithmic = request.logarithmic && !column.is_text();
  for (std::size_t row = 0; row < table.rows; ++row) {
    double& value = map.values[place_of(y_values, ys[row]) * map.columns + place_of(x_values, xs[row])];
    if (!column.is_text()) {
      value = column.numbers[row];
      continue;
    }
    const std::string word = class_of(column.words[row]);
    const auto known = std::find(map.classes.begin(), map.classes.end(), word);
    value = static_cast<double>(known - map.classes.begin());
    if (known == map.classes.end()) map.classes.push_back(word);
  }
  return map;
}

bool is_grid(const SweepColumns& table) {
  if (table.varied != 2 || table.has_instants || table.columns[0].is_text() || table.columns[1].is_text()) return false;
  const std::vector<double> xs = drawn(table.columns[0]), ys = drawn(table.columns[1]);
  return all_finite(xs) && all_finite(ys) && distinct(xs).size() * distinct(ys).size() == table.rows &&
         distinct(xs).size() > 1 && distinct(ys).size() > 1;
}

/// How many of the rows fall into each cell; cells without one have no value.
struct DensityAxes {
  const SweepColumn* x;
  const SweepColumn* y;
  std::size_t columns, rows;  ///< of cells
};

Map density_map(const DensityAxes& axes) {
  const std::vector<double> xs = drawn(*axes.x), ys = drawn(*axes.y);
  const Range x = span_of(xs), y = span_of(ys);
  Map map;
  map.x_label = label_of(*axes.x);
  map.y_label = label_of(*axes.y);
  map.value_label = "rows in a cell";
  map.x_low = x.low;
  map.x_high = x.high;
  map.y_low = y.low;
  map.y_high = y.high;
  // Fewer values than cells would leave stripes.
  map.columns = std::min(axes.columns, std::max<std::size_t>(distinct(xs).size(), 2));
  map.rows = axes.rows;
  map.logarithmic = true;
  map.counts = true;
  map.values.assign(map.columns * map.rows, kNoNumber);
  const auto cell = [](double value, const Range& range, std::size_t cells) {
    const double share = (value - range.low) / (range.high - range.low);
    return std::min(static_cast<std::size_t>(share * static_cast<double>(cells)), cells - 1);
  };
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!std::isfinite(xs[i]) || !std::isfinite(ys[i])) continue;
    double& count = map.values[cell(ys[i], y, map.rows) * map.columns + cell(xs[i], x, map.columns)];
    count = std::isnan(count) ? 1.0 : count + 1.0;
  }
  return map;
}

/// How many of the rows have a value in each part of the range, as columns of so many cells.
Map histogram(const SweepColumn& column, std::size_t parts) {
  const std::vector<double> values = drawn(column);
  const Range range = span_of(values);
  std::vector<std::size_t> counts(parts, 0);
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double share = (value - range.low) / (range.high - range.low);
    ++counts[std::min(static_cast<std::size_t>(share * static_cast<double>(parts)), parts - 1)];
  }
  constexpr std::size_t kHigh = 100;
  const auto most = static_cast<double>(std::max<std::size_t>(*std::max_element(counts.begin(), counts.end()), 1));
  Map map;
  map.x_label = label_of(column);
  map.y_label = "rows";
  map.x_low = range.low;
  map.x_high = range.high;
  map.y_low = 0.0;
  map.y_high = most;
  map.columns = parts;
  map.rows = kHigh;
  map.counts = true;
  map.values.assign(map.columns * map.rows, kNoNumber);
  for (std::size_t x = 0; x < parts; ++x) {
    const auto top = static_cast<std::size_t>(std::ceil(kHigh * static_cast<double>(counts[x]) / most));
    for (std::size_t y = 0; y < top; ++y) map.values[y * parts + x] = 1.0;
  }
  return map;
}

/// Every column against every other one; on the diagonal how often each has which values.
std::vector<Map> scatter_matrix(const SweepColumns& table, const std::vector<std::size_t>& measures) {
  std::vector<std::size_t> shown;
  for (std::size_t v = 0; v < table.varied; ++v)
    if (!table.columns[v].is_text()) shown.push_back(v);
  for (const std::size_t measure : measures)
    if (std::find(shown.begin(), shown.end(), measure) == shown.end()) shown.push_back(measure);
  constexpr std::size_t kMostShown = 5, kCells = 100, kParts = 40;
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::vector<Map> maps;
  // The first column below, as y goes up.
  for (std::size_t y = shown.size(); y-- > 0;) {
    for (const std::size_t x : shown) {
      const SweepColumn& across = table.columns[x];
      maps.push_back(x == shown[y] ? histogram(across, kParts)
                                   : density_map({&across, &table.columns[shown[y]], kCells, kCells}));
      maps.back().value_label.clear();
    }
  }
  return maps;
}

}  // namespace

std::string_view picture_kind_name(SweepPictureKind kind) {
  constexpr std::string_view kNames[] = {"curves", "heat maps", "density", "scatter matrix"};
  return kNames[static_cast<std::size_t>(kind)];
}

SweepPicture sweep_picture(const SweepColumns& table, const SweepPictureRequest& request) {
  if (table.rows == 0)
    throw InputError(Kind::unsupported, "rows", "the table has no rows, only its head; expected points of a sweep");
  const std::vector<std::size_t> measures = measures_of(table, request);
  std::vector<std::size_t> numeric;  // varied paths that are numbers
  for (std::size_t v = 0; v < table.varied; ++v)
    if (!table.columns[v].is_text()) numeric.push_back(v);
  const std::size_t x = request.against ? table.find(*request.against) : numeric.empty() ? 0 : numeric.front();
  if (table.columns[x].is_text()) {
    throw InputError(Kind::unsupported, "--against",
                     fmt::format("'{}' has words, and an axis needs numbers", printable(table.columns[x].name)));
  }
  SweepPicture made;
  const bool words = std::any_of(measures.begin(), measures.end(),
                                 [&table](std::size_t measure) { return table.columns[measure].is_text(); });
  if (is_grid(table) && !request.against) {
    made.kind = SweepPictureKind::heat_maps;
    for (const std::size_t measure : measures) made.maps.push_back(heat_map(table, measure, request));
    return made;
  }
  if (words) throw InputError(Kind::unsupported, "column", "words are drawn over a grid of two paths only");
  if (table.has_instants || request.against) {
    constexpr std::size_t kWide = 1000, kHigh = 600;
    made.kind = SweepPictureKind::density;
    for (const std::size_t measure : measures) {
      made.maps.push_back(density_map({&table.columns[x], &table.columns[measure], kWide, kHigh}));
      made.maps.back().title = request.title;
    }
    return made;
  }
  if (group_count(table, x) <= kMostCurves) {
    made.curves = curves_of(table, x, measures, request);
    return made;
  }
  made.kind = SweepPictureKind::scatter_matrix;
  made.maps = scatter_matrix(table, measures);
  made.columns = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(made.maps.size()))));
  return made;
}

}  // namespace carom::app
