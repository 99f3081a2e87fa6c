/// Discs that tip on faces and come to lie on lines: what touches is more than the points that stand for them.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "engine/small_world.h"

namespace carom::disc_contacts_test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kRadius = 0.3, kHalf = 0.2;

RunResult run(const test::SmallWorld& scene, double duration) {
  EventOptions options;
  options.duration = duration;
  options.max_events = 2000;
  options.law = &kPoissonLaw;
  return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(scene.model), scene.state, options),
                    {});
}

TEST(DiscContacts, ADiscTipsOverItsRimWhereverThatIs) {
  // Eight points of the rim stand for a disc on a floor. Turned about the line through two of them it would sink in
  // with the arc between: there the floor strikes, first of all at the middle, which comes down with
  // γ = −rA(1 − cos 22.5°), and without rebound takes ½γ²/D, 1/D = 1/m + r²/J.
  constexpr double kTurning = 0.5, kBetween = std::numbers::pi / 8.0;
  test::SmallWorld scene;
  const BodyIndex body = scene.add_body(Cylinder{kRadius, kHalf}, {0.0, 0.0, kHalf});
  scene.add_floor();
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_rule({});
  scene.model.rules[0].restitution = 0.0;
  BodyState& state = scene.state.bodies[body];
  const double c = std::cos(kBetween), s = std::sin(kBetween);
  state.angular_velocity = kTurning * Vector3d(-s, c, 0.0);
  const Vector3d up(0.0, 0.0, kHalf);
  state.velocity = state.angular_velocity.cross(up) + kRadius * kTurning * c * Vector3d::UnitZ();
  const RunResult result = run(scene, 0.01);
  ASSERT_EQ(result.stop, RunStop::duration);
  const Body& cylinder = scene.model.bodies[body];
  const double rate = kRadius * kTurning * (1.0 - c);
  const double inertance = 1.0 / cylinder.mass + kRadius * kRadius / cylinder.inertia[0];
  EXPECT_NEAR(result.energy.impacts, 0.5 * rate * rate / inertance, 1e-12);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-12);
  EXPECT_NEAR(result.energy.cut_off, 0.0, 1e-10);
}

TEST(DiscContacts, TheOtherEndOfAChordStrikes) {
  // A cylinder is set down on a log with one end of the chord of its disc, and tips back until the other end strikes.
  // Nothing else takes energy.
  constexpr double kLog = 0.5, kTilt = 0.02;
  test::SmallWorld scene;
  const BodyIndex body = scene.add_body(Cylinder{kRadius, kHalf}, Vector3d::Zero());
  Obstacle log;
  log.name = "log";
  log.parts = one_part(Cylinder{kLog, 2.0});
  log.pose = {{0.0, 0.0, -kLog}, Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()))};
  scene.model.obstacles.push_back(log);
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_rule({});
  scene.model.rules[0].restitution = 0.0;
  BodyState& state = scene.state.bodies[body];
  state.orientation = Quaterniond(Eigen::AngleAxisd(kTilt, Vector3d::UnitY()));
  state.position = -(state.orientation * Vector3d(kRadius, 0.0, -kHalf));
  const RunResult result = run(scene, 0.5);
  ASSERT_EQ(result.stop, RunStop::duration);
  EXPECT_GE(result.impacts, 1);
  EXPECT_GT(result.energy.impacts, 0.1 * 9.81 * scene.model.bodies[body].mass * kRadius * kTilt);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-12);
}

}  // namespace
}  // namespace carom::disc_contacts_test
