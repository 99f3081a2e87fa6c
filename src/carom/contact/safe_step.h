#pragma once
/// How far time may advance so that a pair of moving objects certainly does not touch: the steps of the conservative
/// advancement (time_of_impact.h has the mathematics).

#include <algorithm>
#include <cmath>

#include "carom/contact/shape_support.h"
#include "carom/contact/time_of_impact.h"

namespace carom::contact {

/// First τ ≥ 0 at which c₀ + c₁τ + c₂τ² reaches zero from above; infinite where it never does. c₀ ≤ 0 and falling: 0.
inline double first_descent(double c0, double c1, double c2) {
  const double discriminant = c1 * c1 - 4.0 * c2 * c0;
  if (c1 < 0.0) {
    if (c0 <= 0.0) return 0.0;
    if (discriminant < 0.0) return kForever;
    return 2.0 * c0 / (-c1 + std::sqrt(discriminant));
  }
  if (c2 >= 0.0) return kForever;
  return (c1 + std::sqrt(std::max(discriminant, 0.0))) / (-2.0 * c2);
}

/// The largest τ up to which c₀ + c₁τ − ½mτ² ≥ 0, for c₀ ≥ 0, m ≥ 0.
inline double safe_root(double c0, double c1, double m) {
  return first_descent(c0, c1, -0.5 * m);
}

/// Both objects at one time, and how they move relative to each other.
struct Relative {
  BodyState a, b;
  Vector3d velocity;      ///< of the centres, a − b
  Vector3d acceleration;  ///< constant part, a − b
  double spread;          ///< of the acceleration
  double raised = 0.0;    ///< what the distance is taken to be more than it is, where it is round-off and to be left

  /// τ after the beginning of the stretch.
  Relative(const Mover& first, const Mover& second, const Stretch& stretch, double tau)
      : a(first.motion->after(first.motion->since(stretch.time, stretch.carry) + tau)),
        b(second.motion->after(second.motion->since(stretch.time, stretch.carry) + tau)),
        velocity(a.velocity - b.velocity),
        acceleration(first.motion->acceleration - second.motion->acceleration),
        spread(first.motion->acceleration_spread + second.motion->acceleration_spread) {}

