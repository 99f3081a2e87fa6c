/// Balls on cloth: they slide, roll, spin and stop in closed form, meet each other on the way, and leave their table.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/friction_scene.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.028575;
const std::string kCloth = "friction = { law = \"coulomb\", coefficient = 0.2, rolling = 0.01, spinning = 0.0003 }";

FrictionScene table(double duration, const std::string& cloth = kCloth) {
  FrictionScene scene(duration);
  scene.add("stop_at_rest = true").material("ball").material("cloth").pair("ball", "cloth", cloth);
  scene.add("[[pair]]\nmaterials = [\"ball\", \"ball\"]\nrestitution = 0.9");
  return scene.floor("cloth");
}

/// Runs a scene until everything rests.
SceneRun until_rest(const FrictionScene& scene) {
  SceneRun run = run_scene(scene_from_text(scene.text()));
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
  return run;
}

FrictionScene::Start ball_at(const Vector3d& position, const Vector3d& velocity = Vector3d::Zero(),
                             const Vector3d& spin = Vector3d::Zero()) {
  return {.position = position + kRadius * Vector3d::UnitZ(),
          .velocity = velocity,
          .angular_velocity = spin,
          .material = "ball"};
}

TEST(PoolBalls, ABallSlidesRollsAndStops) {
  FrictionScene scene = table(100.0);
  const SceneRun run = until_rest(scene.body("ball", sphere(kRadius), 0.17, ball_at({0.0, 0.0, 0.0}, {2.0, 0.0, 0.0})));
  // While it slides the resistance, 1.4 · 0.01, takes from what the friction does to the turning.
  const double slides = 2.0 / ((0.2 + (0.2 - 0.014) / 0.4) * kGravity), speed = 2.0 - 0.2 * kGravity * slides;
  const double rolls = speed / (0.01 * kGravity);
  EXPECT_EQ(run.result.guarantee, Guarantee::proven);
  EXPECT_EQ(run.result.evaluations, 0);
  EXPECT_NEAR(run.of_kind(EventKind::stick).at(0).record.time, slides, 1e-15);
  EXPECT_NEAR(run.of_kind(EventKind::rest).at(0).record.time, slides + rolls, 1e-14);
  const double way = 0.5 * (2.0 + speed) * slides + 0.5 * speed * rolls;
  EXPECT_LT(difference(run.body("ball").position, {way, 0.0, kRadius}), 1e-13);
  EXPECT_EQ(run.body("ball").velocity.norm(), 0.0);
  EXPECT_EQ(run.body("ball").angular_velocity.norm(), 0.0);
  EXPECT_NEAR(run.result.energy.friction, 0.5 * 0.17 * 4.0, 1e-15);
}

TEST(PoolBalls, ABallWithoutResistanceRollsForEver) {
  const SceneRun run = table(1000.0, "friction = { law = \"coulomb\", coefficient = 0.2 }")
                           .body("ball", sphere(kRadius), 0.17, ball_at({0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}))
                           .run();
  EXPECT_EQ(run.result.stop, RunStop::duration);
  EXPECT_NEAR(run.body("ball").velocity.x(), 10.0 / 7.0, 1e-15);
}

/// A ball that rolls with 1 m/s towards another whose surface is `away` from its own.
SceneRun towards_another(double away) {
  return until_rest(
      table(100.0)
          .body("cue", sphere(kRadius), 0.17, ball_at({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0 / kRadius, 0.0}))
          .body("object", sphere(kRadius), 0.17, ball_at({away + 2.0 * kRadius, 0.0, 0.0})));
}

TEST(PoolBalls, ABallThatSlowsDownMeetsAnotherWhereItSays) {
  // 1 = t − g t²/200
  const SceneRun run = towards_another(1.0);
  const double slowing = 0.01 * kGravity, arrival = (1.0 - std::sqrt(1.0 - 2.0 * slowing)) / slowing;
  ASSERT_EQ(run.impacts().size(), 1U);
  EXPECT_NEAR(run.impacts()[0].record.time, arrival, 1e-14);
  EXPECT_EQ(run.result.guarantee, Guarantee::proven);
  EXPECT_EQ(run.result.evaluations, 0);
}

TEST(PoolBalls, ABallThatStopsShortMeetsNobody) {
  const double way = 0.5 / (0.01 * kGravity);
  EXPECT_TRUE(towards_another(way + 1e-9).impacts().empty());
  EXPECT_FALSE(towards_another(way - 1e-9).impacts().empty());
}

TEST(PoolBalls, ManyBallsAtRestCostNoIntegration) {
  FrictionScene scene = table(100.0);
  for (int k = 0; k < 30; ++k)
    scene.body(fmt::format("ball{}", k), sphere(kRadius), 0.17,
               ball_at({0.2 * (k % 6), 0.2 * (k / 6), 0.0}, k % 3 == 0 ? Vector3d(0.3, 0.0, 0.0) : Vector3d::Zero()));
  EXPECT_EQ(until_rest(scene).result.evaluations, 0);
}

