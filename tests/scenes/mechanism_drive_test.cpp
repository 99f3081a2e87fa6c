/// Springs, dampers, motors and dry friction in joints, in both engines.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/both_engines.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

class JointSpring : public BothEngines {};
class JointMotor : public BothEngines {};
class DryJoint : public BothEngines {};
INSTANTIATE_TEST_SUITE_P(Engines, JointSpring, testing::Bool(), engine_of);
INSTANTIATE_TEST_SUITE_P(Engines, JointMotor, testing::Bool(), engine_of);
INSTANTIATE_TEST_SUITE_P(Engines, DryJoint, testing::Bool(), engine_of);

/// A wheel on a bearing about z, with more keys of the joint.
std::string wheel_on_bearing(double inertia, const std::string& keys, double rate = 0.0) {
  return fmt::format(
      "[[body]]\nname = 'wheel'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.01 }}\nmass = 1\n"
      "inertia = [{0}, {0}, {0}]\nangular_velocity = [0, 0, {1}]\n[[joint]]\nname = 'bearing'\nkind = 'revolute'\n"
      "bodies = ['wheel']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n{2}\n",
      inertia, rate, keys);
}

TEST_P(JointSpring, TurnsAWheelToAndFroWhileItsDamperTakesEnergy) {
  const SceneRun run = run_held(head(kWeightless, 0.4) +
                                wheel_on_bearing(0.02, fmt::format("spring = {{ stiffness = 5.0, damping = 0.05 }}\n"
                                                                   "start_deg = {}",
                                                                   0.3 * 180.0 / pi)));
  EXPECT_NEAR(turn_at_end(run, 0), 0.1822281578434769, within(1e-11, 1e-10));
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), -0.06226134793015488, within(1e-10, 1e-9));
  EXPECT_NEAR(run.result.energy.damping, 0.14194348146797137, within(1e-11, 1e-10));
}

TEST_P(JointSpring, CountsWholeTurns) {
  // Wound up by three turns and let go: after a quarter of its period it passes its rest with all its energy.
  const double stiffness = 2.0, inertia = 0.5, wound = 6.0 * pi;
  const double quarter = 0.5 * pi * std::sqrt(inertia / stiffness);
  const SceneRun run = run_held(head(kWeightless, quarter) +
                                wheel_on_bearing(inertia, "start_deg = 1080\nspring = { stiffness = 2.0 }"));
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), -wound * std::sqrt(stiffness / inertia), within(1e-9, 1e-8));
  EXPECT_NEAR(turn_at_end(run, 0), 0.0, 1e-9);
}

/// A pendulum with dry friction in its hinge, released at rest.
struct DryPendulum {
  double mass, centre, about_hinge, kinetic, at_rest, start_deg, time, end_deg, work;
};

TEST_P(DryJoint, APendulumTurnsAtEverSmallerAnglesAndSticks) {
  for (const DryPendulum& pendulum :
       {DryPendulum{1.0, 0.5, 1.0 / 3.0, 0.3, 0.4, 60.0, 7.0, 0.3661878505456203, 2.4523998225125134},
        DryPendulum{2.0, 0.4, 0.5, 1.0, 1.2, 45.0, 3.0, 0.4043232681084094, 2.2984305745699998}}) {
    const double angle = pendulum.start_deg * pi / 180.0;
    const double inertia = pendulum.about_hinge - pendulum.mass * pendulum.centre * pendulum.centre;
    const SceneRun run = run_held(
        head(kDown, pendulum.time) +
        fmt::format("[[body]]\nname = 'bob'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = {0}\n"
                    "inertia = [{1}, {1}, {1}]\nposition = [{2}, {3}, 0]\n",
                    pendulum.mass, inertia, pendulum.centre * std::sin(angle), -pendulum.centre * std::cos(angle)) +
        hinge("hinge", "'bob'", {0.0, 0.0}) +
        fmt::format("start_deg = {}\nfriction = {{ kinetic = {}, static = {} }}\n", pendulum.start_deg,
                    pendulum.kinetic, pendulum.at_rest));
    EXPECT_NEAR(turn_at_end(run, 0) * 180.0 / pi, pendulum.end_deg, within(1e-8, 1e-7));
    EXPECT_NEAR(run.body("bob").angular_velocity.norm(), 0.0, 1e-13);
    EXPECT_NEAR(run.result.energy.friction, pendulum.work, 1e-9);
  }
}

