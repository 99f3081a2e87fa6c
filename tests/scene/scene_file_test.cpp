#include "carom/scene/scene_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/engine/engine_options.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/attitude.h"
#include "scene/expect_error.h"
#include "scene/sample_scene.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("scene.toml", text));
}

const std::string kShortest = "format = 1\n[run]\nduration = 10\n";

TEST(SceneFile, EverySectionIsRead) {
  const SceneFile scene = read(std::string(test::kSampleScene));
  const Model& model = scene.model;
  EXPECT_EQ(scene.title, "an egg falls beside a rolling ball");
  EXPECT_EQ(scene.text, test::kSampleScene);
  EXPECT_EQ(model.gravity, Vector3d(0, 0, -9.81));
  ASSERT_EQ(model.materials.size(), 2u);
  EXPECT_EQ(model.materials[0].name, "steel");
  EXPECT_EQ(model.materials[0].young, 2.07e11);
  EXPECT_EQ(model.materials[1].poisson, std::nullopt);
  EXPECT_EQ(model.rule(0, 0).restitution, 0.9);
  EXPECT_FALSE(model.rule(0, 0).rough);
  EXPECT_EQ(model.rule(0, 1).restitution, 0.5);
  EXPECT_TRUE(model.rule(0, 1).rough);
  EXPECT_TRUE(model.rule(1, 0).rough);
  ASSERT_EQ(model.obstacles.size(), 2u);
  EXPECT_EQ(shape_kind(model.obstacles[0].parts[0].shape), ShapeKind::half_space);
  EXPECT_TRUE((model.obstacles[0].pose.orientation * Vector3d::UnitZ()).isApprox(Vector3d::UnitZ(), 1e-15));
  EXPECT_EQ(model.obstacles[0].material, 1);
  EXPECT_EQ(model.obstacles[1].name, "post");
  EXPECT_EQ(model.obstacles[1].velocity, Vector3d(0, 0, 1));
  ASSERT_EQ(model.constraints.size(), 3u);
  EXPECT_EQ(std::get<RollingConstraint>(model.constraints[0]).body, 1);
  EXPECT_EQ(std::get<RollingConstraint>(model.constraints[0]).plane, 0);
  EXPECT_EQ(std::get<RodConstraint>(model.constraints[1]).length, 5.0);
  EXPECT_EQ(std::get<PlanarConstraint>(model.constraints[2]).normal, Vector3d::UnitZ());
  ASSERT_EQ(model.springs.size(), 2u);
  EXPECT_EQ(model.springs[0].body_b, 1);
  EXPECT_EQ(model.springs[0].point_a, Vector3d(0, 0, 1));
  EXPECT_EQ(model.springs[0].rest_length, 5.0);
  EXPECT_EQ(model.springs[1].body_b, kNone);
  ASSERT_EQ(model.loads.size(), 1u);
  EXPECT_EQ(model.loads[0].force, Vector3d(0, 0.1, 0));
  EXPECT_EQ(model.loads[0].angular_damping, 0.5);
}

TEST(SceneFile, BodiesHaveTheirMassInertiaAndMotion) {
  const SceneFile scene = read(std::string(test::kSampleScene));
  const Model& model = scene.model;
  ASSERT_EQ(model.bodies.size(), 3u);
  ASSERT_EQ(scene.state.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[0].mass, 500.0);
  EXPECT_TRUE(model.bodies[0].inertia.isApprox(Vector3d(500, 500, 200), 1e-14));  // m/5 (b² + c²)
  EXPECT_NEAR(model.bodies[1].mass, 2.0 * 4.0 / 3.0 * std::numbers::pi * 0.125, 1e-15);
  EXPECT_EQ(model.bodies[1].inertia, Vector3d(0.2, 0.3, 0.4));
  EXPECT_EQ(model.bodies[2].material, kNone);
  const double degree = std::numbers::pi / 180.0;
  const auto turned = attitude_from_bryan({45 * degree, 30 * degree, 90 * degree});
  EXPECT_TRUE(scene.state.bodies[0].orientation.isApprox(turned, 1e-15));
  EXPECT_EQ(scene.state.bodies[0].velocity, Vector3d(-1, -1, 0));
  EXPECT_EQ(scene.state.bodies[1].orientation.coeffs(), Eigen::Vector4d(0, 0.8, 0, 0.6));
  EXPECT_EQ(scene.state.bodies[1].angular_velocity, Vector3d(0, 2, 0));
  // A quarter turn about z takes the body's x to the world's y.
  EXPECT_TRUE(scene.state.bodies[2].angular_velocity.isApprox(Vector3d(0, 3, 0), 1e-15));
}

