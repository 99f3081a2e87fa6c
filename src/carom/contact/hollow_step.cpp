/// Steps of a convex body in a hollow one.
///
/// Inside a shell of radius R the room left is R − max |p| over the points p of the body, inside a bore the same with
/// distances from the axis: all points count, not a direction alone. In the frame of the hollow one a point moves as
/// p + ṗτ but for ½bτ², b a bound of its acceleration, and |p + ṗτ| is convex in τ. So for the convex hull of balls of
/// radii r_i about p_i (sphere, capsule, rod, polyhedra) the room is at least
///   min over i of ( R − r_i − |p_i + ṗ_iτ| − ½b_iτ² ),
/// which is concave, sharp at τ = 0 and exact for straight motion. A body that slides along the wall and lifts off does
/// so with less acceleration than it has along the wall, and the direction of what it has counts: with a known part a
/// of the acceleration and any m > 0, |x| ≤ (|x|² + m²)/2m, so that the room is at least
///   R − r_i − (|p_i + ṗ_iτ + ½aτ²|² + m²)/2m − ½b_iτ²,
/// a polynomial, at τ = 0 with the true rate and curvature for m = |p_i|. An ellipsoid lies in the ball of radius
/// ρ = a²_max/a_min, its largest radius of curvature, that touches it from outside at any of its points (Blaschke):
/// with the one at its point nearest to the wall, which moves with the body, the room is that of a ball while ρ < R. No
/// point of a cylinder is farther from the axis of a bore than the middle of an end and the radius, exactly so where
/// the axes are parallel: in a bore it has at least the room of two balls. The distance of any body changes no faster
/// than its fastest point moves.

#include "carom/contact/safe_step.h"

namespace carom::contact {

namespace {

/// A point of body a in the frame of the hollow b, and how it moves there.
struct HollowPoint {
  Vector3d place;     ///< p
  Vector3d velocity;  ///< ṗ
  Vector3d pull;      ///< a, what of its acceleration is known
  double rest;        ///< bound of the rest of it

  [[nodiscard]] double acceleration() const { return pull.norm() + rest; }
};

class HollowFrame {
 public:
  HollowFrame(const Mover& a, const Mover& b, const Relative& now, double remaining)
      : a_(a),
        now_(now),
        inverse_(now.b.orientation.conjugate()),
        spin_(b.motion->max_spin),
        spin_rate_(b.motion->max_spin_rate),
        turns_(b.kind == ShapeKind::bore && (spin_ > 0.0 || spin_rate_ > 0.0)),
        window_(remaining) {
    if (turns_) window_ = std::min(window_, 0.1 / spin_);
    if (turns_ && spin_rate_ > 0.0) window_ = std::min(window_, 0.1 / std::sqrt(spin_rate_));
  }

  [[nodiscard]] double window() const { return window_; }

  /// The point at `arm` (world) from the centre of a; all points up to `around` from it move as it does but for the
  /// velocity |ω_a − ω_b| · around, and the bound holds for them too.
  [[nodiscard]] HollowPoint point(const Vector3d& arm, double around) const {
    const Vector3d apart = now_.a.position + arm - now_.b.position;
    const Vector3d velocity = now_.velocity + now_.a.angular_velocity.cross(arm);
    HollowPoint point;
    point.place = inverse_ * apart;
    point.velocity =
        inverse_ * (velocity - (turns_ ? Vector3d(now_.b.angular_velocity.cross(apart)) : Vector3d(Vector3d::Zero())));
    const Motion& motion = *a_.motion;
    const double known = turns_ ? now_.acceleration.norm() : 0.0;
    point.pull = turns_ ? Vector3d(Vector3d::Zero()) : Vector3d(inverse_ * now_.acceleration);
    double push = known + now_.spread;
    push += (motion.max_spin * motion.max_spin + motion.max_spin_rate) * (arm.norm() + around);
    if (turns_) {
      // Coriolis, centrifugal and Euler terms of the turning frame, bounded over the window.
      const double far = point.place.norm() + around;
      const double speed = point.velocity.norm() + turning() * around + spin_ * far + push * window_;
      const double farthest = far + speed * window_;
      push += 2.0 * spin_ * (speed + spin_ * farthest) + (spin_ * spin_ + spin_rate_) * farthest;
    }
    point.rest = push;
    return point;
  }

