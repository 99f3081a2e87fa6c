/// Mechanisms in the compliant engine: the same closed forms and independent values as for the rigid one.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// The head of a scene for the compliant engine, by the method of order 8.
std::string compliant(const Vector3d& gravity, double duration, double rtol = 1e-11) {
  return fmt::format(
      "format = 1\n[world]\ngravity = [{}, {}, {}]\n[run]\nengine = 'smooth'\nintegrator = 'dormand-prince-853'\n"
      "rtol = {}\nduration = {}\noutput_step = {}\n",
      gravity.x(), gravity.y(), gravity.z(), rtol, duration, duration / 37.0);
}
const Vector3d kDown(0.0, -kGravity, 0.0), kAlongZ(0.0, 0.0, -kGravity), kWeightless = Vector3d::Zero();

std::string joint_text(const std::string& name, const std::string& kind, const std::string& keys) {
  return fmt::format("[[joint]]\nname = '{}'\nkind = '{}'\n{}\n", name, kind, keys);
}

/// Ends the text of a body that meets no other one.
const std::string kApart = "groups = ['apart']\navoid = ['apart']\n";

double final_turn(const SceneRun& run, int joint, std::size_t which = 0) {
  return run.result.final_state.turns[JointIndex(joint)][which];
}

SceneRun run_held(const std::string& text) {
  const SceneRun run = run_scene(scene_from_text(text));
  expect_held(run);
  return run;
}

// ------------------------------------------------------------------------------------------------ free motion

const Vector2d kElbow(1.0, 0.0), kTip = kElbow + 0.8 * Vector2d(std::cos(pi / 6.0), std::sin(pi / 6.0));

std::string two_bars() {
  return text_of({"upper", {0.0, 0.0}, kElbow, 1.0}) + text_of({"lower", kElbow, kTip, 0.6});
}

void expect_swing(const SceneRun& run, double accuracy) {
  EXPECT_NEAR(turned(run, "upper"), -1.387732001012518, accuracy);
  EXPECT_NEAR(turned(run, "lower"), -0.232730674412333 - pi / 6.0, accuracy);
  EXPECT_NEAR(run.body("upper").angular_velocity.z(), 3.5606441444051464, 10.0 * accuracy);
  EXPECT_NEAR(run.body("lower").angular_velocity.z(), 7.6714389184464755, 10.0 * accuracy);
}

TEST(CompliantMechanism, ADoublePendulumSwingsAsMinimalCoordinatesSay) {
  expect_swing(run_held(compliant(kDown, 2.0) + two_bars() + hinge("shoulder", "'upper'", {0.0, 0.0}) +
                        hinge("elbow", "'lower', 'upper'", kElbow)),
               1e-9);
}

TEST(CompliantMechanism, ADoublePendulumDoesSoWithEveryIntegrator) {
  for (const char* const integrator : {"dormand-prince", "adams"}) {
    scene::SceneFile scene =
        scene_from_text(compliant(kDown, 2.0, 1e-9) + two_bars() + hinge("shoulder", "'upper'", {0.0, 0.0}) +
                        hinge("elbow", "'upper', 'lower'", kElbow));
    scene.run.integrator = integrator;
    const SceneRun run = run_scene(scene);
    expect_held(run);
    expect_swing(run, 1e-6);
  }
}

TEST(CompliantMechanism, APendulumHasThePeriodOfItsEllipticIntegral) {
  // A uniform rod of length 1, released level: a quarter of its period to the vertical, with the rate √(3g/L).
  const SceneRun run = run_held(compliant(kDown, 0.48333371359331134) + text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) +
                                hinge("hinge", "'rod'", {0.0, 0.0}));
  EXPECT_NEAR(final_turn(run, 0), -0.5 * pi, 1e-10);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), -5.424942396007538, 1e-9);
}

TEST(CompliantMechanism, AHeavyTopNutatesBetweenTheRootsOfItsCubic) {
  const double tilt = 40.0 * pi / 180.0, centre = 0.1, period = 0.30822587841772464;
  const Vector3d axis(std::sin(tilt), 0.0, std::cos(tilt)), spin = 150.0 * axis;
  const auto end_after = [&](double duration) {
    const SceneRun run = run_held(
        compliant(kAlongZ, duration) +
        fmt::format("[[body]]\nname = 'top'\nshape = {{ kind = 'sphere', radius = 0.05 }}\nmass = 0.5\n"
                    "inertia = [0.001, 0.001, 0.001]\nposition = [{}, 0, {}]\norientation = {{ bryan_deg = [0, 40, 0] "
                    "}}\nangular_velocity = [{}, 0, {}]\n",
                    centre * axis.x(), centre * axis.z(), spin.x(), spin.z()) +
        joint_text("tip", "spherical", "bodies = ['top']\npoint = [0, 0, 0]"));
    return run.body("top").position;
  };
  const auto tilt_of = [](const Vector3d& at) { return std::acos(at.normalized().z()) * 180.0 / pi; };
  EXPECT_NEAR(tilt_of(end_after(0.5 * period)), 53.27386859063915, 1e-7);
  const Vector3d end = end_after(period);
  EXPECT_NEAR(tilt_of(end), 40.0, 1e-7);
  EXPECT_NEAR(std::atan2(end.y(), end.x()), 1.1029429021550818, 1e-8);
}

