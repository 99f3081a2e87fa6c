#include "carom/engine/event/time_of_impact.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/engine/event/shape_support.h"

namespace carom::event {

namespace {

/// Evaluations of one search before the caller is asked to come back.
constexpr int kMostSteps = 400;
/// Steps in one search after which short ones are replaced by samples (see the header).
constexpr int kPatience = 100;
constexpr int kSmoothPatience = 350;
constexpr int kSamples = 8;
/// Gaps and steps below this part of the size are minute.
constexpr double kMinute = 1e-6;

/// Obstacles that never change have moved since time 0; beyond this age [s] that says nothing about round-off.
constexpr double kOldest = 1.0;

/// Part of ε_d that a gap which opens is taken to be at least.
constexpr double kLeavingLevel = 1e-4;

/// The instant τ after the beginning of the stretch.
Advance instant(const Stretch& stretch, double tau, bool hit) {
  const double time = stretch.time + tau;
  if (!(time <= stretch.horizon)) return {stretch.horizon, 0.0, false};
  // What rounding took from the sum (Knuth), and what the beginning carried.
  const double back = time - stretch.time;
  const double lost = (stretch.time - (time - back)) + (tau - back);
  return {time, lost + stretch.carry, hit};
}

/// First τ ≥ 0 at which c₀ + c₁τ + c₂τ² reaches zero from above; infinite where it never does. c₀ ≤ 0 and falling: 0.
double first_descent(double c0, double c1, double c2) {
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
double safe_root(double c0, double c1, double m) {
  return first_descent(c0, c1, -0.5 * m);
}

/// Both objects at one time, and how they move relative to each other.
struct Relative {
  BodyState a, b;
  Vector3d velocity;      ///< of the centres, a − b
  Vector3d acceleration;  ///< constant part, a − b
  double spread;          ///< of the acceleration

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

TurningDirection seen_from(const BodyState& state, const Motion& motion, const Vector3d& world_direction) {
  // u = Aᵀw of a fixed w: u̇ = u × ω (body frame) = Aᵀ(w × ω).
  const Quaterniond inverse = state.orientation.conjugate();
  return {inverse * world_direction, inverse * world_direction.cross(state.angular_velocity), motion.max_spin,
          motion.max_spin_rate};
}

/// A τ with f(τ) ≥ 0 close to the root of a concave f with f(0) = first > 0: nothing touches before it. False position
/// with the Illinois rule, the left end always on the safe side.
template <class Function>
double safe_concave_root(const Function& f, double first, double reach) {
  double left = 0.0, f_left = first;
  double right = reach, f_right = f(reach);
  if (f_right >= 0.0) return reach;
  int same = 0;  // turns that moved the same end: > 0 the left one, < 0 the right one
  for (int k = 0; k < 60 && right - left > 0.02 * left; ++k) {
    double middle = left + (right - left) * (f_left / (f_left - f_right));
    if (!(middle > left && middle < right) || (k & 7) == 7) middle = 0.5 * (left + right);
    const double value = f(middle);
    if (value >= 0.0) {
      left = middle;
      f_left = value;
      same = same > 0 ? same + 1 : 1;
      if (same > 1) f_right *= 0.5;
    } else {
      right = middle;
      f_right = value;
      same = same < 0 ? same - 1 : -1;
      if (same < -1) f_left *= 0.5;
    }
  }
  return left;
}

/// Lower bound of the gap for convex a and b (b may be a half-space that does not spin).
double convex_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double room) {
  const Vector3d& n = near.normal;
  const SupportBound ha(*a.shape, seen_from(now.a, *a.motion, -n));
  const bool plane = b.kind == ShapeKind::half_space;
  const SupportBound hb =
      plane ? ha : SupportBound(*b.shape, seen_from(now.b, *b.motion, n));  // a half-space has no support to turn
  const double c1 = n.dot(now.velocity);
  const double push = -n.dot(now.acceleration) + now.spread;  // centres approach with at most this acceleration
  double best = 0.0;
  // Bounding balls: valid however the bodies turn.
  if (std::isfinite(a.radius) && (plane || std::isfinite(b.radius))) {
    const double slack = near.distance + (ha.value() - a.radius) + (plane ? 0.0 : hb.value() - b.radius);
    if (slack > 0.0) best = std::min(first_descent(slack, c1, -0.5 * push), room);
  }
  if (ha.smooth() && (plane || hb.smooth())) {
    const double rate = c1 - ha.rate() - (plane ? 0.0 : hb.rate());
    const double m = push + ha.curvature() + (plane ? 0.0 : hb.curvature());
    return std::max(best, first_descent(near.distance, rate, -0.5 * m));
  }
  const double start = ha.value() + (plane ? 0.0 : hb.value());
  const double m = std::max(push, 0.0);
  const auto f = [&](double tau) {
    return near.distance + start + tau * (c1 - 0.5 * m * tau) - ha.at(tau) - (plane ? 0.0 : hb.at(tau));
  };
  const double m_all = m + ha.curvature() + (plane ? 0.0 : hb.curvature());
  // Without the support's linear part the root is no later than with the fastest lever.
  const double slowest = c1 + (a.motion->max_spin * a.radius) + (plane ? 0.0 : b.motion->max_spin * b.radius);
  const double reach = std::min(room, safe_root(near.distance, slowest, m_all));
  if (!(reach > 0.0)) return best;
  if (!std::isfinite(reach)) return reach;  // nothing turns and the centres part
  return std::max(best, safe_concave_root(f, near.distance, reach));
}

/// A sphere a inside a shell or a bore b: in b's frame, y the centre.
double hollow_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double room) {
  const Quaterniond inverse = now.b.orientation.conjugate();
  const Vector3d y = inverse * (now.a.position - now.b.position);
  const double spin = now.b.angular_velocity.norm();
  const bool turns = b.kind == ShapeKind::bore && spin > 0.0;
  const Vector3d dy =
      inverse * (now.velocity - (turns ? Vector3d(now.b.angular_velocity.cross(now.a.position - now.b.position))
                                       : Vector3d(Vector3d::Zero())));
  double window = room;
  double push = now.acceleration.norm() + now.spread;
  if (turns) {
    // Coriolis and centrifugal terms of the turning frame, bounded over the window.
    window = std::min(room, 0.1 / spin);
    const double speed = dy.norm() + spin * y.norm() + push * window;
    const double farthest = y.norm() + speed * window;
    push += 2.0 * spin * (speed + spin * farthest) + spin * spin * farthest;
  }
  const double sphere = std::get<Sphere>(*a.shape).radius;
  // The distance changes no faster than the centre moves.
  double best = std::min(window, safe_root(std::max(near.distance, 0.0), -dy.norm(), push));
  if (const Shell* shell = std::get_if<Shell>(b.shape)) {
    const double room_inside = shell->radius - sphere;
    const auto f = [&](double tau) { return room_inside - (y + tau * dy).norm() - 0.5 * push * tau * tau; };
    if (f(0.0) > 0.0) {
      const double reach = std::min(window, (2.0 * room_inside) / std::max(dy.norm(), 1e-300));
      best = std::max(best, safe_concave_root(f, f(0.0), reach));
    }
    return best;
  }
  const Bore& bore = std::get<Bore>(*b.shape);
  const double room_inside = bore.radius - sphere;
  const auto radial = [&](double tau) {
    return room_inside - (y + tau * dy).head<2>().norm() - 0.5 * push * tau * tau;
  };
  if (radial(0.0) > 0.0) {
    const double across = std::max(dy.head<2>().norm(), 1e-300);
    best = std::max(best, safe_concave_root(radial, radial(0.0), std::min(window, 2.0 * room_inside / across)));
  }
  const double above = std::abs(y.z()) - bore.half_length - sphere;
  if (above > 0.0) best = std::max(best, std::min(window, safe_root(above, y.z() > 0.0 ? dy.z() : -dy.z(), push)));
  return best;
}

bool is_smooth(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid;
}

bool plane_or_smooth(ShapeKind kind) {
  return kind == ShapeKind::half_space || is_smooth(kind);
}

/// How a frame that carries the normal turns: with |W| ≤ max_spin, |Ẇ| ≤ max_spin_rate.
struct Carrier {
  Vector3d spin;
  double max_spin;
  double max_spin_rate;
  const Motion* body;  ///< of the object whose own frame it is; null where it is nobody's
};

/// Lower bound of the gap with the normal fixed in a turning frame: sharp where bodies turn together, and the only one
/// for a half-space that turns. In that frame the centres feel 2W × ẏ, W × (W × y) and Ẇ × y, and a body turns with ω −
/// W.
double carried_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double room,
                    const Carrier& carrier) {
  const double w = carrier.max_spin;
  double window = room;
  if (w > 0.0) window = std::min(window, 0.1 / w);
  if (carrier.max_spin_rate > 0.0) window = std::min(window, 0.1 / std::sqrt(carrier.max_spin_rate));
  const Vector3d offset = now.a.position - now.b.position;
  const double steady = now.acceleration.norm() + now.spread;
  const double speed = now.velocity.norm() + steady * window;
  const double farthest = offset.norm() + speed * window;
  const double push = steady + 2.0 * w * (speed + w * farthest) + (w * w + carrier.max_spin_rate) * farthest;
  const Vector3d& n = near.normal;
  const auto seen = [&](const BodyState& state, const Motion& motion, const Vector3d& direction) {
    BodyState relative = state;
    relative.angular_velocity -= carrier.spin;
    Motion turning;
    turning.max_spin_rate = motion.max_spin_rate + carrier.max_spin_rate + w * motion.max_spin;
    turning.max_spin = relative.angular_velocity.norm() + turning.max_spin_rate * window;
    if (&motion == carrier.body) turning.max_spin = turning.max_spin_rate = 0.0;
    return seen_from(relative, turning, direction);
  };
  const bool plane = b.kind == ShapeKind::half_space;
  const SupportBound ha(*a.shape, seen(now.a, *a.motion, -n));
  const SupportBound hb = plane ? ha : SupportBound(*b.shape, seen(now.b, *b.motion, n));
  const double c1 = n.dot(now.velocity - carrier.spin.cross(offset));
  const double start = ha.value() + (plane ? 0.0 : hb.value());
  const auto f = [&](double tau) {
    return near.distance + start + tau * (c1 - 0.5 * push * tau) - ha.at(tau) - (plane ? 0.0 : hb.at(tau));
  };
  return near.distance > 0.0 ? safe_concave_root(f, near.distance, window) : 0.0;
}

double safe_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double room) {
  if (b.kind == ShapeKind::shell || b.kind == ShapeKind::bore) return hollow_step(a, b, now, near, room);
  const auto carried = [&](const BodyState& state, const Motion& motion) {
    return carried_step(a, b, now, near, room,
                        {state.angular_velocity, motion.max_spin, motion.max_spin_rate, &motion});
  };
  if (b.kind == ShapeKind::half_space && b.motion->max_spin > 0.0) return carried(now.b, *b.motion);
  const double fixed = convex_step(a, b, now, near, room);
  if (b.kind == ShapeKind::half_space || (is_smooth(a.kind) && is_smooth(b.kind))) return fixed;
  return std::max({fixed, carried(now.a, *a.motion), carried(now.b, *b.motion)});
}

