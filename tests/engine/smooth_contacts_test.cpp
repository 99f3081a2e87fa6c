/// Friction, resting contacts, constraints, pockets and dents of the compliant engine.

#include <gtest/gtest.h>

#include <cmath>

#include "engine/smooth_models.h"

namespace carom::test {
namespace {

/// A ball on cloth, at its static depth.
SmoothScene on_cloth(double speed) {
  SmoothScene scene = dropped_ball(0.0);
  scene.state.bodies[0].velocity = {speed, 0.0, 0.0};
  scene.options.rtol = 1e-8;
  return scene;
}

TEST(SmoothFriction, ASlidingBallRollsAfterTheTimeOfTheClosedForm) {
  SmoothScene scene = on_cloth(2.0);
  scene.set_friction("ambrosio", {{"coefficient", 0.2}, {"v0", 1e-5}, {"v1", 1e-4}});
  scene.options.duration = 0.6;
  const RunResult result = scene.run();
  const BodyState& ball = result.final_state.bodies[0];
  EXPECT_NEAR(ball.velocity.x(), 5.0 / 7.0 * 2.0, 5e-4);
  EXPECT_NEAR(ball.angular_velocity.y(), ball.velocity.x() / 0.028575, 0.02);
  const double t = 0.291247997670016;
  EXPECT_NEAR(ball.position.x(), 0.4992822817200275 + (0.6 - t) * 10.0 / 7.0, 1e-3);
  EXPECT_EQ(result.compliant->settled, 1);
  EXPECT_NEAR(result.energy.friction, 0.5 * 0.17 * 4.0 * 2.0 / 7.0, 1e-3);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-7);
}

TEST(SmoothFriction, ARollingBallSlowsDownByItsRollingResistance) {
  SmoothScene scene = on_cloth(1.0);
  scene.state.bodies[0].angular_velocity = {0.0, 1.0 / 0.028575, 0.0};
  scene.set_friction("coulomb", {{"coefficient", 0.2}, {"vr", 1e-3}, {"rolling", 0.01}});
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  EXPECT_NEAR(result.final_state.bodies[0].velocity.x(), 1.0 - 0.01 * 9.81, 1e-3);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-7);
}

TEST(SmoothFriction, SideSpinOfARaisedCueMakesTheBallSwerve) {
  SmoothScene scene = on_cloth(1.5);
  scene.state.bodies[0].angular_velocity = {30.0, 0.0, 0.0};  // about the direction of motion
  scene.set_friction("coulomb", {{"coefficient", 0.2}, {"vr", 1e-3}});
  scene.options.duration = 0.5;
  const RunResult result = scene.run();
  // The spin about x drives the ball to −y by friction: sliding velocity at the cloth is ω × (−R n).
  EXPECT_LT(result.final_state.bodies[0].velocity.y(), -0.1);
}

TEST(SmoothFriction, ATangentialSpringGivesSpinBack) {
  // A superball: without a limit of friction and damping nothing is lost, and the tangential velocity of the contact
  // comes back with part of its size reversed.
  SmoothScene scene;
  scene.add_ball(0.028575, 0.17, {0.0, 0.0, 0.04}, {1.0, 0.0, -3.0});
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  scene.set_stiffness(1e8);
  scene.set_friction("tangential-spring", {{"coefficient", 50.0}, {"stiffness", 1e6}});
  scene.options.rtol = 1e-10;
  scene.options.duration = 0.02;
  const RunResult result = scene.run();
  const BodyState& ball = result.final_state.bodies[0];
  const double slip = ball.velocity.x() - 0.028575 * ball.angular_velocity.y();
  EXPECT_LT(slip, -0.3);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-8);
  // Angular momentum about the contact line.
  EXPECT_NEAR(0.17 * ball.velocity.x() * 0.028575 + scene.model.bodies[0].inertia[0] * ball.angular_velocity.y(),
              0.17 * 1.0 * 0.028575, 0.01 * 0.17 * 0.028575);  // the lever is shorter by half the depth
}

