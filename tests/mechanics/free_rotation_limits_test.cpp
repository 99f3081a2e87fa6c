/// The limits in which formulas for the free top are apt to fail: principal axes, the separatrix, near symmetry, scale.

#include "carom/mechanics/free_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mechanics/rotation_reference.h"

namespace carom::free_rotation_limits_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

TEST(FreeRotation, SpinAboutAPrincipalAxisStays) {
  for (int k = 0; k < 3; ++k) {
    RotationState initial;
    initial.angular_velocity[k] = -2.0;
    const FreeRotation motion({1.0, 2.0, 3.0}, initial);
    EXPECT_EQ(motion.kind(), FreeRotation::Kind::uniform);
    const RotationState after = motion.at(1e3);
    EXPECT_EQ(after.angular_velocity, initial.angular_velocity);
    EXPECT_LT(distance(after, {Quaterniond(AngleAxisd(-2e3, Vector3d::Unit(k))), initial.angular_velocity}), 1e-12);
  }
  const RotationState rest{Quaterniond(0.5, 0.5, 0.5, 0.5), Vector3d::Zero()};
  for (const Vector3d& J : {Vector3d(1, 1, 1), Vector3d(1, 1, 2), Vector3d(1, 2, 3)}) {
    EXPECT_EQ(distance(FreeRotation(J, rest).at(5.0), rest), 0.0);
    EXPECT_EQ(FreeRotation(J, rest).max_angular_speed(), 0.0);
  }
}

TEST(FreeRotation, SmallWobbleAboutAStableAxisIsHarmonic) {
  // About the axis of inertia 3: ω₁, ω₂ ∝ cos, sin of Ω√((J₃−J₁)(J₃−J₂)/(J₁J₂)) t = t.
  for (const double wobble : {1e-6, 1e-12, 1e-100, 1e-140}) {
    const FreeRotation motion({1.0, 2.0, 3.0}, {Quaterniond::Identity(), {wobble, 0.0, 1.0}});
    EXPECT_EQ(motion.kind(), FreeRotation::Kind::asymmetric);
    const Vector3d w = motion.at(2.0).angular_velocity;
    const double tolerance = wobble * (wobble + 1e-14);
    EXPECT_NEAR(w[0], wobble * std::cos(2.0), tolerance) << wobble;
    EXPECT_NEAR(w[1], wobble * std::sin(2.0), tolerance) << wobble;
    EXPECT_NEAR(w[2], 1.0, wobble * wobble + 4 * kEpsilon) << wobble;
  }
}

TEST(FreeRotation, IsAccurateOnBothSidesOfTheSeparatrixAndUponIt) {
  // On it, m₃ = √ν m₁: with J = (1, 2, 3), ω = (1, ω₂, 1/√3) to round-off.
  const Vector3d J(1.0, 2.0, 3.0);
  for (const double side : {1.0, -1.0}) {
    for (int power = 1; power <= 17; ++power) {
      const double off = power == 17 ? 0.0 : side * std::pow(10.0, -power);
      for (const double middle : {0.0, -0.4, 0.4}) {
        const RotationState state{Quaterniond(0.5, 0.5, -0.5, 0.5), {1.0 + off, middle, 1.0 / std::sqrt(3.0)}};
        // The way along the separatrix amplifies by e^{t/√3}: 2e3 · ε · a few.
        EXPECT_LT(distance_from_integration(J, state, 13.0), 1e-11) << off << ' ' << middle;
      }
    }
  }
}

TEST(FreeRotation, FollowsTheSeparatrixInClosedForm) {
  // L² = 2T J₂ = 12 with ω(0) = (√3, 0, 1): ω = (√3 sech t, √3 tanh t, sech t). √3 is rounded, and what lies off the
  // separatrix grows as e^t.
  const double w3 = 1.0;
  const double w1 = std::sqrt(3.0) * w3;
  const FreeRotation motion({1.0, 2.0, 3.0}, {Quaterniond::Identity(), {w1, 0.0, w3}});
  for (const double t : {-8.0, -1.0, 0.5, 3.0, 8.0}) {
    const Vector3d w = motion.at(t).angular_velocity;
    const double tolerance = 4.0 * kEpsilon * std::exp(std::abs(t));
    EXPECT_NEAR(w[0], w1 / std::cosh(t), tolerance);
    EXPECT_NEAR(w[1], std::sqrt(3.0) * std::tanh(t), tolerance);
    EXPECT_NEAR(w[2], w3 / std::cosh(t), tolerance);
  }
}

