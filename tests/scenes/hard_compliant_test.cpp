/// Legal scenes in which the compliant engine once lost or made energy, or took no end of steps
/// (tests/data/hard-scenes).

#include <gtest/gtest.h>

#include "scenes/hard_scene.h"

namespace carom::test {
namespace {

TEST(HardScenes, EdgesThatAllButLieAlongEachOtherLetGoBeforeTheirNormalTurnsOver) {
  // The edges of boxes side by side cross with a sine of 1e-3, so that a small turn of the boxes turns the normal right
  // over: the overlap jumped, and what the contact had stored was lost, 0.5 % of all energy.
  const SceneRun run = run_hard("DA-ball-falls-on-a-full-floor");
  expect_good_end(run);
  EXPECT_LE(std::abs(run.result.energy.error()), 10.0 * run.scene.run.rtol * run.energy_scale);
}

}  // namespace
}  // namespace carom::test
