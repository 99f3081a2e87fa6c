#include "carom/scene/settings.h"

#include <gtest/gtest.h>

#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"
#include "scene/sample_scene.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

SceneFile read_with(const std::vector<std::string>& settings) {
  Document document = parse_document("scene.toml", std::string(test::kSampleScene));
  apply_settings(document, settings);
  return read_scene_file(document);
}

std::string error_of(const std::string& setting) {
  return test::error_of([&setting] { read_with({setting}); });
}

std::string message_of(const std::string& setting) {
  return test::message_of([&setting] { read_with({setting}); });
}

TEST(Settings, ChangeNumbersWordsAndEntriesOfVectors) {
  const SceneFile scene = read_with({"run.duration=5", "run.law=poisson", "body.egg.velocity.0=1.5", "title='new'",
                                     "body.2.mass = 3", "pair.0.restitution=0.25"});
  EXPECT_EQ(scene.run.duration, 5.0);
  EXPECT_EQ(scene.run.law, "poisson");
  EXPECT_EQ(scene.state.bodies[0].velocity, Vector3d(1.5, -1, 0));
  EXPECT_EQ(scene.title, "new");
  EXPECT_EQ(scene.model.bodies[2].mass, 3.0);
  EXPECT_EQ(scene.model.rule(0, 0).restitution, 0.25);
}

TEST(Settings, LaterOnesWinAndTheTextStaysThatOfTheFile) {
  const SceneFile scene = read_with({"run.duration=5", "run.duration=6"});
  EXPECT_EQ(scene.run.duration, 6.0);
  EXPECT_EQ(scene.text, test::kSampleScene);
}

TEST(Settings, KeysThatTheSceneLeavesOutCanBeSet) {
  const SceneFile scene = read_with({"run.max_events=7", "plane.floor.velocity=[0, 0, 0]", "obstacle.post.velocity.1=2",
                                     "body.bob.orientation={quaternion=[1,0,0,0]}"});
  EXPECT_EQ(scene.run.max_events, 7);
  EXPECT_EQ(scene.model.obstacles[1].velocity, Vector3d(0, 2, 1));
  Document document =
      parse_document("s", "format = 1\n[run]\nduration = 1\n[[plane]]\nname = 'a'\nnormal = [0, 0, 1]\n");
  apply_settings(document, std::vector<std::string>{"world.gravity.2=-9.81", "plane.a.velocity.2=3"});
  const SceneFile fuller = read_scene_file(document);
  EXPECT_EQ(fuller.model.gravity, Vector3d(0, 0, -9.81));
  EXPECT_EQ(fuller.model.obstacles[0].velocity, Vector3d(0, 0, 3));
}

TEST(Settings, ErrorsOfTheReaderPointAtTheSetting) {
  EXPECT_EQ(error_of("body.egg.mass=-2"), "out-of-range 1:15 body.egg.mass");
  EXPECT_EQ(error_of("run.law=newtn"), "unknown-name 1:9 run.law");
  EXPECT_EQ(error_of("run.lwa=newton"), "unknown-name 1:1 run.lwa");
  EXPECT_EQ(error_of("body.egg.velocity=[1, 'two', 3]"), "wrong-type 1:23 body.egg.velocity.1");
  try {
    read_with({"run.duration=1", "body.egg.mass=-2"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "--set body.egg.mass=-2");
    EXPECT_EQ(error.place().text, "body.egg.mass=-2");
    EXPECT_EQ(error.place().length, 2);
  }
}

TEST(Settings, PathsThatLeadNowhereAreUsageErrors) {
  EXPECT_EQ(error_of("body.eg.mass=2"), "usage 1:1 body.eg.mass");
  EXPECT_EQ(message_of("body.eg.mass=2"),
            "--set body.eg.mass: unknown entry 'eg'; did you mean 'egg'? known: egg, ball, bob");
  EXPECT_EQ(
      message_of("bdy.egg.mass=2"),
      "--set bdy.egg.mass: unknown key 'bdy'; did you mean 'body'? known: format, title, world, run, material, pair, "
      "body, plane, obstacle, constraint, spring, load");
  EXPECT_EQ(message_of("body.egg.velocity.3=2"),
            "--set body.egg.velocity.3: there is no entry '3', expected an index below 3");
  EXPECT_EQ(message_of("body.egg.mass.0=2"), "--set body.egg.mass.0: an integer has no parts, but '0' was asked for");
  EXPECT_EQ(error_of("body.egg.inertia.0=2"), "usage 1:1 body.egg.inertia.0");
  EXPECT_EQ(error_of("=2").substr(0, 5), "usage");
  EXPECT_EQ(error_of("run.law").substr(0, 5), "usage");
  EXPECT_EQ(error_of("run.law=").substr(0, 5), "usage");
  EXPECT_EQ(error_of("body..mass=1").substr(0, 5), "usage");
  EXPECT_EQ(error_of("run..law=1").substr(0, 5), "usage");
}

TEST(Settings, ValuesThatAreNoTomlAreSyntaxErrors) {
  EXPECT_EQ(error_of("title=two words"), "syntax 1:7 title");
  EXPECT_EQ(error_of("run.duration=[1,"), "syntax 1:14 run.duration");
  EXPECT_EQ(error_of("run.duration=1\nformat = 2"), "syntax 1:14 run.duration");
  EXPECT_EQ(error_of("run.duration=inf"), "not-finite 1:14 run.duration");
  EXPECT_EQ(error_of("run.duration=1e999"), "not-finite 1:14 run.duration");
}

TEST(Settings, NamesWithDotsCanBeReached) {
  Document document = parse_document(
      "s",
      "format = 1\n[run]\nduration = 1\n[[body]]\nname = 'a'\nmass = 1\nshape = {kind = 'sphere', radius "
      "= 1}\n[[body]]\nname = 'a.b'\nmass = 1\nposition = [9, 0, 0]\nshape = {kind = 'sphere', radius = 1}\n");
  apply_settings(document, std::vector<std::string>{"body.a.b.mass=2", "body.a.mass=3"});
  const SceneFile scene = read_scene_file(document);
  EXPECT_EQ(scene.model.bodies[0].mass, 3.0);
  EXPECT_EQ(scene.model.bodies[1].mass, 2.0);
}

}  // namespace
}  // namespace carom::scene
