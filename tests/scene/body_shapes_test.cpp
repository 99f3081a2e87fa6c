#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/geometry/polyhedron.h"
#include "carom/mechanics/loose_parts.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"
#include "scene/scene_bits.h"

namespace carom::scene::body_shapes_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("scene.toml", "format = 1\n[run]\nduration = 1\n" + text));
}

/// One body of this shape with these keys more.
std::string body(const std::string& shape, const std::string& more = "mass = 2\n") {
  return "[[body]]\nname = 'it'\nshape = { kind = " + shape + " }\n" + more;
}

Matrix3d tensor(const Body& body) {
  const Matrix3d turn = body.principal_axes.toRotationMatrix();
  return turn * body.inertia.asDiagonal() * turn.transpose();
}

/// Two balls of 1 kg and 3 kg, 4 m apart.
const std::string kDumbbell =
    "'compound', parts = [ { kind = 'sphere', radius = 1, mass = 1, position = [0, 0, 2] },"
    " { kind = 'sphere', radius = 0.5, mass = 3, position = [0, 0, -2] } ]";

TEST(BodyShapes, EveryNewShapeIsRead) {
  const auto shape = [](const std::string& text) { return read(body(text)).model.bodies[0].parts[0].shape; };
  EXPECT_EQ(std::get<Capsule>(shape("'capsule', radius = 2, half_length = 3")).half_length, 3.0);
  EXPECT_EQ(std::get<Cone>(shape("'cone', radius = 2, height = 3")).height, 3.0);
  EXPECT_EQ(std::get<HalfCylinder>(shape("'half_cylinder', radius = 2, half_length = 3")).radius, 2.0);
  EXPECT_EQ(std::get<Rod>(shape("'rod', half_length = 3")).half_length, 3.0);
  const Shape hull = shape("'convex', vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]");
  EXPECT_EQ(std::get<Convex>(hull).polyhedron->vertices().size(), 4u);
}

TEST(BodyShapes, PositionAndVelocityAreThoseOfTheShapesFrame) {
  // The centroid of the cone is a quarter of its height above the base; it leans along x.
  const std::string cone = "'cone', radius = 1, height = 4";
  const std::string motion =
      "position = [1, 2, 3]\nvelocity = [0, 5, 0]\nangular_velocity = [0, 0, 2]\n"
      "orientation = { bryan_deg = [0, 90, 0] }\n";
  const SceneFile scene = read(body(cone, "mass = 2\n" + motion));
  const BodyState& state = scene.state.bodies[0];
  EXPECT_TRUE(state.position.isApprox(Vector3d(2, 2, 3), 1e-15));
  EXPECT_TRUE(state.velocity.isApprox(Vector3d(0, 7, 0), 1e-15));
  EXPECT_EQ(scene.model.bodies[0].parts[0].placement.position, Vector3d(0, 0, -1));
  const SceneFile centred = read(body(cone, "mass = 2\nposition_of = 'centre_of_mass'\n" + motion));
  EXPECT_EQ(centred.state.bodies[0].position, Vector3d(1, 2, 3));
  EXPECT_EQ(centred.state.bodies[0].velocity, Vector3d(0, 5, 0));
  EXPECT_EQ(centred.model.bodies[0].parts[0].placement.position, Vector3d(0, 0, -1));
}

TEST(BodyShapes, OfTodayHaveTheirCentreOfMassAtTheirOrigin) {
  for (const char* const shape :
       {"'sphere', radius = 1", "'ellipsoid', semi_axes = [1, 2, 3]", "'box', half_sizes = [1, 2, 3]",
        "'cylinder', radius = 1, half_length = 2", "'prism', vertices = [[3, 0], [6, 0], [3, 3]], half_length = 1",
        "'capsule', radius = 1, half_length = 2", "'rod', half_length = 2"}) {
    const SceneFile scene = read(body(shape, "mass = 1\nposition = [1, 2, 3]\nangular_velocity = [1, 0, 0]\n"));
    EXPECT_TRUE(is_identity(scene.model.bodies[0].parts[0].placement)) << shape;
    EXPECT_EQ(scene.state.bodies[0].position, Vector3d(1, 2, 3)) << shape;
  }
}

