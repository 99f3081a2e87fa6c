#include "carom/contact/gap_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/activity.h"

namespace carom::contact {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxDepth = 40;   // of halving
constexpr int kDoublings = 40;  // of the time after leaving
/// The estimate of the interpolation error is taken this many times.
constexpr double kDoubt = 8.0;

struct Node {
  double time;
  double gap;   // above the level
  double rate;  // ġ
};

/// The cubic Hermite interpolant of g between two nodes.
struct Cubic {
  Node a, b;

  [[nodiscard]] double at(double s) const {  // s ∈ [0, 1]
    const double h = b.time - a.time;
    const double r = 1.0 - s;
    return r * r * (1.0 + 2.0 * s) * a.gap + s * s * (3.0 - 2.0 * s) * b.gap + h * s * r * (r * a.rate - s * b.rate);
  }
  /// The least value on [0, 1].
  [[nodiscard]] double minimum() const {
    double least = std::min(a.gap, b.gap);
    // g'(s) = c₀ + 2 c₁ s + 3 c₂ s²
    const double h = b.time - a.time;
    const double c0 = h * a.rate;
    const double c1 = 3.0 * (b.gap - a.gap) - h * (2.0 * a.rate + b.rate);
    const double c2 = 2.0 * (a.gap - b.gap) + h * (a.rate + b.rate);
    const double discriminant = c1 * c1 - 3.0 * c0 * c2;
    if (discriminant < 0.0) return least;
    const double root = -(c1 + std::copysign(std::sqrt(discriminant), c1));
    for (const double s : {root / (3.0 * c2), c0 / root})
      if (s > 0.0 && s < 1.0) least = std::min(least, at(s));
    return least;
  }
};

class Searcher {
 public:
  Searcher(const GapFunction& gap, const GapSearch& search) : gap_(gap), search_(search) {}

  GapCrossing run() {
    Node start = node(0.0);
    GapCrossing answer;
    answer.proven = search_.bound.has_value();
    if (start.gap <= search_.closed) {
      // Leaving: what counts is to come back to where it left from.
      level_ = std::min(start.gap, 0.0);
      start.gap -= level_;
      const double safe = search_.bound ? 2.0 * std::max(start.rate, 0.0) / *search_.bound : 0.0;
      answer.time = leave(start);
      if (answer.time) return answer;
      answer.proven = answer.proven && start.time <= safe;
      if (start.time >= search_.end) return answer;
    }
    answer.time = search_.bound ? advance(start) : sample(start);
    return answer;
  }

 private:
  [[nodiscard]] Node node(double time) const {
    const GapSample s = gap_(time);
    return {time, s.gap - level_, s.rate};
  }

  /// Goes, doubling the time, to where the gap is clearly open. Returns a closing before that, if there is one.
  std::optional<double> leave(Node& start) const {
    const Node first = start;
    // Where the rate is clear it tells when the gap will be; otherwise begin as early as it makes sense.
    double time = std::ldexp(search_.end, -kDoublings);
    if (first.rate > 0.0) time = std::clamp(4.0 * search_.noise / first.rate, time, search_.end);
    for (;; time = std::min(2.0 * time, search_.end)) {
      const Node here = node(time);
      if (here.gap < -search_.noise) return closing_between(gap_, start.time, time, level_ - search_.noise);
      start = here;
      if (here.gap > search_.noise || time >= search_.end) break;
    }
    return std::nullopt;
  }

  std::optional<double> advance(Node here) const {
    const double bound = std::max(*search_.bound, std::numeric_limits<double>::min());
    while (true) {
      Activity::tick();
      if (here.gap <= search_.noise && here.rate < 0.0) return here.time;
      const double gap = std::max(here.gap, search_.noise);
      const double root = std::sqrt(here.rate * here.rate + 2.0 * bound * gap);
      // The form without cancellation for either sign of the rate.
      const double safe = here.rate > 0.0 ? (here.rate + root) / bound : 2.0 * gap / (root - here.rate);
      const double next = here.time + safe;
      if (!(next < search_.end)) return std::nullopt;
      if (next == here.time) return here.time;
      here = node(next);
    }
  }

  std::optional<double> sample(const Node& start) const {
    Node a = start;
    for (int i = 1; i <= search_.pieces; ++i) {
      const Node b = node(start.time + (search_.end - start.time) * i / search_.pieces);
      if (const auto found = halve(a, b, 0)) return found;
      a = b;
    }
    return std::nullopt;
  }

  std::optional<double> halve(const Node& a, const Node& b, int depth) const {
    if (a.gap < -search_.noise && a.rate < 0.0) return a.time;
    const Node middle = node(0.5 * (a.time + b.time));
    const double doubt = kDoubt * std::abs(middle.gap - Cubic{a, b}.at(0.5));
    const double least = std::min(Cubic{a, middle}.minimum(), Cubic{middle, b}.minimum());
    if (least > doubt - search_.noise) return std::nullopt;
    const bool falls = a.gap > 0.0 && b.gap < -search_.noise && a.rate < 0.0 && middle.rate < 0.0 && b.rate < 0.0;
    const bool plain = falls && doubt < 0.1 * (a.gap - b.gap);
    const bool smallest = depth >= kMaxDepth || !(middle.time > a.time && middle.time < b.time);
    if (plain || smallest) {
      if (b.gap >= -search_.noise) return std::nullopt;
      return closing_between(gap_, a.time, b.time, a.gap > 0.0 ? level_ : level_ - search_.noise);
    }
    if (const auto found = halve(a, middle, depth + 1)) return found;
    return halve(middle, b, depth + 1);
  }

  const GapFunction& gap_;
  const GapSearch& search_;
  double level_ = 0.0;
};

}  // namespace

double closing_between(const GapFunction& gap, double open, double shut, double level) {
  double time = shut;
  for (int i = 0; i < 200; ++i) {
    const GapSample here = gap(time);
    const double value = here.gap - level;
    (value > 0.0 ? open : shut) = time;
    const double newton = time - value / here.rate;
    if (std::abs(newton - time) <= 0.5 * kEpsilon * std::abs(time)) return time;
    const double middle = 0.5 * (open + shut);
    if (!(middle > open && middle < shut)) return shut;
    // Newton's step where it falls into the bracket and does not creep, else halving.
    time = newton > open && newton < shut && i % 8 != 7 ? newton : middle;
  }
  return shut;
}

GapCrossing first_closing(const GapFunction& gap, const GapSearch& search) {
  return Searcher(gap, search).run();
}

}  // namespace carom::contact