TEST(SceneFile, RunOptionsHaveTheirDefaults) {
  const RunOptions run = read(kShortest).run;
  EXPECT_EQ(run.engine, "event");
  EXPECT_EQ(run.law, "compliant");
  EXPECT_EQ(run.duration, 10.0);
  EXPECT_EQ(run.output_step, 0.02);
  EXPECT_EQ(run.max_events, 0);
  EXPECT_EQ(run.contact_tolerance, 1e-10);
  EXPECT_FALSE(run.stop_at_rest);
}

TEST(SceneFile, RunOptionsBecomeThoseOfTheEngine) {
  const SceneFile scene = read(kShortest +
                               "law = 'newton'\noutput_step = 0.5\nmax_events = 1e3\ncontact_tolerance = 1e-8\n"
                               "stop_at_rest = true\n");
  EXPECT_EQ(scene.run.output_step, 0.5);
  EXPECT_TRUE(scene.run.stop_at_rest);
  const EventOptions options = event_options(scene.run);
  EXPECT_EQ(options.law, &impact_law("newton"));
  EXPECT_EQ(options.duration, 10.0);
  EXPECT_EQ(options.max_events, 1000);
  EXPECT_EQ(options.contact_tolerance, 1e-8);
}

TEST(SceneFile, EnginesThatDoNotExistAreUnknown) {
  for (const std::string engine : {"gas", "grains"}) {
    const auto reading = [&engine] { read(kShortest + "engine = '" + engine + "'\n"); };
    EXPECT_EQ(test::error_of(reading), "unknown-name 4:10 run.engine");
    EXPECT_EQ(test::message_of(reading), "run.engine: unknown engine '" + engine + "'; known: event, smooth");
  }
}

TEST(SceneFile, KeysOfOtherEnginesAreListedAsUnused) {
  const std::string compliant =
      "integrator = 'dormand-prince'\nrtol = 1e-9\nlaw = 'newton'\n"
      "[[material]]\nname = 'steel'\nyoung = 2e11\n[[pair]]\nmaterials = ['steel', 'steel']\nnormal = 'hertz'\n"
      "rough = true\nfriction = { law = 'ambrosio', coefficient = 0.2 }\n";
  EXPECT_EQ(read(kShortest + compliant).unused, (std::vector<std::string>{"run.integrator", "run.rtol"}));
  EXPECT_EQ(read(kShortest + "engine = 'smooth'\n" + compliant).unused, std::vector<std::string>{"run.law"});
}

TEST(SceneFile, OfAPairOnlyWhatMayHaveBeenMeantForTheEngineIsListedAsUnused) {
  const auto unused = [](const std::string& engine, const std::string& keys) {
    return read(kShortest + "engine = '" + engine + "'\n[[material]]\nname = 'steel'\nyoung = 2e11\npoisson = 0.3\n" +
                "[[pair]]\nmaterials = ['steel', 'steel']\n" + keys)
        .unused;
  };
  const std::string friction = "friction = { law = 'ambrosio', coefficient = 0.2 }\n";
  EXPECT_EQ(unused("event", "normal = 'hertz'\n"), std::vector<std::string>{});
  EXPECT_EQ(unused("event", friction), std::vector<std::string>{"pair.0.friction"});
  EXPECT_EQ(unused("event", "rough = true\n" + friction), std::vector<std::string>{});
  EXPECT_EQ(unused("smooth", "rough = true\n" + friction), std::vector<std::string>{});
  EXPECT_EQ(unused("smooth", "rough = true\n"), std::vector<std::string>{"pair.0.rough"});
}