TEST(SmoothFriction, ATangentialSpringStoresNoMoreThanItTook) {
  // While a contact begins the limit μN is less than what the spring would bear, and what it was stretched by then was
  // not paid for: where the limit rose later it counted as stored, and friction had made energy, 3e-4 of it all.
  for (int k = 1; k <= 20; ++k) {
    SmoothScene scene;
    scene.add_ball(0.05, 0.5, {0.0, 0.0, 0.05 + 1e-6}, {0.2, 0.0, -1.0});
    scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
    scene.set_stiffness(1e9);
    scene.set_friction("tangential-spring", {{"coefficient", 0.8}, {"stiffness", 3e7}});
    scene.options.rtol = 1e-8;
    scene.options.duration = 3e-5 * k;
    EXPECT_GE(scene.run().energy.friction, -1e-8) << k;
  }
}

TEST(SmoothFriction, AQuasiStaticClothGivesTheSameRollingWithFewSteps) {
  SmoothScene scene = on_cloth(2.0);
  scene.set_friction("ambrosio", {{"coefficient", 0.2}, {"v0", 1e-4}, {"v1", 1e-3}});
  scene.options.duration = 0.25;  // still sliding
  const RunResult compliant = scene.run();
  scene.model.forces[1].quasi_static = scene.model.forces[2].quasi_static = true;
  const RunResult held = scene.run();
  EXPECT_NEAR(held.final_state.bodies[0].velocity.x(), 2.0 - 0.2 * 9.81 * 0.25, 1e-9);
  EXPECT_NEAR(held.final_state.bodies[0].velocity.x(), compliant.final_state.bodies[0].velocity.x(), 1e-6);
  EXPECT_EQ(held.final_state.bodies[0].position.z(), 0.028575);
  EXPECT_LE(held.steps_accepted, compliant.steps_accepted);
  // The contact, which does not ring here, would hold explicit steps to some 400.
  EXPECT_LT(compliant.steps_accepted, 100);
  EXPECT_NEAR(held.energy.error(), 0.0, 1e-9);
}

TEST(SmoothFriction, ABallLandsOnAQuasiStaticClothWithoutRebound) {
  SmoothScene scene = dropped_ball(0.1);
  scene.model.forces[1].quasi_static = scene.model.forces[2].quasi_static = true;
  scene.options.duration = 0.5;
  const RunResult result = scene.run();
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.028575, 1e-12);
  EXPECT_NEAR(result.energy.contacts, 0.17 * 9.81 * 0.1, 1e-12);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-12);
}

TEST(SmoothRest, ABallAtItsStaticDepthStaysAndStopsAtRest) {
  SmoothScene scene = on_cloth(0.0);
  scene.options.duration = 10.0;
  scene.settings.stop_at_rest = true;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::at_rest);
  EXPECT_NEAR(result.final_state.time, 0.1, 0.03);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.028575 - 1.7125159957766799e-06, 1e-11);
}

TEST(SmoothRest, ABoxStandsOnItsCornersACylinderOnItsRimAndAnEggOnItsSide) {
  const std::pair<Shape, double> standing[] = {
      {Box{{0.1, 0.2, 0.3}}, 0.3}, {Cylinder{0.1, 0.2}, 0.2}, {Ellipsoid{{0.3, 0.1, 0.1}}, 0.1}};
  for (const auto& [shape, height] : standing) {
    SmoothScene scene;
    scene.model.gravity = {0.0, 0.0, -9.81};
    scene.set_law("hunt-crossley-fixed", 0.3, 0.1);
    scene.set_stiffness(1e7);
    scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
    scene.add_body(shape, 2.0, {0.0, 0.0, height}, Eigen::Vector3d::Zero());
    scene.options.duration = 1.0;
    const RunResult result = scene.run();
    EXPECT_EQ(result.stop, RunStop::duration) << shape_name(shape);
    EXPECT_LT((result.final_state.bodies[0].position - Eigen::Vector3d(0.0, 0.0, height)).norm(), 3e-4);
    EXPECT_LT(result.final_state.bodies[0].velocity.norm(), 1e-6) << shape_name(shape);
  }
}

TEST(SmoothShapes, AFallenEllipsoidBoxAndCylinderKeepTheirEnergy) {
  for (const Shape& shape :
       {Shape(Ellipsoid{{0.1, 0.06, 0.04}}), Shape(Box{{0.05, 0.04, 0.06}}), Shape(Cylinder{0.05, 0.08})}) {
    SmoothScene scene;
    scene.model.gravity = {0.0, 0.0, -9.81};
    scene.set_stiffness(1e7);
    scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
    const int body = scene.add_body(shape, 0.5, {0.0, 0.0, 0.3}, {0.3, 0.0, 0.0});
    scene.state.bodies[static_cast<std::size_t>(body)].orientation =
        Eigen::Quaterniond(0.8, 0.3, 0.4, 0.1).normalized();
    scene.state.bodies[static_cast<std::size_t>(body)].angular_velocity = {1.0, -2.0, 3.0};
    scene.options.duration = 1.0;
    const RunResult result = scene.run();
    EXPECT_EQ(result.stop, RunStop::duration);
    EXPECT_GT(result.compliant->contacts_started, 1);
    EXPECT_LT(std::abs(result.energy.error() / result.energy.initial), 1e-6) << shape_name(shape);
  }
}

