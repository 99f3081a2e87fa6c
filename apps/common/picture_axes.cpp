#include "common/picture_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::app {
namespace {

/// The part of an axis to show: a margin at both ends, and more where the values differ by round-off only.
Range padded(const Range& range, bool logarithmic, double scale) {
  constexpr double kMargin = 0.05;
  constexpr double kFlat = 1e-9;
  constexpr double kLargest = std::numeric_limits<double>::max();
  if (range.empty()) return logarithmic ? Range{0.1, 10.0} : Range{-1.0, 1.0};
  if (logarithmic) return {0.7 * range.low, 1.4 * std::min(range.high, 0.5 * kLargest)};
  const double size = std::max({std::abs(range.low), std::abs(range.high), scale});
  if (size == 0.0) return {-1.0, 1.0};
  // Halved, because the difference may be beyond the largest number.
  const double half = 0.5 * range.high - 0.5 * range.low;
  const double margin = half <= 0.5 * kFlat * size ? 0.1 * size : kMargin * 2.0 * half;
  return {std::max(range.low - margin, -kLargest), std::min(range.high + margin, kLargest)};
}

}  // namespace

Range y_range(const Panel& panel) {
  Range range;
  if (!panel.y_names.empty()) return {-0.3, static_cast<double>(panel.y_names.size()) - 0.7};
  for (const Curve& curve : panel.curves) {
    for (const double value : curve.y) {
      if (!panel.logarithmic || value > panel.log_floor) range.add(value);
    }
    if (curve.stems && !panel.logarithmic) range.add(0.0);
  }
  Range shown = padded(range, panel.logarithmic, panel.scale);
  // Names are written at the top.
  if (!panel.named_lines.empty() && panel.logarithmic) shown.high *= std::pow(shown.high / shown.low, 0.25);
  return shown;
}

Range widened(const Range& range) {
  if (range.low < range.high) return range;
  if (range.empty()) return {0.0, 1.0};
  const double margin = range.low == 0.0 ? 0.5 : 0.1 * std::abs(range.low);
  return {range.low - margin, range.low + margin};
}

double tic_step(const Range& range, double most) {
  const double least = range.high / most - range.low / most;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10.0 * power;
}

}  // namespace carom::app
