/// Contacts of balls with balls, planes, bores and cylinders, and balls that fall into pockets.

#include <algorithm>
#include <cmath>

#include "carom/contact/safe_step.h"
#include "carom/engine/smooth/contact_search.h"

namespace carom::smooth {

/// Whether a ball keeps between the ends of a bore or cylinder whose axis does not tilt.
bool ContactSearch::stays_on_side(const PairGeometry& g, Span span) const {
  const Vector3d axis = axis_of(g.b, span.from);
  const Vector3d turning = motions_.is_body(g.b) ? motions_.paths.state(g.b).angular_velocity
                                                 : motions_.model().obstacle(g.b).angular_velocity;
  const double spin = turning.norm();
  if (spin > 0.0 && turning.cross(axis).norm() > 1e-9 * spin) return false;
  const Track &a = motions_.paths.track(g.a), &b = motions_.paths.track(g.b);
  const double from = span.from;
  const double h = span.to - from;
  const Vector3d d0 = a.position(from - a.start) - b.position(from - b.start);
  const Vector3d v = a.velocity(from - a.start) - b.velocity(from - b.start);
  const double pull =
      (a.acceleration(from - a.start) - b.acceleration(from - b.start)).norm() + a.variation + b.variation;
  const double most = std::abs(axis.dot(d0)) + std::abs(axis.dot(v)) * h + 0.5 * pull * h * h;
  return most < g.half_length;
}

Eigen::Vector3d ContactSearch::axis_of(ObjectIndex object, double time) const {
  const Vector3d z = Vector3d::UnitZ();
  if (motions_.is_body(object)) return motions_.paths.state(object).orientation * z;
  return motions_.environment().obstacle(object, time).place.orientation * z;
}

inline ContactSearch::RoundGap ContactSearch::round_gap_at(const PairGeometry& g, double time,
                                                           const Vector3d& axis) const {
  const Track &a = motions_.paths.track(g.a), &b = motions_.paths.track(g.b);
  const double variation = 2.0 * (a.variation + b.variation);
  Vector3d d = a.position(time - a.start) - b.position(time - b.start);
  Vector3d v = a.velocity(time - a.start) - b.velocity(time - b.start);
  const Vector3d pull = a.acceleration(time - a.start) - b.acceleration(time - b.start);
  if (g.form == ContactForm::sphere_plane) {
    return {g.plane_normal.dot(d) - g.radius_a, g.plane_normal.dot(v), 0.5 * (g.plane_normal.dot(pull) - variation),
            contact::kForever};
  }
  if (g.axial()) {
    d -= axis.dot(d) * axis;
    v -= axis.dot(v) * axis;
  }
  const double length = d.norm();
  if (length == 0.0) {
    // In the middle of a bore: nothing is near.
    const double tiny = 1e-15 * (g.radius_a + g.radius_b);
    const double speed = v.norm() + std::sqrt((pull.norm() + variation) * g.radius_b) + tiny;
    return {contact::kForever, 0.0, 0.0, 0.25 * (g.radius_b - g.radius_a) / speed};
  }
  const Vector3d n = d / length;
  if (g.form == ContactForm::sphere_bore) {
    const double rate = -n.dot(v);
    const double across = std::max(v.squaredNorm() - rate * rate, 0.0);
    return {g.radius_b - g.radius_a - length, rate, -0.5 * (pull.norm() + variation + 2.0 * across / length),
            0.5 * length / (v.norm() + 1e-300)};
  }
  const double reach = g.radius_a + g.radius_b;
  return {(d.squaredNorm() - reach * reach) / (length + reach), n.dot(v), 0.5 * (n.dot(pull) - variation),
          contact::kForever};
}

ContactSearch::Found ContactSearch::first_round_contact(const PairGeometry& g, Span span) const {
  const double tiny = 1e-15 * (g.radius_a + g.radius_b);
  const Vector3d axis = g.axial() ? axis_of(g.b, span.from) : Vector3d(Vector3d::Zero());
  double time = span.from;
  for (int k = 0; k < kMostAdvances; ++k) {
    const RoundGap now = round_gap_at(g, time, axis);
    if (now.gap <= tiny && now.rate < 0.0) return {time, true};
    const double advance =
        std::min(contact::first_descent(std::max(now.gap, tiny), now.rate, now.half_curvature), now.valid);
    if (time + advance >= span.to) return {span.to, false};
    const double next = time + advance;
    if (!(next > time)) return {time, now.rate < 0.0};
    time = next;
  }
  return {time, true};
}

ContactSearch::Found ContactSearch::first_pocket(BodyIndex body, const Pocket& pocket, Span span) const {
  const Track& at = motions_.paths.track(body);
  double time = span.from;
  for (int k = 0; k < kMostAdvances; ++k) {
    const double tau = time - at.start;
    Vector3d d = at.position(tau) - pocket.centre;
    Vector3d v = at.velocity(tau);
    d -= pocket.axis.dot(d) * pocket.axis;
    v -= pocket.axis.dot(v) * pocket.axis;
    const double length = d.norm();
    const double gap = length - pocket.radius;
    const double rate = length > 0.0 ? d.dot(v) / length : 0.0;
    if (gap <= 1e-12 * pocket.radius) return {time, true};
    const double pull = at.acceleration(tau).dot(d) / length;
    const double advance = contact::first_descent(gap, rate, 0.5 * (pull - 2.0 * at.variation));
    if (time + advance >= span.to) return {span.to, false};
    if (!(time + advance > time)) return {time, true};
    time += advance;
  }
  return {time, true};
}

}  // namespace carom::smooth
