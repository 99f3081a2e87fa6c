/// A simulation that is saved and loaded at random moments goes on with the same bits, and so does a record that is
/// extended: shipped scenes that show everything an engine keeps, and random ones.

#include <gtest/gtest.h>

#include "contact/heavy_cases.h"
#include "resume/extension.h"
#include "resume/relay.h"
#include "soak/soak_scene.h"
#include "support/places.h"

namespace carom::test {
namespace {

Scene scene_of(const std::string& name, const std::vector<std::string>& settings = {}) {
  Scene scene = Scene::read(scene_path(name));
  for (const std::string& setting : settings) scene.set(setting);
  return scene;
}

struct Shown {
  const char* scene;
  std::vector<std::string> settings = {};
};

void expect_same(const std::vector<Shown>& scenes) {
  std::uint64_t seed = 1;
  for (const Shown& shown : scenes) {
    const Scene scene = scene_of(shown.scene, shown.settings);
    EXPECT_EQ(relay_difference(scene, seed++, {.most_handovers = 12, .events = 40}), "") << shown.scene;
    EXPECT_EQ(extension_difference(scene, seed, 40), "") << shown.scene << " extended";
  }
}

TEST(Relay, BouncesThatEndAndBodiesThatRest) {
  expect_same({{"bouncing-ball"}, {"sphere-in-a-groove"}, {"rising-floor"}, {"ball-on-a-vibrating-table"}});
}

TEST(Relay, BodiesThatTurnFreely) {
  expect_same({{"die"}, {"ellipsoid-in-a-box"}, {"l-shaped-body"}});
}

TEST(Relay, FrictionRollingAndBallsInClosedForm) {
  expect_same({{"masse-shot"},
               {"ball-on-an-incline"},
               {"stick-slip-belt", {"run.duration=0.5"}},
               {"box-tips-or-slides"},
               {"throw-of-the-object-ball"},
               {"painleve-rod"}});
}

TEST(Relay, SpringsRodsAndJoints) {
  expect_same({{"spring-pendulum"},
               {"cradle-on-strings"},
               {"double-pendulum-against-a-wall"},
               {"four-bar-with-motor"},
               {"woodpecker", {"run.duration=0.1"}},
               {"gear-pair-with-backlash"}});
}

TEST(Relay, ScriptsThatChangeAMechanism) {
  expect_same({{"trebuchet"}, {"gripper"}, {"compass-walker", {"run.duration=0.5"}}});
}

TEST(Relay, ManyBodiesAndCells) {
  expect_same({{"pool-break"}, {"galton-board", {"run.duration=0.4"}}, {"drum-with-boxes", {"run.duration=0.3"}}});
}

TEST(Relay, ContactsThatGiveWay) {
  expect_same({{"cradle-smooth"},
               {"trebuchet", {"run.engine=smooth"}},
               {"bearing-inner-dent", {"run.duration=0.0005"}},
               {"pool-table", {"run.duration=0.02"}}});
}

TEST(Relay, EveryIntegratorKeepsItsHistory) {
  expect_same({{"cradle-smooth", {"run.integrator=dormand-prince-853"}},
               {"cradle-smooth", {"run.integrator=adams"}},
               {"cradle-smooth", {"run.integrator=velocity-verlet", "run.step=1e-5", "run.duration=0.2"}}});
}

void expect_random_scenes_same(const std::string& engine, double duration) {
  const std::vector<std::string>& kinds = soak_kinds();
  for (std::size_t k = 0; k < static_cast<std::size_t>(heavy_cases(static_cast<int>(kinds.size()))); ++k) {
    Scene scene = Scene::parse(soak_scene(kinds[k], 50 + k, engine));
    scene.set("run.duration", duration);
    scene.set("run.output_step", duration / 20.0);
    EXPECT_EQ(relay_difference(scene, k, {.most_handovers = 6, .events = 20}), "") << kinds[k] << " under " << engine;
    EXPECT_EQ(extension_difference(scene, k, 20), "") << kinds[k] << " extended under " << engine;
  }
}

TEST(Relay, RandomScenesOfTheRigidEngine) {
  expect_random_scenes_same("event", 0.1);
}

TEST(Relay, RandomScenesOfTheCompliantEngine) {
  expect_random_scenes_same("smooth", 0.01);
}

}  // namespace
}  // namespace carom::test
