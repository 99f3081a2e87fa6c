#pragma once
/// What a plot says in numbers: a table for people, JSON for programs, and the values themselves.

#include <limits>
#include <optional>
#include <string>

#include "carom/base/json.h"
#include "output/plot_output.h"

namespace carom::app {

/// The least and the greatest value, and when each was first there to round-off.
struct Extent {
  double minimum = std::numeric_limits<double>::quiet_NaN();
  double minimum_time = std::numeric_limits<double>::quiet_NaN();
  double maximum = std::numeric_limits<double>::quiet_NaN();
  double maximum_time = std::numeric_limits<double>::quiet_NaN();
};

/// The scale is that of values beside which these may be round-off.
Extent extent_of(const Series& series, double scale = 0.0);

/// {"file", "quantities": [{"name", "unit", "minimum", "minimum_time", "maximum", "maximum_time", "first", "last"}],
/// "points"}; where records are compared each quantity has a "record".
Json plot_json(const PlotData& data, const std::optional<std::string>& file);
std::string plot_text(const PlotData& data, const std::optional<std::string>& file);

/// A row per value: [record,] quantity, unit, time, value. Nothing is thinned.
std::string plot_csv(const PlotData& data);

}  // namespace carom::app
