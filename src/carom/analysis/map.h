#pragma once
/// A map over two parameters as data: cells with a class or a value each. The tool draws it.

#include <cstddef>
#include <string>
#include <vector>

#include "carom/analysis/picture.h"

namespace carom {

struct Map {
  std::string title, x_label, y_label;
  std::string value_label;  ///< beside the bar of colours; empty: no bar
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
  std::size_t columns = 0, rows = 0;
  std::vector<double> values;        ///< row by row, the lowest y first; NaN: no value
  std::vector<std::string> classes;  ///< where values are indices: their names; empty: values are numbers
  bool logarithmic = false;          ///< of the scale of colours
  double period = 0.0;               ///< after which values are the same again: 360 of directions [°]; 0: never
  bool counts = false;               ///< values say how many of something fall into a cell: dark on white
  Range value_range{};               ///< of that scale; empty: from the least to the greatest value
  std::vector<Curve> curves;         ///< drawn over it
};

}  // namespace carom
