#include "carom/laws/corner/prediction.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/laws/corner/iteration.h"

namespace carom::corner {
namespace {

/// c and the roots r±, or √ε and θ, from α and ε. c² − 4ε = ((1−ε) − (1+ε) sin 2α)((1−ε) + (1+ε) sin 2α) is taken in
/// this form: the difference keeps its digits near a double root.
struct Roots {
  Roots(double alpha, double e) : restitution(e) {
    const double sine = std::sin(2.0 * alpha);
    c = (1.0 + e) * std::cos(2.0 * alpha);
    const double discriminant = ((1.0 - e) - (1.0 + e) * sine) * ((1.0 - e) + (1.0 + e) * sine);
    real = discriminant >= 0.0;
    root = std::sqrt(std::abs(discriminant));
    if (real) {
      large = c >= 0.0 ? (c + root) / 2.0 : (c - root) / 2.0;
      small = large != 0.0 ? e / large : 0.0;
      const double ratio = large != 0.0 ? small / large : 0.0;
      log_ratio = ratio < 0.5 ? std::log(ratio) : std::log1p(-root / std::abs(large));
    } else {
      large = std::sqrt(e);
      theta = std::atan2(root, c);
    }
  }

  double restitution;
  double c;
  bool real;
  double root;             ///< √|c² − 4ε|
  double large = 0.0;      ///< the root of larger modulus; √ε, the modulus, where they are complex
  double small = 0.0;      ///< the other one, where they are real
  double log_ratio = 0.0;  ///< ln(r₋/r₊) of positive real roots; −∞ for ε = 0
  double theta = 0.0;      ///< argument of the complex roots
};

/// State n, divided by large^(n−1) so that it neither fades nor overflows.
class ClosedForm {
 public:
  ClosedForm(const Roots& roots, double a, double p) : r_(roots), a_(a), p_(p) {}

  /// aₙ / large^(n−1), n ≥ 1.
  [[nodiscard]] double approach(double n) const {
    if (!r_.real) return a_ * growth(n + 1.0) * r_.large + p_ * growth(n);
    return (r_.large * a_ + p_) * growth(n) + a_ * r_.large * std::exp(n * r_.log_ratio);
  }

  /// pₙ / large^(n−1) = −ε aₙ₋₁ / large^(n−1), n ≥ 1.
  [[nodiscard]] double parting(double n) const {
    if (n == 1.0) return -r_.restitution * a_;
    return r_.large == 0.0 ? 0.0 : -r_.restitution * approach(n - 1.0) / r_.large;
  }

  /// ln large^(n−1).
  [[nodiscard]] double log_scale(double n) const { return n == 1.0 ? 0.0 : (n - 1.0) * std::log(std::abs(r_.large)); }

 private:
  /// Gₙ / large^(n−1).
  [[nodiscard]] double growth(double n) const {
    if (!r_.real) return std::sin(n * r_.theta) / std::sin(r_.theta);
    if (r_.root == 0.0) return n;
    return -std::expm1(n * r_.log_ratio) * std::abs(r_.large) / r_.root;
  }

  Roots r_;
  double a_, p_;
};

/// The start of the run of single impacts, in plain range.
struct Start {
  double k;
  double a, p;            ///< approaching and parting wall speed
  double approach, rest;  ///< thresholds, scaled
  std::int64_t limit;     ///< steps still allowed
};

/// The first n in [1, limit] after which the algorithm stops; limit + 1 where there is none.
Prediction single_impacts(const Roots& roots, const Start& start) {
  const auto first = roots.c * start.a + start.p;
  const double x1 = (first - roots.restitution * start.a) / (2.0 * start.k);
  const double y1 = (first + roots.restitution * start.a) / 2.0;
  if (start.limit == 0) return {0, Stop::step_limit};
  if (first <= start.approach) return {1, Stop::z0};
  if (std::hypot(x1, y1) <= start.rest) return {1, Stop::rest};

  const ClosedForm state(roots, start.a, start.p);
  const auto leaves = [&](std::int64_t n) {
    const double a = state.approach(static_cast<double>(n));
    if (a <= 0.0) return true;
    return start.approach > 0.0 && a * std::exp(state.log_scale(static_cast<double>(n))) <= start.approach;
  };
  const auto rests = [&](std::int64_t n) {
    if (start.rest == 0.0) return false;
    const double a = state.approach(static_cast<double>(n));
    const double p = state.parting(static_cast<double>(n));
    const double norm = std::hypot((a + p) / (2.0 * start.k), (a - p) / 2.0);
    return norm * std::exp(state.log_scale(static_cast<double>(n))) <= start.rest;
  };

  std::int64_t high = start.limit;  // stops at or before this step, if it stops at all
  bool stops_at_high = false;
  if (!roots.real) {
    const double delta = std::atan2(start.a * std::sin(roots.theta),
                                    start.a * std::cos(roots.theta) + start.p / std::sqrt(roots.restitution));
    const double sign_change = std::ceil((std::numbers::pi - delta) / roots.theta);
    if (sign_change <= static_cast<double>(high)) {
      high = std::max<std::int64_t>(1, static_cast<std::int64_t>(sign_change));
      stops_at_high = true;
    }
  }
  if (!stops_at_high && !leaves(high) && !rests(high)) return {start.limit, Stop::step_limit};
  std::int64_t low = 1;  // does not stop here
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    if (leaves(middle) || rests(middle)) {
      high = middle;
      stops_at_high = false;
    } else {
      low = middle;
    }
  }
  return {high, stops_at_high || leaves(high) ? Stop::z0 : Stop::rest};
}

}  // namespace

Prediction predict(const CornerProblem& problem) {
  CornerProblem plain = problem;
  plain.form = Form::xy;
  check(plain);
  const double k = std::tan(problem.alpha);
  const Roots roots(problem.alpha, problem.restitution);
  Velocity v = scaled(problem.velocity, -plain_exponent(problem.velocity));
  const double speed = threshold_scale(v.x * v.x + v.y * v.y);
  Start start{
      k, 0.0, 0.0, problem.thresholds.approach * speed, problem.thresholds.rest * speed, problem.thresholds.max_steps};

  std::int64_t before = 0;
  for (;;) {
    const double xi = k * v.x + v.y;
    const double eta = k * v.x - v.y;
    const Zone zone = zone_of(xi, eta, start.approach);
    if (zone == Zone::z0) return {before, Stop::z0};
    if (std::hypot(v.x, v.y) <= start.rest) return {before, Stop::rest};
    if (start.limit == 0) return {before, Stop::step_limit};
    if (zone != Zone::z12 || before > 0) {
      start.a = std::max(xi, eta);
      start.p = std::min(xi, eta);
      break;
    }
    v = strike_both(k, problem.restitution, v);
    before = 1;
    --start.limit;
  }
  const Prediction rest = single_impacts(roots, start);
  return {before + rest.steps, rest.stop};
}

double spectral_radius(double alpha, double restitution) {
  CornerProblem problem;
  problem.alpha = alpha;
  problem.restitution = restitution;
  check(problem);
  const Roots roots(alpha, restitution);
  return roots.real ? roots.large * roots.large : restitution;
}

bool always_exits(double alpha, double restitution) {
  CornerProblem problem;
  problem.alpha = alpha;
  problem.restitution = restitution;
  check(problem);
  return alpha >= std::numbers::pi / 4 || (1.0 + restitution) * std::sin(2.0 * alpha) > 1.0 - restitution;
}

}  // namespace carom::corner
