/// Lines along each other under the compliant engine: the sides of cylinders, capsules and cones.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

}  // namespace
}  // namespace carom::test
