/// The part of a single contact's path in which the direction of slip turns: a Taylor series in the clock dτ = dς/|s|,
/// ς the impulse p (or |π| in the limit of large μ).
///
///   s' = r(αb) − βCs,  r² = s·s,  ς' = r,  π' = −βs,  γ = γ₀ + αaς + b·π,  (∫γdς)' = γr,  (∫f·s)' = −βr²
/// with α = 1, β = μ (in the limit α = 0, β = 1). In τ all of it is smooth up to s = 0, which τ reaches at infinity;
/// once the direction has settled the rest is a straight piece.
/// In the limit s' = −Cs: along each axis of C the slip decays by itself. Where the rate γ = γ₀ − Σ Bₖ(1 − e^(−cₖτ)),
/// Bₖ = bₖsₖ/cₖ, does not turn meanwhile, what it comes to is known at once.

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/laws/impact/single_contact.h"

namespace carom {

namespace {

constexpr int kOrder = 22;
/// Of the last terms of a series against r: what a step may leave out.
constexpr double kLeftOut = 1e-17;
constexpr int kProbes = 4;
constexpr long kMostSteps = 20000;
/// Slip below this part of the speed has died; so has slip whose direction, still to turn, cannot matter.
constexpr double kDead = 1e-13;
constexpr double kSettled = 1e-17;

using Series = std::array<double, kOrder + 1>;

double value_at(const Series& series, double x) {
  double sum = series[kOrder];
  for (int k = kOrder - 1; k >= 0; --k) sum = sum * x + series[k];
  return sum;
}

double slope_at(const Series& series, double x) {
  double sum = kOrder * series[kOrder];
  for (int k = kOrder - 1; k >= 1; --k) sum = sum * x + k * series[k];
  return sum;
}

/// The x in [low, high] where the series, which changes sign there, is zero.
double root_of(const Series& series, double low, double high) {
  const bool rises = value_at(series, high) > value_at(series, low);
  double x = 0.5 * (low + high);
  for (int step = 0; step < 80; ++step) {
    const double value = value_at(series, x);
    if ((value > 0.0) == rises) {
      high = x;
    } else {
      low = x;
    }
    double next = x - value / slope_at(series, x);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-16 * std::abs(high)) return next;
    x = next;
  }
  return x;
}

/// A direction in which slip decays slower than this part of the other's pace is left to the series.
constexpr double kSlowDecay = 1e-9;

/// The series about a point of the path.
struct Expansion {
  Series slip[2], speed, clock, friction[2], rate, work, friction_work;
};

}  // namespace

bool SingleContact::ends_slip_by_friction() {
  if (!limit_ || !compressing_) return false;
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  const double angle = 0.5 * std::atan2(2.0 * c[1], c[0] - c[2]);
  const double axis[2] = {std::cos(angle), std::sin(angle)};
  const double middle = 0.5 * (c[0] + c[2]), spread = std::hypot(0.5 * (c[0] - c[2]), c[1]);
  const double decay[2] = {middle + spread, middle - spread};
  if (!(decay[1] > kSlowDecay * decay[0])) return false;
  const double slip[2] = {s_[0] * axis[0] + s_[1] * axis[1], s_[1] * axis[0] - s_[0] * axis[1]};
  const double coupling[2] = {b[0] * axis[0] + b[1] * axis[1], b[1] * axis[0] - b[0] * axis[1]};
  const double fall[2] = {coupling[0] * slip[0] / decay[0], coupling[1] * slip[1] / decay[1]};
  const double at_end = rate_ - fall[0] - fall[1];
  if (at_end >= 0.0) return false;
  const double ratio = -coupling[0] * slip[0] / (coupling[1] * slip[1]);
  if (spread > 0.0 && ratio > 1.0) {  // between start and end the rate has an extreme
    const double clock = std::log(ratio) / (2.0 * spread);
    const double extreme = rate_ + fall[0] * std::expm1(-decay[0] * clock) + fall[1] * std::expm1(-decay[1] * clock);
    if (extreme >= 0.0) return false;
  }
  const double push[2] = {-slip[0] / decay[0], -slip[1] / decay[1]};
  pi_[0] += push[0] * axis[0] - push[1] * axis[1];
  pi_[1] += push[0] * axis[1] + push[1] * axis[0];
  rate_ = at_end;
  friction_work_ += 0.5 * (slip[0] * push[0] + slip[1] * push[1]);
  s_[0] = s_[1] = 0.0;
  mode_ = FrictionMode::slip;
  return true;
}

