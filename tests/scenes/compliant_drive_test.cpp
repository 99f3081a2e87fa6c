/// Motors, loads and dry friction of joints in the compliant engine; what both engines do alike:
/// mechanism_drive_test.cpp.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::string bearing_of_wheel(double inertia, const std::string& keys, double rate = 0.0) {
  return fmt::format(
      "[[body]]\nname = 'wheel'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.01 }}\nmass = 1\n"
      "inertia = [{0}, {0}, {0}]\nangular_velocity = [0, 0, {1}]\n[[joint]]\nname = 'bearing'\nkind = 'revolute'\n"
      "bodies = ['wheel']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n{2}\n",
      inertia, rate, keys);
}

TEST(CompliantMotor, MovesAWheelAsAProfileSays) {
  // φ = 0.4 sin(2π·1.5 t): the torque is J φ̈, and its work is the kinetic energy.
  const double time = 0.7, w = 2.0 * pi * 1.5;
  scene::SceneFile scene = scene_from_text(smooth_head(0.0, time) + bearing_of_wheel(0.5, "", 0.4 * w));
  scene.model.joints[JointIndex(0)].drives[0].motor.position = SineProfile{0.4, 1.5, 0.0};
  const SceneRun run = run_scene(scene);
  expect_held(run);
  const double rate = 0.4 * w * std::cos(w * time);
  EXPECT_NEAR(turn_at_end(run, 0), 0.4 * std::sin(w * time), 1e-12);
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), rate, 1e-11);
  EXPECT_NEAR(run.result.energy.motor_work, 0.25 * (rate * rate - 0.16 * w * w), 1e-9);
}

TEST(CompliantLoads, OfAWheelOnAnInclinedAxisAndOfARodOnACone) {
  // A hinge with a spring: the couple of the spring is the joint's, and the force bears the weight.
  const SceneRun wheel =
      run_kept(smooth_head(kGravity, 0.2) + bearing_of_wheel(0.02, "spring = { stiffness = 5.0 }\nstart_deg = 30"));
  const JointLoad& load = wheel.result.final_state.joint_loads[JointIndex(0)];
  EXPECT_NEAR(load.force.y(), kGravity, 1e-9);
  EXPECT_NEAR(load.couple.z(), -5.0 * turn_at_end(wheel, 0), 1e-9);
  // A rod on a ball joint that goes round a cone.
  const double tilt = 35.0 * pi / 180.0, length = 0.8, rate = 4.738630877377033;
  const Vector3d along(std::sin(tilt), -std::cos(tilt), 0.0), up = Vector3d::UnitY();
  const Vector3d spin = rate * (up - along * along.y()), centre = 0.5 * length * along, velocity = spin.cross(centre);
  const SceneRun cone = run_kept(
      smooth_head(kGravity, 0.3) +
      fmt::format("[[body]]\nname = 'rod'\nshape = {{ kind = 'sphere', radius = 0.4 }}\nmass = 1\n"
                  "inertia = [{0}, 1e-9, {0}]\nposition = [{1}, {2}, 0]\norientation = {{ bryan_deg = [0, 0, 35] }}\n"
                  "velocity = [{3}, {4}, {5}]\nangular_velocity = [{6}, {7}, {8}]\n"
                  "[[joint]]\nname = 'ball'\nkind = 'spherical'\nbodies = ['rod']\npoint = [0, 0, 0]\n",
                  length * length / 12.0, centre.x(), centre.y(), velocity.x(), velocity.y(), velocity.z(), spin.x(),
                  spin.y(), spin.z()));
  const Vector3d force = cone.result.final_state.joint_loads[JointIndex(0)].force;
  EXPECT_NEAR(force.y(), 9.81, 1e-7);
  EXPECT_NEAR(std::hypot(force.x(), force.z()), 5.151776962377938, 1e-7);
}

