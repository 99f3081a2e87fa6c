#include "carom/contact/motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/mechanics/attitude.h"
#include "carom/numerics/dormand_prince_853.h"
#include "contact/heavy_cases.h"
#include "geometry/random_shapes.h"

namespace carom::contact {
namespace {

using test::heavy_cases;
using test::random_direction;
using test::random_rotation;

/// Distance of two attitudes, the sign of the quaternion aside.
double distance(const Quaterniond& a, const Quaterniond& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

/// q̇ = ½ω(τ)q with ω = ω₀ + ατ (world), by an eighth-order method at a tolerance of 3e-15.
Quaterniond integrated_attitude(const Quaterniond& first, const Vector3d& spin, const Vector3d& rate, double tau) {
  const auto slope = [&](const double* y, double* dy) {
    const Vector3d w = spin + y[4] * rate;
    const Quaterniond turning = Quaterniond(0.0, w.x(), w.y(), w.z()) * Quaterniond(y[0], y[1], y[2], y[3]);
    dy[0] = 0.5 * turning.w();
    dy[1] = 0.5 * turning.x();
    dy[2] = 0.5 * turning.y();
    dy[3] = 0.5 * turning.z();
    dy[4] = 1.0;
  };
  DormandPrince853 stepper;
  stepper.resize(5);
  double y[5] = {first.w(), first.x(), first.y(), first.z(), 0.0};
  double next[5];
  double h = 0.01;
  while (y[4] < tau) {
    const bool last = y[4] + h >= tau;
    if (last) h = tau - y[4];
    slope(y, stepper.first_slope());
    const double error = stepper.step(slope, y, h, next, 3e-15);
    if (error <= 1.0) {
      std::copy(next, next + 5, y);
      if (last) break;
    }
    h *= DormandPrince853::step_factor(error);
  }
  return Quaterniond(y[0], y[1], y[2], y[3]).normalized();
}

TEST(Motion, AcceleratedAttitudeAgreesWithIntegration) {
  Random random(11);
  for (int k = 0; k < heavy_cases(60); ++k) {
    const Quaterniond first = random_rotation(random);
    const Vector3d spin = random.uniform(0.0, 5.0) * random_direction(random);
    const Vector3d rate = random.uniform(0.0, 5.0) * random_direction(random);
    const double tau = random.uniform(0.01, 2.0);
    const Quaterniond exact = integrated_attitude(first, spin, rate, tau);
    // A few thousand parts, each with a round-off of 1e-16.
    EXPECT_LT(distance(accelerated_attitude(first, spin, rate, tau), exact), 2e-13) << k;
  }
}

TEST(Motion, AcceleratedAttitudeAboutOneAxisIsTheAngle) {
  Random random(12);
  for (int k = 0; k < heavy_cases(50); ++k) {
    const Quaterniond first = random_rotation(random);
    const Vector3d axis = random_direction(random);
    const double spin = random.uniform(-3.0, 3.0), rate = random.uniform(-3.0, 3.0), tau = random.uniform(0.0, 5.0);
    const Quaterniond expected = Eigen::AngleAxisd(tau * (spin + 0.5 * rate * tau), axis) * first;
    EXPECT_LT(distance(accelerated_attitude(first, spin * axis, rate * axis, tau), expected), 1e-13) << k;
  }
}

TEST(Motion, AcceleratedAttitudeGoesOnFromWhereItWas) {
  Random random(13);
  for (int k = 0; k < heavy_cases(30); ++k) {
    const Quaterniond first = random_rotation(random);
    const Vector3d spin = 2.0 * random_direction(random), rate = 2.0 * random_direction(random);
    const double half = random.uniform(0.1, 0.8);
    const Quaterniond middle = accelerated_attitude(first, spin, rate, half);
    const Quaterniond on = accelerated_attitude(middle, spin + half * rate, rate, half);
    EXPECT_LT(distance(on, accelerated_attitude(first, spin, rate, 2.0 * half)), 2e-13);
    EXPECT_LT(distance(accelerated_attitude(middle, spin + half * rate, rate, -half), first), 2e-13);  // and back
  }
}

/// A body with its principal frame turned, flying.
Motion flying(const Vector3d& inertia, Random& random) {
  Motion motion;
  motion.turning = Turning::free;
  motion.position = random_direction(random);
  motion.velocity = 2.0 * random_direction(random);
  motion.acceleration = {0.0, 0.0, -9.81};
  motion.principal_axes = random_rotation(random);
  motion.attitude = random_rotation(random);
  motion.spin = random.uniform(0.5, 5.0) * random_direction(random);
  const Quaterniond principal = motion.attitude * motion.principal_axes;
  motion.rotation =
      std::make_shared<const FreeRotation>(inertia, RotationState{principal, principal.conjugate() * motion.spin});
  return motion;
}

TEST(Motion, AFreeBodyKeepsAngularMomentumInTheWorld) {
  Random random(14);
  for (int k = 0; k < heavy_cases(50); ++k) {
    const Vector3d inertia(random.uniform(1.0, 2.0), random.uniform(1.0, 2.0), random.uniform(1.0, 2.0));
    const Motion motion = flying(inertia, random);
    const auto momentum = [&](const BodyState& state) -> Vector3d {
      const Quaterniond principal = state.orientation * motion.principal_axes;
      return principal * inertia.cwiseProduct(principal.conjugate() * state.angular_velocity);
    };
    const Vector3d before = momentum(motion.after(0.0));
    EXPECT_LT((motion.after(0.0).angular_velocity - motion.spin).norm(), 1e-14 * motion.spin.norm());
    EXPECT_LT(distance(motion.after(0.0).orientation, motion.attitude), 1e-14);
    for (const double tau : {0.1, 1.0, 10.0, -3.0})
      EXPECT_LT((momentum(motion.after(tau)) - before).norm(), 1e-13 * (1.0 + std::abs(tau)) * before.norm()) << tau;
  }
}

TEST(Motion, AngularVelocityIsTheRateOfTheAttitude) {
  Random random(15);
  Motion motion = flying({1.0, 1.5, 2.0}, random);
  for (const Turning turning : {Turning::fixed, Turning::uniform, Turning::accelerated, Turning::free}) {
    motion.turning = turning;
    motion.spin_rate = {0.3, -0.7, 0.2};
    const double h = 1e-4;
    for (const double tau : {0.0, 0.37, 1.9}) {
      const Quaterniond step = motion.after(tau + h).orientation * motion.after(tau - h).orientation.conjugate();
      const Vector3d turned = step.w() < 0.0 ? Vector3d(-step.vec()) : Vector3d(step.vec());
      // sin(½|ω|2h): central differences of second order.
      EXPECT_LT((turned / h - motion.after(tau).angular_velocity).norm(), 1e-6) << static_cast<int>(turning);
      EXPECT_EQ(motion.after(tau).position, motion.position_after(tau));
      EXPECT_EQ(motion.after(tau).velocity, motion.velocity_after(tau));
    }
  }
}

TEST(Motion, TimeIsKeptBeyondItsLastDigit) {
  Motion motion;
  motion.start = 1e6;
  motion.start_carry = 3e-12;
  motion.velocity = {1.0, 0.0, 0.0};
  EXPECT_NEAR(motion.since(1e6, 5e-12), 2e-12, 1e-27);
  EXPECT_NEAR(motion.at(1e6, 5e-12).position.x(), 2e-12, 1e-27);
  EXPECT_NEAR(motion.since(1e6 + 1.0, 0.0), 1.0 - 3e-12, 1e-16);
}

}  // namespace
}  // namespace carom::contact