SingleContact::End SingleContact::follow_hodograph() {
  if (ends_slip_by_friction()) return End::slip_died;
  const double alpha = limit_ ? 0.0 : 1.0;
  const double beta = limit_ ? 1.0 : data_.friction;
  const double* b = data_.coupling;
  const double* c = data_.tangential;
  const double e = data_.restitution;
  const double fastest = alpha * std::hypot(b[0], b[1]) + beta * (c[0] + c[2]);
  Expansion x;
  for (long step = 0; step < kMostSteps; ++step) {
    Activity::tick();
    const double r = slip_speed();
    if (r <= kDead * data_.speed) {
      s_[0] = s_[1] = 0.0;
      return End::slip_died;
    }
    {
      const Piece piece = sliding_piece(s_[0] / r, s_[1] / r);
      const double along = (s_[0] * piece.slip[0] + s_[1] * piece.slip[1]) / r;
      const double across = (s_[0] * piece.slip[1] - s_[1] * piece.slip[0]) / r;
      if (along < 0.0 && across * across * r <= kSettled * data_.speed * along * along) return follow_piece(piece);
    }
    // The series.
    for (Series* series : {&x.clock, &x.friction[0], &x.friction[1], &x.work, &x.friction_work}) (*series)[0] = 0.0;
    x.slip[0][0] = s_[0];
    x.slip[1][0] = s_[1];
    x.speed[0] = r;
    x.rate[0] = rate_;
    for (int k = 0; k < kOrder; ++k) {
      const double inverse = 1.0 / (k + 1);
      const double sx = x.slip[0][k];
      const double sy = x.slip[1][k];
      x.slip[0][k + 1] = (alpha * b[0] * x.speed[k] - beta * (c[0] * sx + c[1] * sy)) * inverse;
      x.slip[1][k + 1] = (alpha * b[1] * x.speed[k] - beta * (c[1] * sx + c[2] * sy)) * inverse;
      x.clock[k + 1] = x.speed[k] * inverse;
      x.friction[0][k + 1] = -beta * sx * inverse;
      x.friction[1][k + 1] = -beta * sy * inverse;
      x.rate[k + 1] =
          alpha * data_.inertance * x.clock[k + 1] + b[0] * x.friction[0][k + 1] + b[1] * x.friction[1][k + 1];
      double square = 0.0;  // of r at order k
      double product = 0.0;
      double next = 0.0;  // s·s at order k + 1, less the inner terms of r²
      for (int i = 0; i <= k; ++i) {
        square += x.speed[i] * x.speed[k - i];
        product += x.rate[i] * x.speed[k - i];
      }
      for (int i = 0; i <= k + 1; ++i)
        next += x.slip[0][i] * x.slip[0][k + 1 - i] + x.slip[1][i] * x.slip[1][k + 1 - i];
      for (int i = 1; i <= k; ++i) next -= x.speed[i] * x.speed[k + 1 - i];
      x.speed[k + 1] = next / (2.0 * r);
      x.work[k + 1] = product * inverse;
      x.friction_work[k + 1] = -beta * square * inverse;
    }
    double length = 8.0 / fastest;
    for (const int k : {kOrder - 1, kOrder}) {
      const double term = std::max({std::abs(x.slip[0][k]), std::abs(x.slip[1][k]), std::abs(x.speed[k]), 1e-300});
      length = std::min(length, std::pow(kLeftOut * r / term, 1.0 / k));
    }
    // What ends the phase: the function that becomes positive.
    Series ending{};
    if (!compressing_) {
      switch (rule_) {
        case RestitutionRule::energetic:
          ending = x.work;
          ending[0] -= e * e * stored_;
          break;
        case RestitutionRule::kinetic:
          ending = x.clock;
          ending[0] -= stored_;
          break;
        case RestitutionRule::kinematic:
          ending = x.rate;
          ending[0] += e * data_.rate;
          break;
      }
      if (ending[0] >= 0.0) return End::finished;
    }
    End end = End::nothing;
    double low = 0.0;
    for (int probe = 1; probe <= kProbes && end == End::nothing; ++probe) {
      const double high = length * probe / kProbes;
      if (compressing_ ? value_at(x.rate, high) >= 0.0 : value_at(x.rate, high) < 0.0) {
        end = End::turned;
        length = root_of(x.rate, low, high);
      }
      if (!compressing_ && value_at(ending, high) >= 0.0) {
        const double finish = root_of(ending, low, high);
        if (end == End::nothing || finish <= length) {
          end = End::finished;
          length = finish;
        }
      }
      low = high;
    }
    // Move on.
    for (int k = 0; k < 2; ++k) {
      s_[k] = value_at(x.slip[k], length);
      pi_[k] += value_at(x.friction[k], length);
    }
    const double clock = value_at(x.clock, length);
    p_ += alpha * clock;
    rate_ = value_at(x.rate, length);
    friction_work_ += value_at(x.friction_work, length);
    if (rule_ == RestitutionRule::energetic) {
      const double work = value_at(x.work, length);
      if (compressing_ || e > 0.0) stored_ -= compressing_ ? work : work / (e * e);
    }
    if (rule_ == RestitutionRule::kinetic) stored_ += compressing_ ? e * clock : -clock;
    note_phase(FrictionMode::slip, clock);
    if (end == End::turned) turn();
    if (end != End::nothing) return end;
  }
  return End::nothing;
}

}  // namespace carom
