/// Mechanisms with limits and dry friction that once failed with "a contact neither holds nor opens".

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/scene/settings.h"
#include "scenes/scene_run.h"
#include "support/places.h"

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
    const std::string path = std::string("hard-scenes/") + name + ".toml";
    const SceneRun run = run_scene(scene::read_scene_file(scene::read_document(test_data(path))));
    EXPECT_EQ(run.result.stop, RunStop::duration) << (run.result.failure ? run.result.failure->reason : std::string());
    EXPECT_LE(std::abs(run.result.energy.error()), 1e-9 * run.energy_scale);
  }
}

}  // namespace
}  // namespace carom::test