TEST_P(DryJoint, HoldsASliderUntilItsStaticForceIsExceeded) {
  // A slider on a slope of 30°: m g sin 30° = 4.905 N.
  const auto way = [](double kinetic, double most) {
    const SceneRun run = run_held(
        head(kAlongZ, 1.0) +
        fmt::format(
            "[[body]]\nname = 'slider'\n"
            "shape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\nposition = [0, 0, 1]\n[[joint]]\nname = "
            "'rail'\nkind = 'prismatic'\n"
            "bodies = ['slider']\npoint = [0, 0, 1]\naxis = [{}, 0, -0.5]\nfriction = {{ kinetic = {}, static = {} "
            "}}\n",
            std::sqrt(0.75), kinetic, most));
    return (run.body("slider").position - Vector3d::UnitZ()).norm();
  };
  EXPECT_NEAR(way(3.0, 4.91), 0.0, within(0.0, 1e-15));
  EXPECT_NEAR(way(3.0, 4.90), 0.5 * (4.905 - 3.0), within(1e-12, 1e-10));
}

TEST_P(DryJoint, OfASleeveBrakesItsShiftAndItsTurnEachByItself) {
  // On a slope of 30° the sleeve slides down against 3 N, or is held by 5 N; its turn of 0.3 rad/s ends after 0.6 s.
  for (const bool slides : {true, false}) {
    const double along_x = std::sqrt(0.75);
    const SceneRun run = run_held(
        head(kAlongZ, 1.0) +
        fmt::format("[[body]]\nname = 'sleeve'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\n"
                    "inertia = [0.01, 0.01, 0.01]\nangular_velocity = [{}, 0, -0.15]\n[[joint]]\nname = 'rod'\n"
                    "kind = 'cylindrical'\nbodies = ['sleeve']\npoint = [0, 0, 0]\naxis = [{}, 0, -0.5]\n"
                    "friction = [ {{ kinetic = 3, static = {} }}, {{ kinetic = 0.005 }} ]\n",
                    0.3 * along_x, along_x, slides ? 4.9 : 5.0));
    const double way = slides ? 0.5 * (4.905 - 3.0) : 0.0;
    EXPECT_NEAR(run.body("sleeve").position.norm(), way, within(1e-12, 1e-10));
    EXPECT_NEAR(turn_at_end(run, 0), 0.09, within(1e-12, 1e-10));
    EXPECT_NEAR(run.body("sleeve").angular_velocity.norm(), 0.0, 1e-12);
    EXPECT_NEAR(run.result.energy.friction, 3.0 * way + 0.005 * 0.09, 1e-9);
  }
}

TEST_P(JointMotor, OfConstantTorqueAcceleratesAndItsWorkIsBooked) {
  const SceneRun run = run_held(head(kWeightless, 3.0) + wheel_on_bearing(0.5, "motor = { torque = 1.5 }"));
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), 9.0, within(1e-11, 1e-10));
  EXPECT_NEAR(run.result.energy.motor_work, 1.5 * 13.5, within(1e-10, 1e-9));
}

/// A bead slides on a rod that a motor turns at constant speed.
struct Bead {
  double speed, start, rate, mass, time, at, radial, work;
};