TEST(CompliantMechanism, AFreeSliderCrankKeepsItsEnergyThroughDeadCentre) {
  // I(θ) ω² is constant; the crank starts at θ = π and comes to 5.7234 rad at 0.3039 s.
  const double crank = 0.1, coupler = 0.3, rate = 10.0;
  const Vector2d pin(-crank, 0.0), slider(coupler - crank, 0.0);
  const double turning = crank * rate / coupler;  // of the coupler: its far end stands still
  const SceneRun run =
      run_kept(smooth_head(0.0, 0.30391826592655863) +
               fmt::format("[[body]]\nname = 'crank'\nshape = {{ kind = 'sphere', radius = 0.01 }}\nmass = 1\n"
                           "inertia = [0.01, 0.01, 0.01]\nangular_velocity = [0, 0, {}]\n",
                           rate) +
               kAlone + text_of({"coupler", pin, slider, 0.4, turning, {0.0, -0.5 * crank * rate}}) +
               fmt::format("[[body]]\nname = 'slider'\nshape = {{ kind = 'sphere', radius = 0.01 }}\nmass = 0.5\n"
                           "position = [{}, 0, 0]\n",
                           slider.x()) +
               kAlone + hinge("axle", "'crank'", {0.0, 0.0}) + fmt::format("start_deg = 180\n") +
               hinge("pin", "'crank', 'coupler'", pin) + hinge("wrist", "'coupler', 'slider'", slider) +
               "[[joint]]\nname = 'guide'\nkind = 'prismatic'\nbodies = ['slider']\nanchors = [[0, 0, 0], [0, 0, 0]]\n"
               "axis = [1, 0, 0]\n");
  EXPECT_NEAR(turn_at_end(run, 0), 5.723398658587334, 1e-9);
  EXPECT_NEAR(run.body("crank").angular_velocity.z(), 8.758189016449062, 1e-8);
  EXPECT_NEAR(run.body("slider").velocity.x(), 0.598532319405676, 1e-8);
}

// ------------------------------------------------------------------------------------------------ dry friction

TEST(CompliantDryJoint, LetsGoWhenASpringHasBeenWoundEnough) {
  // A motor winds a spring of 2 N m/rad at 0.5 rad/s; the wheel on it is held by at most 1.2 N m: for 1.2 s.
  const SceneRun run = run_kept(
      smooth_head(0.0, 1.3) +
      "[[body]]\nname = 'driver'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nangular_velocity = [0, 0, 0.5]\n"
      "[[body]]\nname = 'wheel'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\ninertia = [0.02, 0.02, 0.02]\n"
      "position = [0, 0, 1]\n" +
      hinge("axle", "'driver'", {0.0, 0.0}) + "motor = { speed = 0.5 }\n" +
      "[[joint]]\nname = 'coil'\nkind = 'revolute'\nbodies = ['wheel', 'driver']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "spring = { stiffness = 2.0 }\ncollide = false\n"
      "[[joint]]\nname = 'brake'\nkind = 'revolute'\nbodies = ['wheel']\npoint = [0, 0, 1]\naxis = [0, 0, 1]\n"
      "friction = { kinetic = 0.8, static = 1.2 }\n");
  // From there on J φ̈ = k(0.5 t − φ) − 0.8 with φ = φ̇ = 0 at t = 1.2.
  const double w = std::sqrt(2.0 / 0.02), tau = 0.1;
  const double expected = 0.2 * (1.0 - std::cos(w * tau)) + 0.5 * tau - 0.5 / w * std::sin(w * tau);
  EXPECT_NEAR(turn_at_end(run, 2), expected, 1e-9);
}

TEST(CompliantDryJoint, ThatAStayHoldsAsWellNeitherSticksNorSlips) {
  // The stay keeps the wheel from turning, whatever the friction of its bearing is. What the motor of the arm asks of
  // the bearing is more than that.
  const SceneRun run = run_kept(
      smooth_head(kGravity, 0.2, 1e-8) +
      "[[body]]\nname = 'wheel'\nshape = { kind = 'cylinder', radius = 0.1, half_length = 0.01 }\nmass = 1\n"
      "position = [0.02, 0.01, 0]\n"
      "[[body]]\nname = 'arm'\nshape = { kind = 'sphere', radius = 0.05 }\nmass = 0.3\nposition = [0.17, 0.04, 0.03]\n"
      "[[joint]]\nname = 'bearing'\nkind = 'revolute'\nbodies = ['wheel']\npoint = [0, 0, 0]\naxis = [0.1, 0.2, 1]\n"
      "friction = { kinetic = 0.05, static = 0.08 }\n"
      "[[joint]]\nname = 'elbow'\nkind = 'revolute'\nbodies = ['arm', 'wheel']\npoint = [0.08, 0.03, 0]\n"
      "axis = [0.3, 0.1, 0.9]\nmotor = { torque = 0.5 }\n"
      "[[joint]]\nname = 'stay'\nkind = 'rod'\nbodies = ['wheel']\nanchors = [[0.07, 0.03, 0], [0.5, 0.4, 0.1]]\n");
  EXPECT_LT((run.body("wheel").position - Vector3d(0.02, 0.01, 0.0)).norm(), 1e-10);
  EXPECT_LT(run.result.steps_accepted, 1000);  // no end of them, each of 1e-18 s, otherwise
  EXPECT_NEAR(run.result.energy.friction, 0.0, 1e-10);
}

}  // namespace
}  // namespace carom::test
