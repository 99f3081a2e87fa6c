#include "carom/analysis/refinement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace carom {
namespace {

constexpr double kBendTolerance = 5e-4;     ///< of the range
constexpr double kRefinedRoundOff = 1e-9;   ///< of the largest value
constexpr std::size_t kMostRefined = 4000;  ///< more than these are dense as they are
constexpr double kMostRefinedStates = 1e6;  ///< points times bodies, for what is asked of all bodies
constexpr int kDeepestThird = 5;            ///< each time a third

/// The values of all quantities at one time.
struct Point {
  double time = 0.0;
  std::vector<double> values;
};

class Refiner {
 public:
  Refiner(QuantityReader& reader, std::span<const Quantity> quantities, std::span<const Series> series)
      : reader_(reader), quantities_(quantities) {
    for (const Series& one : series) tolerances_.push_back(tolerance_of(one));
  }

  [[nodiscard]] Point at(double time, Side side = Side::after) {
    Point point{time, {}};
    for (const Quantity& quantity : quantities_) point.values.push_back(reader_.at(quantity, time, side));
    return point;
  }

  /// The points behind `a` up to and with `b`.
  void add_between(const Point& a, const Point& b, int depth, std::vector<Point>& points) {
    const double third = (b.time - a.time) / 3.0;
    const Point p = at(a.time + third), q = at(b.time - third);
    const bool has_room = a.time < p.time && p.time < q.time && q.time < b.time;
    if (has_room && (bends(a, b, p, 1.0 / 3.0) || bends(a, b, q, 2.0 / 3.0))) {
      if (depth < kDeepestThird) {
        add_between(a, p, depth + 1, points);
        add_between(p, q, depth + 1, points);
        add_between(q, b, depth + 1, points);
        return;
      }
      points.push_back(p);
      points.push_back(q);
    }
    points.push_back(b);
  }

  /// Where quantity k turns between two times, by golden section.
  [[nodiscard]] Point turning_point(std::size_t k, double from, double to, double sign) {
    constexpr double kGolden = 0.6180339887498949;
    constexpr int kSteps = 60;
    const auto height = [&](double time) { return sign * reader_.at(quantities_[k], time); };
    double a = to - kGolden * (to - from), b = from + kGolden * (to - from);
    double at_a = height(a), at_b = height(b);
    for (int step = 0; step < kSteps && a < b; ++step) {
      if (at_a > at_b) {
        to = b;
        b = a;
        at_b = at_a;
        a = to - kGolden * (to - from);
        at_a = height(a);
      } else {
        from = a;
        a = b;
        at_a = at_b;
        b = from + kGolden * (to - from);
        at_b = height(b);
      }
    }
    return at(at_a > at_b ? a : b);
  }

 private:
  static double tolerance_of(const Series& series) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : series.value) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    return high >= low ? std::max(kBendTolerance * (high - low), kRefinedRoundOff * std::max(-low, high)) : 0.0;
  }

  [[nodiscard]] bool bends(const Point& a, const Point& b, const Point& between, double share) const {
    for (std::size_t k = 0; k < tolerances_.size(); ++k) {
      const double chord = (1.0 - share) * a.values[k] + share * b.values[k];
      if (std::abs(between.values[k] - chord) > tolerances_[k]) return true;
    }
    return false;
  }

  QuantityReader& reader_;
  std::span<const Quantity> quantities_;
  std::vector<double> tolerances_;  ///< of each quantity
};

/// Moves the least (sign -1) or greatest point of quantity k to where the curve turns. At a jump it stands already.
void add_extreme(Refiner& refiner, std::size_t k, double sign, std::vector<Point>& points) {
  if (points.size() < 3) return;
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (sign * points[i].values[k] > sign * points[best].values[k]) best = i;
  }
  if (best == 0 || best + 1 == points.size()) return;
  const double from = points[best - 1].time, time = points[best].time, to = points[best + 1].time;
  if (!(from < time && time < to)) return;
  const Point turn = refiner.turning_point(k, from, to, sign);
  if (!(sign * turn.values[k] > sign * points[best].values[k])) return;
  const auto place = points.begin() + static_cast<std::ptrdiff_t>(turn.time < time ? best : best + 1);
  points.insert(place, turn);
}

bool can_be_asked(QuantityReader& reader, std::span<const Quantity> quantities, const TimeSpan& span,
                  std::size_t points) {
  if (points > kMostRefined) return false;
  const bool is_cheap = static_cast<double>(points) * static_cast<double>(reader.info().bodies) <= kMostRefinedStates;
  return std::all_of(quantities.begin(), quantities.end(), [&](const Quantity& quantity) {
    const bool is_of_all = quantity.measure == Measure::energy || quantity.measure == Measure::momentum ||
                           quantity.measure == Measure::angular_momentum;
    return (!is_of_all || is_cheap) && reader.knows_between(quantity, span);
  });
}

std::vector<Point> points_of(std::span<const Series> series) {
  std::vector<Point> points(series.front().time.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].time = series.front().time[i];
    for (const Series& one : series) points[i].values.push_back(one.value[i]);
  }
  return points;
}

}  // namespace

void refine(QuantityReader& reader, std::span<const Quantity> quantities, const TimeSpan& span,
            std::span<Series> series) {
  if (series.empty() || !can_be_asked(reader, quantities, span, series.front().time.size())) return;
  Refiner refiner(reader, quantities, series);
  std::vector<Point> given = points_of(series);
  if (reader.covers(span.from) && (given.empty() || span.from < given.front().time))
    given.insert(given.begin(), refiner.at(span.from));
  if (reader.covers(span.to) && (given.empty() || span.to > given.back().time))
    given.push_back(refiner.at(span.to, Side::before));
  if (given.empty()) return;
  std::vector<Point> points = {given.front()};
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (given[i].time > given[i - 1].time) {
      refiner.add_between(given[i - 1], given[i], 0, points);
    } else {
      points.push_back(given[i]);
    }
  }
  for (std::size_t k = 0; k < series.size(); ++k) {
    for (const double sign : {-1.0, 1.0}) add_extreme(refiner, k, sign, points);
  }
  for (std::size_t k = 0; k < series.size(); ++k) {
    series[k] = Series{};
    for (const Point& point : points) series[k].add(point.time, point.values[k]);
  }
}

}  // namespace carom
