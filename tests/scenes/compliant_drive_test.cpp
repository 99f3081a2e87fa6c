/// Springs, motors and dry friction of joints in the compliant engine.

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

TEST(CompliantSpring, TurnsAWheelToAndFroWhileItsDamperTakesEnergy) {
  const SceneRun run = run_kept(smooth_head(0.0, 0.4) +
                                bearing_of_wheel(0.02, fmt::format("spring = {{ stiffness = 5.0, damping = 0.05 }}\n"
                                                                   "start_deg = {}",
                                                                   0.3 * 180.0 / pi)));
  EXPECT_NEAR(turn_at_end(run, 0), 0.1822281578434769, 1e-10);
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), -0.06226134793015488, 1e-9);
  EXPECT_NEAR(run.result.energy.damping, 0.14194348146797137, 1e-10);
}

TEST(CompliantSpring, CountsWholeTurns) {
  const double stiffness = 2.0, inertia = 0.5, wound = 6.0 * pi;
  const SceneRun run = run_kept(smooth_head(0.0, 0.5 * pi * std::sqrt(inertia / stiffness)) +
                                bearing_of_wheel(inertia, "start_deg = 1080\nspring = { stiffness = 2.0 }"));
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), -wound * std::sqrt(stiffness / inertia), 1e-8);
  EXPECT_NEAR(turn_at_end(run, 0), 0.0, 1e-9);
}

TEST(CompliantMotor, OfConstantTorqueAcceleratesAndItsWorkIsBooked) {
  const SceneRun run = run_kept(smooth_head(0.0, 3.0) + bearing_of_wheel(0.5, "motor = { torque = 1.5 }"));
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), 9.0, 1e-10);
  EXPECT_NEAR(run.result.energy.motor_work, 1.5 * 13.5, 1e-9);
}

struct BeadOnRod {
  double speed, start, rate, mass, time, at, radial, work;
};

