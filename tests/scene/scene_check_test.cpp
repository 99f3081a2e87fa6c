#include <gtest/gtest.h>

#include "carom/scene/complaints.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"
#include "scene/expect_error.h"
#include "scene/sample_scene.h"

namespace carom {
namespace {

using Lines = std::vector<std::string>;

/// "out-of-range 7:21 body.egg.mass" of every complaint.
Lines complaints_of(const Scene& scene) {
  Lines lines;
  for (const InputError& complaint : scene.check())
    lines.push_back(test::error_of([&] { throw InputError(complaint); }));
  return lines;
}

Lines complaints_of(const std::string& text) {
  return complaints_of(Scene::parse(text));
}

const std::string kHead = "format = 1\n[run]\nduration = 1\n";
const std::string kBall = "mass = 1\nshape = {kind = 'sphere', radius = 1}\n";

TEST(SceneCheck, ASceneInOrderHasNoComplaints) {
  EXPECT_EQ(complaints_of(std::string(test::kSampleScene)), Lines{});
}

TEST(SceneCheck, EveryMistakeIsListedInTheOrderOfTheLines) {
  EXPECT_EQ(complaints_of("format = 1\ntitel = 'x'\n"
                          "[run]\nduration = -1\nlwa = 'newton'\nlaw = 'newtn'\n"
                          "[world]\ngravity = [0, 'down', 1]\n"
                          "[[material]]\nyoung = 1\n"
                          "[[body]]\nname = 'a'\nmass = 0\nshape = {kind = 'sphre'}\npostion = [0, 0, 0]\n"
                          "[[body]]\nname = 'b'\nshape = {kind = 'sphere', radius = 1, height = 2}\nvelocity = [1, 2]\n"
                          "[[plane]]\nname = 'floor'\nnormal = [0, 0, 0]\n"
                          "[[spring]]\nbodies = []\n"),
            (Lines{"unknown-name 2:1 titel", "out-of-range 4:12 run.duration", "unknown-name 5:1 run.lwa",
                   "unknown-name 6:7 run.law", "wrong-type 8:15 world.gravity.1", "missing-field 9:1 material.0.name",
                   "out-of-range 13:8 body.a.mass", "unknown-name 14:17 body.a.shape.kind",
                   "unknown-name 15:1 body.a.postion", "unknown-name 18:39 body.b.shape.height",
                   "size-mismatch 19:12 body.b.velocity", "zero-normal 22:10 plane.floor.normal",
                   "missing-field 23:1 spring.0.stiffness", "size-mismatch 24:10 spring.0.bodies"}));
}

TEST(SceneCheck, GroupsThatAreAvoidedHaveAMember) {
  const std::string balls = "[[body]]\nname = 'a'\n" + kBall +
                            "groups = ['marbles', 'red']\n[[fill]]\nname = 'f'\ncount = 2\n" + kBall +
                            "box = [[5, 5, 5], [20, 20, 20]]\ngroups = ['grains']\navoid = ['grains', 'red']\n";
  EXPECT_EQ(complaints_of(kHead + balls +
                          "[[plane]]\nname = 'floor'\nnormal = [0, 0, 1]\npoint = [0, 0, -5]\n"
                          "avoid = ['marbles']\n"),
            Lines{});
  EXPECT_EQ(complaints_of(kHead + balls +
                          "[[plane]]\nname = 'floor'\nnormal = [0, 0, 1]\npoint = [0, 0, -5]\n"
                          "avoid = ['red', 'marbels']\n"),
            Lines{"unknown-name 21:17 plane.floor.avoid.1"});
  EXPECT_EQ(complaints_of(kHead + "[[body]]\nname = 'a'\n" + kBall + "avoid = 'red'\n"),
            Lines{"wrong-type 8:9 body.a.avoid"});
}

TEST(SceneCheck, NamesAreCheckedInEveryEntryThatIsGood) {
  EXPECT_EQ(
      complaints_of(kHead + "[[body]]\nname = 'a'\n" + kBall + "[[body]]\nname = 'a'\n" + kBall +
                    "[[plane]]\nname = 'a'\nnormal = [0, 0, 1]\n"
                    "[[load]]\nbody = 'b'\n[[load]]\nbody = 'c'\n[[load]]\nbody = 'a'\n"
                    "[[body]]\nname = 'd'\nmaterial = 'steel'\n" +
                    kBall),
      (Lines{"duplicate-name 9:8 body.a.name", "duplicate-name 13:8 plane.a.name", "unknown-name 16:8 load.0.body",
             "unknown-name 18:8 load.1.body", "unknown-name 23:12 body.d.material"}));
}

TEST(SceneCheck, WhatRefersToAWrongEntryIsNotBlamed) {
  // The ball, the fill, the material and the second pair are wrong; the load, the spring, the other uses are not.
  EXPECT_EQ(
      complaints_of(kHead +
                    "[[material]]\nname = 'steel'\nyoung = -1\n"
                    "[[pair]]\nmaterials = ['steel', 'steel']\n"
                    "[[body]]\nname = 'ball'\nmass = -1\nmaterial = 'steel'\nshape = {kind = 'sphere', radius = 1}\n"
                    "[[fill]]\nname = 'gas'\ncount = 0\nmass = 1\nshape = {kind = 'sphere', radius = 1}\n"
                    "box = [[0, 0, 0], [1, 1, 1]]\n"
                    "[[load]]\nbody = 'ball'\n[[load]]\nbody = 'gas-3'\n[[shot]]\nbody = 'ball'\nspeed = 1\n"
                    "direction_deg = 0\n[[load]]\nbody = 'nobody'\n"),
      (Lines{"out-of-range 6:9 material.steel.young", "out-of-range 11:8 body.ball.mass",
             "out-of-range 16:9 fill.gas.count", "unknown-name 29:8 load.2.body"}));
}

TEST(SceneCheck, AnEntryWithoutANameMayBeWhatOthersMean) {
  EXPECT_EQ(complaints_of(kHead + "[[body]]\n" + kBall + "[[load]]\nbody = 'ball'\n"),
            Lines{"missing-field 4:1 body.0.name"});
  EXPECT_EQ(complaints_of(kHead + "[[load]]\nbody = 'ball'\n[body]\nname = 'ball'\n" + kBall),
            Lines{"wrong-type 6:1 body"});
}

TEST(SceneCheck, WithoutAnEngineNothingIsSaidAboutWhatOneNeeds) {
  const std::string lossy = "[[material]]\nname = 'a'\n[[pair]]\nmaterials = ['a', 'a']\nrestitution = 0.5\n";
  EXPECT_EQ(complaints_of(kHead + "engine = 'smoth'\n" + lossy), Lines{"unknown-name 4:10 run.engine"});
  EXPECT_EQ(complaints_of(kHead + "engine = 'event'\n" + lossy), Lines{});
  EXPECT_EQ(complaints_of(kHead + "engine = 'smooth'\n" + lossy), Lines{"missing-field 7:1 pair.0.normal"});
  EXPECT_EQ(complaints_of(kHead + "engine = 'smooth'\nrtol = 5\n" + lossy),
            (Lines{"out-of-range 5:8 run.rtol", "missing-field 8:1 pair.0.normal"}));
  EXPECT_EQ(complaints_of("format = 1\n" + lossy), Lines{"missing-field 1:1 run"});
}

TEST(SceneCheck, AllPairsThatAreMissingAreListed) {
  EXPECT_EQ(complaints_of(kHead +
                          "[[material]]\nname = 'a'\n[[material]]\nname = 'b'\n"
                          "[[body]]\nname = 'x'\nmaterial = 'a'\n" +
                          kBall + "[[body]]\nname = 'y'\nmaterial = 'b'\nposition = [9, 0, 0]\n" + kBall +
                          "[[plane]]\nname = 'z'\nnormal = [0, 0, 1]\npoint = [0, 0, -9]\nmaterial = 'b'\n"),
            (Lines{"missing-field 15:12 body.y.material", "missing-field 23:12 plane.z.material"}));
}

TEST(SceneCheck, WhatCannotRunIsFoundOnceAllPartsAreInOrder) {
  const std::string overlap = kHead + "[[body]]\nname = 'a'\n" + kBall + "[[body]]\nname = 'b'\n" + kBall;
  EXPECT_EQ(complaints_of(overlap), Lines{"overlap 8:1 body.b.position"});
  const std::string inertia = kHead + "[[body]]\nname = 'a'\ninertia = [1, 1, 5]\n" + kBall;
  EXPECT_EQ(complaints_of(inertia), Lines{"out-of-range 6:18 body.a.inertia.2"});
  const std::string fixed_steps = kHead + "engine = 'smooth'\nintegrator = 'velocity-verlet'\n";
  EXPECT_EQ(complaints_of(fixed_steps), Lines{"missing-field 2:1 run.step"});
}

TEST(SceneCheck, TheFirstThatBuildThrowsIsAmongThem) {
  for (const std::string_view wrong : {"gravity = [0, 0]", "gravty = 1", "gravity = [0, 0, 'x']"}) {
    const Scene scene = Scene::parse(test::changed_scene("gravity = [0, 0, -9.81]", wrong));
    const std::string thrown = test::error_of([&] { std::ignore = scene.build(); });
    EXPECT_EQ(complaints_of(scene), Lines{thrown});
  }
}

TEST(SceneCheck, WhatAProgramHasSetIsNamedByItsField) {
  Scene scene = Scene::parse(kHead + "[[body]]\nname = 'a'\nmass = -3\nshape = {kind = 'sphere', radius = 1}\n");
  scene.set("run.duration", "long");
  scene.add_body({{"name", "b"}, {"mass", -2}, {"shape", {{"kind", "cube"}}}});
  scene.set("run.law=newtn");
  EXPECT_EQ(complaints_of(scene),
            (Lines{"out-of-range 6:8 body.a.mass", "unknown-name 1:9 run.law", "wrong-type 0:0 run.duration",
                   "unknown-name 0:0 body.b.shape.kind", "out-of-range 0:0 body.b.mass"}));
  const std::vector<InputError> complaints = scene.check();
  EXPECT_STREQ(complaints[2].what(), "run.duration is \"long\", expected a number");
  EXPECT_STREQ(complaints[4].what(), "body.b.mass is -2, expected a number > 0");
  Scene twice;
  twice.set("run.duration", 1);
  for (int i = 0; i < 2; ++i) twice.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}});
  ASSERT_EQ(twice.check().size(), 1u);
  EXPECT_STREQ(twice.check()[0].what(),
               "the name 'floor' is already that of a plane (set by the program), expected another");
  EXPECT_EQ(complaints_of(Scene()), Lines{"missing-field 0:0 run"});
}