  /// |ω| of the body against the frame, now.
  [[nodiscard]] double turning() const {
    return turns_ ? (now_.a.angular_velocity - now_.b.angular_velocity).norm() : now_.a.angular_velocity.norm();
  }

 private:
  const Mover& a_;
  const Relative& now_;
  Quaterniond inverse_;
  double spin_, spin_rate_;
  bool turns_;
  double window_;
};

/// The wall of a shell, or of a bore without its ends.
struct InnerWall {
  double radius;
  bool bore;

  /// What of a vector counts: all of it, or what is across the axis.
  [[nodiscard]] Vector3d across(const Vector3d& x) const { return bore ? Vector3d(x.x(), x.y(), 0.0) : x; }
};

/// A ball inside and the room that it has.
struct HollowBall {
  Vector3d p, v, a;  ///< place, velocity and pull across the wall
  double rest;       ///< bound of the rest of its acceleration
  double gap;
};

/// The bound with the direction of what is known of the acceleration. What is of third and fourth order in τ is bounded
/// over windows, of which one is about as long as the step.
double curved_step(const HollowBall& ball, double longest) {
  constexpr int kWindows = 12;
  constexpr double kShorter = 0.25;
  const double away = ball.p.norm(), least = 0.5 * (ball.gap + away);
  const double m = std::max(away, least);
  const double gap = away < least ? ball.gap + away - (away * away + m * m) / (2.0 * m) : ball.gap;
  if (!(gap > 0.0)) return 0.0;
  const double rate = -ball.p.dot(ball.v) / m;
  const double bend = (ball.v.squaredNorm() + ball.p.dot(ball.a)) / m + ball.rest;
  const double third = std::max(0.0, ball.v.dot(ball.a)) / m, fourth = ball.a.squaredNorm() / (4.0 * m);
  double best = 0.0;
  double window = longest;
  for (int k = 0; k < kWindows && window > best; ++k, window *= kShorter)
    best =
        std::max(best, std::min(window, first_descent(gap, rate, -0.5 * (bend + window * (third + fourth * window)))));
  return best;
}

/// How long a ball stays off the wall; 0 where it is not inside.
double radial_step(const HollowBall& ball, double window) {
  if (!(ball.gap > 0.0)) return 0.0;
  const double away = ball.p.norm(), along = ball.p.dot(ball.v), speed = ball.v.norm();
  const double acceleration = ball.a.norm() + ball.rest;
  // A gap of round-off keeps its digits: how much farther out the ball is, not where.
  const auto f = [&](double tau) {
    const double both = (ball.p + tau * ball.v).norm() + away;
    const double farther = both > 0.0 ? tau * (2.0 * along + tau * speed * speed) / both : 0.0;
    return ball.gap - farther - 0.5 * acceleration * tau * tau;
  };
  const double reach = std::min(window, 2.0 * (ball.gap + away) / std::max(speed, 1e-300));
  return std::max(safe_concave_root(f, ball.gap, reach), curved_step(ball, reach));
}

/// The balls of one body in a hollow one, whose true distance is known: the nearest of them has that distance.
class HollowRoom {
 public:
  HollowRoom(const InnerWall& wall, const Relative& now, const Proximity& near)
      : wall_(wall),
        raised_(near.distance),
        distance_(near.distance - now.raised),
        roundoff_(gap_roundoff(0.0, now.a.position.norm() + now.b.position.norm() + wall.radius) + near.residual) {}

