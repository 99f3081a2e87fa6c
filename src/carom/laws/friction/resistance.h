#pragma once
/// Resistance to rolling and to spinning, torques on a body that turns on another, prepared for one contact.
///
/// Rolling. A ball (radius R, mass m, moment of inertia J) that rolls on a plane shall slow down at μ_roll g. With the
/// torque M against the rolling and the friction force f that keeps it rolling (along the motion): m v̇ = f,
/// J ω̇ = −fR − M, v̇ = Rω̇, so v̇ = −M R/(mR² + J) and
///   M = μ_roll N R (1 + J/(mR²)),   7/5 μ_roll N R for a homogeneous ball;   f = −μ_roll N.
/// (The friction must be able to carry μ_roll N; otherwise the ball slides as well.) Spinning about the normal:
///   M = s N,   s a length; a ball spins down at s N/J: 5–15 rad/s² for s = 1.7e-4 … 5e-4 m of a pool ball.
/// Both are multiplied by tanh(ω/ω_r), ω_r = rolling_speed/R, so that nothing jumps at rest.

#include "carom/laws/friction/friction.h"

namespace carom {

struct Resistance {
  double rolling = 0.0;   ///< M/N of rolling, μ_roll R (1 + J/(mR²)) [m]
  double spinning = 0.0;  ///< M/N of spinning, s [m]
  double rate = 1.0;      ///< ω_r > 0 [rad/s]

  [[nodiscard]] bool any() const { return rolling > 0.0 || spinning > 0.0; }

  /// M/(N ω) for the rate ω ≥ 0 of the relative rotation about the tangent plane: the torque is −N ·
  /// rolling_over_rate(|ω_t|) ω_t.
  [[nodiscard]] double rolling_over_rate(double omega) const { return rolling * regularised(omega); }
  /// The same for |ω_n|, the rate about the normal.
  [[nodiscard]] double spinning_over_rate(double omega) const { return spinning * regularised(omega); }

 private:
  [[nodiscard]] double regularised(double omega) const { return tanh_over(omega / rate) / rate; }
};

}  // namespace carom
