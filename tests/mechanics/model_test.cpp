#include "carom/mechanics/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "carom/base/error.h"
#include "carom/geometry/mass_properties.h"

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;

const double kNan = std::numeric_limits<double>::quiet_NaN();

/// A ball that rolls, a box on a rod, an egg in a plane; two materials, a load and a spring.
Model sound_model() {
  Model model;
  model.gravity = {0.0, 0.0, -9.81};
  model.materials = {{"steel", 2e11, 0.3}, {"ice", std::nullopt, std::nullopt}};
  model.rules.resize(4);
  model.bodies = {homogeneous_body("ball", Sphere{0.5}, 2.0), homogeneous_body("box", Box{{0.1, 0.2, 0.3}}, 1.0),
                  homogeneous_body("egg", Ellipsoid{{1.0, 1.0, 2.0}}, 5.0)};
  model.bodies[0].material = 1;
  Obstacle floor;
  floor.name = "floor";
  Obstacle ring;
  ring.name = "ring";
  ring.parts = one_part(Bore{3.0, 1.0});
  model.obstacles = {floor, ring};
  model.loads.resize(1);
  model.loads[0].body = 1;
  model.springs.resize(1);
  model.springs[0].body_a = 0;
  model.constraints = {RollingConstraint{0, 0}, RodConstraint{1, Vector3d::Zero(), 1.0},
                       PlanarConstraint{2, Vector3d::UnitY()}};
  return model;
}

struct Refusal {
  const char* what;
  std::function<void(Model&)> spoil;
  Kind kind;
  const char* field;
};

TEST(Model, ASoundOneIsAccepted) {
  EXPECT_NO_THROW(validate(sound_model()));
  EXPECT_NO_THROW(validate(Model{}));
}

TEST(Model, RefusesEachBadEntryWithItsKindAndField) {
  const Refusal refusals[] = {
      {"gravity", [](Model& m) { m.gravity[1] = kNan; }, Kind::not_finite, "world.gravity.1"},
      {"no mass", [](Model& m) { m.bodies[0].mass = 0.0; }, Kind::out_of_range, "body.ball.mass"},
      {"negative mass", [](Model& m) { m.bodies[1].mass = -1.0; }, Kind::out_of_range, "body.box.mass"},
      {"NaN mass", [](Model& m) { m.bodies[1].mass = kNan; }, Kind::not_finite, "body.box.mass"},
      {"no size", [](Model& m) { m.bodies[0].parts = one_part(Sphere{0.0}); }, Kind::out_of_range,
       "body.ball.shape.radius"},
      {"plane as body", [](Model& m) { m.bodies[0].parts = one_part(HalfSpace{}); }, Kind::unsupported,
       "body.ball.shape"},
      {"prism off its centroid",
       [](Model& m) {
         m.bodies[0].parts = one_part(Prism{{Vector2d(0, 0), Vector2d(1, 0), Vector2d(0, 1)}, 1.0});
       },
       Kind::out_of_range, "body.ball.shape.vertices"},
      {"no inertia", [](Model& m) { m.bodies[2].inertia[1] = 0.0; }, Kind::out_of_range, "body.egg.inertia.1"},
      {"inertia above the triangle",
       [](Model& m) {
         m.bodies[2].inertia = {1.0, 1.0, 2.0 + 1e-11};
       },
       Kind::out_of_range, "body.egg.inertia.2"},
      {"material that is not there", [](Model& m) { m.bodies[0].material = 2; }, Kind::out_of_range,
       "body.ball.material"},
      {"principal axes", [](Model& m) { m.bodies[0].principal_axes.w() = 1.1; }, Kind::out_of_range,
       "body.ball.principal_axes"},
      {"Young's modulus", [](Model& m) { m.materials[0].young = 0.0; }, Kind::out_of_range, "material.steel.young"},
      {"Poisson's ratio", [](Model& m) { m.materials[0].poisson = 0.5; }, Kind::out_of_range, "material.steel.poisson"},
      {"rules of another size", [](Model& m) { m.rules.resize(3); }, Kind::size_mismatch, "rules"},
      {"rules that differ by order", [](Model& m) { m.rules[1].rough = true; }, Kind::out_of_range, "rules.0.1"},
      {"restitution", [](Model& m) { m.rules[3].restitution = 1.5; }, Kind::out_of_range, "rules.1.1.restitution"},
      {"stiffness", [](Model& m) { m.rules[3].stiffness = 0.0; }, Kind::out_of_range, "rules.1.1.stiffness"},
      {"size of an obstacle",
       [](Model& m) {
         m.obstacles[1].parts = one_part(Bore{-1.0, 1.0});
       },
       Kind::out_of_range, "obstacle.ring.shape.radius"},
      {"pose of a plane", [](Model& m) { m.obstacles[0].pose.orientation.w() = 0.0; }, Kind::out_of_range,
       "plane.floor.normal"},
      {"velocity of an obstacle", [](Model& m) { m.obstacles[1].velocity[2] = kNan; }, Kind::not_finite,
       "obstacle.ring.velocity.2"},
      {"load on no body", [](Model& m) { m.loads[0].body = 3; }, Kind::out_of_range, "load.0.body"},
      {"negative damping", [](Model& m) { m.loads[0].angular_damping = -1.0; }, Kind::out_of_range,
       "load.0.angular_damping"},
      {"spring on no body", [](Model& m) { m.springs[0].body_a = kNone; }, Kind::out_of_range, "spring.0.bodies.0"},
      {"negative spring", [](Model& m) { m.springs[0].stiffness = -1.0; }, Kind::out_of_range, "spring.0.stiffness"},
      {"rolling on a bore",
       [](Model& m) {
         m.constraints[0] = RollingConstraint{0, 1};
       },
       Kind::unsupported, "constraint.0.plane"},
      {"rod without length", [](Model& m) { std::get<RodConstraint>(m.constraints[1]).length = 0.0; },
       Kind::out_of_range, "constraint.1.length"},
      {"no normal", [](Model& m) { std::get<PlanarConstraint>(m.constraints[2]).normal.setZero(); }, Kind::zero_normal,
       "constraint.2.normal"},
      {"long normal", [](Model& m) { std::get<PlanarConstraint>(m.constraints[2]).normal *= 2.0; }, Kind::out_of_range,
       "constraint.2.normal"},
  };
  for (const Refusal& refusal : refusals) {
    Model model = sound_model();
    refusal.spoil(model);
    try {
      validate(model);
      ADD_FAILURE() << refusal.what << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(kind_name(error.kind()), kind_name(refusal.kind)) << refusal.what << ": " << error.what();
      EXPECT_EQ(error.place().field, refusal.field) << refusal.what;
      EXPECT_NE(std::string(error.what()).find(refusal.field), std::string::npos) << error.what();
    }
  }
}

