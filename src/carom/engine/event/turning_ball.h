#pragma once
/// A ball on a plane during a stretch in which its slip, or its rolling against resistance, turns (turning_slip.h).
///
/// Centre, velocity and spin are exact. The attitude, which matters to nothing but pictures, is followed by Magnus
/// steps of fourth order, a tenth of a radian each.

#include <vector>

#include "carom/engine/event/ball_on_plane.h"

namespace carom::event {

class TurningBall final : public contact::IntegratedMotion {
 public:
  /// A stretch that begins in a state; its slip turns.
  TurningBall(const BallOnPlane& ball, const BallStretch& stretch, const BodyState& state);

  [[nodiscard]] BodyState after(double tau) const override;
  /// No point of the ball turns faster, or changes that faster, up to a time.
  [[nodiscard]] double max_spin(double until) const { return first_.angular_velocity.norm() + until * max_spin_rate(); }
  [[nodiscard]] double max_spin_rate() const;

  /// What it was made of.
  [[nodiscard]] const BallOnPlane& ball() const { return ball_; }
  [[nodiscard]] const BallStretch& stretch() const { return stretch_; }
  [[nodiscard]] const BodyState& first() const { return first_; }

 private:
  /// All but the attitude.
  [[nodiscard]] BodyState moved(double tau) const;
  [[nodiscard]] Quaterniond turned(const Quaterniond& from, double start, double end) const;

  BallOnPlane ball_;
  BallStretch stretch_;
  BodyState first_;
  Vector3d velocity_;  ///< that turns, at the start
  double step_ = 0.0;
  std::vector<Quaterniond> attitudes_;  ///< every step_
};

}  // namespace carom::event
