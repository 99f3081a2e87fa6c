#pragma once
/// A picture of curves as data: panels above each other. the tool draws it by gnuplot.
///
/// All texts may be anything (names in a record are untrusted): they are shown as they are, control characters escaped,
/// and cut where they are too long.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace carom {

struct Curve {
  std::string label;  ///< in the legend
  std::vector<double> x, y;
  int colour = 0;      ///< index; colours that differ for the colour-blind too
  int dash = -1;       ///< index; 0 is a full line; −1: that of the colour, so that curves differ in grey
  double width = 1.6;  ///< of the line
  bool stems = false;  ///< a line from zero to each point
};

/// Vertical lines that belong together.
struct MarkedLines {
  std::vector<double> x;
  int colour = -1;               ///< of the curves that they belong to; −1: grey
  double low = 0.0, high = 1.0;  ///< the part of the panel's height that they take
};

/// A vertical line with a name.
struct NamedLine {
  double x = 0.0;
  std::string name;
};

/// Least and greatest of some values; empty at first.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  [[nodiscard]] bool empty() const { return !(low <= high); }
  /// Values that are not finite do not count.
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Panel {
  std::string y_label;
  bool logarithmic = false;          ///< values that are not positive are not shown then
  double log_floor = 0.0;            ///< least value to show on a logarithmic axis; 0: the least there is
  double scale = 0.0;                ///< differences far below this are round-off and not spread over the axis
  std::vector<std::string> y_names;  ///< what the values 0, 1, … mean, where they are names; plain letters
  std::vector<Curve> curves;
  bool legend = true;              ///< left out where it is false
  std::vector<MarkedLines> lines;  ///< thin vertical lines: impacts
  std::vector<NamedLine> named_lines;
  std::string x_label;  ///< for an axis of its own; otherwise all share that of the picture
  Range x_range;        ///< likewise
};

struct Picture {
  std::string title, x_label;
  double width = 0.0;      ///< [px], 96 of which are an inch; 0: chosen
  double height = 0.0;     ///< [px]; 0: chosen
  double letters = 9.0;    ///< size of the letters [pt], 72 of which are an inch
  bool for_print = false;  ///< a PNG has three dots along each px
  Range x_range;
  bool equal_scales = false;  ///< one unit is as long in x as in y
  std::vector<Panel> panels;
};

}  // namespace carom
