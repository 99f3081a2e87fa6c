/// Legal scenes with rims and round sides that once failed or stalled (tests/data/hard-scenes).

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/geometry/convex/convex_distance.h"
#include "carom/geometry/pair_table.h"
#include "scenes/hard_scene.h"

namespace carom::test {
namespace {

TEST(HardScenes, AHalfDiscRollsToTheEndOfItsArcAndLiesFlatAtLast) {
  const SceneRun run = run_hard("AJ-half-disc-rolls-to-its-end");
  expect_good_end(run);
  EXPECT_EQ(greatest_speed(run.result.final_state), 0.0);
  const double flat = 4.0 * 0.1 / (3.0 * std::numbers::pi);  // 4r/3π, of the centre of mass above its flat face
  EXPECT_NEAR(run.body("half").position.z(), flat, 1e-10);
}

TEST(HardScenes, ATowerOfRoughCylindersRocksWithoutSinkingIn) {
  // Steps ended at each point of a rim that sank in by a little, 80000 times a second; and what two discs have in
  // common was deepest between the points that were looked at: 1.7e-6.
  const SceneRun run = run_hard("AT-tower-of-cylinders-rocks");
  expect_good_end(run);
  const Model& model = run.scene.model;
  for (const State& sample : run.samples)
    for (int below = 0; below < 3; ++below) {
      const Body &lower = model.bodies[below], &upper = model.bodies[below + 1];
      const double distance = convex_proximity(upper.parts[0].shape, sample.bodies[below + 1].pose(),
                                               lower.parts[0].shape, sample.bodies[below].pose())
                                  .distance;
      EXPECT_GT(distance, -6e-8) << below << " at " << sample.time;  // 1e-6 of the flattest one's half height
    }
}

TEST(HardScenes, AConeFallsOntoItsBaseWithoutAnOpenBook) {
  // A step taken across the instant at which the rim lies flat left the book open by 4e-8.
  const SceneRun run = run_hard("AU-cone-falls-onto-its-base");
  expect_good_end(run);
  EXPECT_EQ(greatest_speed(run.result.final_state), 0.0);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-13 * run.energy_scale);
  EXPECT_NEAR(run.body("body2").position.z(), 0.25 * 0.05940738581841383, 1e-11);  // h/4 of a cone
}

TEST(HardScenes, RimsThatCrossAtASmallAngleComeToTouchForAWhile) {
  // Where they cross they come back to each other with 1350 m/s²: 10⁵ bounces of 10⁻¹⁴ m in a millisecond.
  const SceneRun run = run_hard("AV-rims-cross-at-a-small-angle");
  expect_good_end(run);
  EXPECT_EQ(run.result.stop, RunStop::duration);
  EXPECT_LT(run.result.impacts, 5000);
}

TEST(HardScenes, ABoxThatLeavesAHeapIsNotDrawnOntoTheWall) {
  // A contact that was open by 4e-6 was closed at once, and another corner driven in by 1.4e-5.
  const SceneRun run = run_hard("AW-box-leaves-a-heap-along-a-wall");
  expect_good_end(run);
  const Model& model = run.scene.model;
  for (const State& sample : run.samples)
    for (const BodyIndex body : model.bodies.indices())
      for (const Obstacle& wall : model.obstacles) {
        const Pose box = sample.bodies[body].pose();
        const double distance = proximity(model.bodies[body].parts, box, wall.parts, wall.pose).distance;
        EXPECT_GT(distance, -1e-6 * 0.073) << wall.name << " at " << sample.time;
      }
}

TEST(HardScenes, AConeThatRollsOntoAnEdgeDoesNotSinkIn) {
  // A step that began 3e-5 s before that did not see it: 3e-5 of the size deep, the book open by 1e-6.
  const SceneRun run = run_hard("AY-cone-rolls-onto-an-edge");
  expect_good_end(run);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
  const Model& model = run.scene.model;
  for (const State& sample : run.samples) {
    const Pose half = sample.bodies[0].pose(), cone = sample.bodies[1].pose();
    EXPECT_GT(proximity(model.bodies[0].parts, half, model.bodies[1].parts, cone).distance, -1e-11) << sample.time;
  }
}

TEST(HardScenes, AnEllipsoidThatCrossesAnEdgeKeepsItsBook) {
  // While the nearest point lay on the edge to round-off, accelerations were halfway between those of its two sides:
  // two jumps of half the size beside the first node of a step, of which none was found. The book was open by 5e-8.
  const SceneRun run = run_hard("EA-ellipsoid-crosses-an-edge-of-a-box");
  expect_good_end(run);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
}

TEST(HardScenes, ARoughCylinderThatFallsFlatGoesOnOverTheOtherSideOfItsRim) {
  // When it was flat to 1e-9 the middle of its end was taken for the point that it rolls on: a quarter of what it
  // should lose was lost in the impact, and more than that was cut off. About the point that it comes down on, angular
  // momentum stays: ω⁺/ω⁻ = (J + m(h² − r²))/(J + m(h² + r²)), J = m(r²/4 + h²/3).
  const SceneRun run = run_hard("EE-rough-cylinder-falls-flat-from-its-rim");
  expect_good_end(run);
  const double r2 = 0.02 * 0.02, h2 = 0.03 * 0.03, inertia = 0.25 * r2 + h2 / 3.0;
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  const JumpRecord& jump = impacts.front().jumps.front();
  EXPECT_NEAR(jump.angular_velocity_after.norm() / jump.angular_velocity_before.norm(),
              (inertia + h2 - r2) / (inertia + h2 + r2), 1e-5);
  EXPECT_LE(std::abs(run.result.energy.cut_off), 1e-8 * run.energy_scale);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
}

TEST(HardScenes, ABallInAShellIsNotSettledAnewAfterEachStep) {
  // Steps of 1e-12 s, and no end in 30 s.
  const SceneRun run = run_hard("AX-ball-slides-in-a-shell");
  expect_good_end(run);
  EXPECT_EQ(run.result.stop, RunStop::duration);
}

TEST(HardScenes, ACylinderThatTurnsOffTheWallThatHoldsItDoesNotSinkIn) {
  const SceneRun run = run_hard("U-cylinder-turns-off-a-wall");
  expect_good_end(run);
  EXPECT_EQ(run.result.stop, RunStop::duration);
}

TEST(HardScenes, PilesWithRoundAndRoughBodiesKeepTheirBooks) {
  // Impulses of 1e8 that balanced each other; no end in 30 s; nearest points that crossed from an end to a side.
  for (const char* name :
       {"AF-rough-discs-jam-between-walls", "AG-rough-boxes-strike-in-a-crowd", "AH-balls-on-capsule-ends"}) {
    SCOPED_TRACE(name);
    expect_good_end(run_hard(name));
  }
}

TEST(HardScenes, CylindersThatAreAllButParallelTouchAlongTheirSides) {
  const SceneRun run = run_hard("BO-cylinders-side-by-side");
  expect_good_end(run);
  EXPECT_EQ(run.result.stop, RunStop::duration);
}

}  // namespace
}  // namespace carom::test
