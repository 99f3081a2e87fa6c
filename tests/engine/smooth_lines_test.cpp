/// Lines along each other under the compliant engine: the sides of cylinders, capsules and cones.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/facet_contact.h"
#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kQuarter = 0.5 * std::numbers::pi;

TEST(SmoothLines, ACapsuleThatTurnsAcrossACylinderIsHeldWhereTheyCross) {
  // It lands on one end, all but along the cylinder, and turns while it presses. Across the normal nothing changes its
  // spin: it gives way by at most (5mv²/4K)^(2/5), the depth at which one elastic point has stopped it.
  constexpr double kStiffness = 1e5, kSpeed = 0.5, kTilt = 0.3 * std::numbers::pi / 180.0;
  SmoothScene scene;
  scene.set_stiffness(kStiffness);
  scene.options.rtol = 1e-8;
  scene.options.duration = 0.1;
  const int capsule = scene.add_body(Capsule{0.05, 0.2}, 1.0, {0.0, 0.0, 0.15106}, {0.0, 0.0, -kSpeed});
  scene.state.bodies[BodyIndex(capsule)].orientation = Quaterniond(AngleAxisd(kQuarter + kTilt, Vector3d::UnitY()));
  scene.state.bodies[BodyIndex(capsule)].angular_velocity = {0.0, 0.0, 10.0};
  const int cylinder = scene.add_body(Cylinder{0.1, 0.3}, 1000.0, Vector3d::Zero(), Vector3d::Zero());
  scene.state.bodies[BodyIndex(cylinder)].orientation = Quaterniond(AngleAxisd(kQuarter, Vector3d::UnitY()));
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  const double size = 0.25;  // of the capsule
  EXPECT_LT(result.compliant->deepest * size, std::pow(1.25 * kSpeed * kSpeed / kStiffness, 0.4));
  EXPECT_GT(result.final_state.bodies[BodyIndex(capsule)].velocity.z(), 0.0);
  EXPECT_LT(std::abs(result.energy.error()) / result.energy.initial, 1e-6);
}

TEST(SmoothLines, TheSideOfAConeIsAsFarFromALineAsTheirNearestPoints) {
  // Where two lines cross between their ends, and bodies are apart, the crossing is where they are nearest.
  SmoothScene scene;
  scene.set_stiffness(1e7);
  scene.add_body(Cone{0.03, 0.08}, 1.0, Vector3d::Zero(), Vector3d::Zero());
  for (const Shape& other : {Shape(Capsule{0.02, 0.1}), Shape(Cylinder{0.03, 0.1}), Shape(Cone{0.05, 0.06})})
    scene.add_body(other, 1.0, Vector3d::Zero(), Vector3d::Zero());
  const smooth::Environment environment(std::make_shared<const Model>(scene.model), scene.options);
  const auto side_of = [&](int body) {
    return smooth::facets_of(scene.model.bodies[BodyIndex(body)].parts.front().shape).lines.front().edge;
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int crossings = 0;
  for (int k = 0; k < 3000; ++k) {
    const int other = 1 + k % 3;
    const auto pose = [&](double far) {
      const Vector3d at(far * any(random), far * any(random), far * any(random));
      return Pose{at, Quaterniond(any(random), any(random), any(random), any(random)).normalized()};
    };
    const Pose a = pose(0.1), b = pose(0.0);
    const smooth::Feature crossing{smooth::Feature::Kind::edge_edge, side_of(0), side_of(other)};
    const smooth::PairGeometry lines = environment.geometry(BodyIndex(0), BodyIndex(other), crossing.code());
    const smooth::PairGeometry nearest = environment.geometry(BodyIndex(0), BodyIndex(other), 0);
    const smooth::Touch touch = lines.touch(a, b), expected = nearest.touch(a, b);
    if (!(smooth::inside_facets(lines, a, b) > 0.0 && touch.depth < 0.0 && expected.depth < 0.0)) continue;
    ++crossings;
    EXPECT_NEAR(touch.depth, expected.depth, 1e-12);
    EXPECT_LT((touch.normal - expected.normal).norm(), 1e-7);
    EXPECT_LT((touch.point - expected.point).norm(), 1e-7);
  }
  EXPECT_GT(crossings, 100);
}

TEST(SmoothLines, AConeAlongACylinderTouchesItAtTheEndsOfItsSide) {
  // Its nearest point alone would change from one end to the other with every bit that it tilts: two million steps.
  constexpr double kRadius = 0.03, kHeight = 0.08;
  const double half_angle = std::atan2(kRadius, kHeight);
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_law("kelvin-voigt", 0.3);
  scene.set_stiffness(1e7);
  Obstacle cylinder;
  cylinder.name = "cylinder";
  cylinder.material = 1;
  cylinder.parts = one_part(Cylinder{0.05, 0.2});
  cylinder.pose.orientation = Quaterniond(AngleAxisd(kQuarter, Vector3d::UnitY()));
  scene.model.obstacles.push_back(cylinder);
  const double height = 0.05 + 0.75 * kHeight * std::sin(half_angle) + 0.0008;  // its middle is so far from the apex
  const int cone = scene.add_body(Cone{kRadius, kHeight}, 0.075, {0.0, 0.0, height}, Vector3d::Zero());
  scene.state.bodies[BodyIndex(cone)].orientation =
      Quaterniond(AngleAxisd(kQuarter + half_angle + 0.005, Vector3d::UnitY()));
  scene.options.rtol = 1e-6;
  scene.options.duration = 0.05;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_LT(result.steps_accepted, 2000);
  EXPECT_GE(result.compliant->contacts_started, 2);
  EXPECT_LT(std::abs(result.energy.error()) / (0.075 * 9.81 * kHeight), 20.0 * scene.options.rtol);
}

}  // namespace
}  // namespace carom::test
