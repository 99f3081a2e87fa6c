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
    expect_good_conduct(scene);
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