bool polynomial(const Motion& motion) {
  return motion.turning != Turning::integrated;
}

Advance sphere_on_plane(const Mover& a, const Mover& b, const Stretch& stretch) {
  const Motion& ma = *a.motion;
  const Motion& mb = *b.motion;
  const double ta = ma.since(stretch.time, stretch.carry);
  const double tb = mb.since(stretch.time, stretch.carry);
  const Vector3d& n = b.normal;
  // The constant n·x is subtracted before the motion is added, so that a gap near zero keeps its digits.
  const double gap = n.dot(ma.position - mb.position) - std::get<Sphere>(*a.shape).radius;
  const double c2 = 0.5 * n.dot(ma.acceleration - mb.acceleration);
  const double v_a = n.dot(ma.velocity), a_a = n.dot(ma.acceleration);
  const double v_b = n.dot(mb.velocity);
  const double c0 = gap + ta * (v_a + 0.5 * a_a * ta) - tb * v_b;
  double c1 = v_a + a_a * ta - v_b;
  if (c0 <= 0.0 && c1 < 0.0) {
    if (-c1 > kRateRoundoff * (ma.velocity.norm() + mb.velocity.norm() + std::abs(a_a * ta)))
      return instant(stretch, 0.0, true);
    c1 = 0.0;
  }
  return instant(stretch, first_descent(c0, c1, c2), true);
}