TEST_P(JointMotor, FollowsAMotionThatTheFileSays) {
  // A wheel of 0.02 kg m² at places f(t) that begin with f(0) = 0; its work is the kinetic energy.
  const double w = 2.0 * pi * 1.5, degree = pi / 180.0;
  struct Case {
    std::string motion;
    double rate_at_start, place, rate;  ///< the latter two after 0.7 s
  };
  const Case cases[] = {
      {"{ kind = 'sine', amplitude = 20, frequency = 1.5 }", 20.0 * degree * w, 20.0 * degree * std::sin(0.7 * w),
       20.0 * degree * w * std::cos(0.7 * w)},
      {"{ kind = 'polynomial', coefficients = [0, 0, 90] }", 0.0, 90.0 * degree * 0.49, 90.0 * degree * 1.4},
      {"{ kind = 'table', time = [0, 0.5], values = [0, 30], ends = 'rest' }", 0.0, 30.0 * degree, 0.0},
  };
  for (const Case& one : cases) {
    const SceneRun run =
        run_held(head(kWeightless, 0.7) +
                 wheel_on_bearing(0.02, fmt::format("motor = {{ angle_deg = {} }}", one.motion), one.rate_at_start));
    EXPECT_NEAR(turn_at_end(run, 0), one.place, 1e-10) << one.motion;
    EXPECT_NEAR(run.body("wheel").angular_velocity.z(), one.rate, 1e-9) << one.motion;
    EXPECT_NEAR(run.result.energy.motor_work, 0.01 * (one.rate * one.rate - one.rate_at_start * one.rate_at_start),
                1e-9)
        << one.motion;
  }
}

TEST_P(JointMotor, OfConstantSpeedFlingsABeadOutAlongARod) {
  for (const Bead& bead :
       {Bead{3.0, 0.2, 0.0, 0.5, 0.6, 0.6214946352634532, 1.7653045728574077, 1.5581501174756371},
        Bead{2.0, 0.5, -1.2, 1.0, 0.9, -0.21156798469877458, -0.7867935234850401, -0.8209559514019964}}) {
    const std::string text =
        head(kWeightless, bead.time) + text_of({"rod", {-1.0, 0.0}, {1.0, 0.0}, 1.0, bead.speed}) +
        fmt::format(
            "[[body]]\nname = 'bead'\nshape = {{ kind = 'sphere', radius = 0.01 }}\nmass = {}\n"
            "inertia = [1e-6, 1e-6, 1e-6]\nposition = [{}, 0, 0]\nvelocity = [{}, {}, 0]\n"
            "angular_velocity = [0, 0, {}]\n",
            bead.mass, bead.start, bead.rate, bead.speed * bead.start, bead.speed) +
        hinge("axle", "'rod'", {0.0, 0.0}) + fmt::format("motor = {{ speed = {} }}\n", bead.speed) +
        "[[joint]]\nname = 'slide'\nkind = 'prismatic'\nbodies = ['bead', 'rod']\nanchors = [[0, 0, 0], [0, 0, 0]]\n"
        "axis = [1, 0, 0]\n";
    const SceneRun run = run_held(text);
    const double angle = bead.speed * bead.time;
    const Vector3d along(std::cos(angle), std::sin(angle), 0.0);
    EXPECT_NEAR(run.body("bead").position.dot(along), bead.at, within(1e-11, 1e-9));
    EXPECT_NEAR(run.body("bead").velocity.dot(along), bead.radial, within(1e-10, 1e-9));
    EXPECT_NEAR(run.result.energy.motor_work, bead.work, within(1e-10, 1e-9));
    EXPECT_NEAR(turn_at_end(run, 0), angle, 1e-12);  // it does not creep
  }
}