TEST(Model, AFlatBodyMayHaveTheLargestInertiaThereIs) {
  Model model = sound_model();
  model.bodies[2].inertia = {1.0, 2.0, 3.0 * (1.0 + 1e-15)};
  EXPECT_NO_THROW(validate(model));
}

TEST(Model, AHomogeneousBodyHasTheInertiaOfItsShape) {
  const Body ball = homogeneous_body("ball", Sphere{0.5}, 2.0);
  EXPECT_EQ(ball.name, "ball");
  EXPECT_NEAR(ball.inertia.x(), 0.4 * 2.0 * 0.25, 1e-16);
  const Body block = homogeneous_body("block", Box{{1.0, 2.0, 3.0}}, 3.0);
  EXPECT_TRUE(block.inertia.isApprox(Vector3d(13.0, 10.0, 5.0), 1e-15));
}

TEST(Model, APrismBodyIsMovedToItsCentroid) {
  const Prism prism{{Vector2d(3, 1), Vector2d(6, 1), Vector2d(3, 4)}, 0.5};
  const Body body = homogeneous_body("wedge", prism, 2.0);
  EXPECT_LT(mass_properties(body.parts[0].shape).centroid.norm(), 1e-15);
  EXPECT_TRUE(std::get<Prism>(body.parts[0].shape).vertices[1].isApprox(Vector2d(2, -1), 1e-15));
  // The covariance of the right triangle with legs 3 is (1/2, −1/4; −1/4, 1/2): principal values 3/4 and 1/4.
  const double along = 0.25 / 3.0;
  EXPECT_NEAR(body.inertia.z(), 2.0 * (0.75 + 0.25), 1e-14);
  EXPECT_NEAR(body.inertia.x() + body.inertia.y(), 2.0 * (1.0 + 2.0 * along), 1e-14);
  EXPECT_NO_THROW({
    Model model;
    model.bodies = {body};
    validate(model);
  });
}

TEST(Model, AHomogeneousBodyMustBeSolidAndHeavy) {
  EXPECT_THROW(homogeneous_body("wall", HalfSpace{}, 1.0), InputError);
  EXPECT_THROW(homogeneous_body("ball", Sphere{1.0}, 0.0), InputError);
  EXPECT_THROW(homogeneous_body("ball", Sphere{1.0}, kNan), InputError);
  EXPECT_THROW(homogeneous_body("ball", Sphere{-1.0}, 1.0), InputError);
}

TEST(Obstacle, ADrivenOneMovesAndTurnsAboutItsOrigin) {
  Obstacle paddle;
  paddle.parts = one_part(Box{{1.0, 0.1, 0.1}});
  paddle.pose.position = {1.0, 2.0, 3.0};
  EXPECT_FALSE(paddle.driven());
  EXPECT_EQ(paddle.pose_at(10.0).position, paddle.pose.position);
  paddle.velocity = {0.0, 0.0, 2.0};
  paddle.angular_velocity = {0.0, 0.0, M_PI / 2.0};
  EXPECT_TRUE(paddle.driven());
  const Pose later = paddle.pose_at(3.0);
  EXPECT_TRUE(later.position.isApprox(Vector3d(1.0, 2.0, 9.0), 1e-15));
  // Three quarters of a turn take x to −y.
  EXPECT_TRUE((later.orientation * Vector3d::UnitX()).isApprox(-Vector3d::UnitY(), 1e-14));
}

TEST(Model, WithoutAMaterialContactsAreSmoothAndElastic) {
  Model model = sound_model();
  model.rules[1].restitution = 0.25;
  model.rules[2].restitution = 0.25;
  EXPECT_EQ(model.rule(0, 1).restitution, 0.25);
  EXPECT_EQ(model.rule(1, 0).restitution, 0.25);
  EXPECT_EQ(model.rule(kNone, 1).restitution, 1.0);
  EXPECT_EQ(model.rule(kNone, kNone).restitution, 1.0);
  EXPECT_FALSE(model.rule(0, kNone).rough);
}

}  // namespace
}  // namespace carom