/// Relative motion is straight: |x + vτ| = R.
double sphere_on_sphere(const Mover& a, const Mover& b, const Stretch& stretch) {
  const double ta = a.motion->since(stretch.time, stretch.carry);
  const double tb = b.motion->since(stretch.time, stretch.carry);
  const Vector3d x = a.motion->position_after(ta) - b.motion->position_after(tb);
  const Vector3d v = a.motion->velocity_after(ta) - b.motion->velocity_after(tb);
  const double reach = a.radius + b.radius;
  const double closing = x.dot(v);
  if (closing >= 0.0) return kForever;
  const double c = x.squaredNorm() - reach * reach;
  if (c <= 0.0) {
    const double speeds = a.motion->velocity_after(ta).norm() + b.motion->velocity_after(tb).norm();
    return closing < -kRateRoundoff * speeds * reach ? 0.0 : kForever;
  }
  const double discriminant = closing * closing - v.squaredNorm() * c;
  if (discriminant < 0.0) return kForever;
  return c / (-closing + std::sqrt(discriminant));
}

/// How long the balls around two bodies in equal acceleration, or a ball and a plane, do not meet; 0 where there is no
/// closed form.
double bounding_start(const Mover& a, const Mover& b, const Stretch& stretch) {
  if (!polynomial(*a.motion) || !polynomial(*b.motion)) return 0.0;
  const double ta = a.motion->since(stretch.time, stretch.carry);
  const double tb = b.motion->since(stretch.time, stretch.carry);
  const Vector3d x = a.motion->position_after(ta) - b.motion->position_after(tb);
  if (b.kind == ShapeKind::half_space) {
    if (b.motion->max_spin > 0.0) return 0.0;
    const double gap = b.normal.dot(x) - a.radius;
    if (gap <= 0.0) return 0.0;
    const double rate = b.normal.dot(a.motion->velocity_after(ta) - b.motion->velocity_after(tb));
    return first_descent(gap, rate, 0.5 * b.normal.dot(a.motion->acceleration - b.motion->acceleration));
  }
  if (!std::isfinite(a.radius) || !std::isfinite(b.radius)) return 0.0;
  if (a.motion->acceleration != b.motion->acceleration) return 0.0;
  const double reach = a.radius + b.radius;
  if (x.squaredNorm() <= reach * reach) return 0.0;
  return sphere_on_sphere(a, b, stretch);
}