TEST_P(JointMotor, TurnsAFourBarLinkage) {
  // Crank 0.1, coupler 0.3, rocker 0.25, ground 0.35; crank at angle 0 at the start, the open branch.
  const double crank = 0.1, coupler = 0.3, rocker = 0.25, ground = 0.35, speed = 8.0;
  const Vector2d pin(crank, 0.0), base(ground, 0.0);
  const double between = ground - crank;
  const double x = (coupler * coupler - rocker * rocker + between * between) / (2.0 * between);
  const Vector2d joint = pin + Vector2d(x, std::sqrt(coupler * coupler - x * x));
  // Velocities: v_pin + ω_c × (joint − pin) = ω_r × (joint − base).
  const auto across = [](const Vector2d& v) { return Vector2d(-v.y(), v.x()); };
  Eigen::Matrix2d matrix;
  matrix << across(joint - pin), -across(joint - base);
  const Vector2d rates = matrix.inverse() * (-speed * across(pin));
  const SceneRun run = run_held(
      head(kWeightless, 0.3) + text_of({"crank", {0.0, 0.0}, pin, 0.1, speed, 0.5 * speed * across(pin)}) +
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

/// Two shafts at an angle β, joined by a cross.
TEST_P(JointMotor, DrivesAUniversalJointThatSpeedsUpAndSlowsDown) {
  const double beta = pi / 6.0, speed = 10.0, time = 0.13, inertia = 0.02;
  const Vector3d second(std::cos(beta), std::sin(beta), 0.0);
  // The cross axis that the input carries lies in the plane of the shafts at the start: ratio 1/cos β.
  const double ratio = 1.0 / std::cos(beta);
  const auto shaft = [&](const char* name, const Vector3d& along, double rate) {
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along);
    return fmt::format(
        "[[body]]\nname = '{0}'\nshape = {{ kind = 'cylinder', radius = 0.05, half_length = 0.1 }}\nmass = 1\n"
        "inertia = [{1}, {1}, {1}]\nposition = [{2}, {3}, {4}]\norientation = {{ quaternion = [{5}, {6}, {7}, {8}] }}\n"
        "angular_velocity = [{9}, {10}, {11}]\n"
        "[[joint]]\nname = 'bearing-{0}'\nkind = 'revolute'\nbodies = ['{0}']\npoint = [0, 0, 0]\naxis = [{12}, {13}, "
        "0]\n",
        name, inertia, 0.0, 0.0, 0.0, turn.w(), turn.x(), turn.y(), turn.z(), rate * along.x(), rate * along.y(),
        rate * along.z(), along.x(), along.y());
  };
  const SceneRun run =
      run_held(head(kWeightless, time) + shaft("output", second, speed * ratio) +
               shaft("input", Vector3d::UnitX(), speed) + "motor = { speed = 10 }\n" +
               "[[joint]]\nname = 'cross'\nkind = 'universal'\nbodies = ['input', 'output']\npoint = [0, 0, 0]\n"
               "axes = [[0, 1, 0], [0, 0, 1]]\n");
  EXPECT_NEAR(run.body("input").angular_velocity.x(), 10.0, 1e-11);
  EXPECT_NEAR(run.body("output").angular_velocity.dot(second), 8.81799838047188, 1e-9);
}

TEST(PrescribedMotion, GoesOnThroughAnImpactAndItsWorkIsBooked) {
  // An arm that a motor turns, a uniform rod hinged to its end, whose tip strikes a wall.
  const double arm = 0.3, rod = 0.4, speed = 3.0, angle = 0.3490658503988659, knob = 0.01;
  const Vector2d knee(arm, 0.0), along(std::cos(angle), std::sin(angle));
  const Vector2d tip = knee + rod * along, centre = knee + 0.5 * rod * along;
  const Vector2d velocity = speed * Vector2d(-centre.y(), centre.x());
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 0.66) + text_of({"arm", {0.0, 0.0}, knee, 0.2, speed, {0.0, 0.5 * speed * arm}}) +
      fmt::format("[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nrestitution = 0.7\n"
                  "[[plane]]\nname = 'wall'\nnormal = [1, 0, 0]\npoint = [{0}, 0, 0]\nmaterial = 'steel'\n"
                  "[[body]]\nname = 'rod'\nshape = {{ kind = 'sphere', radius = {1} }}\nmass = 0.5\n"
                  "inertia = [{2}, {2}, {2}]\ncentre_of_mass = [{3}, {4}, 0]\nposition_of = 'centre_of_mass'\n"
                  "position = [{5}, {6}, 0]\nvelocity = [{7}, {8}, 0]\nangular_velocity = [0, 0, {9}]\n"
                  "material = 'steel'\n",
                  -0.2 - knob, knob, 0.5 * rod * rod / 12.0, centre.x() - tip.x(), centre.y() - tip.y(), centre.x(),
                  centre.y(), velocity.x(), velocity.y(), speed) +
      hinge("axle", "'arm'", {0.0, 0.0}) + "motor = { speed = 3 }\n" + hinge("knee", "'rod', 'arm'", knee)));
  expect_held(run);
  ASSERT_EQ(run.impacts().size(), 1u);
  const KeptEvent impact = run.impacts()[0];
  EXPECT_NEAR(impact.record.time, 0.6517032468019607, 1e-9);
  EXPECT_NEAR(impact.contacts.at(0).rate_before, -1.6247605882198128, 1e-9);
  EXPECT_NEAR(impact.contacts.at(0).rate_after, 0.7 * 1.6247605882198128, 1e-9);
  EXPECT_NEAR(impact.contacts.at(0).impulse, 0.4834971911198766, 1e-9);
  EXPECT_NEAR(impact.joints.at(0).couple.z(), -0.07499380919129037, 1e-9);  // of the motor, on the arm
  EXPECT_NEAR(impact.joints.at(1).force.x(), 0.2070260588735438, 1e-9);     // of the pin, on the rod
  EXPECT_NEAR(impact.joints.at(1).force.y(), 0.15484417612782483, 1e-9);
  EXPECT_NEAR(impact.record.energy.change, -0.34281650467085567, 1e-9);
  EXPECT_NEAR(impact.record.energy.wall_work, -0.2249814275738711, 1e-9);
  EXPECT_NEAR(run.result.energy.impacts, 0.1178350770969842, 1e-9);
}

