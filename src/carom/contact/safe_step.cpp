#include "carom/contact/safe_step.h"

namespace carom::contact {

namespace {

bool is_of_revolution(const Shape& shape) {
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Cone>(shape) ||
         std::holds_alternative<Capsule>(shape) || std::holds_alternative<Rod>(shape);
}

/// The direction of a fixed w as it is seen for so long from a mover with that spin.
TurningDirection seen_from(const Mover& mover, const BodyState& state, const Motion& motion,
                           const Vector3d& world_direction, double remaining) {
  // u = Aᵀw of a fixed w: u̇ = u × ω (body frame) = Aᵀ(w × ω).
  const Quaterniond inverse = state.orientation.conjugate();
  TurningDirection seen{inverse * world_direction, inverse * world_direction.cross(state.angular_velocity),
                        motion.max_spin, motion.max_spin_rate};
  if (mover.placement != nullptr || !is_of_revolution(*mover.shape)) return seen;
  // What is round about its axis e may be seen from a frame that does not turn about it: with ω⊥ = ω − (ω·e)e, whose
  // size changes by |ω̇| at most, and which changes itself by |ω̇| + |ω||ω⊥|.
  const Vector3d axis = state.orientation * Vector3d::UnitZ();
  const Vector3d across = state.angular_velocity - axis.dot(state.angular_velocity) * axis;
  const double spin = across.norm() + motion.max_spin_rate * remaining;
  const double spin_rate = motion.max_spin_rate + motion.max_spin * spin;
  if (spin * spin + spin_rate < seen.max_spin * seen.max_spin + seen.max_spin_rate)
    seen = {seen.direction, inverse * world_direction.cross(across), spin, spin_rate};
  return seen;
}

/// Lower bound of the gap for convex a and b (b may be a half-space that does not spin).
double convex_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining) {
  const Vector3d& n = near.normal;
  const SupportBound ha(*a.shape, seen_from(a, now.a, *a.motion, -n, remaining), a.placement);
  const bool plane = b.kind == ShapeKind::half_space;
  // A half-space has no support to turn.
  const SupportBound hb =
      plane ? ha : SupportBound(*b.shape, seen_from(b, now.b, *b.motion, n, remaining), b.placement);
  const double c1 = n.dot(now.velocity);
  const double push = -n.dot(now.acceleration) + now.spread;  // centres approach with at most this acceleration
  double best = 0.0;
  // Bounding balls: valid however the bodies turn.
  if (std::isfinite(a.radius) && (plane || std::isfinite(b.radius))) {
    const double slack = near.distance + (ha.value() - a.radius) + (plane ? 0.0 : hb.value() - b.radius);
    if (slack > 0.0) best = std::min(first_descent(slack, c1, -0.5 * push), remaining);
  }
  if (ha.smooth() && (plane || hb.smooth())) {
    const double rate = c1 - ha.rate() - (plane ? 0.0 : hb.rate());
    const double m = push + ha.curvature() + (plane ? 0.0 : hb.curvature());
    return std::max(best, first_descent(near.distance, rate, -0.5 * m));
  }
  const double m = std::max(push, 0.0);
  const auto f = [&](double tau) {
    return near.distance + tau * (c1 - 0.5 * m * tau) - ha.growth(tau) - (plane ? 0.0 : hb.growth(tau));
  };
  const double m_all = m + ha.curvature() + (plane ? 0.0 : hb.curvature());
  // Without the support's linear part the root is no later than with the fastest lever.
  const double slowest = c1 + (a.motion->max_spin * a.radius) + (plane ? 0.0 : b.motion->max_spin * b.radius);
  const double reach = std::min(remaining, safe_root(near.distance, slowest, m_all));
  if (!(reach > 0.0)) return best;
  if (!std::isfinite(reach)) return reach;  // nothing turns and the centres part
  return std::max(best, safe_concave_root(f, near.distance, reach));
}

}  // namespace

/// Lower bound of the gap with the normal fixed in a turning frame: sharp where bodies turn together, and the only one
/// for a half-space that turns. In that frame the centres feel 2W × ẏ, W × (W × y) and Ẇ × y, and a body turns with ω −
/// W.
double carried_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining,
                    const Carrier& carrier) {
  const double w = carrier.max_spin;
  double window = remaining;
  if (w > 0.0) window = std::min(window, 0.1 / w);
  if (carrier.max_spin_rate > 0.0) window = std::min(window, 0.1 / std::sqrt(carrier.max_spin_rate));
  const Vector3d offset = now.a.position - now.b.position;
  const double steady = now.acceleration.norm() + now.spread;
  const double speed = now.velocity.norm() + steady * window;
  const double farthest = offset.norm() + speed * window;
  const double push = steady + 2.0 * w * (speed + w * farthest) + (w * w + carrier.max_spin_rate) * farthest;
  const Vector3d& n = near.normal;
  const auto seen = [&](const Mover& mover, const BodyState& state, const Vector3d& direction) {
    const Motion& motion = *mover.motion;
    BodyState relative = state;
    relative.angular_velocity -= carrier.spin;
    Motion turning;
    turning.max_spin_rate = motion.max_spin_rate + carrier.max_spin_rate + w * motion.max_spin;
    turning.max_spin = relative.angular_velocity.norm() + turning.max_spin_rate * window;
    if (&motion == carrier.body) turning.max_spin = turning.max_spin_rate = 0.0;
    return seen_from(mover, relative, turning, direction, window);
  };
  const bool plane = b.kind == ShapeKind::half_space;
  const SupportBound ha(*a.shape, seen(a, now.a, -n), a.placement);
  const SupportBound hb = plane ? ha : SupportBound(*b.shape, seen(b, now.b, n), b.placement);
  const double c1 = n.dot(now.velocity - carrier.spin.cross(offset));
  const auto f = [&](double tau) {
    return near.distance + tau * (c1 - 0.5 * push * tau) - ha.growth(tau) - (plane ? 0.0 : hb.growth(tau));
  };
  return near.distance > 0.0 ? safe_concave_root(f, near.distance, window) : 0.0;
}

double safe_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining) {
  if (b.kind == ShapeKind::shell || b.kind == ShapeKind::bore) return hollow_step(a, b, now, near, remaining);
  const auto carried = [&](const BodyState& state, const Motion& motion) {
    return carried_step(a, b, now, near, remaining,
                        {state.angular_velocity, motion.max_spin, motion.max_spin_rate, &motion});
  };
  if (b.kind == ShapeKind::half_space && b.motion->max_spin > 0.0) return carried(now.b, *b.motion);
  double best = convex_step(a, b, now, near, remaining);
  if (b.kind == ShapeKind::half_space || (is_smooth(a.kind) && is_smooth(b.kind))) return best;
  if (best < remaining) best = std::max(best, carried(now.a, *a.motion));
  if (best < remaining) best = std::max(best, carried(now.b, *b.motion));
  return best;
}

}  // namespace carom::contact
