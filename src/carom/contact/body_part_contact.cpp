/// When a point or a rim of a body comes down on a plane by itself.

#include <algorithm>
#include <cmath>

#include "carom/contact/driven_path.h"
#include "carom/contact/safe_step.h"
#include "carom/contact/time_of_impact.h"

namespace carom::contact {

namespace {

/// The support of a unit disc, or of its half y ≤ 0, and how it changes with the direction.
double disc_support(const Eigen::Vector2d& u, bool half) {
  return half && u.y() > 0.0 ? std::abs(u.x()) : u.norm();
}
/// By how much it grows as u grows by `change`, without what the difference of the two would lose: where a body leaves
/// the plane from less than round-off of its size, that is all there is.
double disc_support_growth(const Eigen::Vector2d& u, const Eigen::Vector2d& change, bool half) {
  const Eigen::Vector2d then = u + change;
  const bool is_end = half && u.y() > 0.0, will_be_end = half && then.y() > 0.0;
  if (is_end && will_be_end && u.x() * then.x() > 0.0) return std::copysign(1.0, u.x()) * change.x();
  if (is_end || will_be_end) return disc_support(then, half) - disc_support(u, half);
  const double sum = then.norm() + u.norm();
  return sum > 0.0 ? change.dot(u + then) / sum : 0.0;
}
double disc_support_rate(const Eigen::Vector2d& u, const Eigen::Vector2d& rate, bool half) {
  if (half && u.y() > 0.0) return u.x() != 0.0 ? std::copysign(1.0, u.x()) * rate.x() : -std::abs(rate.x());
  const double tilt = u.norm();
  return tilt > 0.0 ? u.dot(rate) / tilt : -rate.norm();
}

}  // namespace

Advance first_contact_of_part(const Mover& a, const BodyPart& part, const Mover& moving, const Stretch& whole) {
  DrivenWindow window(moving, whole);
  const Mover& b = window.mover();
  double tau = 0.0;
  const Vector3d centre = a.placement == nullptr ? part.centre : a.placement->to_world(part.centre);
  const double reach = centre.norm() + part.disc_radius;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!(whole.horizon - whole.time - tau > 0.0)) return {whole.horizon, 0.0, false};
    const Stretch stretch = window.open(tau);
    double remaining = window.remaining(tau);
    const Relative now(a, b, stretch, tau);
    const double spin = b.motion->max_spin;
    const double spin_rate = b.motion->max_spin_rate;
    const Vector3d n = half_space_normal(now.b.pose());
    const Vector3d arm = now.a.orientation * centre;
    const Vector3d from_plane = now.a.position + arm - now.b.position;
    // All in the frame of the plane: the body turns with ω_a − ω_b there.
    const Vector3d turning = now.a.angular_velocity - now.b.angular_velocity;
    const Vector3d velocity = now.velocity - now.b.angular_velocity.cross(now.a.position - now.b.position);
    const Quaterniond inverse = a.pose(now.a).orientation.conjugate();
    const Eigen::Vector2d across = (inverse * Vector3d(-n)).head<2>();
    const Eigen::Vector2d across_rate = (inverse * Vector3d(-n.cross(turning))).head<2>();
    const double sign = part.side == BodyPart::Side::near ? -1.0 : 1.0;
    const double tilt = disc_support(across, part.half);
    const double tilt_rate = disc_support_rate(across, across_rate, part.half);
    double gap = n.dot(from_plane) + sign * part.disc_radius * tilt - part.thickness;
    const double centre_rate = n.dot(velocity + turning.cross(arm));
    const double rate = centre_rate + sign * part.disc_radius * tilt_rate;
    const double roundoff = gap_roundoff(a.radius, now.a.position.norm() + now.b.position.norm());
    if (gap <= roundoff) {
      if (rate < -rate_roundoff(a, b, now, stretch)) return instant(whole, tau + last_part(a, b, now, gap, rate), true);
      gap = level_to_leave(a, b, now, rate, roundoff) + std::max(gap, 0.0);
    }
    const double max_spin = a.motion->max_spin + spin;
    const double bend = (max_spin * max_spin + a.motion->max_spin_rate + spin_rate + spin * a.motion->max_spin) * reach;
    double push = (spin > 0.0 ? now.acceleration.norm() : -n.dot(now.acceleration)) + now.spread + bend;
    if (spin > 0.0) {
      remaining = std::min(remaining, 0.1 / spin);
      const double speed = now.velocity.norm() + max_spin * reach + push * remaining;
      const double farthest = from_plane.norm() + speed * remaining;
      push += 2.0 * spin * (speed + spin * farthest) + (spin * spin + spin_rate) * farthest;
    }
    double safe = 0.0;
    if (part.disc_radius == 0.0 || part.side == BodyPart::Side::far) {
      safe = safe_root(gap, rate, push);
    } else {
      const auto f = [&](double later) {
        const double lowest = part.disc_radius * disc_support_growth(across, later * across_rate, part.half);
        return gap + later * (centre_rate - 0.5 * std::max(push, 0.0) * later) - lowest;
      };
      const double fastest = centre_rate + part.disc_radius * across_rate.norm();
      const double end = std::min(remaining, safe_root(gap, fastest, std::max(push, 0.0)));
      safe = std::isfinite(end) ? safe_concave_root(f, gap, end) : end;
    }
    window.close(std::min(remaining, safe));
    tau = later(a, b, whole, tau, std::min(remaining, safe));
  }
  return instant(whole, tau, false);
}

}  // namespace carom::contact