TEST(PrescribedMotion, StrikesWhatIsAtRestThoughNothingElseMoves) {
  // All that moves is prescribed; the ball leaves with (1 + e) times the speed of the arm's end, wherever that is.
  for (const double angle : {0.1, 0.7, 1.3, 2.1, 2.9, 3.7, 4.4, 5.8}) {
    SCOPED_TRACE(angle);
    const double rate = 3.0, e = 0.2;
    const Vector2d along(std::cos(angle), std::sin(angle)), across(-along.y(), along.x());
    const Vector2d end = 0.1 * along, ball = end + 0.05 * across;
    const SceneRun run = run_scene(scene_from_text(
        mechanism(0.0, 0.1) +
        fmt::format("[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nrestitution = {}\n"
                    "[[body]]\nname = 'driver'\nshape = {{ kind = 'compound', parts = [ {{ kind = 'sphere', radius = "
                    "0.02, mass = 0.2, position = [{}, {}, 0] }}, {{ kind = 'sphere', radius = 0.01, mass = 0.5 }} ] "
                    "}}\ncentre_of_mass = [0, 0, 0]\ninertia = [0.01, 0.01, 0.01]\nangular_velocity = [0, 0, {}]\n"
                    "material = 'steel'\n"
                    "[[body]]\nname = 'ball'\nshape = {{ kind = 'sphere', radius = 0.02 }}\nmass = 0.3\n"
                    "position = [{}, {}, 0]\nmaterial = 'steel'\n",
                    e, end.x(), end.y(), rate, ball.x(), ball.y()) +
        hinge("drive", "'driver'", {0.0, 0.0}) + "motor = { speed = 3 }\n"));
    EXPECT_EQ(run.result.stop, RunStop::duration);
    ASSERT_EQ(run.impacts().size(), 1u);
    EXPECT_NEAR(run.impacts()[0].contacts[0].rate_after, -e * run.impacts()[0].contacts[0].rate_before, 1e-12);
    EXPECT_LE(std::abs(run.result.energy.error()), 1e-13);
  }
}