TEST(BodyShapes, ACentreOfMassOfOnesOwnMovesTheShape) {
  const SceneFile scene = read(body("'sphere', radius = 1",
                                    "mass = 2\ncentre_of_mass = [0, 0, -0.25]\nposition = [0, 0, 1]\n"
                                    "angular_velocity = [4, 0, 0]\n"));
  EXPECT_EQ(scene.state.bodies[0].position, Vector3d(0, 0, 0.75));
  EXPECT_EQ(scene.state.bodies[0].velocity, Vector3d(0, 1, 0));
  EXPECT_EQ(scene.model.bodies[0].parts[0].placement.position, Vector3d(0, 0, 0.25));
  EXPECT_EQ(scene.model.bodies[0].inertia, Vector3d::Constant(0.8));
}

TEST(BodyShapes, NineNumbersAreATensorWhosePrincipalAxesAreFound) {
  const Matrix3d turn = Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5).toRotationMatrix() *
                        Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Matrix3d given = turn * Vector3d(1.0, 1.5, 2.2).asDiagonal() * turn.transpose();
  std::string flat = "[", rows = "[";
  for (int i = 0; i < 3; ++i) {
    rows += "[";
    for (int j = 0; j < 3; ++j) {
      char text[40];
      std::snprintf(text, sizeof(text), "%.17g, ", 0.5 * (given(i, j) + given(j, i)));
      flat += text;
      rows += text;
    }
    rows += "], ";
  }
  for (const std::string& inertia : {flat, rows}) {
    const Body read_body = read(body("'sphere', radius = 1", "mass = 2\ninertia = " + inertia + "]\n")).model.bodies[0];
    EXPECT_TRUE(tensor(read_body).isApprox(given, 1e-15));
    EXPECT_NEAR(read_body.inertia.sum(), 4.7, 1e-14);
  }
}

TEST(BodyShapes, AnInertiaThatNoBodyHasIsRefused) {
  const auto error = [](const std::string& inertia) {
    return test::error_of([&] { read(body("'sphere', radius = 1", "mass = 2\ninertia = " + inertia + "\n")); });
  };
  EXPECT_EQ(error("[1, 1, 3]"), "out-of-range 8:18 body.it.inertia.2");
  EXPECT_EQ(error("[1, -1, 1]"), "out-of-range 8:15 body.it.inertia.1");
  EXPECT_EQ(error("[1, 1, 1, 1]"), "size-mismatch 8:11 body.it.inertia");
  EXPECT_EQ(error("[1, 0.5, 0, 0.1, 1, 0, 0, 0, 1]"), "out-of-range 8:11 body.it.inertia");
  EXPECT_EQ(error("[[1, 0], [0, 1]]"), "size-mismatch 8:12 body.it.inertia.0");
  EXPECT_EQ(error("'large'"), "wrong-type 8:11 body.it.inertia");
  const auto message = [](const std::string& inertia) {
    return test::message_of([&] { read(body("'sphere', radius = 1", "mass = 2\ninertia = " + inertia + "\n")); });
  };
  EXPECT_EQ(message("[1, 0.5, 0, 0.1, 1, 0, 0, 0, 1]"),
            "body.it.inertia is not symmetric, expected an inertia tensor, whose rows are its columns");
  EXPECT_EQ(message("[1, 0, 0, 0, 1, 0, 0, 0, 3]"),
            "body.it.inertia has the principal moments 1, 1 and 3, expected positive ones, none above the sum of the "
            "other two, as no body has more");
  EXPECT_EQ(message("[1, 2, 0, 2, 1, 0, 0, 0, 3]"),
            "body.it.inertia has the principal moments -1, 3 and 3, expected positive ones, none above the sum of the "
            "other two, as no body has more");
}