TEST(SceneCheck, EveryOverlapIsListed) {
  const std::string balls = kHead + "[[body]]\nname = 'a'\n" + kBall + "[[body]]\nname = 'b'\n" + kBall +
                            "position = [0.5, 0, 0]\n[[body]]\nname = 'c'\n" + kBall + "position = [1, 0, 0]\n" +
                            "[[body]]\nname = 'd'\n" + kBall + "position = [9, 0, 0]\n" +
                            "[[plane]]\nname = 'floor'\nnormal = [0, 0, 1]\npoint = [0, 0, -0.5]\n";
  // a and b, a and c, b and c, and each of the four and the floor, at the later body.
  EXPECT_EQ(complaints_of(balls),
            (Lines{"overlap 4:1 body.a.position", "overlap 12:12 body.b.position", "overlap 12:12 body.b.position",
                   "overlap 17:12 body.c.position", "overlap 17:12 body.c.position", "overlap 17:12 body.c.position",
                   "overlap 22:12 body.d.position"}));
  // The compliant engine allows some of it.
  std::string deep =
      kHead + "engine = 'smooth'\n[[material]]\nname = 'm'\n[[pair]]\nmaterials = ['m', 'm']\n" + "stiffness = 1e6\n";
  for (const char* const place : {"0", "1.995", "3.9", "5.8"})
    deep += std::string("[[body]]\nname = 'at") + place + "'\nmaterial = 'm'\n" + kBall + "position = [" + place +
            ", 0, 0]\n";
  EXPECT_EQ(complaints_of(deep).size(), 2u);
}

