/// Properties of every run in a room that is shaken, over scenes by seed.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact/heavy_cases.h"
#include "engine/conduct.h"

namespace carom::test {
namespace {

TEST(ShakenScenes, BooksCloseNothingOverlapsAndTimeGoesOn) {
  for (int seed = 0; seed < heavy_cases(40); ++seed) {
    const RandomScene scene = shaken_scene(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    const Conduct conduct = conduct_of(scene);
    EXPECT_FALSE(conduct.endless) << "no end at " << conduct.result.final_state.time;
    EXPECT_LT(conduct.balance, 1e-9);
    EXPECT_LT(conduct.overlap, 1e-10) << scene.model.name(conduct.overlap_a) << " and "
                                      << scene.model.name(conduct.overlap_b) << " at " << conduct.overlap_time;
    EXPECT_TRUE(conduct.in_order);
    EXPECT_NE(conduct.result.stop, RunStop::failed)
        << (conduct.result.failure ? conduct.result.failure->reason : std::string());
  }
}

TEST(ShakenScenes, TheSameSceneGivesTheSameBits) {
  for (int seed = 0; seed < heavy_cases(5); ++seed) {
    const RandomScene scene = shaken_scene(static_cast<std::uint64_t>(seed));
    EXPECT_EQ(conduct_of(scene).fingerprint, conduct_of(scene).fingerprint) << "seed " << seed << ":" << scene.story;
  }
}

}  // namespace
}  // namespace carom::test
