/// Bodies that rest on each other at the start of a run of the compliant engine begin in their static balance.

#include <gtest/gtest.h>

#include <cmath>

#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kFreeFall = 9.81, kHardness = 1e8;

SmoothScene on_a_floor_at_rest(const std::string& law) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -kFreeFall};
  scene.set_law(law, 1.0);
  scene.set_stiffness(kHardness);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  scene.options.rtol = 1e-6;
  scene.options.duration = 1.0;
  return scene;
}

void add_box(SmoothScene& scene, const Vector3d& half_sizes, double mass, const Vector3d& position) {
  scene.add_body(Box{half_sizes}, mass, position, Vector3d::Zero());
}

/// Depth of a contact that bears a load.
double depth_under(double load) {
  return std::pow(load / kHardness, 2.0 / 3.0);
}

void expect_to_stay(const RunResult& result, const SmoothScene& scene, double rest_speed) {
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_EQ(result.compliant->settled, scene.model.body_count());
  EXPECT_LE(std::abs(result.energy.error()), 1e-10);
  EXPECT_LE(result.steps_accepted, 200);
  for (const BodyState& body : result.final_state.bodies) {
    EXPECT_LE(body.velocity.norm(), rest_speed);
    EXPECT_LE(body.angular_velocity.norm(), rest_speed);
  }
}

TEST(SmoothSettling, AnElasticStackStandsAtTheDepthsThatBearIt) {
  SmoothScene scene = on_a_floor_at_rest("hertz");
  for (int k = 0; k < 3; ++k) add_box(scene, {0.1, 0.1, 0.05}, 1.0, {0.0, 0.0, 0.05 + 0.1 * k});
  const RunResult result = scene.run();
  expect_to_stay(result, scene, 1e-9);
  // The four corners of each share out what lies above them.
  double sunk = 0.0;
  for (int k = 0; k < 3; ++k) {
    sunk += depth_under((3 - k) * kFreeFall / 4.0);
    EXPECT_NEAR(result.final_state.bodies[k].position.z(), 0.05 + 0.1 * k - sunk, 1e-12);
  }
}

TEST(SmoothSettling, ABallLiesInAGrooveThatBearsItFromBothSides) {
  const double lean = 0.7, radius = 0.1;
  SmoothScene scene = on_a_floor_at_rest("hertz");
  scene.model.obstacles.clear();
  for (const double side : {-1.0, 1.0}) scene.add_plane({side * std::sin(lean), 0.0, std::cos(lean)}, Vector3d::Zero());
  scene.add_ball(radius, 1.0, {0.0, 0.0, radius / std::cos(lean)});
  const RunResult result = scene.run();
  expect_to_stay(result, scene, 1e-9);
  // 2 N cos(lean) = m g, and the depth is along the normals.
  const double depth = depth_under(0.5 * kFreeFall / std::cos(lean));
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), (radius - depth) / std::cos(lean), 1e-12);
}

/// Three balls that touch and one on top of them.
void add_tetrahedron(SmoothScene& scene, double radius) {
  const double away = 2.0 * radius / std::sqrt(3.0);
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * M_PI * k / 3.0;
    scene.add_ball(radius, 1.0, {away * std::cos(angle), away * std::sin(angle), radius});
  }
  scene.add_ball(radius, 1.0, {0.0, 0.0, radius * (1.0 + std::sqrt(8.0 / 3.0))});
}

TEST(SmoothSettling, TangentialSpringsBearAPyramidOfBallsFromTheStart) {
  SmoothScene scene = on_a_floor_at_rest("hertz");
  scene.set_friction("tangential-spring", {{"coefficient", 0.6}, {"stiffness", 1e6}, {"damping", 0.0}});
  add_tetrahedron(scene, 0.1);
  const RunResult result = scene.run();
  expect_to_stay(result, scene, 1e-9);
  // Each ball below bears a third of the one on top, and the floor both: all of it across the floor.
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(result.final_state.bodies[k].position.z(), 0.1 - depth_under(4.0 / 3.0 * kFreeFall), 1e-11);
}

TEST(SmoothSettling, APyramidThatOnlyFrictionBeyondItsLimitCouldHoldSlidesApart) {
  for (const double friction : {0.0, 0.05}) {
    SmoothScene scene = on_a_floor_at_rest("hertz");
    if (friction > 0.0)
      scene.set_friction("tangential-spring", {{"coefficient", friction}, {"stiffness", 1e6}, {"damping", 10.0}});
    add_tetrahedron(scene, 0.1);
    scene.options.duration = 0.3;
    const RunResult result = scene.run();
    EXPECT_EQ(result.stop, RunStop::duration);
    EXPECT_EQ(result.compliant->settled, 3);  // on the floor, each under its own weight
    EXPECT_LT(result.final_state.bodies[3].position.z(), 0.2);
  }
}

TEST(SmoothSettling, AHeapOnAFloorThatGathersSpeedBearsThatToo) {
  // At the lowest point of its way the floor stands still and is driven up with a: contacts bear m (g + a).
  SmoothScene scene = on_a_floor_at_rest("hertz");
  constexpr double kRise = 5.0, kFrequency = 1.0;
  const double amplitude = kRise / std::pow(2.0 * M_PI * kFrequency, 2);
  DrivenMotion lift;
  lift.position = SineProfile{amplitude, kFrequency, -0.5 * M_PI};
  scene.model.obstacles.clear();
  scene.add_plane(Vector3d::UnitZ(), {0.0, 0.0, amplitude});
  scene.model.obstacles[0].motion = lift;
  for (int k = 0; k < 2; ++k) add_box(scene, {0.1, 0.1, 0.05}, 1.0, {0.0, 0.0, 0.05 + 0.1 * k});
  const auto engine = scene.engine();
  const State first = engine->state_at(0.0);
  const double below = depth_under(2.0 * (kFreeFall + kRise) / 4.0), between = depth_under((kFreeFall + kRise) / 4.0);
  EXPECT_NEAR(first.bodies[0].position.z(), 0.05 - below, 1e-12);
  EXPECT_NEAR(first.bodies[1].position.z(), 0.15 - below - between, 1e-12);
}

TEST(SmoothSettling, AStackTooSoftForItsWeightBeginsWhereItIsAndSaysSo) {
  SmoothScene scene = on_a_floor_at_rest("tsuji");
  scene.set_law("tsuji", 0.3);
  scene.set_stiffness(1e3);
  for (int k = 0; k < 3; ++k) add_box(scene, {0.1, 0.1, 0.05}, 1.0, {0.0, 0.0, 0.05 + 0.1 * k});
  scene.options.duration = 1e-3;
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->settled, 0);
  ASSERT_EQ(result.compliant->warnings.size(), 1U);
  EXPECT_NE(result.compliant->warnings[0].find("'body0' would sink"), std::string::npos);
  EXPECT_NE(result.compliant->warnings[0].find("within 1 %"), std::string::npos);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(result.final_state.bodies[k].position.z(), 0.05 + 0.1 * k, kFreeFall * 1e-6);
}

TEST(SmoothSettling, ABodyThatMovesIsNoPartOfAHeap) {
  SmoothScene scene = on_a_floor_at_rest("hertz");
  add_box(scene, {0.1, 0.1, 0.05}, 1.0, {0.0, 0.0, 0.05});
  scene.add_body(Box{{0.05, 0.05, 0.05}}, 1.0, {0.0, 0.0, 0.15}, {0.1, 0.0, 0.0});
  scene.options.duration = 1e-3;
  EXPECT_EQ(scene.run().compliant->settled, 1);
}

}  // namespace
}  // namespace carom::test