TEST(FreeRotation, FlipsWhenSpunAboutTheMiddleAxis) {
  for (const double push : {1e-3, 1e-6, 1e-12, 1e-100}) {
    const RotationState initial{Quaterniond::Identity(), {push, 1.0, 0.0}};
    const FreeRotation motion({1.0, 2.0, 3.0}, initial);
    // The first zero of ω₂, half way of the flip.
    double low = 0.0;
    double high = 1.0;
    while (motion.at(high).angular_velocity[1] > 0.0) high += 1.0;
    low = high - 1.0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (motion.at(middle).angular_velocity[1] > 0.0 ? low : high) = middle;
    }
    const RotationState flipped = motion.at(2.0 * low);
    EXPECT_NEAR(flipped.angular_velocity[1], -1.0, 1e-12) << push;
    EXPECT_NEAR(std::abs(flipped.angular_velocity[0]), push, 1e-10 * push) << push;
    // The spin in space is the same, the body's middle axis points the other way.
    EXPECT_LT((flipped.attitude * flipped.angular_velocity - initial.angular_velocity).norm(), 1e-12 + 4.0 * push);
    EXPECT_NEAR((flipped.attitude * Vector3d::UnitY()).y(), -1.0, 1e-12 + 4.0 * push);
    // λ = 1/√3 and √(1−m) = push up to push²: K = ln(4/push).
    EXPECT_NEAR(low / std::sqrt(3.0), std::log(4.0 / push), 1e-12 + 10.0 * push * push) << push;
  }
}

TEST(FreeRotation, NearlySymmetricBodiesLoseNoAccuracy) {
  const RotationState state{Quaterniond(0.5, 0.5, -0.5, 0.5), {0.8, 0.6, 0.5}};
  const RotationState equatorial{Quaterniond(0.5, 0.5, -0.5, 0.5), {0.8, 0.6, 1e-7}};
  for (int power = 1; power <= 16; ++power) {
    const double off = std::pow(10.0, -power);
    for (const Vector3d& J :
         {Vector3d(1.0, 1.0 + off, 1.5), Vector3d(1.0 + off, 1.0, 0.5), Vector3d(1.5, 1.0, 1.0 - off),
          Vector3d(1.0, 1.0 + off, 1.0 - off), Vector3d(1.0 + 2.0 * off, 1.0, 1.0 + off)}) {
      EXPECT_LT(distance_from_integration(J, state, 60.0), 2e-12) << J.transpose() << ' ' << off;
      EXPECT_LT(distance_from_integration(J, equatorial, 60.0), 2e-12) << J.transpose() << ' ' << off;
    }
  }
}

TEST(FreeRotation, ScalesWithSpinAndInertia) {
  const RotationState unit{Quaterniond(0.5, 0.5, 0.5, 0.5), {0.5, 1.0, 0.25}};
  const FreeRotation reference({1.0, 2.0, 3.0}, unit);
  for (const double faster : {0x1p-600, 0x1p-30, 0x1p300}) {
    for (const double heavier : {0x1p-300, 0x1p300}) {
      const RotationState initial{unit.attitude, unit.angular_velocity * faster};
      const FreeRotation motion(Vector3d(1.0, 2.0, 3.0) * heavier, initial);
      const RotationState a = motion.at(7.0 / faster);
      EXPECT_LT(distance({a.attitude, a.angular_velocity / faster}, reference.at(7.0)), 1e-14);
      EXPECT_NEAR(motion.max_angular_speed() / faster, reference.max_angular_speed(), 1e-14);
    }
  }
}

}  // namespace
}  // namespace carom::free_rotation_limits_test
