#include "carom/laws/corner/other_forms.h"

#include <cmath>
#include <numbers>

namespace carom::corner {
namespace {

/// The loop that all forms share: a `Coordinates` gives the velocity, ξ̇ and η̇ of its state and makes one step.
template <class Coordinates>
SlopeOutcome iterate_in(Coordinates& at, const CornerProblem& problem, int exponent, std::vector<TraceEntry>* trace) {
  const Velocity start = at.velocity();
  const double speed = threshold_scale(start.x * start.x + start.y * start.y);
  double approach = problem.thresholds.approach * speed;
  double rest = problem.thresholds.rest * speed;

  SlopeOutcome out{problem.velocity, 0.0, zone_of(at.xi(), at.eta(), approach), 0, Stop::z0};
  Zone zone = out.zone;
  if (trace != nullptr) trace->push_back({zone, problem.velocity});
  Velocity v = start;
  double norm = std::hypot(v.x, v.y);
  while (zone != Zone::z0 && norm > rest && out.steps < problem.thresholds.max_steps) {
    at.strike(zone);
    ++out.steps;
    v = at.velocity();
    norm = std::hypot(v.x, v.y);
    constexpr int kExponent = 300;
    while (norm < std::ldexp(1.0, -kExponent) && norm > 0.0) {
      at.lift(kExponent);
      exponent -= kExponent;
      approach = std::ldexp(approach, kExponent);
      rest = std::ldexp(rest, kExponent);
      v = at.velocity();
      norm = std::hypot(v.x, v.y);
    }
    zone = zone_of(at.xi(), at.eta(), approach);
    if (trace != nullptr) trace->push_back({zone, scaled(v, exponent)});
  }
  if (zone != Zone::z0) out.stop = norm > rest ? Stop::step_limit : Stop::rest;
  if (out.steps > 0) out.velocity = scaled(v, exponent);
  out.norm = std::ldexp(norm, exponent);
  return out;
}

/// ẋ, ẏ as speed and direction.
class Direction {
 public:
  Direction(double alpha, Velocity v)
      : alpha_(alpha), k_(std::tan(alpha)), speed_(std::hypot(v.x, v.y)), phi_(std::atan2(v.y, v.x)) {}

  [[nodiscard]] Velocity velocity() const { return {speed_ * std::cos(phi_), speed_ * std::sin(phi_)}; }
  [[nodiscard]] double xi() const { return k_ * velocity().x + velocity().y; }
  [[nodiscard]] double eta() const { return k_ * velocity().x - velocity().y; }

  void strike(Zone zone) {
    switch (zone) {
      case Zone::z0: return;
      case Zone::z1: phi_ = wrapped(2.0 * alpha_ - phi_); return;
      case Zone::z2: phi_ = wrapped(-2.0 * alpha_ - phi_); return;
      case Zone::z12: break;
    }
    const Velocity struck = strike_both(k_, 1.0, {std::cos(phi_), std::sin(phi_)});
    phi_ = std::atan2(struck.y, struck.x);
  }
  void lift(int exponent) { speed_ = std::ldexp(speed_, exponent); }

 private:
  static double wrapped(double angle) {
    constexpr double pi = std::numbers::pi;
    if (angle > pi) return angle - 2.0 * pi;
    return angle <= -pi ? angle + 2.0 * pi : angle;
  }

  double alpha_, k_, speed_, phi_;
};

/// ξ̇ and η̇, in extended precision where the platform has it: ẋ = (ξ̇+η̇)/2k loses the digits of |ẏ|/k|ẋ| in a narrow
/// corner, which doubles could not spare.
class WallSpeeds {
 public:
  WallSpeeds(double alpha, double restitution, Velocity v) : k_(std::tan(alpha)), e_(restitution) {
    const long double k2 = static_cast<long double>(k_) * k_;
    beta_ = (1.0L - k2) / (1.0L + k2);
    one_less_beta_ = 2.0L * k2 / (1.0L + k2);
    set(v);
  }

  [[nodiscard]] Velocity velocity() const {
    if (!struck_) return set_;
    return {static_cast<double>((xi_ + eta_) / (2.0L * k_)), static_cast<double>((xi_ - eta_) / 2.0L)};
  }
  [[nodiscard]] double xi() const { return static_cast<double>(xi_); }
  [[nodiscard]] double eta() const { return static_cast<double>(eta_); }

  void strike(Zone zone) {
    if (k_ < kNarrow || k_ > kFlat) return strike_extreme(zone);
    struck_ = true;
    if (zone == Zone::z1) {
      xi_ += (1.0L + e_) * beta_ * eta_;
      eta_ = -e_ * eta_;
    } else if (zone == Zone::z2) {
      eta_ += (1.0L + e_) * beta_ * xi_;
      xi_ = -e_ * xi_;
    } else if (zone == Zone::z12) {
      const long double difference = xi_ - eta_;
      const long double lambda =
          (1.0L + e_) * (xi_ * xi_ + eta_ * eta_) / (difference * difference + 2.0L * one_less_beta_ * xi_ * eta_);
      const long double to_xi = difference + one_less_beta_ * eta_;
      const long double to_eta = one_less_beta_ * xi_ - difference;
      xi_ -= lambda * to_xi;
      eta_ -= lambda * to_eta;
    }
  }
  void lift(int exponent) {
    set_ = scaled(set_, exponent);
    xi_ = std::ldexp(xi_, exponent);
    eta_ = std::ldexp(eta_, exponent);
  }

 private:
  /// Beyond these slopes ẋ, or ẏ, cannot be told from ξ̇ and η̇: both keep their values but for their own changes,
  /// −(1+ε)k/(1+k²) and ±(1+ε)/(1+k²) times the speed against the wall.
  static constexpr double kNarrow = 0x1p-20;
  static constexpr double kFlat = 0x1p20;

  void strike_extreme(Zone zone) {
    const Velocity v = velocity();
    if (zone == Zone::z12) return set(strike_both(k_, e_, v));
    const double speed = zone == Zone::z1 ? eta() : xi();
    const double change = (1.0 + e_) * speed / (1.0 + k_ * k_);
    set({v.x - k_ * change, v.y + (zone == Zone::z1 ? change : -change)});
  }

  void set(Velocity v) {
    set_ = v;
    xi_ = static_cast<long double>(k_) * v.x + v.y;
    eta_ = static_cast<long double>(k_) * v.x - v.y;
    struck_ = false;
  }

  double k_, e_;
  long double beta_, one_less_beta_;
  Velocity set_;  ///< the velocity, as long as no step has moved ξ̇ and η̇ away from it
  long double xi_ = 0.0L, eta_ = 0.0L;
  bool struck_ = false;
};

}  // namespace

SlopeOutcome iterate_phi(const CornerProblem& problem, std::vector<TraceEntry>* trace) {
  const int exponent = plain_exponent(problem.velocity);
  Direction at(problem.alpha, scaled(problem.velocity, -exponent));
  return iterate_in(at, problem, exponent, trace);
}

SlopeOutcome iterate_xi_eta(const CornerProblem& problem, std::vector<TraceEntry>* trace) {
  const int exponent = plain_exponent(problem.velocity);
  WallSpeeds at(problem.alpha, problem.restitution, scaled(problem.velocity, -exponent));
  return iterate_in(at, problem, exponent, trace);
}

}  // namespace carom::corner
