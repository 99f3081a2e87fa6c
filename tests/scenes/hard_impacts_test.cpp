/// Legal scenes in which an instant once had no end, or its impacts took too long (tests/data/hard-scenes).

#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/hard_scene.h"

namespace carom::test {
namespace {

/// Impacts without collision.
auto jumps_of(const SceneRun& run) {
  return std::count_if(run.events.begin(), run.events.end(),
                       [](const auto& event) { return event.record.flags.has(Flag::impact_without_collision); });
}

TEST(HardScenes, ASlowSlideThatNoForcesHoldEndsInAnImpactWithoutCollision) {
  const SceneRun run = run_hard("CC-tetrahedron-slides-in-a-groove");
  expect_good_end(run);
  EXPECT_GE(jumps_of(run), 1);
  EXPECT_LE(jumps_of(run), 10);
}

TEST(HardScenes, AnElasticRowThatIsAllButWedgedComesApart) {
  const SceneRun run = run_hard("CB-elastic-row-is-all-but-wedged");
  expect_good_end(run);
}

TEST(HardScenes, RoughBoxesThatJamStayWhereTheyAre) {
  const SceneRun run = run_hard("FD-rough-boxes-jam");
  expect_good_end(run);
  EXPECT_LT(run.result.energy.now.total(), run.result.energy.initial);
  EXPECT_LT(run.energy_scale, 2.0 * run.result.energy.initial);
}

TEST(HardScenes, AnImpactWithoutCollisionThatEndsNoSlipDoesNotComeAgain) {
  const SceneRun run = run_hard("FE-ball-slides-wedged-in-a-groove");
  expect_good_end(run);
  EXPECT_LE(jumps_of(run), 20);
}

TEST(HardScenes, CaughtSlipIsBookedAlongTheDirectionsItWasFoundWith) {
  const SceneRun run = run_hard("FC-rough-ellipsoids-in-a-crate");
  expect_good_end(run);
}

TEST(HardScenes, PointsOfARimThatLeaveAsItsDiscRocksAreNotSetDown) {
  const SceneRun run = run_hard("FB-cylinder-rocks-on-its-rim");
  expect_good_end(run);
}

TEST(HardScenes, BouncesOfABallThatStayWithinWhatCountsAsClosedEnd) {
  const SceneRun run = run_hard("FA-heavy-balls-bounce-by-nothing");
  expect_good_end(run);
  EXPECT_LE(run.result.impacts, 2000);
  // Nothing else is cut off than what bounces had in those heights.
  EXPECT_LE(run.result.energy.cut_off, 1e-9 * run.energy_scale);
}

}  // namespace
}  // namespace carom::test