TEST(CompliantMechanism, AGyroscopeInGimbalsPrecessesAndCountsItsTurns) {
  const double tilt = 60.0 * pi / 180.0, off = 0.05 / kGravity;
  const Vector3d axis(0.0, -std::sin(tilt), std::cos(tilt));
  const auto ring = [&](const char* name, const Vector3d& inertia, double centre, double degrees, double spin) {
    return fmt::format(
        "[[body]]\nname = '{}'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\ninertia = [{}, {}, {}]\n"
        "centre_of_mass = [0, 0, {}]\norientation = {{ bryan_deg = [{}, 0, 0] }}\n"
        "angular_velocity = [0, {}, {}]\ngroups = ['rings']\navoid = ['rings']\n",
        name, inertia.x(), inertia.y(), inertia.z(), centre, degrees, spin * axis.y(), spin * axis.z());
  };
  const auto bearing = [](const char* name, const std::string& bodies, const Vector3d& along, double start) {
    return joint_text(name, "revolute",
                      fmt::format("bodies = [{}]\npoint = [0, 0, 0]\naxis = [{}, {}, {}]\nstart_deg = {}", bodies,
                                  along.x(), along.y(), along.z(), start));
  };
  const SceneRun run = run_held(compliant(kAlongZ, 0.8) + ring("outer", {0.0015, 0.0015, 0.002}, 0.0, 0.0, 0.0) +
                                ring("inner", {0.001 - off * off, 0.0015 - off * off, 0.0012}, off, 60.0, 0.0) +
                                ring("rotor", {0.003, 0.003, 0.005}, 0.0, 60.0, 80.0) +
                                bearing("azimuth", "'outer'", Vector3d::UnitZ(), 0.0) +
                                bearing("elevation", "'inner', 'outer'", Vector3d::UnitX(), 60.0) +
                                bearing("spin", "'rotor', 'inner'", axis, 0.0));
  EXPECT_NEAR(final_turn(run, 0), 0.09829878831231163, 1e-9);
  EXPECT_NEAR(final_turn(run, 1), 1.0492987491912555, 1e-9);
  EXPECT_NEAR(final_turn(run, 2), 63.95111099331326, 1e-8);
}

TEST(CompliantMechanism, AParallelogramOfThreeCranksIsAPendulumThoughItsRowsAreRedundant) {
  const double crank = 0.4, angle = 50.0 * pi / 180.0 - 0.5 * pi;
  const Vector2d arm = crank * Vector2d(std::cos(angle), std::sin(angle));
  std::string text = compliant(kDown, 0.3199144340179349), joints;
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("crank-{}", k);
    const Vector2d base(0.5 * k, 0.0);
    text += text_of({name, base, base + arm, 0.3}) + kApart;
    joints += hinge(fmt::format("base-{}", k), "'" + name + "'", base) +
              hinge(fmt::format("pin-{}", k), "'platform', '" + name + "'", base + arm);
  }
  text += text_of({"platform", arm, arm + Vector2d(1.0, 0.0), 1.5, 0.0, Vector2d::Zero(), 0.2}) + kApart;
  const SceneRun run = run_held(text + joints);
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("crank-{}", k);
    EXPECT_NEAR(run.body(name).angular_velocity.z(), -4.356761800957394, 1e-8);
    EXPECT_NEAR(turned(run, name), -50.0 * pi / 180.0, 1e-9);
  }
  EXPECT_NEAR(run.body("platform").angular_velocity.norm(), 0.0, 1e-10);
}