TEST(CompliantMotor, OfConstantSpeedFlingsABeadOutAlongARod) {
  for (const BeadOnRod& bead :
       {BeadOnRod{3.0, 0.2, 0.0, 0.5, 0.6, 0.6214946352634532, 1.7653045728574077, 1.5581501174756371},
        BeadOnRod{2.0, 0.5, -1.2, 1.0, 0.9, -0.21156798469877458, -0.7867935234850401, -0.8209559514019964}}) {
    const SceneRun run = run_kept(
        smooth_head(0.0, bead.time) + text_of({"rod", {-1.0, 0.0}, {1.0, 0.0}, 1.0, bead.speed}) +
        fmt::format("[[body]]\nname = 'bead'\nshape = {{ kind = 'sphere', radius = 0.01 }}\nmass = {}\n"
                    "inertia = [1e-6, 1e-6, 1e-6]\nposition = [{}, 0, 0]\nvelocity = [{}, {}, 0]\n"
                    "angular_velocity = [0, 0, {}]\n",
                    bead.mass, bead.start, bead.rate, bead.speed * bead.start, bead.speed) +
        hinge("axle", "'rod'", {0.0, 0.0}) + fmt::format("motor = {{ speed = {} }}\n", bead.speed) +
        "[[joint]]\nname = 'slide'\nkind = 'prismatic'\nbodies = ['bead', 'rod']\nanchors = [[0, 0, 0], [0, 0, 0]]\n"
        "axis = [1, 0, 0]\n");
    const double angle = bead.speed * bead.time;
    const Vector3d along(std::cos(angle), std::sin(angle), 0.0);
    EXPECT_NEAR(run.body("bead").position.dot(along), bead.at, 1e-9);
    EXPECT_NEAR(run.body("bead").velocity.dot(along), bead.radial, 1e-9);
    EXPECT_NEAR(run.result.energy.motor_work, bead.work, 1e-9);
    EXPECT_NEAR(turn_at_end(run, 0), angle, 1e-12);  // it does not creep
  }
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

TEST(CompliantMotor, TurnsAFourBarLinkage) {
  const double crank = 0.1, coupler = 0.3, rocker = 0.25, ground = 0.35, speed = 8.0;
  const Vector2d pin(crank, 0.0), base(ground, 0.0);
  const double between = ground - crank;
  const double x = (coupler * coupler - rocker * rocker + between * between) / (2.0 * between);
  const Vector2d joint = pin + Vector2d(x, std::sqrt(coupler * coupler - x * x));
  const auto across = [](const Vector2d& v) { return Vector2d(-v.y(), v.x()); };
  Eigen::Matrix2d matrix;
  matrix << across(joint - pin), -across(joint - base);
  const Vector2d rates = matrix.inverse() * (-speed * across(pin));
  const SceneRun run = run_kept(
      smooth_head(0.0, 0.3) + text_of({"crank", {0.0, 0.0}, pin, 0.1, speed, 0.5 * speed * across(pin)}) +
      text_of({"coupler", pin, joint, 0.3, rates[0], speed * across(pin) + 0.5 * rates[0] * across(joint - pin)}) +
      text_of({"rocker", base, joint, 0.25, rates[1], 0.5 * rates[1] * across(joint - base)}) +
      hinge("axle", "'crank'", {0.0, 0.0}) + "motor = { speed = 8 }\n" + hinge("pin", "'crank', 'coupler'", pin) +
      hinge("knee", "'coupler', 'rocker'", joint) + hinge("base", "'rocker'", base));
  const double first = std::atan2((joint - pin).y(), (joint - pin).x());
  const double second = std::atan2((joint - base).y(), (joint - base).x());
  EXPECT_NEAR(turned(run, "crank"), 2.4, 1e-10);
  EXPECT_NEAR(first + turned(run, "coupler"), 0.4478698830476812, 1e-9);
  EXPECT_NEAR(second + turned(run, "rocker"), 2.231042847389684, 1e-9);
  EXPECT_NEAR(run.body("coupler").angular_velocity.z(), 0.4587179932159298, 1e-9);
  EXPECT_NEAR(run.body("rocker").angular_velocity.z(), 3.038405769718884, 1e-9);
  const auto& loads = run.result.final_state.joint_loads;
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_NEAR(loads[JointIndex(1)].force.x(), -0.9831973829477093, 1e-8);  // of the pin, on the crank
  EXPECT_NEAR(loads[JointIndex(1)].force.y(), 0.28990312187047235, 1e-8);
  // The motor turns the crank too, which has a mass here but turns uniformly about its end: no more torque.
  EXPECT_NEAR(loads[JointIndex(0)].couple.z(), -0.04503408912123505, 1e-8);
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

TEST(CompliantMotor, DrivesAUniversalJointThatSpeedsUpAndSlowsDown) {
  const double beta = pi / 6.0, speed = 10.0, inertia = 0.02;
  const Vector3d second(std::cos(beta), std::sin(beta), 0.0);
  const auto shaft = [&](const char* name, const Vector3d& along, double rate) {
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along);
    return fmt::format(
        "[[body]]\nname = '{0}'\nshape = {{ kind = 'cylinder', radius = 0.05, half_length = 0.1 }}\nmass = 1\n"
        "inertia = [{1}, {1}, {1}]\norientation = {{ quaternion = [{2}, {3}, {4}, {5}] }}\n"
        "angular_velocity = [{6}, {7}, 0]\n"
        "[[joint]]\nname = 'bearing-{0}'\nkind = 'revolute'\nbodies = ['{0}']\npoint = [0, 0, 0]\naxis = [{8}, {9}, "
        "0]\n",
        name, inertia, turn.w(), turn.x(), turn.y(), turn.z(), rate * along.x(), rate * along.y(), along.x(),
        along.y());
  };
  const SceneRun run =
      run_kept(smooth_head(0.0, 0.13) + shaft("output", second, speed / std::cos(beta)) +
               shaft("input", Vector3d::UnitX(), speed) + "motor = { speed = 10 }\n" +
               "[[joint]]\nname = 'cross'\nkind = 'universal'\nbodies = ['input', 'output']\npoint = [0, 0, 0]\n"
               "axes = [[0, 1, 0], [0, 0, 1]]\n");
  EXPECT_NEAR(run.body("output").angular_velocity.dot(second), 8.81799838047188, 1e-9);
  EXPECT_NEAR(run.body("input").angular_velocity.x(), 10.0, 1e-11);
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

struct DryHinge {
  double mass, centre, about_hinge, kinetic, at_rest, start_deg, time, end_deg, work;
};

TEST(CompliantDryJoint, APendulumTurnsAtEverSmallerAnglesAndSticks) {
  for (const DryHinge& pendulum :
       {DryHinge{1.0, 0.5, 1.0 / 3.0, 0.3, 0.4, 60.0, 7.0, 0.3661878505456203, 2.4523998225125134},
        DryHinge{2.0, 0.4, 0.5, 1.0, 1.2, 45.0, 3.0, 0.4043232681084094, 2.2984305745699998}}) {
    const double angle = pendulum.start_deg * pi / 180.0;
    const double inertia = pendulum.about_hinge - pendulum.mass * pendulum.centre * pendulum.centre;
    const SceneRun run = run_kept(
        smooth_head(kGravity, pendulum.time) +
        fmt::format("[[body]]\nname = 'bob'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = {0}\n"
                    "inertia = [{1}, {1}, {1}]\nposition = [{2}, {3}, 0]\n",
                    pendulum.mass, inertia, pendulum.centre * std::sin(angle), -pendulum.centre * std::cos(angle)) +
        hinge("hinge", "'bob'", {0.0, 0.0}) +
        fmt::format("start_deg = {}\nfriction = {{ kinetic = {}, static = {} }}\n", pendulum.start_deg,
                    pendulum.kinetic, pendulum.at_rest));
    EXPECT_NEAR(turn_at_end(run, 0) * 180.0 / pi, pendulum.end_deg, 1e-7);
    EXPECT_NEAR(run.body("bob").angular_velocity.norm(), 0.0, 1e-13);
    EXPECT_NEAR(run.result.energy.friction, pendulum.work, 1e-9);
  }
}

TEST(CompliantDryJoint, HoldsASliderUntilItsStaticForceIsExceeded) {
  const auto way = [](double kinetic, double most) {
    const SceneRun run =
        run_kept(smooth_head(kGravity, 1.0) +
                 fmt::format("[[body]]\nname = 'slider'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\n"
                             "position = [0, 1, 0]\n"
                             "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['slider']\npoint = [0, 1, 0]\n"
                             "axis = [{}, -0.5, 0]\nfriction = {{ kinetic = {}, static = {} }}\n",
                             std::sqrt(0.75), kinetic, most));
    return (run.body("slider").position - Vector3d::UnitY()).norm();
  };
  EXPECT_NEAR(way(3.0, 4.91), 0.0, 1e-15);
  EXPECT_NEAR(way(3.0, 4.90), 0.5 * (4.905 - 3.0), 1e-10);
}

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

}  // namespace
}  // namespace carom::test