/// τ moved on by a safe step, by at least a unit of round-off of the times since the motions began.
double later(const Mover& a, const Mover& b, const Stretch& stretch, double tau, double step) {
  const double age = std::max(std::abs(a.motion->since(stretch.time)), std::abs(b.motion->since(stretch.time)));
  return tau + std::max(step, 2.3e-16 * (std::min(age, kOldest) + tau));
}

/// Rate below which an approach is round-off.
double rate_roundoff(const Mover& a, const Mover& b, const Relative& now) {
  const double turning_a = std::isfinite(a.radius) ? now.a.angular_velocity.norm() * a.radius : 0.0;
  const double turning_b = std::isfinite(b.radius) ? now.b.angular_velocity.norm() * b.radius : 0.0;
  return kRateRoundoff * (now.a.velocity.norm() + now.b.velocity.norm() + turning_a + turning_b);
}

/// What is added to a gap at round-off level that does not close, so that time can advance. A bounce is not to come
/// back below the level that it leaves, or it would gain speed; what leaves slower than gaps of ε_d can tell (or not at
/// all) may sink by ε_d.
double level_to_leave(const Mover& a, const Mover& b, const Relative& now, double rate, double roundoff) {
  double acceleration = now.acceleration.norm() + now.spread;
  for (const Mover* mover : {&a, &b}) {
    const Motion& motion = *mover->motion;
    if (std::isfinite(mover->radius))
      acceleration += (motion.max_spin * motion.max_spin + motion.max_spin_rate) * mover->radius;
  }
  return rate > 0.1 * std::sqrt(2.0 * acceleration * roundoff) ? kLeavingLevel * roundoff : 2.0 * roundoff;
}

