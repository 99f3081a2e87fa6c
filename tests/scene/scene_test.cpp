#include "carom/scene/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "carom/scene/format/sections.h"
#include "scene/expect_error.h"
#include "scene/sample_scene.h"
#include "scene/scene_bits.h"
#include "support/scratch_folder.h"

namespace carom {
namespace {

Table ball(const std::string& name, double height) {
  return {{"name", name},
          {"shape", {{"kind", "sphere"}, {"radius", 0.1}}},
          {"mass", 1.0},
          {"material", "rubber"},
          {"position", {0, 0, height}}};
}

Scene bouncing_ball() {
  Scene scene;
  scene.set("title", "a ball");
  scene.set("world.gravity", {0, 0, -9.81});
  scene.set("run.duration", 10.0);
  scene.set("run.law", "newton");
  scene.add_material({{"name", "rubber"}});
  scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", 0.9}});
  scene.add_body(ball("ball", 1.1));
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
  return scene;
}

constexpr std::string_view kBouncingBall = R"(format = 1
title = "a ball"

[world]
gravity = [0, 0, -9.81]

[run]
law = "newton"
duration = 10.0

[[material]]
name = "rubber"

[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.9

[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1.0
material = "rubber"
position = [0, 0, 1.1]

[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";

TEST(Scene, BuiltInCodeIsTheSameAsReadFromItsFile) {
  const Scene scene = bouncing_ball();
  EXPECT_EQ(scene.to_toml(), kBouncingBall);
  const Scene read = Scene::parse(std::string(kBouncingBall));
  EXPECT_TRUE(scene.check().empty());
  EXPECT_EQ(test::scene_bits(scene.build()), test::scene_bits(read.build()));
  const scene::SceneFile contents = scene.build();
  EXPECT_EQ(contents.model.gravity, Eigen::Vector3d(0, 0, -9.81));
  EXPECT_EQ(contents.state.bodies[0].position, Eigen::Vector3d(0, 0, 1.1));
  EXPECT_EQ(contents.run.law, "newton");
  EXPECT_EQ(contents.text, kBouncingBall);
}

TEST(Scene, EverySectionWithEntriesHasItsOwnFunction) {
  using Add = void (Scene::*)(const Table&);
  const std::map<std::string_view, Add> functions = {
      {"material", &Scene::add_material}, {"pair", &Scene::add_pair},         {"body", &Scene::add_body},
      {"plane", &Scene::add_plane},       {"obstacle", &Scene::add_obstacle}, {"constraint", &Scene::add_constraint},
      {"joint", &Scene::add_joint},       {"when", &Scene::add_when},         {"spring", &Scene::add_spring},
      {"load", &Scene::add_load},         {"fill", &Scene::add_fill},         {"rack", &Scene::add_rack},
      {"cradle", &Scene::add_cradle},     {"shot", &Scene::add_shot},         {"pocket", &Scene::add_pocket},
      {"dent", &Scene::add_dent},
  };
  std::size_t sections = 0;
  for (const scene::Key& key : scene::scene_format().keys) {
    if (key.type != scene::ValueType::tables) continue;
    ++sections;
    ASSERT_TRUE(functions.contains(key.name)) << key.name;
    Scene scene;
    (scene.*functions.at(key.name))({{"mark", 7}});
    EXPECT_EQ(scene.get(std::string(key.name) + ".0.mark"), Value(7));
  }
  EXPECT_EQ(sections, functions.size());
}

TEST(Scene, ValuesAreSetFoundAndRemovedByTheirPath) {
  Scene scene = Scene::parse(std::string(test::kSampleScene));
  EXPECT_EQ(scene.get("run.law"), Value("newton"));
  EXPECT_EQ(scene.get("body.egg.velocity"), Value({-1, -1, 0}));
  EXPECT_EQ(scene.get("body.1.density"), Value(2.0));
  EXPECT_EQ(scene.get("body.egg.shape.kind"), Value("ellipsoid"));
  EXPECT_TRUE(scene.get("run.rtol").is_none());
  EXPECT_TRUE(scene.get("body.egg.density").is_none());
  scene.set("run.law", "poisson");
  scene.set("body.egg.velocity.0", 1.5);
  scene.set("obstacle.post.angular_velocity.2", 3.0);
  scene.set("body.bob.shape", {{"kind", "sphere"}, {"radius", 0.125}});
  scene.set("run.seed=12");
  const scene::SceneFile contents = scene.build();
  EXPECT_EQ(contents.run.law, "poisson");
  EXPECT_EQ(contents.run.seed, 12);
  EXPECT_EQ(contents.state.bodies[0].velocity, Eigen::Vector3d(1.5, -1, 0));
  EXPECT_EQ(contents.model.obstacles[1].angular_velocity, Eigen::Vector3d(0, 0, 3));
  EXPECT_EQ(std::get<Sphere>(contents.model.bodies[2].parts[0].shape).radius, 0.125);
  scene.set("run.law", {});
  EXPECT_EQ(scene.build().run.law, "compliant");
  scene.set("constraint.2", {});
  EXPECT_EQ(scene.build().model.constraints.size(), 2u);
}

TEST(Scene, PathsThatLeadNowhereLeaveItAsItWas) {
  Scene scene = Scene::parse(std::string(test::kSampleScene));
  const std::string before = scene.to_toml();
  EXPECT_EQ(test::message_of([&] { scene.set("body.eg.mass", 2); }),
            "body.eg.mass: unknown entry 'eg'; did you mean 'egg'? known: egg, ball, bob");
  EXPECT_EQ(test::message_of([&] { scene.set("obstacle.post.angular_velocity.7", 2); }),
            "obstacle.post.angular_velocity.7: there is no entry '7', expected an index below 3");
  EXPECT_EQ(test::message_of([&] { scene.set("", 2); }), "the path is empty, expected one such as run.law");
  EXPECT_EQ(test::error_of([&] { std::ignore = scene.get("run.lwa"); }), "usage 0:0 run.lwa");
  EXPECT_EQ(test::error_of([&] { std::ignore = scene.get("body.egg.shape.height"); }),
            "usage 0:0 body.egg.shape.height");
  EXPECT_EQ(test::error_of([&] { scene.set("run.law="); }), "usage 0:0 --set");
  EXPECT_EQ(test::message_of([&] { scene.add("bdy", {}); }).substr(0, 44),
            "unknown section 'bdy'; did you mean 'body'? ");
  EXPECT_EQ(test::error_of([&] { scene.add("run", {}); }), "unknown-name 0:0 run");
  EXPECT_EQ(test::error_of([&] { scene.add_body({{"name", "a"}, {"name", "b"}}); }), "duplicate-name 0:0 body.3.name");
  EXPECT_EQ(test::error_of([&] { scene.add_body({{"name", {}}}); }), "wrong-type 0:0 body.3.name");
  EXPECT_EQ(test::error_of([&] { scene.set("title", "\xff"); }), "syntax 0:0 title");
  EXPECT_EQ(scene.to_toml(), before);
  EXPECT_TRUE(scene.settings().empty());
}

TEST(Scene, CopiesAreIndependent) {
  Scene one = bouncing_ball();
  Scene other = one;
  other.set("run.duration", 3.0);
  other.add_body(ball("second", 2.0));
  EXPECT_EQ(one.to_toml(), kBouncingBall);
  one = std::move(other);
  EXPECT_EQ(one.build().model.bodies.size(), 2u);
}

TEST(Scene, TheTextAndTheSettingsReadToTheSameScene) {
  Scene scene = Scene::parse(std::string(test::kSampleScene));
  EXPECT_EQ(scene.text(), test::kSampleScene);
  scene.set("run.duration=7");
  EXPECT_EQ(scene.text(), test::kSampleScene);
  EXPECT_EQ(scene.settings(), std::vector<std::string>{"run.duration=7"});
  scene.set("run.output_step", 0.5);
  scene.set("run.stop_at_rest=true");
  EXPECT_EQ(scene.text(), scene.to_toml());
  EXPECT_TRUE(scene.settings().empty());
  EXPECT_EQ(test::scene_bits(Scene::parse(scene.text()).build()), test::scene_bits(scene.build()));
}

TEST(Scene, IsSavedAndReadAgain) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("ball.toml");
  bouncing_ball().save(path);
  EXPECT_EQ(Scene::read(path).text(), kBouncingBall);
  EXPECT_EQ(test::error_of([&] { bouncing_ball().save(folder.file("no/where.toml")); }), "file 0:0");
  EXPECT_EQ(test::error_of([] { Scene::parse("{\"format\": 1}"); }), "unsupported 1:1");
  EXPECT_EQ(test::error_of([] { Scene::parse("format = "); }).substr(0, 6), "syntax");
}

TEST(Scene, ErrorsOfTheModelGetTheirPlace) {
  const Scene read = Scene::parse(std::string(kBouncingBall));
  const InputError bare(Kind::overlap, "body.ball.position", "too deep");
  EXPECT_EQ(read.with_place(bare).place().line, 23);
  EXPECT_EQ(bouncing_ball().with_place(bare).place().line, 0);
  EXPECT_EQ(bouncing_ball().with_place(bare).place().field, "body.ball.position");
}

}  // namespace
}  // namespace carom
