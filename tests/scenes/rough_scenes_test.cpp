/// Balls at rough walls and floors against the closed forms of docs/theory/impact-laws.md.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

TEST(SuperballPendulum, IsWhereItBeganAfterAThousandBounces) {
  const SceneRun run = run_shipped("superball-pendulum", {"run.duration=500"});
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 1000u);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    // 4u/g = 1 s for two bounces.
    EXPECT_NEAR(impacts[i].record.time, 0.25 + 0.5 * static_cast<double>(i), 1e-10);
    // At either end of its way, uv/g from the middle.
    EXPECT_NEAR(impacts[i].contacts.at(0).point.x(), i % 2 == 0 ? 0.25 : -0.25, 1e-10);
  }
  const BodyState& ball = run.body("superball");
  EXPECT_LE(difference(ball.position, Vector3d(0, 0, 0.3565625)), 1e-10);
  EXPECT_LE(difference(ball.velocity, Vector3d(1, 0, 0)), 1e-10);
  EXPECT_LE(difference(ball.angular_velocity, Vector3d(0, -50, 0)), 50 * 1e-10);
}

TEST(SuperballPendulum, SettlesAtZenosTimeWhereItLosesEnergy) {
  // 2u/g · μ/(1 − μ) after the first impact, which is u/g after the start: u/g = 0.25 s.
  const SceneRun run = run_shipped("superball-pendulum", {"pair.0.restitution=0.5", "run.duration=2"});
  expect_sound(run);
  const std::vector<KeptEvent> rests = run.of_kind(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0].record.time, 0.25 + 0.5, 1e-12);
}

TEST(SuperballUnderATable, ComesBackWithTheKnownSpeeds) {
  const SceneRun run = run_shipped("superball-under-a-table");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 3u);
  const double ratios[] = {3.0 / 7.0, -31.0 / 49.0, -333.0 / 343.0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(run.scene.model.name(impacts[i].contacts.at(0).b), i == 1 ? "table" : "floor");
    EXPECT_NEAR(impacts[i].jumps.at(0).velocity_after.x(), 5.0 * ratios[i], 1e-14);
    EXPECT_NEAR(impacts[i].jumps[0].velocity_after.z(), -impacts[i].jumps[0].velocity_before.z(), 1e-13);
  }
}

TEST(SuperballUnderATable, AHollowBallComesBackExactly) {
  // J = mr²/3 returns the velocity exactly.
  const SceneRun run = run_shipped("superball-under-a-table", {"body.superball.inertia=[3e-5, 3e-5, 3e-5]"});
  ASSERT_EQ(run.impacts().size(), 3u);
  EXPECT_NEAR(run.body("superball").velocity.x(), -5.0, 1e-13);
}

TEST(RollingBallMeetsAWall, LeavesAsTheTheoremSays) {
  const double mass = 1, radius = 0.5, inertia = 0.1, square = mass * radius * radius;
  const double v2 = 0.5, spin = 3.0;
  for (const double mu : {1.0, 0.5, 0.0}) {
    SCOPED_TRACE(mu);
    const SceneRun run = run_shipped("rolling-ball-meets-a-wall", {setting("pair.0.restitution", mu)});
    expect_sound(run);
    const std::vector<KeptEvent> impacts = run.impacts();
    ASSERT_FALSE(impacts.empty());
    EXPECT_NEAR(impacts[0].record.time, 1.0, 1e-14);
    const double along =
        (((1 - mu) * inertia + square) * v2 + (1 + mu) * inertia * radius * spin) / (2 * inertia + square);
    const double turning = ((1 + mu) * (inertia + square) * v2 / radius + ((1 - mu) * inertia - mu * square) * spin) /
                           (2 * inertia + square);
    const BodyState& ball = run.body("ball");
    EXPECT_LE(difference(ball.velocity, Vector3d(mu, along, 0)), 1e-14);
    EXPECT_LE(difference(ball.angular_velocity, Vector3d(-along / radius, mu / radius, turning)), 1e-13);
    EXPECT_LE(difference(ball.position, Vector3d(0.5 + mu, 0.5 + along, 0.5)), 1e-13);
  }
}

TEST(BallOnAnIncline, RollsWithFiveSeventhsOfTheAcceleration) {
  const SceneRun run = run_shipped("ball-on-an-incline");
  expect_sound(run);
  EXPECT_EQ(run.result.impacts, 0);
  const Vector3d down(std::sqrt(0.75), 0, -0.5);
  const double slide = 9.81 * 0.5, roll = slide * 5.0 / 7.0, time = 2.0;
  for (const auto& [name, acceleration] : {std::pair{"held", roll}, {"rough", roll}, {"smooth", slide}}) {
    SCOPED_TRACE(name);
    std::size_t index = 0;
    while (run.scene.model.bodies[index].name != name) ++index;
    const BodyState& ball = run.body(name);
    const Vector3d travel = ball.position - run.scene.state.bodies[index].position;
    EXPECT_LE(difference(travel, down * (0.5 * acceleration * time * time)), 1e-13);
    EXPECT_LE(difference(ball.velocity, down * (acceleration * time)), 1e-13);
    const double spin = acceleration == roll ? acceleration * time / 0.1 : 0.0;
    EXPECT_LE(difference(ball.angular_velocity, Vector3d(0, spin, 0)), 1e-12);
  }
}

TEST(ConveyorBelt, TheBallEndsRollingWithTwoSeventhsOfTheBeltsSpeed) {
  for (const double restitution : {0.5, 0.25, 0.0}) {
    SCOPED_TRACE(restitution);
    const SceneRun run = run_shipped("conveyor-belt", {setting("pair.0.restitution", restitution)});
    expect_sound(run);
    const BodyState& ball = run.body("ball");
    // The angular momentum about a point of the belt's surface is kept: v = 2/7 · 1.4, ω = −5/7 · 1.4/r.
    EXPECT_LE(difference(ball.velocity, Vector3d(0.4, 0, 0)), 1e-13);
    EXPECT_LE(difference(ball.angular_velocity, Vector3d(0, -10, 0)), 1e-12);
    // The belt has given the momentum m · 0.4 along its velocity.
    EXPECT_NEAR(run.result.energy.wall_work, 0.4 * 1.4, 1e-12);
  }
}

TEST(ConveyorBelt, TheFirstBounceIsTheClosedFormInTheBeltsFrame) {
  const SceneRun run = run_shipped("conveyor-belt");
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  const double fall = std::sqrt(2.0 / 9.81);
  EXPECT_NEAR(impacts[0].record.time, fall, 1e-15);
  // (mr² − μJ)/(J + mr²) = 4/7 of the velocity against the belt is left.
  EXPECT_NEAR(impacts[0].jumps.at(0).velocity_after.x(), 1.4 - 1.4 * 4.0 / 7.0, 1e-14);
  const std::vector<KeptEvent> rests = run.of_kind(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0].record.time, fall * 1.5 / 0.5, 1e-12);
}

}  // namespace
}  // namespace carom::test
