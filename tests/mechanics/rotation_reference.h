#pragma once
/// What the tests of free rotation compare with: Euler's equations integrated at a tight tolerance, random bodies.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/mechanics/free_rotation.h"
#include "carom/numerics/dormand_prince_853.h"

namespace carom {

/// ω̇ by Euler's equations.
inline Eigen::Vector3d euler(const Eigen::Vector3d& J, const Eigen::Vector3d& w) {
  return {(J[1] - J[2]) / J[0] * w[1] * w[2], (J[2] - J[0]) / J[1] * w[2] * w[0], (J[0] - J[1]) / J[2] * w[0] * w[1]};
}

/// Distance of two states: attitudes up to the sign of the quaternion, spins relative to the faster.
inline double distance(const RotationState& a, const RotationState& b) {
  const double same = (a.attitude.coeffs() - b.attitude.coeffs()).norm();
  const double opposite = (a.attitude.coeffs() + b.attitude.coeffs()).norm();
  const double speed = std::max(a.angular_velocity.norm(), b.angular_velocity.norm());
  const double spin = speed > 0.0 ? (a.angular_velocity - b.angular_velocity).norm() / speed : 0.0;
  return std::max(std::min(same, opposite), spin);
}

/// The largest distance between FreeRotation and Euler's equations integrated at tolerance 3e-15, over [0, duration].
inline double distance_from_integration(const Eigen::Vector3d& J, const RotationState& initial, double duration) {
  const FreeRotation exact(J, initial);
  const auto slope = [&J](const double* y, double* dy) {
    const Eigen::Quaterniond rate =
        Eigen::Quaterniond(y[0], y[1], y[2], y[3]) * Eigen::Quaterniond(0.0, y[4], y[5], y[6]);
    const Eigen::Vector3d acceleration = euler(J, {y[4], y[5], y[6]});
    const double all[7] = {0.5 * rate.w(),  0.5 * rate.x(),  0.5 * rate.y(), 0.5 * rate.z(),
                           acceleration[0], acceleration[1], acceleration[2]};
    std::copy(all, all + 7, dy);
  };
  DormandPrince853 stepper;
  stepper.resize(7);
  const Eigen::Quaterniond& q = initial.attitude;
  const Eigen::Vector3d& w = initial.angular_velocity;
  double y[7] = {q.w(), q.x(), q.y(), q.z(), w[0], w[1], w[2]};
  double next[7];
  double t = 0.0;
  double h = 0.01 / w.norm();
  double worst = 0.0;
  while (t < duration) {
    h = std::min(h, duration - t);
    slope(y, stepper.first_slope());
    const double error = stepper.step(slope, y, h, next, 3e-15);
    if (error <= 1.0) {
      t += h;
      std::copy(next, next + 7, y);
      worst = std::max(worst, distance(exact.at(t), {Eigen::Quaterniond(y[0], y[1], y[2], y[3]), {y[4], y[5], y[6]}}));
    }
    h *= DormandPrince853::step_factor(error);
  }
  return worst;
}

inline RotationState random_state(Random& random) {
  RotationState state;
  // Braces: the arguments are evaluated in order, by every compiler.
  state.attitude =
      Eigen::Quaterniond{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}
          .normalized();
  state.angular_velocity = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
  return state;
}

/// Of a homogeneous ellipsoid with random axes; every fourth time a spheroid.
inline Eigen::Vector3d random_inertia(Random& random) {
  const double a = std::pow(10.0, random.uniform(-0.5, 0.5));
  const double b = random.integer(0, 3) == 0 ? a : std::pow(10.0, random.uniform(-0.5, 0.5));
  const double c = std::pow(10.0, random.uniform(-0.5, 0.5));
  const double density = std::pow(10.0, random.uniform(-3, 3));
  const Eigen::Vector3d J = density * Eigen::Vector3d(b * b + c * c, c * c + a * a, a * a + b * b);
  const int shift = random.integer(0, 2);
  return {J[shift], J[(shift + 1) % 3], J[(shift + 2) % 3]};
}

inline double revolution(const RotationState& state) {
  return 2.0 * std::numbers::pi / state.angular_velocity.norm();
}

}  // namespace carom
