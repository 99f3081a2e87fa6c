#include "carom/contact/time_of_impact.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/contact/driven_path.h"
#include "carom/contact/safe_step.h"

namespace carom::contact {

namespace {

/// Steps in one search after which short ones are replaced by samples (see the header).
constexpr int kPatience = 300;
static_assert(kPatience < kMostSteps, "a search ends before it would become one by samples");
constexpr int kSamples = 8;
/// Gaps and steps below this part of the size are minute.
constexpr double kMinute = 1e-6;
/// Gaps above so many ε_d are none of round-off.
constexpr double kClearlyApart = 100.0;

bool polynomial(const Motion& motion) {
  return motion.in_closed_form();
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
  const double c1 = v_a + a_a * ta - v_b;
  if (c0 <= 0.0 && c1 < 0.0) {
    const double speeds = ma.velocity.norm() + mb.velocity.norm() + std::abs(a_a * ta);
    if (-c1 > std::max(kRateRoundoff * speeds, stretch.velocity_noise)) return instant(stretch, 0.0, true);
    return instant(stretch, first_descent(2.0 * kGapRoundoff * a.radius, c1, c2), true);
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
  double c = x.squaredNorm() - reach * reach;
  if (c <= 0.0) {
    const double speeds = a.motion->velocity_after(ta).norm() + b.motion->velocity_after(tb).norm();
    if (closing < -std::max(kRateRoundoff * speeds, stretch.velocity_noise) * reach) return 0.0;
    c = 4.0 * reach * kGapRoundoff * std::min(a.radius, b.radius);  // until it has sunk by 2ε_d
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

/// Two movers and where the search for their nearest points ended last.
struct PairSearch {
  const PairFunction& pair;
  const Mover& a;
  const Mover& b;
  SeparatingDirection* apart = nullptr;
  ProximityHint hint = {};

  [[nodiscard]] Proximity nearest(const Relative& now) {
    Proximity near = pair.proximity_from(*a.shape, a.pose(now.a), *b.shape, b.pose(now.b), hint);
    if (apart != nullptr) *apart = now.b.orientation.conjugate() * near.normal;
    return near;
  }

  /// Whether the direction that is known shows by itself that nothing touches for so long.
  [[nodiscard]] bool stay_apart(const Relative& now, double remaining) const {
    if (apart == nullptr || apart->isZero(0.0)) return false;
    Proximity along{};
    along.normal = now.b.orientation * *apart;
    along.distance = gap_along(a, now.a, b, now.b, along.normal);
    const double coordinates = now.a.position.norm() + now.b.position.norm();
    if (!(along.distance > kClearlyApart * gap_roundoff(std::min(a.radius, b.radius), coordinates))) return false;
    return safe_step(a, b, now, along, remaining) >= remaining;
  }
};

/// Where two edges meet the normal turns with both: the bound with a normal that turns as the true one does now. Any
/// direction gives a bound, so an estimate of how it turns will do; it is tried where the other steps are short.
double tracked_step(PairSearch& search, const Stretch& stretch, double tau, const Relative& now, const Proximity& near,
                    double other) {
  const Mover& a = search.a;
  const Mover& b = search.b;
  const double speed = now.velocity.norm() + a.motion->max_spin * a.radius +
                       (std::isfinite(b.radius) ? b.motion->max_spin * b.radius : 0.0);
  if (!(speed > 0.0) || other * speed > 1e-3 * a.radius) return 0.0;
  const double ahead = 1e-6 * a.radius / speed;
  const Relative then(a, b, stretch, tau + ahead);
  const Vector3d next = search.nearest(then).normal;
  const Vector3d spin = near.normal.cross(next) / ahead;
  const double remaining = stretch.horizon - stretch.time - tau;
  return carried_step(a, b, now, near, remaining, {spin, spin.norm(), 0.0, nullptr});
}

/// The gap of a pair at a time of the stretch, and what of it is round-off.
struct Look {
  double gap;
  double roundoff;
};

Look look(PairSearch& search, const Stretch& stretch, double tau) {
  const Relative now(search.a, search.b, stretch, tau);
  const Proximity near = search.nearest(now);
  const double size = std::min(search.a.radius, search.b.radius);
  return {near.distance, gap_roundoff(size, now.a.position.norm() + now.b.position.norm()) + near.residual};
}

/// Looks ahead in samples from τ over `length`: how far no overlap is seen, and whether one was (then that is where it
/// begins, to the resolution of time). What overlaps now, by less than the contact tolerance, does so on its way out:
/// sinking deeper counts then.
struct Ahead {
  double tau;
  bool overlaps;
};

Ahead look_ahead(PairSearch& search, const Stretch& stretch, double tau, double length) {
  double clear = tau;
  const double level = std::min(look(search, stretch, tau).gap, 0.0);
  for (int k = 1; k <= kSamples; ++k) {
    const double at = tau + length * k / kSamples;
    const Look seen = look(search, stretch, at);
    if (seen.gap >= level - 2.0 * seen.roundoff) {
      clear = at;
      continue;
    }
    double low = clear, high = at;
    for (int turn = 0; turn < 60 && high - low > 1e-15 * (high - tau); ++turn) {
      const double middle = 0.5 * (low + high);
      const Look there = look(search, stretch, middle);
      (there.gap >= level ? low : high) = middle;
    }
    return {low, true};
  }
  return {clear, false};
}

/// A driven obstacle that does not turn comes nearer during the window by so much at most: a step as if it stood there.
double step_to_swept(const Mover& a, const DrivenWindow& window, const Relative& now, const Proximity& near,
                     double remaining) {
  const Mover& b = window.mover();
  if (b.kind == ShapeKind::shell || b.kind == ShapeKind::bore) return 0.0;
  Proximity swept = near;
  swept.distance -= window.advance_along(b.kind == ShapeKind::half_space ? &near.normal : nullptr);
  if (!(swept.distance > 0.0)) return 0.0;
  Relative standing = now;
  standing.b.velocity.setZero();
  standing.velocity = now.a.velocity;
  standing.acceleration = a.motion->acceleration;
  standing.spread = a.motion->acceleration_spread;
  return safe_step(a, b, standing, swept, remaining);
}

Advance advance(const PairFunction& pair, const Mover& a, const Mover& moving, const Stretch& whole,
                SeparatingDirection* apart) {
  DrivenWindow window(moving, whole);
  const Mover& b = window.mover();
  const bool solid = is_solid(a.kind) && is_solid(b.kind) && !window.is_driven();
  PairSearch search{pair, a, b, solid ? apart : nullptr};
  const double remaining = whole.horizon - whole.time;
  double tau = bounding_start(a, b, whole);
  const double size = std::min(a.radius, b.radius);
  bool sampled = false;
  double stride = 0.0;
  for (int step = 0; step < kMostSteps; ++step) {
    Activity::tick();
    if (!(tau < remaining)) return {whole.horizon, 0.0, false, sampled};
    const Stretch stretch = window.open(tau);
    Relative now(a, b, stretch, tau);
    if (step == 0 && search.stay_apart(now, remaining - tau)) return {whole.horizon, 0.0, false};
    Proximity near = search.nearest(now);
    const double roundoff = gap_roundoff(size, now.a.position.norm() + now.b.position.norm()) + near.residual;
    if (near.distance <= roundoff) {
      const double rate = now.rate(near);
      if (rate < -rate_roundoff(a, b, now, stretch)) {
        Advance found = instant(whole, tau + last_part(a, b, now, near.distance, rate), true);
        found.sampled = sampled;
        return found;
      }
      const double level = level_to_leave(a, b, now, rate, roundoff) + std::max(near.distance, 0.0);
      now.raised = level - near.distance;
      near.distance = level;
    }
    const double in_window = window.remaining(tau);
    double step_size = safe_step(a, b, now, near, in_window);
    if (!is_smooth(a.kind) && is_solid(b.kind))
      step_size = std::max(step_size, tracked_step(search, stretch, tau, now, near, step_size));
    if (window.is_driven()) {
      step_size = std::min(in_window, std::max(step_size, step_to_swept(a, window, now, near, in_window)));
      window.close(step_size);
    }
    const double speed = now.velocity.norm() + a.motion->max_spin * a.radius +
                         (std::isfinite(b.radius) ? b.motion->max_spin * b.radius : 0.0);
    const bool smooth = a.kind == ShapeKind::sphere || (is_smooth(a.kind) && plane_or_smooth(b.kind));
    if (!smooth && step >= kPatience && step_size * speed < kMinute * size && near.distance < kMinute * size) {
      sampled = true;
      stride = std::min(std::max(2.0 * stride, kMinute * size / speed), remaining - tau);
      const Ahead ahead = look_ahead(search, whole, tau, stride);
      if (ahead.overlaps) {
        Advance found = instant(whole, ahead.tau, true);
        found.sampled = true;
        return found;
      }
      tau = ahead.tau;
      continue;
    }
    stride = 0.0;
    tau = later(a, b, whole, tau, step_size);
  }
  Advance reached = instant(whole, tau, false);
  reached.sampled = sampled;
  return reached;
}

}  // namespace

double gap_roundoff(double size, double coordinates) {
  const double scale = std::isfinite(size) ? size : 0.0;
  return std::max(kGapRoundoff * scale, 16.0 * 2.2e-16 * coordinates);
}

double gap_along(const Mover& a, const BodyState& state_a, const Mover& b, const BodyState& state_b,
                 const Vector3d& n) {
  const Pose pose_a = a.pose(state_a), pose_b = b.pose(state_b);
  return n.dot(pose_a.position - pose_b.position) - support(*a.shape, pose_a.orientation.conjugate() * Vector3d(-n)) -
         support(*b.shape, pose_b.orientation.conjugate() * n);
}

Advance first_contact(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch,
                      SeparatingDirection* apart) {
  if (!(stretch.time < stretch.horizon)) return {stretch.horizon, 0.0, false};
  const bool exact = polynomial(*a.motion) && polynomial(*b.motion) && a.placement == nullptr && b.placement == nullptr;
  if (a.kind == ShapeKind::sphere && exact) {
    if (b.kind == ShapeKind::half_space && b.motion->max_spin == 0.0) return sphere_on_plane(a, b, stretch);
    if (b.kind == ShapeKind::sphere && a.motion->acceleration == b.motion->acceleration)
      return instant(stretch, sphere_on_sphere(a, b, stretch), true);
  }
  return advance(pair, a, b, stretch, apart);
}

}  // namespace carom::contact
