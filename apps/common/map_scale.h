#pragma once
/// Scales of a map: which share of a scale a value is at, and at which values its ticks stand.

#include <string>
#include <vector>

#include "carom/analysis/map.h"

namespace carom::app {

/// Round values from low to high, about `most` at most; none where that is no interval. Degrees are divided as angles
/// are.
std::vector<double> even_ticks(double low, double high, int most, bool degrees = false);

/// The text of a tick.
std::string tick_text(double value);

/// Which colours: from one end to the other, from a middle at zero to both sides, round a circle, or the darker the
/// more.
enum class Hues { sequential, diverging, cyclic, counts };

/// How values become colours.
struct ValueScale {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;
  Hues hues = Hues::sequential;

  /// From 0 to 1; NaN for what has no place: NaN, infinities, and on a logarithmic scale what is not positive.
  [[nodiscard]] double share(double value) const;
  [[nodiscard]] std::vector<double> ticks() const;
};

/// The range of a map's values, or, where it names none, from the least to the greatest that has a place on the scale.
/// Where all differ by round-off only, the scale is wide enough to show them as one. Where values have both signs zero
/// is in the middle, and where they have a period the scale is one period long, with zero in the middle.
ValueScale value_scale(const Map& map);

}  // namespace carom::app