// ------------------------------------------------------------------------------------------------- constraints

/// The cradle of the oracle.
SmoothScene cradle() {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.model.materials[0] = {"steel", 207e9, 0.3};
  const double mass = 7800.0 * 4.0 / 3.0 * M_PI * std::pow(0.02, 3);
  for (int i = 0; i < 5; ++i) {
    const Eigen::Vector3d pivot(0.04 * i, 0.0, 0.0);
    const double angle = i == 0 ? -M_PI / 6.0 : 0.0;
    scene.add_ball(0.02, mass, pivot + 0.3 * Eigen::Vector3d(std::sin(angle), 0.0, -std::cos(angle)));
    scene.model.constraints.emplace_back(RodConstraint{i, pivot, 0.3});
  }
  scene.options.duration = 1.0;
  return scene;
}

TEST(SmoothConstraint, TheCradleSwingsAsTheOracleInMinimalCoordinates) {
  const double expected[] = {-0.4085593745, -0.0542531147, 0.0048933847, 0.0125705181, 0.0311589234};
  SmoothScene scene = cradle();
  scene.options.rtol = 1e-10;
  const RunResult result = scene.run();
  for (std::size_t i = 0; i < 5; ++i) {
    const Eigen::Vector3d arm =
        result.final_state.bodies[i].position - Eigen::Vector3d(0.04 * static_cast<double>(i), 0.0, 0.0);
    EXPECT_NEAR(std::atan2(arm.x(), -arm.z()), expected[i], 2e-7) << i;
  }
  EXPECT_LT(result.compliant->constraint_drift, 1e-14);
}

TEST(SmoothConstraint, MethodsDriftAsTheyShould) {
  SmoothScene scene = cradle();
  scene.options.rtol = 1e-5;
  scene.options.duration = 5.0;
  const auto final_drift = [&scene](ConstraintMethod method) {
    scene.options.constraints = method;
    const RunResult result = scene.run();
    double drift = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
      const Eigen::Vector3d arm =
          result.final_state.bodies[i].position - Eigen::Vector3d(0.04 * static_cast<double>(i), 0.0, 0.0);
      drift = std::max(drift, std::abs(arm.norm() - 0.3) / 0.3);
    }
    return drift;
  };
  const double lagrange = final_drift(ConstraintMethod::lagrange);
  const double baumgarte = final_drift(ConstraintMethod::baumgarte);
  const double projection = final_drift(ConstraintMethod::projection);
  EXPECT_LT(projection, 1e-14);
  EXPECT_LT(baumgarte, lagrange);
  EXPECT_GT(lagrange, 1e-9);
}

TEST(SmoothConstraint, ABallRollsDownAnInclineAtFiveSevenths) {
  SmoothScene scene;
  const double slope = 0.3;
  scene.model.gravity = {9.81 * std::sin(slope), 0.0, -9.81 * std::cos(slope)};
  scene.add_ball(0.05, 1.0, {0.0, 0.0, 0.05});
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  scene.model.constraints.emplace_back(RollingConstraint{0, 0});
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  EXPECT_NEAR(result.final_state.bodies[0].velocity.x(), 5.0 / 7.0 * 9.81 * std::sin(slope), 1e-9);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.05, 1e-12);
}

// ------------------------------------------------------------------------------------------------- pockets and dents