TEST(CompliantMechanism, ASleeveOnAnInclinedAxisSlidesAndSpinsIndependently) {
  const double slope = 25.0 * pi / 180.0;
  const Vector3d along(std::cos(slope), 0.0, -std::sin(slope));
  const SceneRun run = run_held(
      compliant(kAlongZ, 0.5) +
      fmt::format("[[body]]\nname = 'wheel'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.02 }}\n"
                  "mass = 2\ninertia = [0.01, 0.02, 0.01]\nangular_velocity = [{}, 0, {}]\nposition = [0, 0.1, 0]\n",
                  7.0 * along.x(), 7.0 * along.z()) +
      joint_text("sleeve", "cylindrical",
                 fmt::format("bodies = ['wheel']\npoint = [0, 0.1, 0]\naxis = [{}, 0, {}]", along.x(), along.z())));
  EXPECT_NEAR(run.body("wheel").position.dot(along), 0.5182356434595328, 1e-11);
  EXPECT_NEAR(run.body("wheel").angular_velocity.dot(along), 7.0, 1e-10);
  EXPECT_NEAR(final_turn(run, 0), 3.5, 1e-10);
}

TEST(CompliantMechanism, RodsWithoutMassHoldABarInAPlaneLikeASwing) {
  const double length = 0.7, angle = 0.3;
  const Vector2d arm = length * Vector2d(std::sin(angle), -std::cos(angle));
  std::string text = compliant(kDown, 1.0) + text_of({"bar", arm, arm + Vector2d(0.5, 0.0)}) +
                     "[[constraint]]\nkind = 'planar'\nbody = 'bar'\nnormal = [0, 0, 1]\n";
  for (int k = 0; k < 2; ++k)
    text +=
        joint_text(fmt::format("rod-{}", k), "rod",
                   fmt::format("bodies = ['bar']\nanchors = [[0, 0, {}], [{}, 0, 0]]", k == 0 ? -0.25 : 0.25, 0.5 * k));
  const SceneRun run = run_held(text);
  EXPECT_NEAR(run.body("bar").angular_velocity.norm(), 0.0, 1e-9);
  const Vector3d centre = run.body("bar").position - Vector3d(0.25, 0.0, 0.0);
  EXPECT_NEAR(centre.norm(), length, 1e-12);
  EXPECT_NEAR(centre.z(), 0.0, 1e-15);
  const double swing = std::atan2(centre.x(), -centre.y()), speed = run.body("bar").velocity.norm();
  EXPECT_NEAR(0.5 * speed * speed, kGravity * length * (std::cos(swing) - std::cos(angle)), 1e-9);
}

TEST(CompliantMechanism, AGearSharesATorqueByItsRatio) {
  std::string text = compliant(kWeightless, 2.0);
  const double inertia[] = {0.3, 0.05};
  for (int k = 0; k < 2; ++k)
    text += fmt::format(
                "[[body]]\nname = 'wheel-{0}'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.01 }}\n"
                "mass = 1\ninertia = [{1}, {1}, {1}]\nposition = [{0}, 0, 0]\n",
                k, inertia[k]) +
            kApart +
            joint_text(fmt::format("bearing-{}", k), "revolute",
                       fmt::format("bodies = ['wheel-{0}']\npoint = [{0}, 0, 0]\naxis = [0, 0, 1]", k));
  const SceneRun run =
      run_held(text + joint_text("teeth", "gear", "joints = ['bearing-0', 'bearing-1']\nratio = -0.4") +
               "[[load]]\nbody = 'wheel-0'\ntorque = [0, 0, 1.5]\n");
  EXPECT_NEAR(run.body("wheel-0").angular_velocity.z(), 2.0 * 2.4489795918367343, 1e-9);
  EXPECT_NEAR(final_turn(run, 0), 2.0 * 2.4489795918367343, 1e-9);
  EXPECT_NEAR(final_turn(run, 1), -2.0 * 6.122448979591836, 1e-9);
}

TEST(CompliantMechanism, AWeldMovesAsOneBody) {
  const SceneRun run =
      run_held(compliant(kAlongZ, 1.0) +
               "[[body]]\nname = 'a'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nposition = [-0.2, 0, 0]\n"
               "velocity = [0, -1, 3]\nangular_velocity = [0, 0, 5]\n"
               "[[body]]\nname = 'b'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nposition = [0.1, 0, 0]\n"
               "velocity = [0, 0.5, 3]\nangular_velocity = [0, 0, 5]\n" +
               joint_text("weld", "fixed", "bodies = ['a', 'b']\npoint = [0, 0, 0]"));
  const Vector3d centre = (run.body("a").position + 2.0 * run.body("b").position) / 3.0;
  EXPECT_NEAR((centre - Vector3d(0.0, 0.0, 3.0 - 0.5 * kGravity)).norm(), 0.0, 1e-11);
  for (const char* name : {"a", "b"}) EXPECT_NEAR(run.body(name).angular_velocity.z(), 5.0, 1e-11);
}

}  // namespace
}  // namespace carom::test