TEST_P(JointSpring, ActsAboutBothAxesOfAUniversalJoint) {
  // A ball of moment J on a cross in its middle, which turns about one axis or the other: φ = (ω/w) sin wt, w² = k/J.
  const double moment = 0.02, rate = 0.5, time = 0.37;
  const double stiffness[] = {3.0, 2.0};
  for (const int axis : {0, 1}) {
    const SceneRun run = run_held(
        head(kWeightless, time) +
        fmt::format("[[body]]\nname = 'ball'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\n"
                    "inertia = [{0}, {0}, {0}]\nangular_velocity = [{1}, {2}, 0]\n"
                    "[[joint]]\nname = 'cross'\nkind = 'universal'\nbodies = ['ball']\npoint = [0, 0, 0]\n"
                    "axes = [[1, 0, 0], [0, 1, 0]]\nspring = [ {{ stiffness = {3} }}, {{ stiffness = {4} }} ]\n",
                    moment, axis == 0 ? rate : 0.0, axis == 1 ? rate : 0.0, stiffness[0], stiffness[1]));
    const double w = std::sqrt(stiffness[axis] / moment);
    const JointTurns& turns = run.result.final_state.turns[JointIndex(0)];
    EXPECT_NEAR(turns[static_cast<std::size_t>(axis)], rate / w * std::sin(w * time), 1e-8);
    EXPECT_NEAR(turns[static_cast<std::size_t>(1 - axis)], 0.0, 1e-12);
  }
}

TEST(PrescribedMotion, ThatAWallBlocksStopsTheRunAndSaysSo) {
  // The arm would carry the tip through the wall.
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 0.5) +
      "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nrestitution = 0.5\n"
      "[[plane]]\nname = 'wall'\nnormal = [0, -1, 0]\npoint = [0, 0.5, 0]\nmaterial = 'steel'\n"
      "[[body]]\nname = 'arm'\nshape = { kind = 'sphere', radius = 0.05 }\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
      "angular_velocity = [0, 0, 2]\n"
      "[[body]]\nname = 'tip'\nshape = { kind = 'sphere', radius = 0.05 }\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n"
      "position = [1.2, 0, 0]\nvelocity = [0, 2.4, 0]\nangular_velocity = [0, 0, 2]\nmaterial = 'steel'\n" +
      hinge("axle", "'arm'", {0.0, 0.0}) + "motor = { speed = 2 }\n" + hinge("knee", "'tip', 'arm'", {1.0, 0.0})));
  EXPECT_EQ(run.result.stop, RunStop::failed);
  ASSERT_TRUE(run.result.failure.has_value());
  EXPECT_TRUE(run.result.failure->reason.starts_with("singular-mechanism")) << run.result.failure->reason;
  // The tip is at the wall at the earliest with the arm stretched, and cannot fold further than to be level with it.
  EXPECT_GT(run.result.failure->time, 0.5 * std::asin(0.45 / 1.2));
  EXPECT_LT(run.result.failure->time, 0.5 * std::asin(0.65) + 1e-9);
}

