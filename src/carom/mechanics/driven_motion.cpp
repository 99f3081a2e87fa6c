#include "carom/mechanics/driven_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/mechanics/check_finite.h"

namespace carom {

using Eigen::Vector3d;

namespace {

/// How far the axis may be from unit length.
constexpr double kUnitAxis = 1e-9;

void check_profile(const Profile& profile, const std::string& field) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) {
    check_finite(sine->amplitude, field + ".amplitude");
    check_finite(sine->frequency, field + ".frequency");
    check_finite(sine->phase, field + ".phase");
    if (!(sine->frequency > 0.0)) {
      throw InputError{Kind::out_of_range, field + ".frequency",
                       fmt::format("{}.frequency is {}, expected a number > 0", field, sine->frequency)};
    }
  } else if (const auto* const polynomial = std::get_if<PolynomialProfile>(&profile)) {
    for (const double c : polynomial->coefficients) check_finite(c, field);
    if (polynomial->coefficients.size() > kMostCoefficients) {
      throw InputError{Kind::limit, field,
                       fmt::format("{} has {} coefficients, expected at most {}", field,
                                   polynomial->coefficients.size(), kMostCoefficients)};
    }
  } else if (const auto* const spline = std::get_if<CubicSpline>(&profile)) {
    for (const double bend : spline->bends()) check_finite(bend, field);
  }
}

}  // namespace

FrameMotion DrivenMotion::at(const Pose& placed, double time, double carry) const {
  const Jet s = jet_at(position, time, carry);
  FrameMotion now;
  now.pose = {.position = placed.position + s.value * axis, .orientation = placed.orientation};
  now.velocity = s.rate * axis;
  now.acceleration = s.acceleration * axis;
  if (!turns()) return now;
  const Jet turn = jet_at(angle, time, carry);
  const Eigen::Quaterniond by(Eigen::AngleAxisd(turn.value, axis));
  now.pose.orientation = (by * placed.orientation).normalized();
  now.angular_velocity = turn.rate * axis;
  now.angular_acceleration = turn.acceleration * axis;
  if (!point) return now;
  const Vector3d r = by * (placed.position - *point);
  const Vector3d across = axis.cross(r);
  now.pose.position = *point + r + s.value * axis;
  now.velocity += turn.rate * across;
  now.acceleration += turn.acceleration * across + (turn.rate * turn.rate) * axis.cross(across);
  return now;
}

FrameBounds DrivenMotion::over(const Pose& placed, double from, double length) const {
  const JetRange s = jet_range(position, from, length);
  const double now = jet_at(position, from).value;
  FrameBounds bounds;
  bounds.axis = axis;
  bounds.acceleration = s.acceleration.middle() * axis;
  bounds.acceleration_spread = s.acceleration.half();
  bounds.shift = {s.value.low - now, s.value.high - now};
  if (!turns()) return bounds;
  const JetRange turn = jet_range(angle, from, length);
  bounds.max_spin = turn.rate.largest();
  bounds.max_spin_rate = turn.acceleration.largest();
  if (!point) return bounds;
  // The origin goes round the axis at the distance ρ: φ̈ e × r − φ̇² r_⊥ at the beginning, and what it can change by.
  const Jet first = jet_at(angle, from);
  const Vector3d across = axis.cross(Eigen::AngleAxisd(first.value, axis) * (placed.position - *point));
  const double lever = across.norm();
  const double turned = std::min(bounds.max_spin * length, 2.0);  // |r − r(0)| is at most this times ρ
  const double tangential =
      std::max(turn.acceleration.high - first.acceleration, first.acceleration - turn.acceleration.low);
  const double square = bounds.max_spin * bounds.max_spin;
  const double least = turn.rate.low > 0.0 ? turn.rate.low : turn.rate.high < 0.0 ? -turn.rate.high : 0.0;
  const double centripetal = std::max(square - first.rate * first.rate, first.rate * first.rate - least * least);
  bounds.acceleration += first.acceleration * across + (first.rate * first.rate) * axis.cross(across);
  bounds.acceleration_spread += lever * (tangential + centripetal + (bounds.max_spin_rate + square) * turned);
  return bounds;
}

double DrivenMotion::longest_window(double from) const {
  return std::min(carom::longest_window(position, from), carom::longest_window(angle, from));
}

double DrivenMotion::quiet_window(double from) const {
  return std::min(carom::quiet_window(position, from), carom::quiet_window(angle, from));
}

double DrivenMotion::next_stop(double time) const {
  return std::min(carom::next_stop(position, time), carom::next_stop(angle, time));
}

double DrivenMotion::still_from() const {
  return std::max(carom::still_from(position), carom::still_from(angle));
}

void validate(const DrivenMotion& motion, const std::string& field) {
  check_finite(motion.axis, field + ".axis");
  const double length = motion.axis.norm();
  if (!(std::abs(length - 1.0) <= kUnitAxis)) {
    throw InputError{Kind::out_of_range, field + ".axis",
                     fmt::format("{}.axis has length {}, expected a vector of length 1", field, length)};
  }
  if (motion.point) check_finite(*motion.point, field + ".point");
  check_profile(motion.position, field);
  check_profile(motion.angle, field);
  if (!is_still(motion.position) || motion.turns()) return;
  throw InputError{Kind::missing_field, field, field + " neither slides nor turns, expected a position or an angle"};
}

}  // namespace carom
