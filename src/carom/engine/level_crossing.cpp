#include "carom/engine/level_crossing.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/gap_search.h"

namespace carom {

namespace {

/// The distance of looks by which the rate of a level is measured, relative to the stretch.
constexpr double kAside = 1e-6;
/// A level this near to zero, relative to how it changes over the stretch, is at zero.
constexpr double kAtLevel = 1e-14;

/// The first time from `from` on at which the level times `sign` falls below zero, counted from there.
std::optional<double> first_fall(const LevelFunction& level, double sign, double from, double duration,
                                 double roundoff) {
  const auto value = [&](double tau) { return sign * level(from + tau); };
  const double aside = kAside * duration;
  const contact::GapFunction gap = [&](double tau) {
    const double low = std::max(tau - aside, 0.0), high = std::min(tau + aside, duration);
    return contact::GapSample{value(tau), (value(high) - value(low)) / (high - low)};
  };
  contact::GapSearch search;
  search.end = duration;
  search.pieces = kLevelLooks;
  search.noise =
      std::max(roundoff,
               kAtLevel * std::max({std::abs(value(0.0)), std::abs(value(0.5 * duration)), std::abs(value(duration))}));
  search.closed = search.noise;
  return contact::first_closing(gap, search).time;
}

}  // namespace

bool is_above(const LevelFunction& level, double duration) {
  const double now = level(0.0);
  return now != 0.0 ? now > 0.0 : level(kAside * duration) > 0.0;
}

std::optional<double> first_crossing(const LevelFunction& level, AtCrossing::Way way, bool above, double duration,
                                     double roundoff) {
  double from = 0.0;
  for (;;) {
    const std::optional<double> found = first_fall(level, above ? 1.0 : -1.0, from, duration - from, roundoff);
    if (!found) return std::nullopt;
    const double time = from + *found;
    const auto wanted = above ? AtCrossing::Way::falling : AtCrossing::Way::rising;
    if (way == AtCrossing::Way::either || way == wanted) return time;
    from = time + kAside * duration;
    if (!(from < duration)) return std::nullopt;
    above = !above;
  }
}

std::vector<BodyIndex> bodies_of(const Model& model, const Level& level) {
  std::vector<BodyIndex> bodies = bodies_of(model, level.first);
  if (level.second) {
    const std::vector<BodyIndex> more = bodies_of(model, *level.second);
    bodies.insert(bodies.end(), more.begin(), more.end());
  }
  return bodies;
}

}  // namespace carom