TEST(PrescribedMotion, ThatAStartContradictsIsRefused) {
  const auto message = [](const std::string& keys, double rate) {
    try {
      (void)scene_from_text(mechanism(0.0, 1.0) + wheel_on_bearing(0.5, keys, rate));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("motor = { speed = 8 }", 8.0), "");
  EXPECT_EQ(message("motor = { speed = 8 }", 7.5),
            "joint.bearing: it moves at a rate that is 0.5 rad/s off what its motor asks for");
  EXPECT_EQ(message("motor = { angle_deg = 90 }", 0.0),
            "joint.bearing: it is 1.5708 rad off what its motor asks for at the start");
}

std::string refusal_of(const std::string& text) {
  try {
    (void)scene_from_text(text);
  } catch (const InputError& error) {
    return std::string(kind_name(error.kind())) + ": " + error.what();
  }
  return {};
}

TEST(Loop, ThatDoesNotCloseIsRefusedWithWhatIsMissingAndItsJoints) {
  // Three bars and the ground; the last hinge is given by anchors that do not meet.
  const std::string refused =
      refusal_of(mechanism(0.0, 1.0) + text_of({.name = "one", .from = {0.0, 0.0}, .to = {0.0, 1.0}}) +
                 text_of({.name = "two", .from = {0.0, 1.0}, .to = {1.0, 1.0}}) +
                 text_of({.name = "three", .from = {1.0, 1.0}, .to = {1.0, 0.0}}) + hinge("a", "'one'", {0.0, 0.0}) +
                 hinge("b", "'one', 'two'", {0.0, 1.0}) + hinge("c", "'two', 'three'", {1.0, 1.0}) +
                 "[[joint]]\nname = 'd'\nkind = 'revolute'\nbodies = ['three']\nanchors = [[0, 0, 0.5], [1.02, 0, 0]]\n"
                 "axis = [0, 0, 1]\n");
  EXPECT_EQ(refused,
            "constraint-violated: joint.d: the anchors of 'three' and the ground are 0.02 m apart, expected them to "
            "meet; the loop that it closes with 'c', 'b', 'a' does not close by that much");
}

TEST(Loop, WhoseHingesAreNotParallelIsRefusedWithTheAngleAndItsJoints) {
  // Three bars and the ground; the last hinge is askew by an angle.
  const auto refused = [](double tilt) {
    return refusal_of(
        mechanism(0.0, 0.1) + text_of({.name = "crank", .from = {0.0, 0.0}, .to = {0.0, 0.3}}) +
        text_of({.name = "rod", .from = {0.0, 0.3}, .to = {0.8, 0.3}}) +
        text_of({.name = "rocker", .from = {0.8, 0.0}, .to = {0.8, 0.3}}) + hinge("axle", "'crank'", {0.0, 0.0}) +
        hinge("pin", "'crank', 'rod'", {0.0, 0.3}) + hinge("far pin", "'rocker', 'rod'", {0.8, 0.3}) +
        fmt::format("[[joint]]\nname = 'pivot'\nkind = 'revolute'\nbodies = ['rocker']\npoint = [0.8, 0, 0]\n"
                    "axis = [{}, 0, 1]\n",
                    tilt));
  };
  EXPECT_EQ(refused(1e-10), "");
  EXPECT_EQ(refused(0.1), "");  // not meant to be a loop in a plane: a structure
  EXPECT_EQ(refused(1e-7),
            "constraint-violated: joint.pivot.axis: the axes of the loop that it closes with 'far pin', 'pin', 'axle' "
            "are off parallel or perpendicular by 1e-07 rad, with which it cannot move: expected less than 1e-09");
}

TEST(PrescribedMotion, ThatAnotherMotorContradictsIsRefusedWithBoth) {
  // Two motors on one wheel, by way of a gear: 2 rad/s and 5 rad/s do not have the ratio 2.
  const auto wheels = [](double second) {
    return refusal_of(mechanism(0.0, 1.0) +
                      text_of({.name = "one", .from = {-0.5, 0.0}, .to = {0.5, 0.0}, .rate = 2.0}) +
                      text_of({.name = "two", .from = {1.5, 0.0}, .to = {2.5, 0.0}, .rate = 4.0}) +
                      hinge("first", "'one'", {0.0, 0.0}) + "motor = { speed = 2 }\n" +
                      hinge("second", "'two'", {2.0, 0.0}) + fmt::format("motor = {{ speed = {} }}\n", second) +
                      "[[joint]]\nname = 'gear'\nkind = 'gear'\njoints = ['second', 'first']\nratio = 2\n");
  };
  EXPECT_EQ(wheels(4.0), "");
  EXPECT_EQ(wheels(5.0),
            "constraint-violated: joint.second: it moves at a rate that is 1 rad/s off what its motor asks for; the "
            "motion is also prescribed by the motors of 'first'");
}

}  // namespace
}  // namespace carom::test
