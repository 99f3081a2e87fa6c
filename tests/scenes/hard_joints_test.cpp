/// Joints with dry friction at their limits: legal scenes that once failed, and in closed form.

#include <gtest/gtest.h>

#include <string>

#include "carom/scene/settings.h"
#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {
namespace {

TEST(HardScenes, AJointThatForcesPullOffItsLimitIsHeldByFriction) {
  const SceneRun run =
      run_scene(scene::read_scene_file(scene::read_document(test_data("hard-scenes/AN-dry-joint-at-its-limit.toml"))));
  EXPECT_EQ(run.result.stop, RunStop::duration) << (run.result.failure ? run.result.failure->reason : std::string());
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-9 * run.energy_scale);
}

/// A slider of mass 2 kg on a vertical guide, at its upper limit at the start.
SceneRun slider(double kinetic, double largest) {
  return run_scene(scene_from_text(R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
engine = "event"
duration = 0.5
output_step = 0.1
[[material]]
name = "steel"
[[body]]
name = "slider"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
material = "steel"
[[joint]]
name = "guide"
kind = "prismatic"
bodies = ["slider"]
point = [0, 0, 0]
axis = [0, 0, 1]
limits = [-10, 0]
friction = { kinetic = )" + std::to_string(kinetic) +
                                   ", static = " + std::to_string(largest) + " }\n"));
}

TEST(JointsAtLimits, FrictionHoldsWhatALimitCannotPull) {
  // Its weight is 20 N: the limit would have to pull, friction up to 25 N does it.
  EXPECT_EQ(slider(15.0, 25.0).body("slider").position.z(), 0.0);
}

TEST(JointsAtLimits, WhatFrictionDoesNotHoldLeavesTheLimit) {
  // m a = 20 N − 12 N.
  EXPECT_NEAR(slider(12.0, 18.0).body("slider").position.z(), -0.5 * 4.0 * 0.25, 1e-12);
}

}  // namespace
}  // namespace carom::test
