#include "carom/simulation/checkpoints.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "carom/engine/engine_registry.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"

namespace carom {
namespace {

Run gas(int count) {
  const Scene scene = Scene::parse(fmt::format(R"(format = 1
[run]
duration = 1
[[fill]]
name = "gas"
count = {}
shape = {{ kind = "sphere", radius = 0.01 }}
density = 1000
box = [[0, 0, 0], [1, 1, 1]]
)",
                                               count));
  const scene::SceneFile contents = scene.build();
  const auto model = std::make_shared<const Model>(contents.model);
  return Run(engine_kind(contents.run.engine).make(model, contents.state, contents.run), {});
}

std::size_t kept_after(int offers, int count) {
  const Run run = gas(count);
  Checkpoints checkpoints;
  checkpoints.keep(run);
  for (int i = 0; i < offers; ++i) checkpoints.offer(run);
  return checkpoints.size();
}

TEST(Checkpoints, TogetherCopiesHaveABoundedNumberOfBodies) {
  // Beside the one at the beginning, which is always kept.
  EXPECT_EQ(kept_after(8, 10), 9u);
  for (const int offers : {9, 100, 1000}) {
    EXPECT_LE(kept_after(offers, 10), 9u);
    EXPECT_GE(kept_after(offers, 10), 5u);
  }
  EXPECT_LE(kept_after(9, 1500), 3u);
  EXPECT_EQ(kept_after(4, 4001), 2u);
}

}  // namespace
}  // namespace carom
