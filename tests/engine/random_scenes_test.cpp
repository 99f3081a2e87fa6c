/// Properties of every run, over scenes by seed.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact/heavy_cases.h"
#include "engine/conduct.h"

namespace carom::test {
namespace {

constexpr int kScenes = 150;

TEST(RandomScenes, BooksCloseNothingOverlapsAndTimeGoesOn) {
  for (int seed = 0; seed < heavy_cases(kScenes); ++seed) {
    const RandomScene scene = random_scene(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    const Conduct conduct = expect_good_conduct(scene);
    if (conduct.result.stop == RunStop::duration) {
      EXPECT_EQ(conduct.samples, 31);  // 0, 0.05, …, 1.5
      EXPECT_EQ(conduct.result.final_state.time, scene.options.duration);
    }
  }
}

TEST(RandomScenes, TheSameSceneGivesTheSameBits) {
  for (int seed = 0; seed < heavy_cases(20); ++seed) {
    const RandomScene scene = random_scene(static_cast<std::uint64_t>(seed));
    const Conduct first = conduct_of(scene), second = conduct_of(scene);
    EXPECT_EQ(first.fingerprint, second.fingerprint) << "seed " << seed << ":" << scene.story;
    EXPECT_EQ(first.events, second.events);
  }
}

TEST(RandomScenes, AnObserverChangesNothing) {
  for (int seed = 0; seed < heavy_cases(20); ++seed) {
    RandomScene scene = random_scene(static_cast<std::uint64_t>(seed));
    const Conduct watched = conduct_of(scene);
    if (watched.endless) continue;
    scene.settings.output_step = 0.0;
    const RunResult alone = scene.run();
    EXPECT_EQ(alone.impacts, watched.result.impacts) << "seed " << seed << ":" << scene.story;
    for (std::size_t body = 0; body < scene.model.bodies.size(); ++body)
      EXPECT_EQ(alone.final_state.bodies[body].position, watched.result.final_state.bodies[body].position);
  }
}

}  // namespace
}  // namespace carom::test
