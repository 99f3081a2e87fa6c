/// What rests stays put for an hour of model time while a ball bounces beside it; and a thousand spheres that do not.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/mechanics/initial_gaps.h"
#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

struct Resting {
  const char* scene;
  const char* body;
};

class RestingScene : public testing::TestWithParam<Resting> {};

TEST_P(RestingScene, StaysPutForAnHourBesideABouncingBall) {
  const SceneRun run = run_shipped(GetParam().scene);
  expect_sound(run);
  EXPECT_EQ(run.result.final_state.time, 3600.0);
  EXPECT_EQ(run.result.contacts_opened, 0);
  std::size_t index = 0;
  while (run.scene.model.bodies[index].name != GetParam().body) ++index;
  const BodyState& start = run.scene.state.bodies[index];
  for (const State& sample : run.samples) {
    const BodyState& body = sample.bodies[index];
    ASSERT_LE(difference(body.position, start.position), 1e-12) << sample.time;
    ASSERT_LE(body.velocity.norm() + body.angular_velocity.norm(), 1e-12) << sample.time;
    ASSERT_LE(body.orientation.angularDistance(start.orientation), 1e-12) << sample.time;
  }
  // The ball falls from 1 m and is back every 2√(2h/g).
  const double fall = std::sqrt(2.0 / 9.81);
  EXPECT_EQ(run.result.impacts, static_cast<std::int64_t>(std::floor((3600.0 / fall + 1.0) / 2.0)));
  const double since = std::remainder(3600.0, 2.0 * fall);
  const double height = 1.0 - 0.5 * 9.81 * since * since;
  const Vector3d begin = run.scene.state.bodies[1 - index].position;
  EXPECT_LE(difference(run.body("ball").position, begin + Vector3d(0, 0, height - 1.0)), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Scenes, RestingScene,
                         testing::Values(Resting{"sphere-in-a-groove", "sphere"},
                                         Resting{"sphere-in-a-corner", "sphere"}, Resting{"egg-on-its-side", "egg"},
                                         Resting{"block-on-its-face", "block"}));

TEST(RestingScene, ADroppedSphereComesToRestInTheGroove) {
  // From 0.2 m above its place: it bounces on both planes at once, and ends where the shipped one starts.
  const SceneRun run = run_shipped("sphere-in-a-groove", {"body.sphere.position=[0, 0, 0.7]", "run.duration=20"});
  expect_sound(run);
  EXPECT_LE(difference(run.body("sphere").position, Vector3d(0, 0, 0.5)), 1e-11);
  EXPECT_LE(run.body("sphere").velocity.norm(), 1e-12);
}

TEST(ThousandSpheres, KeepTheirEnergyAndDoNotOverlap) {
  const SceneRun run = run_shipped("thousand-spheres", {setting("run.duration", quick() ? 0.05 : 1.0),
                                                        setting("run.output_step", quick() ? 0.025 : 0.1)});
  expect_sound(run);
  EXPECT_EQ(run.result.guarantee, Guarantee::proven);
  EXPECT_GE(run.result.impacts, quick() ? 100 : 10000);
  // The mean square speed is that of components uniform in ±1.
  double squares = 0.0;
  for (const BodyState& body : run.scene.state.bodies) squares += body.velocity.squaredNorm();
  EXPECT_NEAR(squares, 1000.0, 1e-9);
  for (const State& sample : run.samples) {
    EXPECT_NO_THROW(require_no_overlap(run.scene.model, sample, 1e-12)) << sample.time;
  }
}

}  // namespace
}  // namespace carom::test
