/// Joints and constraints: mechanisms with limits and dry friction that once failed with "a contact neither holds nor
/// opens", and a rolling ball that rests.

#include <gtest/gtest.h>

#include "scenes/hard_scene.h"

namespace carom::test {
namespace {

TEST(HardScenes, MechanismsThatRestOnLimitsGoOn) {
  for (const char* name : {
           "AN-dry-joint-at-its-limit",                    // which the forces pull off
           "AO-motor-presses-a-joined-body-on-the-floor",  // round-off of the motor's force was taken for slip
           "AP-sliders-in-a-row-come-to-their-limits",     // a limit and friction each left it to the other to hold
           "AR-contact-stops-a-dry-joint-in-a-loop",       // friction lets go, and nothing moves
       }) {
    SCOPED_TRACE(name);
    const SceneRun run = run_hard(name);
    expect_good_end(run);
    EXPECT_EQ(run.result.stop, RunStop::duration);
  }
}

TEST(HardScenes, ARollingBallThatHasComeToRestIsAskedForNoImpactThatItsConstraintForbids) {
  const SceneRun run = run_hard("CA-rolling-ball-rests-at-another");
  expect_good_end(run);
  EXPECT_EQ(run.result.stop, RunStop::duration);
  EXPECT_LT(greatest_speed(run.result.final_state), 1e-7);
}

}  // namespace
}  // namespace carom::test