  [[nodiscard]] double rate(const Proximity& near) const {
    return near.normal.dot(velocity + a.angular_velocity.cross(near.point_a - a.position) -
                           b.angular_velocity.cross(near.point_b - b.position));
  }
};

/// A τ with f(τ) ≥ 0 close to the root of a concave f with f(0) = first > 0: nothing touches before it. By parabolas
/// through three points, and by halving of the logarithm where they do not help; the left end is always on the safe
/// side. A gap that opens from next to nothing has its root far away: the first chord leads to a place all but at 0,
/// and from how f rises there the parabola finds the other end.
template <class Function>
double safe_concave_root(const Function& f, double first, double reach) {
  constexpr double kAside = 0.005;  // the parabola's root is missed on purpose, so that it comes to be between the ends
  double left = 0.0, f_left = first;
  double right = reach, f_right = f(reach);
  if (f_right >= 0.0) return reach;
  // The chord lies below f: its root is safe, whatever round-off says.
  double third = 0.0, f_third = first;
  left = reach * (first / (first - f_right));
  f_left = std::max(f(left), 0.0);
  for (int k = 0; k < 60 && right - left > 0.02 * left; ++k) {
    const double fall = (f_right - f_left) / (right - left);
    const double bend = (fall - (f_left - f_third) / (left - third)) / (right - third);
    const double root = left + first_descent(f_left, fall - bend * (right - left), bend);
    double middle = root * (1.0 + (left - third > 0.0 ? kAside : -kAside));
    if (!(middle > left && middle < right) || (k & 3) == 3) middle = std::sqrt(left) * std::sqrt(right);
    const double value = f(middle);
    double& end = value >= 0.0 ? left : right;
    double& f_end = value >= 0.0 ? f_left : f_right;
    third = end;
    f_third = f_end;
    end = middle;
    f_end = value;
  }
  return left;
}

inline bool is_smooth(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid;
}

inline bool plane_or_smooth(ShapeKind kind) {
  return kind == ShapeKind::half_space || is_smooth(kind);
}

/// How a frame that carries the normal turns: with |W| ≤ max_spin, |Ẇ| ≤ max_spin_rate.
struct Carrier {
  Vector3d spin;
  double max_spin;
  double max_spin_rate;
  const Motion* body;  ///< of the object whose own frame it is; null where it is nobody's
};

/// Evaluations of one search before the caller is asked to come back.
inline constexpr int kMostSteps = 400;
/// Obstacles that never change have moved since time 0; beyond this age [s] that says nothing about round-off.
inline constexpr double kOldest = 1.0;

/// Part of ε_d that a gap which opens is taken to be at least.
inline constexpr double kLeavingLevel = 1e-4;

/// The instant τ after the beginning of the stretch.
inline Advance instant(const Stretch& stretch, double tau, bool hit) {
  const double time = stretch.time + tau;
  if (!(time <= stretch.horizon)) return {stretch.horizon, 0.0, false};
  // What rounding took from the sum (Knuth), and what the beginning carried.
  const double back = time - stretch.time;
  const double lost = (stretch.time - (time - back)) + (tau - back);
  return {time, lost + stretch.carry, hit};
}

/// τ moved on by a safe step, by at least a unit of round-off of the times since the motions began.
inline double later(const Mover& a, const Mover& b, const Stretch& stretch, double tau, double step) {
  const double age = std::max(std::abs(a.motion->since(stretch.time)), std::abs(b.motion->since(stretch.time)));
  return tau + std::max(step, 2.3e-16 * (std::min(age, kOldest) + tau));
}

/// ε_v: rate below which an approach is round-off.
inline double rate_roundoff(const Mover& a, const Mover& b, const Relative& now, const Stretch& stretch) {
  const double turning_a = std::isfinite(a.radius) ? now.a.angular_velocity.norm() * a.radius : 0.0;
  const double turning_b = std::isfinite(b.radius) ? now.b.angular_velocity.norm() * b.radius : 0.0;
  const double speeds = now.a.velocity.norm() + now.b.velocity.norm() + turning_a + turning_b;
  return std::max(kRateRoundoff * speeds, stretch.velocity_noise);
}

/// A bound of the gap's acceleration: what centres and levers can do.
inline double acceleration_bound(const Mover& a, const Mover& b, const Relative& now) {
  double acceleration = now.acceleration.norm() + now.spread;
  for (const Mover* mover : {&a, &b}) {
    const Motion& motion = *mover->motion;
    if (std::isfinite(mover->radius))
      acceleration += (motion.max_spin * motion.max_spin + motion.max_spin_rate) * mover->radius;
  }
  return acceleration;
}

/// How long a gap at round-off level that closes with `rate` < 0 lasts at least: with that acceleration, never late.
inline double last_part(const Mover& a, const Mover& b, const Relative& now, double gap, double rate) {
  if (gap <= 0.0) return 0.0;
  return 2.0 * gap / (-rate + std::sqrt(rate * rate + 2.0 * acceleration_bound(a, b, now) * gap));
}

/// What is added to a gap at round-off level that does not close, so that time can advance. A bounce is not to come
/// back below the level that it leaves, or it would gain speed; what leaves slower than gaps of ε_d can tell (or not at
/// all) may sink by ε_d.
inline double level_to_leave(const Mover& a, const Mover& b, const Relative& now, double rate, double roundoff) {
  return rate > 0.1 * std::sqrt(2.0 * acceleration_bound(a, b, now) * roundoff) ? kLeavingLevel * roundoff
                                                                                : 2.0 * roundoff;
}

/// The step with the normal fixed in a frame that turns as the carrier does.
double carried_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining,
                    const Carrier& carrier);

/// The step of a convex body a inside a shell or a bore b.
double hollow_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining);

/// The longest step of all bounds that hold for the pair, at most about `remaining`.
double safe_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining);

}  // namespace carom::contact
