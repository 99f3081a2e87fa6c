#include "carom/mechanics/driven_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/random.h"

namespace carom::driven_motion_test {
namespace {

using Eigen::Vector3d;

constexpr double kTurn = 2.0 * std::numbers::pi;

Profile random_profile(Random& random) {
  const double which = random.uniform();
  if (which < 0.35) return SineProfile{random.uniform(-1.0, 1.0), random.uniform(0.1, 5.0), random.uniform(-4.0, 4.0)};
  if (which < 0.7) {
    PolynomialProfile polynomial;
    for (int k = 0; k < 6; ++k) polynomial.coefficients.push_back(random.uniform(-1.0, 1.0));
    return polynomial;
  }
  std::vector<double> times, values;
  for (double time = -1.0; time < 4.0; time += random.uniform(0.05, 0.6)) {
    times.push_back(time);
    values.push_back(random.uniform(-1.0, 1.0));
  }
  return CubicSpline(times, values, which < 0.85 ? SplineEnds::natural : SplineEnds::rest);
}

Vector3d random_vector(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

DrivenMotion random_motion(Random& random) {
  DrivenMotion motion;
  motion.axis = random_vector(random).normalized();
  const double what = random.uniform();
  if (what < 0.7) motion.position = random_profile(random);
  if (what > 0.4) motion.angle = random_profile(random);
  if (random.uniform() < 0.5) motion.point = random_vector(random);
  return motion;
}

Pose random_pose(Random& random) {
  const Vector3d turn = random_vector(random);
  return {.position = random_vector(random),
          .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized()))};
}

TEST(DrivenMotion, VelocitiesAndAccelerationsAreTheDerivatives) {
  Random random(7);
  for (int k = 0; k < 300; ++k) {
    const DrivenMotion motion = random_motion(random);
    const Pose placed = random_pose(random);
    const double t = random.uniform(0.0, 3.0), h = 1e-5;
    const FrameMotion now = motion.at(placed, t), before = motion.at(placed, t - h), after = motion.at(placed, t + h);
    const double scale = 1.0 + now.acceleration.norm() + now.angular_acceleration.norm();
    EXPECT_LE((after.pose.position - before.pose.position - 2.0 * h * now.velocity).norm(), 1e-11 * scale);
    // A spline's third derivative jumps: the difference of velocities is off by its size times h².
    EXPECT_LE((after.velocity - before.velocity - 2.0 * h * now.acceleration).norm(), 1e-7 * scale);
    EXPECT_LE((after.angular_velocity - before.angular_velocity - 2.0 * h * now.angular_acceleration).norm(),
              1e-7 * scale);
    // A point of the frame moves with velocity_of.
    const Vector3d local = random_vector(random);
    EXPECT_LE(
        (after.pose.to_world(local) - before.pose.to_world(local) - 2.0 * h * now.velocity_of(now.pose.to_world(local)))
            .norm(),
        1e-10 * scale * scale);
  }
}

TEST(DrivenMotion, ItsBoundsHoldDuringTheWindow) {
  Random random(8);
  for (int k = 0; k < 500; ++k) {
    const DrivenMotion motion = random_motion(random);
    const Pose placed = random_pose(random);
    const double from = random.uniform(0.0, 3.0);
    const double length = std::min(std::pow(10.0, random.uniform(-5.0, 0.3)), motion.longest_window(from));
    const FrameBounds bounds = motion.over(placed, from, length);
    const Vector3d start = motion.at(placed, from).pose.position;
    for (int i = 0; i <= 50; ++i) {
      const FrameMotion now = motion.at(placed, from + length * i / 50.0);
      const double slack = 1e-12 * (1.0 + bounds.acceleration.norm() + bounds.acceleration_spread);
      ASSERT_LE((now.acceleration - bounds.acceleration).norm(), bounds.acceleration_spread + slack);
      ASSERT_LE(now.angular_velocity.norm(), bounds.max_spin + 1e-12);
      ASSERT_LE(now.angular_acceleration.norm(), bounds.max_spin_rate + slack);
      if (motion.turns()) continue;
      const double shift = motion.axis.dot(now.pose.position - start);
      ASSERT_TRUE(shift >= bounds.shift.low - 1e-12 && shift <= bounds.shift.high + 1e-12);
    }
  }
}

TEST(DrivenMotion, BoundsOfShortWindowsAreSharp) {
  Random random(9);
  for (int k = 0; k < 200; ++k) {
    const DrivenMotion motion = random_motion(random);
    const Pose placed = random_pose(random);
    const double from = random.uniform(0.0, 3.0);
    const FrameBounds bounds = motion.over(placed, from, 1e-12);
    const FrameMotion now = motion.at(placed, from);
    EXPECT_LE((bounds.acceleration - now.acceleration).norm() + bounds.acceleration_spread, 1e-4);
    EXPECT_NEAR(bounds.max_spin, now.angular_velocity.norm(), 1e-5);
  }
}

TEST(DrivenMotion, ASineKeepsItsPhaseForHours) {
  // After 10⁶ s of 50 Hz: time is known to 1e-10 s there, and the phase no worse.
  const SineProfile sine{1.0, 50.0, 0.0};
  EXPECT_NEAR(jet_at(sine, 1e6 + 0.005).value, std::sin(kTurn * 50.0 * ((1e6 + 0.005) - 1e6)), 1e-12);
}

TEST(DrivenMotion, ATurnAboutAPointGoesRoundIt) {
  DrivenMotion motion;
  motion.angle = PolynomialProfile{{0.0, 2.0}};
  motion.point = Vector3d(1.0, 0.0, 0.0);
  const FrameMotion now = motion.at({.position = Vector3d(3.0, 0.0, 0.5)}, 0.25 * std::numbers::pi);
  EXPECT_LE((now.pose.position - Vector3d(1.0, 2.0, 0.5)).norm(), 1e-15);
  EXPECT_LE((now.velocity - Vector3d(-4.0, 0.0, 0.0)).norm(), 1e-14);
  EXPECT_LE((now.acceleration - Vector3d(0.0, -8.0, 0.0)).norm(), 1e-14);
}

TEST(DrivenMotion, KnowsWhenItCeasesToMove) {
  DrivenMotion motion;
  motion.position = CubicSpline({0.0, 1.0, 2.0}, {0.0, 0.1, 0.0}, SplineEnds::rest);
  EXPECT_EQ(motion.still_from(), 2.0);
  motion.angle = SineProfile{1.0, 1.0, 0.0};
  EXPECT_TRUE(std::isinf(motion.still_from()));
}

TEST(DrivenMotion, RefusesWhatIsNone) {
  const auto kind_of = [](const DrivenMotion& motion) {
    try {
      validate(motion, "plane.table.motion");
    } catch (const InputError& error) {
      return error.kind();
    }
    return Kind::usage;
  };
  DrivenMotion motion;
  EXPECT_EQ(kind_of(motion), Kind::missing_field);
  motion.position = SineProfile{1.0, 0.0, 0.0};
  EXPECT_EQ(kind_of(motion), Kind::out_of_range);
  motion.position = SineProfile{std::nan(""), 1.0, 0.0};
  EXPECT_EQ(kind_of(motion), Kind::not_finite);
  motion.position = PolynomialProfile{std::vector<double>(kMostCoefficients + 1, 1.0)};
  EXPECT_EQ(kind_of(motion), Kind::limit);
  motion.position = SineProfile{};
  motion.axis = Vector3d(0.0, 0.0, 2.0);
  EXPECT_EQ(kind_of(motion), Kind::out_of_range);
}

}  // namespace
}  // namespace carom::driven_motion_test