TEST(Compound, MassCentreAndInertiaFollowFromTheParts) {
  const SceneFile scene = read(body(kDumbbell, "position = [5, 0, 0]\nangular_velocity = [1, 0, 0]\n"));
  const Body& it = scene.model.bodies[0];
  EXPECT_EQ(it.mass, 4.0);
  ASSERT_EQ(it.parts.size(), 2u);
  EXPECT_EQ(it.parts[0].placement.position, Vector3d(0, 0, 3));
  EXPECT_EQ(it.parts[1].placement.position, Vector3d(0, 0, -1));
  EXPECT_EQ(scene.state.bodies[0].position, Vector3d(5, 0, -1));
  EXPECT_EQ(scene.state.bodies[0].velocity, Vector3d(0, 1, 0));
  // ⅖mr² each, and the reduced mass ¾ kg at 4 m.
  const double own = 0.4 * (1.0 * 1.0 + 3.0 * 0.25);
  EXPECT_TRUE(it.inertia.isApprox(Vector3d(own + 12.0, own + 12.0, own), 1e-14));
}

TEST(Compound, OfTheHalvesOfABoxIsTheBox) {
  const SceneFile halves =
      read(body("'compound', parts = [ { kind = 'box', half_sizes = [1, 2, 3], position = [1, 0, 0] },"
                " { kind = 'box', half_sizes = [1, 3, 2], position = [-1, 0, 0],"
                " orientation = { bryan_deg = [90, 0, 0] } } ]",
                "density = 0.5\n"));
  const SceneFile whole = read(body("'box', half_sizes = [2, 2, 3]", "density = 0.5\n"));
  EXPECT_NEAR(halves.model.bodies[0].mass, whole.model.bodies[0].mass, 1e-14);
  EXPECT_TRUE(tensor(halves.model.bodies[0]).isApprox(tensor(whole.model.bodies[0]), 1e-14));
}

TEST(Compound, OfTurnedPartsHasTheTensorOfTheSum) {
  // A thin L of two rods, each of length 2 and mass 1, from the corner along x and along y.
  const Body it = read(body("'compound', parts = [ { kind = 'rod', half_length = 1, mass = 1, position = [1, 0, 0],"
                            " orientation = { bryan_deg = [0, 90, 0] } }, { kind = 'rod', half_length = 1, mass = 1,"
                            " position = [0, 1, 0], orientation = { bryan_deg = [90, 0, 0] } } ]",
                            ""))
                      .model.bodies[0];
  EXPECT_TRUE(it.parts[0].placement.position.isApprox(Vector3d(0.5, -0.5, 0), 1e-15));
  // About the centre (½, ½): each ⅓ across and ½ from the shift; the product of inertia is 2·¼. The moment of the thin
  // rods about their own axes is 5e-7.
  Matrix3d expected;
  expected << 1.0 / 3.0 + 0.5, 0.5, 0.0, 0.5, 1.0 / 3.0 + 0.5, 0.0, 0.0, 0.0, 2.0 / 3.0 + 1.0;
  expected(0, 0) += 5e-7;
  expected(1, 1) += 5e-7;
  EXPECT_TRUE(tensor(it).isApprox(expected, 1e-14)) << tensor(it);
}

TEST(Compound, MassesAreSaidByAllPartsOrByTheBody) {
  const std::string ball = "{ kind = 'sphere', radius = 1 }";
  const std::string heavy = "{ kind = 'sphere', radius = 1, mass = 1 }";
  const std::string rod = "{ kind = 'rod', half_length = 1 }";
  const auto error = [](const std::string& parts, const std::string& more) {
    return test::message_of([&] { read(body("'compound', parts = [" + parts + "]", more)); });
  };
  EXPECT_EQ(error(ball + ", " + heavy, ""), "body.it.shape.parts.0 has neither, expected one of 'mass' or 'density'");
  EXPECT_EQ(error(ball, ""), "body.it has neither, expected one of 'mass' or 'density'");
  EXPECT_EQ(error(heavy, "mass = 1\n"),
            "body.it.mass is given beside the masses of the parts, expected one or the other");
  EXPECT_EQ(
      error(ball + ", " + rod, "mass = 1\n"),
      "body.it.shape.parts.1 is a rod, which has no volume to share in the mass of the whole, expected a mass for "
      "each part");
  EXPECT_EQ(error("", "mass = 1\n"), "body.it.shape.parts is empty, expected at least one part");
  EXPECT_EQ(error(ball + ", " + ball, "mass = 1\n"), "accepted");
  EXPECT_EQ(error(ball, "density = 1\n"), "accepted");
}

