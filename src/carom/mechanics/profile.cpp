#include "carom/mechanics/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNever = std::numeric_limits<double>::infinity();
/// Room for round-off of sine and cosine in their ranges, relative to the amplitude.
constexpr double kSineRoundOff = 1e-15;

/// f t + φ/2π modulo whole turns: the product is kept in two parts, so that the angle is as exact after many turns as
/// time itself.
double turns_of(const SineProfile& sine, double time) {
  const double turns = sine.frequency * time;
  const double lost = std::fma(sine.frequency, time, -turns);
  return ((turns - std::floor(turns)) + lost) + sine.phase / kTurn;
}

/// sin 2πx, exactly 0 and ±1 at quarter turns: what begins with a quarter turn begins at rest.
double sine_of_turns(double x) {
  const double quarters = std::round(4.0 * x);
  const double rest = kTurn * (x - 0.25 * quarters);
  const double quarter = quarters - 4.0 * std::floor(0.25 * quarters);
  if (quarter == 0.0) return std::sin(rest);
  if (quarter == 1.0) return std::cos(rest);
  return quarter == 2.0 ? -std::sin(rest) : -std::cos(rest);
}

/// Range of sin 2πx over [first, first + length].
ValueRange sine_range(double first, double length) {
  if (!(length < 1.0)) return {-1.0, 1.0};
  const double begin = sine_of_turns(first), end = sine_of_turns(first + length);
  ValueRange range{std::min(begin, end), std::max(begin, end)};
  // Whether a top, or a bottom, lies within.
  const auto passes = [&](double top) {
    const double turns = first - top;
    return std::ceil(turns) - turns <= length;
  };
  if (passes(0.25)) range.high = 1.0;
  if (passes(-0.25)) range.low = -1.0;
  return {std::max(range.low - kSineRoundOff, -1.0), std::min(range.high + kSineRoundOff, 1.0)};
}

ValueRange scaled(const ValueRange& range, double factor) {
  return factor >= 0.0 ? ValueRange{factor * range.low, factor * range.high}
                       : ValueRange{factor * range.high, factor * range.low};
}

Jet polynomial_at(const std::vector<double>& c, double time) {
  Jet jet;
  for (std::size_t k = c.size(); k-- > 0;) {
    jet.acceleration = jet.acceleration * time + 2.0 * jet.rate;
    jet.rate = jet.rate * time + jet.value;
    jet.value = jet.value * time + c[k];
  }
  return jet;
}

/// The polynomial about the middle m of the stretch, p(m + x) = Σ dₖ xᵏ, stays within d₀ ± Σ |dₖ| hᵏ for |x| ≤ h, and
/// likewise its derivatives.
JetRange polynomial_range(std::vector<double> d, double from, double length) {
  const double h = 0.5 * length, middle = from + h;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t k = d.size() - 1; k-- > i;) d[k] += middle * d[k + 1];
  const auto range = [&](std::size_t order) {
    double centre = 0.0, off = 0.0, power = 1.0;
    for (std::size_t k = order; k < d.size(); ++k, power *= h) {
      double factor = 1.0;
      for (std::size_t j = 0; j < order; ++j) factor *= static_cast<double>(k - j);
      if (k == order) {
        centre = factor * d[k];
      } else {
        off += factor * std::abs(d[k]) * power;
      }
    }
    return ValueRange{centre - off, centre + off};
  };
  return {range(0), range(1), range(2)};
}

Jet jet_of(const Profile& profile, double time) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) {
    const double w = kTurn * sine->frequency, turns = turns_of(*sine, time);
    const double value = sine->amplitude * sine_of_turns(turns);
    return {value, sine->amplitude * w * sine_of_turns(turns + 0.25), -w * w * value};
  }
  if (const auto* const polynomial = std::get_if<PolynomialProfile>(&profile))
    return polynomial_at(polynomial->coefficients, time);
  if (const auto* const spline = std::get_if<CubicSpline>(&profile)) return spline->at(time);
  return {};
}

}  // namespace

Jet jet_at(const Profile& profile, double time, double carry) {
  Jet jet = jet_of(profile, time);
  jet.value += carry * jet.rate;
  jet.rate += carry * jet.acceleration;
  return jet;
}

JetRange jet_range(const Profile& profile, double from, double length) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) {
    const double w = kTurn * sine->frequency, turns = turns_of(*sine, from), more = sine->frequency * length;
    const ValueRange value = scaled(sine_range(turns, more), sine->amplitude);
    const ValueRange rate = scaled(sine_range(turns + 0.25, more), sine->amplitude * w);
    return {value, rate, scaled(value, -w * w)};
  }
  if (const auto* const polynomial = std::get_if<PolynomialProfile>(&profile))
    return polynomial_range(polynomial->coefficients, from, length);
  if (const auto* const spline = std::get_if<CubicSpline>(&profile)) return spline->over(from, from + length);
  return {};
}

double longest_window(const Profile& profile, double from) {
  const auto* const spline = std::get_if<CubicSpline>(&profile);
  return spline == nullptr ? kNever : spline->longest_window(from);
}

double quiet_window(const Profile& profile, double from) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) return 0.125 / sine->frequency;
  if (const auto* const spline = std::get_if<CubicSpline>(&profile)) return spline->next_knot(from) - from;
  return kNever;
}

double next_stop(const Profile& profile, double time) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) return time + 0.125 / sine->frequency;
  if (const auto* const spline = std::get_if<CubicSpline>(&profile)) return spline->next_knot(time);
  return kNever;
}

double still_from(const Profile& profile) {
  if (is_still(profile)) return -kNever;
  if (const auto* const polynomial = std::get_if<PolynomialProfile>(&profile)) {
    const std::vector<double>& c = polynomial->coefficients;
    const bool constant = c.empty() || std::all_of(c.begin() + 1, c.end(), [](double value) { return value == 0.0; });
    return constant ? -kNever : kNever;
  }
  const auto* const spline = std::get_if<CubicSpline>(&profile);
  return spline != nullptr && spline->ends() == SplineEnds::rest ? spline->times().back() : kNever;
}

}  // namespace carom
