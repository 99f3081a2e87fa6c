#pragma once
/// A number as a function of time, chosen by the user: how far something is moved, or by which angle it is turned.
///
///   sine        A sin(2π f t + φ)
///   polynomial  Σ cₖ tᵏ
///   spline      the C² interpolant of a table (numerics/cubic_spline.h)
///
/// Value and two derivatives at any time, and between which numbers they stay during a stretch of time: what searches
/// for contacts rest on.

#include <variant>
#include <vector>

#include "carom/numerics/cubic_spline.h"

namespace carom {

/// Always zero.
struct StillProfile {};

struct SineProfile {
  double amplitude = 0.0;  ///< A
  double frequency = 1.0;  ///< f > 0 [Hz]
  double phase = 0.0;      ///< φ [rad]
};

struct PolynomialProfile {
  std::vector<double> coefficients;  ///< cₖ, at most kMostCoefficients
};
inline constexpr std::size_t kMostCoefficients = 32;

using Profile = std::variant<StillProfile, SineProfile, PolynomialProfile, CubicSpline>;

/// Value and derivatives at the time time + carry; the carry is beyond the last digits of the time.
Jet jet_at(const Profile& profile, double time, double carry = 0.0);

/// Ranges over [from, from + length], length at most longest_window(profile, from). They shrink to the values at `from`
/// as the length does.
JetRange jet_range(const Profile& profile, double from, double length);

/// How long a stretch jet_range may be asked for: splines have few knots in it.
double longest_window(const Profile& profile, double from);

/// A stretch in which the acceleration changes moderately, to begin a search with; infinite where nothing says so.
double quiet_window(const Profile& profile, double from);

/// The time up to which a numerical integration may step in one go: the third derivative jumps there, or the function
/// has turned by an eighth of its period. Infinite where there is no such time.
double next_stop(const Profile& profile, double time);

/// The time from which the function does not change any more; infinite where it never ceases to.
double still_from(const Profile& profile);

inline bool is_still(const Profile& profile) {
  return std::holds_alternative<StillProfile>(profile);
}

}  // namespace carom