TEST(SceneFile, KeysOfOtherEnginesAreCheckedAllTheSame) {
  EXPECT_EQ(test::error_of([] { read(kShortest + "rtol = 'small'\n"); }), "wrong-type 4:8 run.rtol");
}

TEST(SceneFile, EveryShapeIsRead) {
  const auto shape = [](const std::string& section, const std::string& text) {
    const SceneFile scene = read(kShortest + "[[" + section + "]]\nname = 'a'\nshape = { kind = " + text + " }\n" +
                                 (section == "body" ? "mass = 1\n" : ""));
    return section == "body" ? scene.model.bodies[0].parts[0].shape : scene.model.obstacles[0].parts[0].shape;
  };
  EXPECT_EQ(std::get<Sphere>(shape("body", "'sphere', radius = 2")).radius, 2.0);
  EXPECT_EQ(std::get<Ellipsoid>(shape("body", "'ellipsoid', semi_axes = [1, 2, 3]")).semi_axes, Vector3d(1, 2, 3));
  EXPECT_EQ(std::get<Box>(shape("body", "'box', half_sizes = [1, 2, 3]")).half_sizes, Vector3d(1, 2, 3));
  EXPECT_EQ(std::get<Cylinder>(shape("body", "'cylinder', radius = 2, half_length = 3")).half_length, 3.0);
  const std::string prism = "'prism', vertices = [[3, 0], [6, 0], [3, 3]], half_length = 1";
  EXPECT_EQ(std::get<Prism>(shape("obstacle", prism)).vertices[1], Eigen::Vector2d(6, 0));
  EXPECT_TRUE(std::get<Prism>(shape("body", prism)).vertices[1].isApprox(Eigen::Vector2d(2, -1)));
  EXPECT_EQ(std::get<Bore>(shape("obstacle", "'bore', radius = 2, half_length = 3")).radius, 2.0);
  EXPECT_EQ(std::get<Shell>(shape("obstacle", "'shell', radius = 2")).radius, 2.0);
}

TEST(SceneFile, NormalsMayHaveAnyLength) {
  for (const char* const length : {"1", "1e200", "1e308", "1e-300", "1e-320"}) {
    const std::string normal = std::string("[") + length + ", 0, -" + length + "]";
    const SceneFile scene = read(kShortest + "[[plane]]\nname = 'a'\nnormal = " + normal + "\npoint = [1, 2, 3]\n");
    const Pose& pose = scene.model.obstacles[0].pose;
    EXPECT_TRUE((pose.orientation * Vector3d::UnitZ()).isApprox(Vector3d(1, 0, -1).normalized(), 1e-15)) << length;
    EXPECT_EQ(pose.position, Vector3d(1, 2, 3));
  }
}

TEST(SceneFile, MaterialsThatCannotMeetNeedNoPair) {
  // Two obstacles never meet, and one body does not meet itself.
  EXPECT_EQ(test::error_of([] {
              read(kShortest + R"([[material]]
name = "steel"
[[material]]
name = "ice"
[[body]]
name = "ball"
mass = 1
shape = { kind = "sphere", radius = 1 }
material = "steel"
[[plane]]
name = "plain"
normal = [0, 0, 1]
point = [0, 0, -9]
[[obstacle]]
name = "other"
shape = { kind = "sphere", radius = 1 }
position = [9, 9, 9]
)");
            }),
            "accepted");
}

}  // namespace
}  // namespace carom::scene
