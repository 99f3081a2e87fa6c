#include "carom/engine/event/turning_ball.h"

#include <algorithm>
#include <cmath>

#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

constexpr double kStepAngle = 0.1;
constexpr double kMostTurningSteps = 20000.0;

}  // namespace

TurningBall::TurningBall(const BallOnPlane& ball, const BallStretch& stretch, const BodyState& state)
    : ball_(ball), stretch_(stretch), first_(state) {
  velocity_ = stretch.action.mode == ContactMode::slide ? ball.slip(state) : ball.relative_velocity(state);
  const double angle = max_spin(stretch.duration) * stretch.duration;
  const double steps = std::clamp(std::ceil(angle / kStepAngle), 1.0, kMostTurningSteps);
  step_ = stretch.duration / steps;
  attitudes_.push_back(state.orientation);
  for (int k = 0; k + 1 < static_cast<int>(steps); ++k)
    attitudes_.push_back(turned(attitudes_.back(), k * step_, (k + 1) * step_));
}

double TurningBall::max_spin_rate() const {
  const double k = ball_.inertia_factor;
  const bool slides = stretch_.action.mode == ContactMode::slide;
  const double rolling =
      slides ? stretch_.spread / (k * ball_.radius) : (stretch_.acceleration.norm() + stretch_.spread) / ball_.radius;
  return rolling + stretch_.spin_rate.norm();
}

BodyState TurningBall::moved(double tau) const {
  const TurningSlip::State now = stretch_.turning->at(tau);
  BodyState state;
  const double spin = ball_.normal.dot(first_.angular_velocity + tau * stretch_.spin_rate);
  if (stretch_.action.mode == ContactMode::slide) {
    // The integral of the slip's direction, and that of it again, follow from the slip and its way.
    const double friction = stretch_.spread, all = friction * (1.0 + 1.0 / ball_.inertia_factor);
    const Vector3d& a = ball_.along;
    const Vector3d once = (velocity_ + tau * a - now.velocity) / all;
    const Vector3d twice = (tau * velocity_ + (0.5 * tau * tau) * a - now.way) / all;
    state.velocity = first_.velocity + tau * a - friction * once;
    state.position = first_.position + tau * first_.velocity + (0.5 * tau * tau) * a - friction * twice;
    state.angular_velocity = first_.angular_velocity + tau * stretch_.spin_rate +
                             (friction / (ball_.inertia_factor * ball_.radius)) * ball_.normal.cross(once);
  } else {
    state.velocity = first_.velocity - velocity_ + now.velocity;
    state.position = first_.position + tau * (first_.velocity - velocity_) + now.way;
    state.angular_velocity = ball_.normal.cross(now.velocity) / ball_.radius + spin * ball_.normal;
  }
  return state;
}

/// Θ = ½h(ω₁ + ω₂) − (√3/12) h² ω₁ × ω₂ of the angular velocities at Gauss's two points.
Quaterniond TurningBall::turned(const Quaterniond& from, double start, double end) const {
  const double h = end - start, middle = 0.5 * (start + end), off = h / (2.0 * std::sqrt(3.0));
  const Vector3d first = moved(middle - off).angular_velocity, second = moved(middle + off).angular_velocity;
  const Vector3d angle = (0.5 * h) * (first + second) - (std::sqrt(3.0) / 12.0 * h * h) * first.cross(second);
  return (rotation_by(angle) * from).normalized();
}

BodyState TurningBall::after(double tau) const {
  BodyState state = moved(tau);
  const double last = static_cast<double>(attitudes_.size() - 1);
  const auto node = static_cast<std::size_t>(std::clamp(std::floor(tau / step_), 0.0, last));
  const double start = static_cast<double>(node) * step_;
  state.orientation = tau > start ? turned(attitudes_[node], start, tau) : attitudes_[node];
  return state;
}

}  // namespace carom::event
