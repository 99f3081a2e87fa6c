#pragma once
/// A quantity over time.

#include <limits>
#include <vector>

namespace carom {

/// Both ends belong to it.
struct TimeSpan {
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double to = std::numeric_limits<double>::infinity();     ///< [s]

  [[nodiscard]] bool holds(double time) const { return from <= time && time <= to; }
};

/// A quantity at the samples, or at the events, of a time span. A value that has no meaning there (the radial component
/// of a body at the origin) is NaN.
struct Series {
  std::vector<double> time;  ///< [s]
  std::vector<double> value;

  void add(double at, double number) {
    time.push_back(at);
    value.push_back(number);
  }
};

}  // namespace carom
