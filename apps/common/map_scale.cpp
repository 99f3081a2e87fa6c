#include "common/map_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::app {

namespace {

constexpr double kRoundOff = 1e-9;

/// The least of 1, 2, 5 times a power of ten that is not below `least`; of degrees also 15, 30, 45 and 90.
double round_step(double least, bool degrees) {
  if (degrees && least > 5.0 && least <= 90.0) {
    for (const double step : {10.0, 15.0, 30.0, 45.0, 90.0}) {
      if (step >= least) return step;
    }
  }
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - kRoundOff)) return factor * power;
  }
  return 10.0 * power;
}

}  // namespace

std::vector<double> even_ticks(double low, double high, int most, bool degrees) {
  std::vector<double> ticks;
  const double span = high - low;
  if (!(span > 0.0) || !std::isfinite(span)) return ticks;
  const double step = round_step(span / std::max(most, 2), degrees);
  for (double i = std::ceil(low / step - kRoundOff); i * step <= high + kRoundOff * step; i += 1.0) {
    ticks.push_back(i == 0.0 ? 0.0 : i * step);
    if (ticks.size() > 100) break;  // numbers beyond the digits of a double
  }
  return ticks;
}

std::string tick_text(double value) {
  std::string text = fmt::format("{:.6g}", value);
  // A true minus sign.
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

double ValueScale::share(double value) const {
  if (!std::isfinite(value) || (logarithmic && value <= 0.0)) return std::numeric_limits<double>::quiet_NaN();
  if (hues == Hues::cyclic && (value < low || value > high)) value -= (high - low) * std::round(value / (high - low));
  const double part = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return std::clamp(part, 0.0, 1.0);
}

std::vector<double> ValueScale::ticks() const {
  constexpr int kMost = 8;
  if (!logarithmic) return even_ticks(low, high, kMost, hues == Hues::cyclic);
  std::vector<double> ticks;
  const double decades = std::log10(high / low);
  const double stride = std::ceil(decades / kMost);
  for (double power = std::floor(std::log10(low)); power <= std::log10(high); power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      const bool shown = factor == 1.0 || decades < 3.0;
      if (shown && value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9)) ticks.push_back(value);
    }
  }
  return ticks;
}

ValueScale value_scale(const Map& map) {
  if (map.period > 0.0) return {-0.5 * map.period, 0.5 * map.period, false, Hues::cyclic};
  Range range = map.value_range;
  if (range.empty()) {
    for (const double value : map.values) {
      if (!map.logarithmic || value > 0.0) range.add(value);
    }
  }
  const Hues hues = map.counts ? Hues::counts : Hues::sequential;
  if (range.empty()) return {map.logarithmic ? 1.0 : 0.0, map.logarithmic ? 10.0 : 1.0, map.logarithmic, hues};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low <= kRoundOff * size || size == 0.0) {
    if (map.logarithmic) return {range.low / 2.0, range.high * 2.0, true, hues};
    const double margin = size == 0.0 ? 1.0 : 0.5 * size;
    return {range.low - margin, range.high + margin, false, hues};
  }
  if (range.low < 0.0 && range.high > 0.0) return {-size, size, false, Hues::diverging};
  return {range.low, range.high, map.logarithmic, hues};
}

}  // namespace carom::app