TEST(Compound, PartsAreSingleShapes) {
  const auto message = [](const std::string& text) { return test::message_of([&] { read(text); }); };
  EXPECT_EQ(message(body("'compound', parts = [ { kind = 'compound', parts = [] } ]")),
            "body.it.shape.parts.0.kind is 'compound', expected another shape, as this one cannot be a part");
  EXPECT_EQ(message(body("'compound', parts = [ { kind = 'shell', radius = 1 } ]")),
            "body.it.shape.parts.0.kind is 'shell', expected another shape, as this one cannot be a part");
  EXPECT_EQ(message("[[obstacle]]\nname = 'a'\nshape = { kind = 'compound', parts = [ { kind = 'sphere', radius = 1, "
                    "mass = 1 } ] }\n"),
            "unknown key of obstacle.a.shape.parts.0 'mass'; known: kind, radius, position, orientation");
}

TEST(Compound, ObstaclesHaveItsPartsWhereTheyAre) {
  const SceneFile scene = read(
      "[[obstacle]]\nname = 'a'\nposition = [1, 2, 3]\nshape = { kind = 'compound', parts = [ { kind = 'sphere', "
      "radius "
      "= 1, position = [1, 0, 0] }, { kind = 'cone', radius = 1, height = 2 } ] }\n");
  const Obstacle& it = scene.model.obstacles[0];
  ASSERT_EQ(it.parts.size(), 2u);
  EXPECT_EQ(it.parts[0].placement.position, Vector3d(1, 0, 0));
  EXPECT_TRUE(is_identity(it.parts[1].placement));
  EXPECT_EQ(it.pose.position, Vector3d(1, 2, 3));
}

TEST(Compound, PartsThatDoNotTouchAreFound) {
  const SceneFile apart = read(body(kDumbbell, ""));
  const std::vector<LooseParts> loose = loose_parts(apart.model);
  ASSERT_EQ(loose.size(), 1u);
  EXPECT_EQ(loose[0].pieces, 2);
  EXPECT_EQ(loose[0].piece, (std::vector<int>{0, 1}));
  EXPECT_EQ(loose_parts_text(apart.model, loose[0]), "body 'it' has 2 parts in 2 pieces that do not touch each other");
  const std::string with_rod =
      kDumbbell.substr(0, kDumbbell.size() - 1) + ", { kind = 'rod', half_length = 1.6, mass = 1 } ]";
  EXPECT_TRUE(loose_parts(read(body(with_rod, "")).model).empty());
}

TEST(Compound, IsWrittenAndReadToTheSameBits) {
  const Scene scene = Scene::parse("format = 1\n[run]\nduration = 1\n" + body(kDumbbell, "position = [5, 0, 0]\n") +
                                   "centre_of_mass = [0.1, 0, 0]\nposition_of = 'centre_of_mass'\n"
                                   "inertia = [[3, 0.1, 0], [0.1, 2, 0], [0, 0, 4]]\n");
  const Scene again = Scene::parse(scene.to_toml());
  EXPECT_EQ(test::scene_bits(scene.build()), test::scene_bits(again.build()));
  EXPECT_EQ(again.to_toml(), scene.to_toml());
}

TEST(Compound, IsBuiltInAProgramAndChangedByItsPath) {
  Scene scene;
  scene.set("run.duration", 1);
  scene.add_body(
      {{"name", "it"},
       {"shape",
        {{"kind", "compound"},
         {"parts",
          List{{{"kind", "capsule"}, {"radius", 0.1}, {"half_length", 0.4}, {"mass", 1}},
               {{"kind", "cone"}, {"radius", 0.2}, {"height", 0.3}, {"density", 500}, {"position", {0, 0, 0.4}}}}}}}});
  scene.set("body.it.shape.parts.0.mass", 2.5);
  EXPECT_TRUE(scene.check().empty());
  EXPECT_NEAR(scene.build().model.bodies[0].mass, 2.5 + 500 * kPi * 0.04 * 0.1, 1e-14);
}