TEST(PoolBalls, ABallRollsOverATableAndFallsOffItsEdge) {
  const auto scene = [](double duration) {
    return FrictionScene(duration)
        .material("ball")
        .pair("ball", "ball", "friction = { law = \"coulomb\", coefficient = 0.2 }")
        .body("ball", sphere(kRadius), 0.17, ball_at({0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}))
        .add(
            "[[obstacle]]\nname = \"table\"\nshape = { kind = \"box\", half_sizes = [1, 0.5, 0.1] }\n"
            "position = [0, 0, -0.1]\nmaterial = \"ball\"");
  };
  // On the table as on a plane, and in closed form.
  const double slides = 2.0 * 2.0 / (7.0 * 0.2 * kGravity), speed = 10.0 / 7.0;
  const SceneRun on = scene(0.6).run();
  EXPECT_NEAR(on.body("ball").position.x(), 0.5 * (2.0 + speed) * slides + speed * (0.6 - slides), 1e-14);
  EXPECT_EQ(on.result.evaluations, 0);
  // Over the edge its path begins to fall: v² > g r, so that it leaves at once.
  const SceneRun off = scene(1.0).run();
  const double edge = slides + (1.0 - 0.5 * (2.0 + speed) * slides) / speed;
  EXPECT_LT(off.body("ball").position.z(), kRadius - 0.4 * kGravity * (1.0 - edge) * (1.0 - edge));
  EXPECT_NEAR(off.body("ball").velocity.x(), speed, 1e-4);
}

TEST(PoolBalls, ABallThatRollsAcrossASlopeStopsWhereItSays) {
  // With a resistance b = r P above a = (5/7) g sin α it stops after (b v + a·v)/(b² − a²), and is held there.
  const Vector3d gravity = gravity_on_slope(0.3);
  const double a = 5.0 / 7.0 * gravity.x(), b = -0.01 * gravity.z();
  FrictionScene scene(100.0, gravity);
  scene.add("stop_at_rest = true").material("m").pair("m", "m", kCloth).floor();
  const SceneRun run = until_rest(scene.body(
      "ball", sphere(kRadius), 0.17,
      {.position = {0.0, 0.0, kRadius}, .velocity = {0.0, 1.0, 0.0}, .angular_velocity = {-1.0 / kRadius, 0.0, 0.0}}));
  EXPECT_NEAR(run.of_kind(EventKind::rest).at(0).record.time, b / (b * b - a * a), 1e-12);
  EXPECT_EQ(run.result.guarantee, Guarantee::proven);
  EXPECT_EQ(run.result.evaluations, 0);
}

TEST(PoolBalls, ResistanceActsInIntegratedMotionToo) {
  // A damper c beside it: v̇ = −r g − γ v with γ = c/(m(1 + k)).
  const double damping = 0.05, rate = damping / (0.17 * 1.4), slowing = 0.01 * kGravity;
  FrictionScene scene(0.5);
  scene.material("m").pair("m", "m", kCloth).floor();
  scene.body(
      "ball", sphere(kRadius), 0.17,
      {.position = {0.0, 0.0, kRadius}, .velocity = {1.0, 0.0, 0.0}, .angular_velocity = {0.0, 1.0 / kRadius, 0.0}});
  const SceneRun run = scene.add(fmt::format("[[load]]\nbody = \"ball\"\ndamping = {}", damping)).run();
  EXPECT_GT(run.result.evaluations, 0);
  const double expected = (1.0 + slowing / rate) * std::exp(-0.5 * rate) - slowing / rate;
  EXPECT_NEAR(run.body("ball").velocity.x(), expected, 1e-12);
}

/// The direction in which the object ball leaves a cut, seen from the line of centres.
double throw_angle(double cut_deg, double mu, const std::string& law) {
  const double cut = radians(cut_deg);
  const SceneRun run = run_shipped("throw-of-the-object-ball",
                                   {setting("body.0.velocity", 2.0 * Vector3d(std::cos(cut), std::sin(cut), 0.0)),
                                    setting("pair.0.friction.coefficient", mu), "run.law=" + law, "run.duration=1e-9"});
  const Vector3d velocity = run.body("object").velocity;
  return std::atan2(velocity.y(), velocity.x());
}

TEST(PoolBalls, TheObjectBallIsThrownAsOneContactWouldThrowIt) {
  for (const char* const law : {"compliant", "incremental", "newton", "poisson"})
    for (const double mu : {0.0, 0.06, 0.2})
      for (const double cut : {10.0, 30.0, 60.0}) {
        const double sticks = std::tan(radians(cut)) / (3.5 * 1.95);
        EXPECT_NEAR(std::tan(throw_angle(cut, mu, law)), std::min(mu, sticks), 1e-7) << law << " " << mu << " " << cut;
      }
}

TEST(PoolBalls, TheThrownBallComesToRest) {
  const SceneRun run = run_shipped("throw-of-the-object-ball");
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  EXPECT_EQ(run.of_kind(EventKind::rest).size(), 2U);
}

TEST(PoolBalls, TheMasseShotGoesRoundTheBallInItsWay) {
  const SceneRun run = run_shipped("masse-shot");
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  EXPECT_TRUE(run.impacts().empty());
  EXPECT_EQ(run.body("cue").angular_velocity.norm(), 0.0);
  EXPECT_GT(run.body("cue").position.y(), 1.4);
  // Without resistance S02d, in closed form.
  const SceneRun free = run_shipped("masse-shot", {"pair.0.friction.rolling=0", "run.duration=0.743365744272206"});
  expect_sound(free);
  EXPECT_EQ(free.result.evaluations, 0);
  EXPECT_NEAR(free.of_kind(EventKind::stick).at(0).record.time, 0.643365744272206, 1e-14);
  EXPECT_LT(difference(free.body("cue").position, {0.6244808350882585, 0.2065643669363853, kRadius}), 1e-14);
}

}  // namespace
}  // namespace carom::test
