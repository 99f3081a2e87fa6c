#include "carom/engine/event/ball_on_plane.h"

#include <algorithm>
#include <cmath>

namespace carom::event {

namespace {

/// Accelerations along the plane below this part of all are none.
constexpr double kLevel = 1e-13;
/// Accelerations across a direction below this part of all do not turn it.
constexpr double kAcross = 1e-12;

/// The acceleration along a direction; none where the rest of it would turn the direction.
std::optional<double> along_direction(const BallOnPlane& ball, const Vector3d& direction) {
  const double along = ball.along.dot(direction);
  const double across = (ball.along - along * direction).norm();
  if (across > kAcross * (ball.pressing + ball.along.norm())) return std::nullopt;
  return along;
}

/// The stretch is over at the latest after `duration`.
void shorten(BallStretch& stretch, double duration, BallStretch::End end) {
  if (!(duration < stretch.duration)) return;
  stretch.duration = duration;
  stretch.end = end;
}

/// Resistance to rolling while the ball slides, its turning about `axis` (unit). Returns k R dω/dt about the axis under
/// it and the friction; none where the ball turns about another axis.
std::optional<double> resist_turning(const BallOnPlane& ball, const BodyState& state, const Vector3d& axis,
                                     double friction, BallStretch& stretch) {
  const double resistance = ball.resistance.rolling * ball.pressing * (1.0 + ball.inertia_factor);
  if (resistance == 0.0) return friction;
  const Vector3d roll = state.angular_velocity - ball.normal * ball.normal.dot(state.angular_velocity);
  double rate = axis.dot(roll);
  const double noise = kAcross * (roll.norm() + ball.slip(state).norm() / ball.radius);
  if ((roll - rate * axis).norm() > noise) return std::nullopt;
  if (std::abs(rate) <= noise) rate = 0.0;
  const double turning =
      rate == 0.0 ? std::max(friction - resistance, 0.0) : friction - std::copysign(resistance, rate);
  const double change = turning / (ball.inertia_factor * ball.radius);
  if (rate * change < 0.0) shorten(stretch, -rate / change, BallStretch::End::turning_ends);
  const double torque = ball.mass * ball.radius * resistance;
  stretch.dissipation = torque * std::abs(rate);
  stretch.dissipation_rate = torque * (rate < 0.0 ? -change : change);
  return turning;
}

/// A stretch in which a velocity turns under an acceleration and a resistance.
bool turn(const BallOnPlane& ball, const Vector3d& velocity, const Vector3d& acceleration, double resistance,
          BallStretch& stretch) {
  if (!ball.wall_velocity.isZero(0.0) || velocity.isZero(0.0) || !TurningSlip::covers(acceleration, resistance))
    return false;
  stretch.turning = std::make_shared<const TurningSlip>(velocity, acceleration, resistance);
  stretch.acceleration = acceleration;
  stretch.spread = resistance;
  return true;
}

/// Across an incline.
bool slide_across(const BallOnPlane& ball, const BodyState& state, BallStretch& stretch) {
  if (ball.resistance.rolling > 0.0) return false;
  const double friction = ball.friction.kinetic_friction * ball.pressing;
  if (!turn(ball, ball.slip(state), ball.along, friction * (1.0 + 1.0 / ball.inertia_factor), stretch)) return false;
  stretch.spread = friction;
  shorten(stretch, stretch.turning->duration(), BallStretch::End::slip_ends);
  stretch.dissipation_by_way = ball.mass * friction;
  return true;
}

bool roll_across(const BallOnPlane& ball, const BodyState& state, BallStretch& stretch) {
  const double k = ball.inertia_factor, resistance = ball.resistance.rolling * ball.pressing;
  const double most = resistance + ball.along.norm() * k / (1.0 + k);
  if (most > ball.friction.static_friction * ball.pressing) return false;
  if (!turn(ball, ball.relative_velocity(state), ball.along / (1.0 + k), resistance, stretch)) return false;
  shorten(stretch, stretch.turning->duration(), BallStretch::End::rolling_ends);
  stretch.dissipation_by_way = ball.mass * (1.0 + k) * resistance;
  return true;
}

bool slide(const BallOnPlane& ball, const BodyState& state, BallStretch& stretch) {
  const Vector3d& direction = stretch.action.direction;
  const Vector3d axis = ball.normal.cross(direction);
  const double friction = ball.friction.kinetic_friction * ball.pressing;
  const std::optional<double> along = along_direction(ball, direction);
  const std::optional<double> turning = resist_turning(ball, state, axis, friction, stretch);
  if (!turning) return false;
  if (!along) return slide_across(ball, state, stretch);
  const double slowing = friction + *turning / ball.inertia_factor - *along;
  const double speed = std::max(direction.dot(ball.slip(state)), 0.0);
  stretch.acceleration = (*along - friction) * direction;
  stretch.spin_rate = (*turning / (ball.inertia_factor * ball.radius)) * axis;
  if (slowing > 0.0) shorten(stretch, speed / slowing, BallStretch::End::slip_ends);
  stretch.dissipation += ball.mass * friction * speed;
  stretch.dissipation_rate -= ball.mass * friction * slowing;
  stretch.wall_power -= ball.mass * friction * direction.dot(ball.wall_velocity);
  return true;
}

bool roll(const BallOnPlane& ball, const BodyState& state, BallStretch& stretch) {
  const double k = ball.inertia_factor;
  const Vector3d relative = ball.relative_velocity(state);
  const double speed = relative.norm(), slope = ball.along.norm();
  stretch.acceleration = ball.along / (1.0 + k);
  if (ball.resistance.rolling > 0.0 && (speed > 0.0 || slope > 0.0)) {
    const Vector3d direction = speed > 0.0 ? Vector3d(relative / speed) : Vector3d(ball.along / slope);
    const std::optional<double> along = along_direction(ball, direction);
    if (!along) return roll_across(ball, state, stretch);
    const double resistance = ball.resistance.rolling * ball.pressing;
    double rate = *along / (1.0 + k) - resistance;
    if (speed == 0.0) rate = std::max(rate, 0.0);  // held
    stretch.acceleration = rate * direction;
    const Vector3d friction = stretch.acceleration - ball.along;
    if (friction.norm() > ball.friction.static_friction * ball.pressing * (1.0 + kAcross)) {
      stretch.action = {ContactMode::slide, -friction.normalized()};
      return slide(ball, state, stretch);
    }
    if (speed > 0.0 && rate < 0.0) shorten(stretch, -speed / rate, BallStretch::End::rolling_ends);
    const double torque = ball.mass * (1.0 + k) * resistance;  // over the radius
    stretch.dissipation = torque * speed;
    stretch.dissipation_rate = torque * rate;
  }
  stretch.spin_rate = ball.normal.cross(stretch.acceleration) / ball.radius;
  stretch.wall_power += ball.mass * (stretch.acceleration - ball.along).dot(ball.wall_velocity);
  return true;
}

void spin(const BallOnPlane& ball, const BodyState& state, BallStretch& stretch) {
  const double rate = ball.normal.dot(state.angular_velocity);
  if (ball.resistance.spinning == 0.0 || rate == 0.0) return;
  const double torque = ball.resistance.spinning * ball.mass * ball.pressing;
  const double slowing = torque / (ball.inertia_factor * ball.mass * ball.radius * ball.radius);
  if (!(slowing > 0.0)) return;
  stretch.spin_rate -= std::copysign(slowing, rate) * ball.normal;
  stretch.dissipation += torque * std::abs(rate);
  stretch.dissipation_rate -= torque * slowing;
  shorten(stretch, std::abs(rate) / slowing, BallStretch::End::spin_ends);
}

}  // namespace

void BallOnPlane::set_acceleration(const Vector3d& free) {
  pressing = std::max(-normal.dot(free), 0.0);
  along = free - normal * normal.dot(free);
  if (along.norm() <= kLevel * free.norm()) along.setZero();
}

Vector3d BallOnPlane::relative_velocity(const BodyState& state) const {
  const Vector3d relative = state.velocity - wall_velocity;
  return relative - normal * normal.dot(relative);
}

Vector3d BallOnPlane::slip(const BodyState& state) const {
  return relative_velocity(state) - radius * state.angular_velocity.cross(normal);
}

std::optional<BallStretch> stretch_of(const BallOnPlane& ball, const BodyState& state, const ContactAction& action) {
  BallStretch stretch;
  stretch.action = action;
  stretch.wall_power = ball.mass * ball.pressing * ball.normal.dot(ball.wall_velocity);
  switch (action.mode) {
    case ContactMode::smooth: stretch.acceleration = ball.along; break;
    case ContactMode::slide:
      if (!slide(ball, state, stretch)) return std::nullopt;
      break;
    case ContactMode::stick:
      if (!roll(ball, state, stretch)) return std::nullopt;
      break;
  }
  spin(ball, state, stretch);
  return stretch;
}

BodyState ended(const BallOnPlane& ball, const BallStretch& stretch, const BodyState& reached) {
  BodyState state = reached;
  const double spin = stretch.end == BallStretch::End::spin_ends ? 0.0 : ball.normal.dot(reached.angular_velocity);
  Vector3d relative = ball.relative_velocity(reached);
  if (stretch.end == BallStretch::End::rolling_ends) relative.setZero();
  state.velocity = ball.wall_velocity + relative;
  Vector3d turning = reached.angular_velocity - ball.normal * ball.normal.dot(reached.angular_velocity);
  if (stretch.end == BallStretch::End::turning_ends) turning.setZero();
  const bool rolls = stretch.action.mode == ContactMode::stick || stretch.end == BallStretch::End::slip_ends;
  if (rolls) turning = ball.normal.cross(relative) / ball.radius;
  state.angular_velocity = turning + spin * ball.normal;
  return state;
}

ContactAction action_after(const BallOnPlane& ball, const BallStretch& stretch) {
  if (stretch.end != BallStretch::End::slip_ends) return stretch.action;
  const double k = ball.inertia_factor, slope = ball.along.norm();
  if (slope * k / (1.0 + k) <= ball.friction.static_friction * ball.pressing) return {ContactMode::stick};
  return {ContactMode::slide, ball.along / slope};
}

}  // namespace carom::event