/// Where two edges meet the normal turns with both: the bound with a normal that turns as the true one does now. Any
/// direction gives a bound, so an estimate of how it turns will do; it is tried where the other steps are short.
double tracked_step(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch, double tau,
                    const Relative& now, const Proximity& near, double other) {
  const double speed = now.velocity.norm() + a.motion->max_spin * a.radius +
                       (std::isfinite(b.radius) ? b.motion->max_spin * b.radius : 0.0);
  if (!(speed > 0.0) || other * speed > 1e-3 * a.radius) return 0.0;
  const double ahead = 1e-6 * a.radius / speed;
  const Relative then(a, b, stretch, tau + ahead);
  const Vector3d next = pair.proximity(*a.shape, then.a.pose(), *b.shape, then.b.pose()).normal;
  const Vector3d spin = near.normal.cross(next) / ahead;
  const double room = stretch.horizon - stretch.time - tau;
  return carried_step(a, b, now, near, room, {spin, spin.norm(), 0.0, nullptr});
}

/// The gap of a pair at a time of the stretch, and what of it is round-off.
struct Look {
  double gap;
  double roundoff;
};

Look look(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch, double tau) {
  const Relative now(a, b, stretch, tau);
  const Proximity near = pair.proximity(*a.shape, now.a.pose(), *b.shape, now.b.pose());
  const double size = std::min(a.radius, b.radius);
  return {near.distance, gap_roundoff(size, now.a.position.norm() + now.b.position.norm()) + near.residual};
}

/// Looks ahead in samples from τ over `length`: how far no overlap is seen, and whether one was (then that is where it
/// begins, to the resolution of time).
struct Ahead {
  double tau;
  bool overlaps;
};

Ahead look_ahead(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch, double tau,
                 double length) {
  double clear = tau;
  for (int k = 1; k <= kSamples; ++k) {
    const double at = tau + length * k / kSamples;
    const Look seen = look(pair, a, b, stretch, at);
    if (seen.gap >= -2.0 * seen.roundoff) {
      clear = at;
      continue;
    }
    double low = clear, high = at;
    for (int turn = 0; turn < 60 && high - low > 1e-15 * (high - tau); ++turn) {
      const double middle = 0.5 * (low + high);
      const Look there = look(pair, a, b, stretch, middle);
      (there.gap >= 0.0 ? low : high) = middle;
    }
    return {low, true};
  }
  return {clear, false};
}

Advance advance(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch) {
  const double room = stretch.horizon - stretch.time;
  double tau = bounding_start(a, b, stretch);
  const double size = std::min(a.radius, b.radius);
  bool sampled = false;
  double stride = 0.0;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!(tau < room)) return {stretch.horizon, 0.0, false, sampled};
    const Relative now(a, b, stretch, tau);
    Proximity near = pair.proximity(*a.shape, now.a.pose(), *b.shape, now.b.pose());
    const double roundoff = gap_roundoff(size, now.a.position.norm() + now.b.position.norm()) + near.residual;
    if (near.distance <= roundoff) {
      const double rate = now.rate(near);
      if (rate < -rate_roundoff(a, b, now)) {
        // The last part of a gap at round-off level, by Newton's step.
        Advance found = instant(stretch, tau + (near.distance > 0.0 ? near.distance / -rate : 0.0), true);
        found.sampled = sampled;
        return found;
      }
      near.distance = level_to_leave(a, b, now, rate, roundoff) + std::max(near.distance, 0.0);
    }
    double step_size = safe_step(a, b, now, near, room - tau);
    if (!is_smooth(a.kind) && b.kind != ShapeKind::half_space)
      step_size = std::max(step_size, tracked_step(pair, a, b, stretch, tau, now, near, step_size));
    const double speed = now.velocity.norm() + a.motion->max_spin * a.radius +
                         (std::isfinite(b.radius) ? b.motion->max_spin * b.radius : 0.0);
    const int patience = is_smooth(a.kind) && plane_or_smooth(b.kind) ? kSmoothPatience : kPatience;
    if (step >= patience && step_size * speed < kMinute * size && near.distance < kMinute * size) {
      sampled = true;
      stride = std::min(std::max(2.0 * stride, kMinute * size / speed), room - tau);
      const Ahead ahead = look_ahead(pair, a, b, stretch, tau, stride);
      if (ahead.overlaps) {
        Advance found = instant(stretch, ahead.tau, true);
        found.sampled = true;
        return found;
      }
      tau = ahead.tau;
      continue;
    }
    stride = 0.0;
    tau = later(a, b, stretch, tau, step_size);
  }
  Advance reached = instant(stretch, tau, false);
  reached.sampled = sampled;
  return reached;
}

}  // namespace