TEST(BodyShapes, SpringsEndInTheFrameOfTheShape) {
  const SceneFile scene = read(body("'cone', radius = 1, height = 4") +
                               "[[spring]]\nbodies = ['it']\npoints = [[0, 0, 4], [0, 0, 9]]\nstiffness = 1\n");
  EXPECT_EQ(scene.model.springs[0].point_a, Vector3d(0, 0, 3));
  EXPECT_EQ(scene.model.springs[0].point_b, Vector3d(0, 0, 9));
}

TEST(BodyShapes, FillsTakeThemAllAndStandAtTheirCentresOfMass) {
  const SceneFile scene = read(
      "[[fill]]\nname = 'cones'\ncount = 2\nmass = 1\nbox = [[-9, -9, -9], [9, 9, 9]]\n"
      "shape = { kind = 'cone', radius = 1, height = 4 }\n"
      "[[fill]]\nname = 'bells'\ncount = 2\nbox = [[11, 11, 11], [30, 30, 30]]\nshape = { kind = " +
      kDumbbell + " }\n[[spring]]\nbodies = ['cones-0', 'bells-1']\npoints = [[0, 0, 4], [0, 0, 0]]\nstiffness = 1\n");
  ASSERT_EQ(scene.model.bodies.size(), 4u);
  EXPECT_NEAR((scene.state.bodies[0].position + scene.state.bodies[1].position).norm(), 0.0, 1e-14);
  EXPECT_EQ(scene.model.bodies[2].mass, 4.0);
  EXPECT_EQ(scene.model.springs[0].point_a, Vector3d(0, 0, 3));
  EXPECT_EQ(scene.model.springs[0].point_b, Vector3d(0, 0, 1));
}

TEST(BodyShapes, SizesMayDifferByAMillion) {
  // A speck beside a hall, and a needle of a body.
  const SceneFile scene =
      read(body("'box', half_sizes = [1e-6, 1e-6, 1]") +
           "[[body]]\nname = 'speck'\nmass = 1e-9\nposition = [0.5, 0, 0]\n"
           "shape = { kind = 'convex', vertices = [[0, 0, 0], [1e-3, 0, 0], [0, 1e-3, 0], [0, 0, "
           "1e-3]] }\n[[obstacle]]\nname = 'hall'\nshape = { kind = 'cone', radius = 1000, height = "
           "1000 }\nposition = [0, 0, -2000]\n");
  EXPECT_NO_THROW(require_runnable(scene));
  EXPECT_GT(scene.model.bodies[0].inertia.minCoeff(), 0.0);
}

TEST(BodyShapes, PolyhedraThatAreNoneAreRefusedAtTheirVertices) {
  const auto error = [](const std::string& shape) { return test::error_of([&] { read(body("'convex', " + shape)); }); };
  EXPECT_EQ(error("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), "size-mismatch 6:39 body.it.shape.vertices");
  EXPECT_EQ(error("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]"),
            "out-of-range 6:39 body.it.shape.vertices");
  EXPECT_EQ(error("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1]]"),
            "size-mismatch 6:73 body.it.shape.vertices.3");
  EXPECT_EQ(error("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, nan]]"),
            "not-finite 6:80 body.0.shape.vertices.3.2");
  EXPECT_EQ(error("scale = 2"), "missing-field 6:9 body.it.shape.vertices");
  EXPECT_EQ(error("file = 'a.stl', vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
            "duplicate-name 6:35 body.it.shape.file");
}

TEST(BodyShapes, ARodNeedsAMass) {
  EXPECT_EQ(test::message_of([] { read(body("'rod', half_length = 1", "density = 1\n")); }),
            "body.it.density is 1, expected a mass in its place, as a rod has no volume");
}

}  // namespace
}  // namespace carom::scene::body_shapes_test