TEST(SmoothPocket, ABallThatReachesItLeavesPlay) {
  SmoothScene scene;
  scene.add_ball(0.03, 0.17, {0.0, 0.0, 0.0}, {2.0, 0.0, 0.0});
  scene.add_ball(0.03, 0.17, {0.0, 1.0, 0.0}, {2.0, 0.0, 0.0});
  scene.model.pockets.push_back({"corner", {1.0, 0.02, 5.0}, Eigen::Vector3d::UnitZ(), 0.05});
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  ASSERT_EQ(result.compliant->swallowed.size(), 1u);
  EXPECT_EQ(result.compliant->swallowed[0].body, 0);
  EXPECT_NEAR(result.final_state.bodies[0].position.x(), 1.0 - std::sqrt(0.05 * 0.05 - 0.02 * 0.02), 1e-9);
  EXPECT_EQ(result.final_state.bodies[0].velocity.norm(), 0.0);
  EXPECT_NEAR(result.final_state.bodies[1].position.x(), 2.0, 1e-12);
  EXPECT_NEAR(result.energy.swallowed, 0.5 * 0.17 * 4.0, 1e-12);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-12);
}

TEST(SmoothFlat, AHalfCylinderThatRocksOnItsFlatSideFeelsForcesWithoutJumps) {
  // Which end of the half discs is the lower one changes with every bit that it rocks; each keeps its own spring. Steps
  // that a jump is in are rejected again and again: more than half as many as were accepted, once.
  constexpr double kStiffness = 1e6, kMass = 0.2;
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_law("kelvin-voigt", 0.75);
  scene.set_stiffness(kStiffness);
  scene.set_friction("tangential-spring", {{"coefficient", 0.9}, {"stiffness", kStiffness}});
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const HalfCylinder shape{0.045, 0.02};
  const int body = scene.add_body(shape, kMass, {0.0, 0.0, 0.021}, {0.3, 0.1, 0.0});
  scene.state.bodies[BodyIndex(body)].orientation =
      Eigen::AngleAxisd(-0.5 * M_PI, Vector3d::UnitX()) * Eigen::AngleAxisd(0.02, Vector3d::UnitZ());
  scene.options.rtol = 1e-6;
  scene.options.duration = 0.3;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_LT(result.steps_rejected, result.steps_accepted / 10);
  EXPECT_LT(std::abs(result.energy.error()) / (kMass * 9.81 * 0.045), 20.0 * scene.options.rtol);
}

TEST(SmoothDrive, AFloorDoesTheWorkThatABoxOnItGainsInLongSteps) {
  // The box follows the floor, A sin(2πft): no step is as short as its contacts would need explicitly.
  constexpr double kAmplitude = 0.2, kFrequency = 0.6, kDuration = 1.0, kMass = 3.65;
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_law("kuwabara-kono", 0.05, 1.0);
  scene.set_stiffness(1e8);
  scene.set_friction("tangential-spring", {{"coefficient", 0.9}, {"stiffness", 1e6}});
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  DrivenMotion drive;
  drive.position = SineProfile{kAmplitude, kFrequency, 0.0};
  scene.model.obstacles[0].motion = drive;
  scene.add_body(Box{{0.077, 0.077, 0.077}}, kMass, {0.0, 0.0, 0.077}, Vector3d::Zero());
  scene.options.rtol = 1e-6;
  scene.options.duration = kDuration;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_LT(result.steps_accepted, 1500);
  const double scale = kMass * std::pow(2.0 * M_PI * kFrequency * kAmplitude, 2);
  EXPECT_LT(std::abs(result.energy.error()) / scale, 20.0 * scene.options.rtol);
}

TEST(SmoothDent, ABallRollsThroughADentAndKeepsItsEnergy) {
  for (const bool moving_race : {false, true}) {
    SmoothScene scene;
    scene.model.gravity = {0.0, 0.0, 0.0};
    scene.set_stiffness(1e8);
    Obstacle race;
    race.name = "race";
    race.material = 1;
    race.parts = one_part(Bore{0.05, 0.1});
    if (moving_race) race.angular_velocity = {0.0, 0.0, -3.0};
    scene.model.obstacles.push_back(race);
    scene.add_ball(0.005, 0.01, {0.0450001, 0.0, 0.0}, {0.0, 5.0, 0.0});
    scene.model.dents.push_back({1, {0.0, 1.0, 0.0}, 0.1, 2e-6});
    scene.model.dents.push_back({0, {1.0, 0.0, 0.0}, 0.4, 1e-6});
    scene.state.bodies[0].angular_velocity = {0.0, 0.0, -100.0};
    scene.options.duration = 0.05;
    scene.options.rtol = 1e-9;
    const RunResult result = scene.run();
    EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
    EXPECT_NEAR(result.energy.error() / result.energy.initial, 0.0, 1e-6) << "race turns: " << moving_race;
  }
}

}  // namespace
}  // namespace carom::test