double gap_roundoff(double size, double coordinates) {
  const double scale = std::isfinite(size) ? size : 0.0;
  return std::max(kGapRoundoff * scale, 16.0 * 2.2e-16 * coordinates);
}

Advance first_contact(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch) {
  if (!(stretch.time < stretch.horizon)) return {stretch.horizon, 0.0, false};
  const bool exact = polynomial(*a.motion) && polynomial(*b.motion);
  if (a.kind == ShapeKind::sphere && exact) {
    if (b.kind == ShapeKind::half_space && b.motion->max_spin == 0.0) return sphere_on_plane(a, b, stretch);
    if (b.kind == ShapeKind::sphere && a.motion->acceleration == b.motion->acceleration)
      return instant(stretch, sphere_on_sphere(a, b, stretch), true);
  }
  return advance(pair, a, b, stretch);
}

Advance first_contact_of_spot(const Mover& a, const Spot& spot, const Mover& b, const Stretch& stretch) {
  double tau = 0.0;
  const double reach = spot.centre.norm() + spot.disc_radius;
  for (int step = 0; step < kMostSteps; ++step) {
    double room = stretch.horizon - stretch.time - tau;
    if (!(room > 0.0)) return {stretch.horizon, 0.0, false};
    const Relative now(a, b, stretch, tau);
    const double spin = now.b.angular_velocity.norm();
    const Vector3d n = half_space_normal(now.b.pose());
    const Vector3d arm = now.a.orientation * spot.centre;
    const Vector3d from_plane = now.a.position + arm - now.b.position;
    // All in the frame of the plane: the body turns with ω_a − ω_b there.
    const Vector3d turning = now.a.angular_velocity - now.b.angular_velocity;
    const Vector3d velocity = now.velocity - now.b.angular_velocity.cross(now.a.position - now.b.position);
    const Quaterniond inverse = now.a.orientation.conjugate();
    const Eigen::Vector2d across = (inverse * Vector3d(-n)).head<2>();
    const Eigen::Vector2d across_rate = (inverse * Vector3d(-n.cross(turning))).head<2>();
    const double sign = spot.side == Spot::Side::near ? -1.0 : 1.0;
    const double tilt = across.norm();
    const double tilt_rate = tilt > 0.0 ? across.dot(across_rate) / tilt : -across_rate.norm();
    double gap = n.dot(from_plane) + sign * spot.disc_radius * tilt;
    const double centre_rate = n.dot(velocity + turning.cross(arm));
    const double rate = centre_rate + sign * spot.disc_radius * tilt_rate;
    const double roundoff = gap_roundoff(a.radius, now.a.position.norm() + now.b.position.norm());
    if (gap <= roundoff) {
      if (rate < -rate_roundoff(a, b, now))
        return instant(stretch, tau + (gap > 0.0 ? gap / -rate : 0.0), true);
      gap = level_to_leave(a, b, now, rate, roundoff) + std::max(gap, 0.0);
    }
    const double max_spin = a.motion->max_spin + spin;
    const double bend = (max_spin * max_spin + a.motion->max_spin_rate + spin * a.motion->max_spin) * reach;
    double push = (spin > 0.0 ? now.acceleration.norm() : -n.dot(now.acceleration)) + now.spread + bend;
    if (spin > 0.0) {
      room = std::min(room, 0.1 / spin);
      const double speed = now.velocity.norm() + max_spin * reach + push * room;
      const double farthest = from_plane.norm() + speed * room;
      push += 2.0 * spin * (speed + spin * farthest) + spin * spin * farthest;
    }
    double safe = 0.0;
    if (spot.disc_radius == 0.0 || spot.side == Spot::Side::far) {
      safe = safe_root(gap, rate, push);
    } else {
      const auto f = [&](double later) {
        const double lowest = spot.disc_radius * ((across + later * across_rate).norm() - tilt);
        return gap + later * (centre_rate - 0.5 * std::max(push, 0.0) * later) - lowest;
      };
      const double fastest = centre_rate + spot.disc_radius * across_rate.norm();
      const double end = std::min(room, safe_root(gap, fastest, std::max(push, 0.0)));
      safe = std::isfinite(end) ? safe_concave_root(f, gap, end) : end;
    }
    tau = later(a, b, stretch, tau, std::min(room, safe));
  }
  return instant(stretch, tau, false);
}

}  // namespace carom::event
