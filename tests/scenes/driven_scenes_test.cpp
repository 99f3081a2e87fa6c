/// A floor and a paddle that are driven, and a spring.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

TEST(RisingFloor, ItsWorkIsBooked) {
  const SceneRun run = run_shipped("rising-floor");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 10u);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    // Against the floor the ball has 5 m/s each time, for 2 · 5/10 s.
    EXPECT_NEAR(impacts[i].record.time, static_cast<double>(i), 1e-14);
    EXPECT_NEAR(impacts[i].contacts.at(0).rate_before, -5.0, 1e-13);
    EXPECT_NEAR(impacts[i].contacts.at(0).rate_after, 5.0, 1e-13);
    // An impulse of 2mu = 20 N s on a floor of 0.5 m/s.
    EXPECT_NEAR(impacts[i].record.energy.wall_work, 10.0, 1e-12);
  }
  EXPECT_NEAR(run.result.energy.wall_work, 100.0, 1e-11);
  // Half a second after the last impact: at the top of its way as the floor sees it.
  EXPECT_LE(difference(run.body("ball").position, Vector3d(0, 0, 0.1 + 9.5 * 0.5 + 1.25)), 1e-13);
}

TEST(RisingFloor, IsTheSameAsAFloorAtRestSeenFromALift) {
  const SceneRun moving = run_shipped("rising-floor", {"run.duration=5"});
  const SceneRun still = run_shipped(
      "rising-floor", {"run.duration=5", "plane.floor.velocity=[0, 0, 0]", "body.ball.velocity=[0, 0, -5]"});
  ASSERT_EQ(moving.events.size(), still.events.size());
  for (std::size_t i = 0; i < still.events.size(); ++i) {
    EXPECT_NEAR(moving.events[i].record.time, still.events[i].record.time, 1e-14);
    EXPECT_NEAR(moving.events[i].contacts[0].impulse, still.events[i].contacts[0].impulse, 1e-12);
  }
  EXPECT_EQ(still.result.energy.wall_work, 0.0);
}

TEST(Paddle, BatsTheBallWithTwiceTheSpeedOfThePlaceThatStrikesIt) {
  const SceneRun run = run_shipped("paddle");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 1u);
  // The ball, 0.8 m from the axis, is struck when its centre is 0.05 + 0.1 m from the middle plane of the paddle.
  const double ahead = std::asin(0.15 / 0.8), turned = std::acos(0.0) - ahead;
  EXPECT_NEAR(impacts[0].record.time, turned / 2.0, 1e-13);
  const double speed = 2.0 * 2.0 * 0.8 * std::cos(ahead);
  const Vector3d across(-std::sin(turned), std::cos(turned), 0);
  EXPECT_LE(difference(run.body("ball").velocity, speed * across), 1e-12);
  EXPECT_NEAR(run.result.energy.wall_work, 0.25 * speed * speed, 1e-12);
}

TEST(SpringPendulum, BobsHarmonicallyWhereItHangsStraight) {
  // Equilibrium at ℓ = ℓ₀ + mg/k = 1 m, that is at z = 0; z = 0.05 cos(√(k/m) t).
  const SceneRun run = run_shipped("spring-pendulum", {"body.bob.position=[0, 0, 0.05]"});
  expect_sound(run);
  for (const State& sample : run.samples) {
    const double phase = std::sqrt(39.24) * sample.time;
    EXPECT_LE(difference(sample.bodies[0].position, Vector3d(0, 0, 0.05 * std::cos(phase))), 1e-11) << sample.time;
  }
}

TEST(SpringPendulum, PassesItsEnergyToAndFro) {
  const SceneRun run = run_shipped("spring-pendulum");
  expect_sound(run);
  EXPECT_EQ(run.result.guarantee, Guarantee::bounded);
  double bobbing = 0.0;
  for (const State& sample : run.samples) bobbing = std::max(bobbing, std::abs(sample.bodies[0].position.z()));
  // It starts without bobbing, at the height of its equilibrium.
  EXPECT_GE(bobbing, 0.1);
}

TEST(SpringPendulum, BouncesOnARaisedFloor) {
  const SceneRun run =
      run_shipped("spring-pendulum", {"body.bob.position=[0, 0, 0.1]", "plane.floor.point=[0, 0, -0.1]"});
  expect_sound(run);
  // z = 0.1 cos(√(k/m) t) would pass 0, where the sphere touches: a quarter of a period down, and half of one between.
  const double quarter = std::acos(-1.0) / (2.0 * std::sqrt(39.24));
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 10u);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    EXPECT_NEAR(impacts[i].record.time, quarter * static_cast<double>(2 * i + 1), 1e-10) << i;
  }
}

}  // namespace
}  // namespace carom::test
