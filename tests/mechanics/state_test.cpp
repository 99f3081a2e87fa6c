#include "carom/mechanics/state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "carom/base/error.h"
#include "carom/mechanics/attitude.h"

namespace carom {
namespace {

using Eigen::Vector3d;

struct Scene {
  Model model;
  State state;
};

/// A ball of radius ½ that rolls on the floor at 1 m/s, a ball on a rod of length 2, a ball kept in the plane y = 0.
Scene constrained_scene() {
  Scene scene;
  scene.model.bodies = {homogeneous_body("rolling", Sphere{0.5}, 2.0), homogeneous_body("bob", Sphere{0.1}, 1.0),
                        homogeneous_body("puck", Sphere{0.1}, 1.0)};
  scene.model.obstacles.resize(1);
  scene.model.obstacles[0].name = "floor";
  scene.model.constraints = {RollingConstraint{0, 0}, RodConstraint{1, {10.0, 0.0, 5.0}, 2.0},
                             PlanarConstraint{2, Vector3d::UnitY()}};
  scene.state.bodies.resize(3);
  scene.state.bodies[0].position = {0.0, 0.0, 0.5};
  scene.state.bodies[0].velocity = {1.0, 0.0, 0.0};
  scene.state.bodies[0].angular_velocity = {0.0, 2.0, 3.0};  // the pivoting part about z does no harm
  scene.state.bodies[1].position = {12.0, 0.0, 5.0};
  scene.state.bodies[1].velocity = {0.0, 1.0, -4.0};
  scene.state.bodies[2].position = {-5.0, 0.0, 5.0};
  scene.state.bodies[2].velocity = {1.0, 0.0, 2.0};
  scene.state.bodies[2].angular_velocity = {0.0, -7.0, 0.0};
  return scene;
}

InputError refusal_of(const Scene& scene) {
  try {
    validate(scene.model, scene.state);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "the state was accepted";
  return {Kind::usage, "", ""};
}

TEST(State, WhatTheConstraintsAllowIsAccepted) {
  const Scene scene = constrained_scene();
  EXPECT_NO_THROW(validate(scene.model));
  EXPECT_NO_THROW(validate(scene.model, scene.state));
}

TEST(State, RoundOffInAConstraintIsAccepted) {
  Scene scene = constrained_scene();
  scene.state.bodies[0].velocity.x() += 1e-10;
  scene.state.bodies[0].position.z() += 1e-11;
  scene.state.bodies[1].position.x() += 1e-10;
  scene.state.bodies[2].velocity.y() += 1e-10;
  EXPECT_NO_THROW(validate(scene.model, scene.state));
}

struct Violation {
  const char* what;
  std::function<void(Scene&)> spoil;
  const char* field;
  const char* amount;  ///< stands in the message
};

TEST(State, AViolatedConstraintSaysByHowMuch) {
  const Violation violations[] = {
      {"slips", [](Scene& s) { s.state.bodies[0].angular_velocity.y() = 1.0; }, "constraint.0", "0.5 m/s"},
      {"lifts", [](Scene& s) { s.state.bodies[0].velocity.z() = 0.25; }, "constraint.0", "0.25 m/s"},
      {"hovers", [](Scene& s) { s.state.bodies[0].position.z() = 0.75; }, "constraint.0", "0.25 m above"},
      {"sinks", [](Scene& s) { s.state.bodies[0].position.z() = 0.25; }, "constraint.0", "0.25 m below"},
      {"slips on a driven plane",
       [](Scene& s) {
         s.model.obstacles[0].velocity = {0.0, 0.125, 0.0};
       },
       "constraint.0", "0.125 m/s"},
      {"rod too long", [](Scene& s) { s.state.bodies[1].position.x() = 12.5; }, "constraint.1", "0.5 m too far"},
      {"moves along the rod", [](Scene& s) { s.state.bodies[1].velocity.x() = -0.75; }, "constraint.1", "-0.75 m/s"},
      {"leaves the plane", [](Scene& s) { s.state.bodies[2].velocity.y() = 1.5; }, "constraint.2", "1.5 m/s"},
      {"tilts", [](Scene& s) { s.state.bodies[2].angular_velocity.x() = 0.5; }, "constraint.2", "0.5 rad/s"},
  };
  for (const Violation& violation : violations) {
    Scene scene = constrained_scene();
    violation.spoil(scene);
    const InputError error = refusal_of(scene);
    EXPECT_EQ(kind_name(error.kind()), "constraint-violated") << violation.what;
    EXPECT_EQ(error.place().field, violation.field) << violation.what;
    EXPECT_NE(std::string(error.what()).find(violation.amount), std::string::npos) << error.what();
  }
}

TEST(State, RollingOnADrivenPlaneIsMeasuredAgainstThePlane) {
  Scene scene = constrained_scene();
  scene.model.obstacles[0].velocity = {1.0, 0.0, 0.0};
  scene.state.bodies[0].angular_velocity.y() = 0.0;
  EXPECT_NO_THROW(validate(scene.model, scene.state));
}

TEST(State, RefusesWrongNumbers) {
  Scene scene = constrained_scene();
  scene.state.bodies.pop_back();
  EXPECT_EQ(refusal_of(scene).kind(), Kind::size_mismatch);
  scene = constrained_scene();
  scene.state.bodies[1].velocity.y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal_of(scene).kind(), Kind::not_finite);
  EXPECT_EQ(refusal_of(scene).place().field, "body.bob.velocity.1");
  scene = constrained_scene();
  scene.state.bodies[2].orientation.coeffs().setZero();
  EXPECT_EQ(refusal_of(scene).kind(), Kind::out_of_range);
  EXPECT_EQ(refusal_of(scene).place().field, "body.puck.orientation");
  scene = constrained_scene();
  scene.state.bodies[2].orientation.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal_of(scene).kind(), Kind::not_finite);
}

TEST(Energy, HasItsFourParts) {
  Model model;
  model.gravity = {0.0, 0.0, -10.0};
  model.bodies = {homogeneous_body("block", Box{{1.0, 2.0, 3.0}}, 3.0)};  // J = (13, 10, 5)
  model.loads = {{.body = 0, .force = {2.0, 0.0, 0.0}, .torque = {9.0, 9.0, 9.0}}};
  Spring spring;
  spring.body_a = 0;
  spring.point_a = {0.0, 0.0, 3.0};
  spring.point_b = {1.0, 4.0, 4.0};
  spring.stiffness = 8.0;
  spring.rest_length = 1.0;
  model.springs = {spring};
  State state;
  state.bodies.resize(1);
  BodyState& now = state.bodies[0];
  now.position = {1.0, 0.0, 4.0};
  now.velocity = {1.0, 2.0, 2.0};
  // A quarter of a turn about x takes the body's z to −y and its y to z.
  now.orientation = rotation_by({M_PI / 2.0, 0.0, 0.0});
  now.angular_velocity = {0.0, 2.0, 0.0};  // about the body's −z
  const Energy parts = energy(model, state);
  EXPECT_NEAR(parts.kinetic, 0.5 * 3.0 * 9.0 + 0.5 * 5.0 * 4.0, 1e-13);
  EXPECT_NEAR(parts.gravity, 3.0 * 10.0 * 4.0, 1e-13);
  EXPECT_NEAR(parts.loads, -2.0, 1e-15);
  // The end at (1, −3, 4) is 7 from the fixed point: stretched by 6.
  EXPECT_NEAR(parts.springs, 0.5 * 8.0 * 36.0, 1e-12);
  EXPECT_NEAR(parts.total(), 23.5 + 120.0 - 2.0 + 144.0, 1e-12);
}

TEST(Energy, OfAPrismIsTakenAboutItsPrincipalAxes) {
  // The right triangle with equal legs has its principal axes at 45°; a spin about one of them sees that inertia.
  Model model;
  model.bodies = {homogeneous_body(
      "wedge", Prism{{Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1)}, 0.5}, 1.0)};
  State state;
  state.bodies.resize(1);
  state.bodies[0].angular_velocity = model.bodies[0].principal_axes * Vector3d(2.0, 0.0, 0.0);
  EXPECT_NEAR(energy(model, state).kinetic, 2.0 * model.bodies[0].inertia.x(), 1e-15);
  // The two moments in the triangle's plane differ, so that the turn matters.
  EXPECT_GT(std::abs(model.bodies[0].inertia.x() - model.bodies[0].inertia.y()), 0.01);
}

}  // namespace
}  // namespace carom