  [[nodiscard]] HollowBall ball(const HollowPoint& point, double radius) const {
    HollowBall ball{wall_.across(point.place), wall_.across(point.velocity), wall_.across(point.pull), point.rest, 0.0};
    const double farther = wall_.radius - radius - ball.p.norm() - distance_;
    ball.gap = raised_ + (std::abs(farther) <= roundoff_ ? 0.0 : farther);
    return ball;
  }

 private:
  InnerWall wall_;
  double raised_, distance_, roundoff_;
};

/// Where the middle of the ball around an ellipsoid is that touches it at its nearest point, from the body's centre,
/// and the radius of that ball.
struct BallAround {
  Vector3d arm;
  double radius;
};

BallAround ball_around(const Ellipsoid& ellipsoid, const Relative& now, const Proximity& near) {
  const double longest = ellipsoid.semi_axes.maxCoeff();
  const double radius = longest * longest / ellipsoid.semi_axes.minCoeff();
  return {near.point_a + radius * near.normal - now.a.position, radius};
}

}  // namespace

double hollow_step(const Mover& a, const Mover& b, const Relative& now, const Proximity& near, double remaining) {
  const HollowFrame frame(a, b, now, remaining);
  // How a ball turns about its middle does not matter.
  const bool ball = a.kind == ShapeKind::sphere;
  const Vector3d middle =
      ball && a.placement != nullptr ? now.a.orientation * a.placement->position : Vector3d(Vector3d::Zero());
  const double around = ball ? 0.0 : a.radius;
  const HollowPoint centre = frame.point(middle, around);
  const double fastest = centre.velocity.norm() + frame.turning() * around;
  const double slow =
      std::min(frame.window(), safe_root(std::max(near.distance, 0.0), -fastest, centre.acceleration()));
  const Bore* const bore = std::get_if<Bore>(b.shape);
  const double radius = bore != nullptr ? bore->radius : std::get<Shell>(*b.shape).radius;
  const HollowRoom room(InnerWall{radius, bore != nullptr}, now, near);
  // All balls inside the wall, or all beyond the same end of a bore: then their hull is.
  double inside = frame.window(), above = frame.window(), below = frame.window();
  const bool hull = for_each_ball(*a.shape, [&](const Vector3d& place, double thickness) {
    const Vector3d local = a.placement == nullptr ? place : a.placement->to_world(place);
    const HollowPoint point = frame.point(now.a.orientation * local, 0.0);
    inside = std::min(inside, radial_step(room.ball(point, thickness), frame.window()));
    if (bore == nullptr) return;
    const auto beyond = [&](double sign) {
      const double gap = sign * point.place.z() - bore->half_length - thickness;
      return gap > 0.0 ? safe_root(gap, sign * point.velocity.z(), point.acceleration()) : 0.0;
    };
    above = std::min(above, beyond(1.0));
    below = std::min(below, beyond(-1.0));
  });
  if (const auto* const ellipsoid = std::get_if<Ellipsoid>(a.shape)) {
    const BallAround holding = ball_around(*ellipsoid, now, near);
    return std::max(slow, radial_step(room.ball(frame.point(holding.arm, 0.0), holding.radius), frame.window()));
  }
  if (const auto* const cylinder = std::get_if<Cylinder>(a.shape); cylinder != nullptr && bore != nullptr) {
    for (const double end : {-cylinder->half_length, cylinder->half_length}) {
      const Vector3d place(0.0, 0.0, end);
      const Vector3d local = a.placement == nullptr ? place : a.placement->to_world(place);
      const HollowPoint point = frame.point(now.a.orientation * local, 0.0);
      inside = std::min(inside, radial_step(room.ball(point, cylinder->radius), frame.window()));
    }
    return std::max(slow, inside);
  }
  if (!hull) return slow;
  return bore == nullptr ? std::max(slow, inside) : std::max({slow, inside, above, below});
}

}  // namespace carom::contact