TEST(SceneCheck, EveryBodyThatItsConstraintForbidsIsListed) {
  std::string hanging = kHead;
  for (const char* const name : {"a", "b", "c"}) {
    const std::string place = std::string("position = [") + std::to_string(name[0] * 5) + ", 0, 0]\n";
    hanging += std::string("[[body]]\nname = '") + name + "'\n" + kBall + place;
    hanging += std::string("[[constraint]]\nkind = 'rod'\nbody = '") + name + "'\nlength = 2\npivot = [" +
               std::to_string(name[0] * 5) + ", 0, " + (name[0] == 'b' ? "2" : "3") + "]\n";
  }
  const Lines complaints = complaints_of(hanging);
  ASSERT_EQ(complaints.size(), 2u);
  EXPECT_TRUE(complaints[0].starts_with("constraint-violated")) << complaints[0];
}

TEST(SceneCheck, AFileFullOfMistakesDoesNotFillTheMemory) {
  std::string many = kHead;
  for (int i = 0; i < 1000; ++i) many += "[[load]]\nbody = 'nobody'\n";
  EXPECT_EQ(complaints_of(many).size(), scene::Complaints::kMost);
  std::string long_line = "format = 1\nrun.duration = 1\nbody = [";
  for (int i = 0; i < 400'000; ++i) long_line += "{},";
  const std::vector<InputError> complaints = Scene::parse(long_line + "]\n").check();
  EXPECT_GE(complaints.size(), 1u);
  EXPECT_LE(complaints.size(), 20u);
}

}  // namespace
}  // namespace carom
