/// Mechanisms that move freely, in both engines: closed forms and values that were found independently (minimal
/// coordinates, quadrature).

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/both_engines.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::string joint_text(const std::string& name, const std::string& kind, const std::string& keys) {
  return fmt::format("[[joint]]\nname = '{}'\nkind = '{}'\n{}\n", name, kind, keys);
}

class Mechanism : public BothEngines {
 protected:
  void expect_double_pendulum(const std::string& joints, double rtol = 1e-11, const char* integrator = nullptr);
};

INSTANTIATE_TEST_SUITE_P(Engines, Mechanism, testing::Bool(), engine_of);

struct DoublePendulum {
  double lengths[2], masses[2], angles[2];
  [[nodiscard]] Vector2d node(int k) const {
    Vector2d at = Vector2d::Zero();
    for (int i = 0; i < k; ++i) at += lengths[i] * Vector2d(std::cos(angles[i]), std::sin(angles[i]));
    return at;
  }
  [[nodiscard]] std::string text() const {
    return text_of({"upper", node(0), node(1), masses[0]}) + text_of({"lower", node(1), node(2), masses[1]});
  }
};

constexpr DoublePendulum kPendulum{{1.0, 0.8}, {1.0, 0.6}, {0.0, pi / 6.0}};

void Mechanism::expect_double_pendulum(const std::string& joints, double rtol, const char* integrator) {
  scene::SceneFile scene = scene_from_text(head(kDown, 2.0, rtol) + kPendulum.text() + joints);
  if (integrator != nullptr) scene.run.integrator = integrator;
  const SceneRun run = run_scene(scene);
  expect_held(run);
  const double accuracy = integrator == nullptr ? 1e-9 : 1e-6;
  EXPECT_NEAR(turned(run, "upper"), -1.387732001012518, accuracy);
  EXPECT_NEAR(turned(run, "lower"), -0.232730674412333 - pi / 6.0, accuracy);
  EXPECT_NEAR(run.body("upper").angular_velocity.z(), 3.5606441444051464, 10.0 * accuracy);
  EXPECT_NEAR(run.body("lower").angular_velocity.z(), 7.6714389184464755, 10.0 * accuracy);
}

TEST_P(Mechanism, ADoublePendulumSwingsSoWithEveryIntegrator) {
  if (!compliant()) GTEST_SKIP() << "the rigid engine has one";
  for (const char* const integrator : {"dormand-prince", "adams"})
    expect_double_pendulum(
        hinge("shoulder", "'upper'", kPendulum.node(0)) + hinge("elbow", "'upper', 'lower'", kPendulum.node(1)), 1e-9,
        integrator);
}

TEST_P(Mechanism, APendulumHasThePeriodOfItsEllipticIntegral) {
  // A uniform rod of length 1, released level: a quarter of its period to the vertical, with the rate √(3g/L).
  const SceneRun run = run_held(head(kDown, 0.48333371359331134) + text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) +
                                hinge("hinge", "'rod'", {0.0, 0.0}));
  EXPECT_NEAR(turn_at_end(run, 0), -0.5 * pi, 1e-10);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), -5.424942396007538, 1e-9);
}

TEST_P(Mechanism, ADoublePendulumSwingsAsMinimalCoordinatesSay) {
  expect_double_pendulum(hinge("shoulder", "'upper'", kPendulum.node(0)) +
                         hinge("elbow", "'lower', 'upper'", kPendulum.node(1)));
}

TEST_P(Mechanism, DependsNeitherOnTheOrderOfJointsNorOnWhichBodyIsNamedFirst) {
  expect_double_pendulum(hinge("elbow", "'upper', 'lower'", kPendulum.node(1)) +
                         hinge("shoulder", "'upper'", kPendulum.node(0)));
}

TEST_P(Mechanism, ADoublePendulumOfSphericalJointsStaysInItsPlane) {
  const auto ball = [](const std::string& name, const std::string& bodies, const Vector2d& at) {
    return fmt::format("[[joint]]\nname = '{}'\nkind = 'spherical'\nbodies = [{}]\npoint = [{}, {}, 0]\n", name, bodies,
                       at.x(), at.y());
  };
  expect_double_pendulum(ball("shoulder", "'upper'", kPendulum.node(0)) +
                         ball("elbow", "'upper', 'lower'", kPendulum.node(1)));
}

/// Platform on three parallel cranks: 12 rows of rank 11 in the plane, many more in space.
TEST_P(Mechanism, AParallelogramOfThreeCranksIsAPendulumThoughItsRowsAreRedundant) {
  const double crank = 0.4, angle = 50.0 * pi / 180.0 - 0.5 * pi;
  const Vector2d arm = crank * Vector2d(std::cos(angle), std::sin(angle));
  std::string text = head(kDown, 0.3199144340179349), joints;
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("crank-{}", k);
    const Vector2d base(0.5 * k, 0.0);
    text += text_of({name, base, base + arm, 0.3}) + kAlone;
    joints += hinge(fmt::format("base-{}", k), "'" + name + "'", base) +
              hinge(fmt::format("pin-{}", k), "'platform', '" + name + "'", base + arm);
  }
  text += text_of({"platform", arm, arm + Vector2d(1.0, 0.0), 1.5, 0.0, Vector2d::Zero(), 0.2}) + kAlone;
  const SceneRun run = run_held(text + joints);
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("crank-{}", k);
    EXPECT_NEAR(run.body(name).angular_velocity.z(), -4.356761800957394, within(1e-9, 1e-8));
    EXPECT_NEAR(turned(run, name), -50.0 * pi / 180.0, 1e-9);
  }
  EXPECT_NEAR(run.body("platform").angular_velocity.norm(), 0.0, within(1e-11, 1e-10));
}

TEST_P(Mechanism, AHeavyTopNutatesBetweenTheRootsOfItsCubic) {
  const double tilt = 40.0 * pi / 180.0, centre = 0.1;
  const Vector3d axis(std::sin(tilt), 0.0, std::cos(tilt));
  const Vector3d spin = 150.0 * axis;
  const auto end_after = [&](double duration) {
    const SceneRun run = run_held(
        head(kAlongZ, duration) +
        fmt::format("[[body]]\nname = 'top'\nshape = {{ kind = 'sphere', radius = 0.05 }}\nmass = 0.5\n"
                    "inertia = [0.001, 0.001, 0.001]\nposition = [{}, 0, {}]\norientation = {{ bryan_deg = [0, 40, 0] "
                    "}}\nangular_velocity = [{}, 0, {}]\n",
                    centre * axis.x(), centre * axis.z(), spin.x(), spin.z()) +
        joint_text("tip", "spherical", "bodies = ['top']\npoint = [0, 0, 0]"));
    return run.body("top").position;
  };
  const double period = 0.30822587841772464;
  const auto tilt_of = [](const Vector3d& at) { return std::acos(at.normalized().z()) * 180.0 / pi; };
  EXPECT_NEAR(tilt_of(end_after(0.5 * period)), 53.27386859063915, 1e-8);
  const Vector3d end = end_after(period);
  EXPECT_NEAR(tilt_of(end), 40.0, 1e-8);
  EXPECT_NEAR(std::atan2(end.y(), end.x()), 1.1029429021550818, 1e-8);
}

/// Outer ring on a vertical axis, inner ring on a horizontal one, rotor; a potential τ cos θ on the inner ring, here by
/// a centre of mass that is off by h = τ/(m g).
TEST_P(Mechanism, AGyroscopeInGimbalsPrecesses) {
  const double tilt = 60.0 * pi / 180.0, off = 0.05 / kGravity;
  const Vector3d axis(0.0, -std::sin(tilt), std::cos(tilt));
  const auto ring = [&](const char* name, const Vector3d& inertia, const Vector3d& centre, double degrees,
                        double spin) {
    return fmt::format(
        "[[body]]\nname = '{}'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\ninertia = [{}, {}, {}]\n"
        "centre_of_mass = [0, 0, {}]\norientation = {{ bryan_deg = [{}, 0, 0] }}\n"
        "angular_velocity = [0, {}, {}]\ngroups = ['rings']\navoid = ['rings']\n",
        name, inertia.x(), inertia.y(), inertia.z(), centre.z(), degrees, spin * axis.y(), spin * axis.z());
  };
  const auto bearing = [](const char* name, const std::string& bodies, const Vector3d& along, double start) {
    return joint_text(name, "revolute",
                      fmt::format("bodies = [{}]\npoint = [0, 0, 0]\naxis = [{}, {}, {}]\nstart_deg = {}", bodies,
                                  along.x(), along.y(), along.z(), start));
  };
  const SceneRun run =
      run_held(head(kAlongZ, 0.8) + ring("outer", {0.0015, 0.0015, 0.002}, Vector3d::Zero(), 0.0, 0.0) +
               ring("inner", {0.001 - off * off, 0.0015 - off * off, 0.0012}, {0.0, 0.0, off}, 60.0, 0.0) +
               ring("rotor", {0.003, 0.003, 0.005}, Vector3d::Zero(), 60.0, 80.0) +
               bearing("azimuth", "'outer'", Vector3d::UnitZ(), 0.0) +
               bearing("elevation", "'inner', 'outer'", Vector3d::UnitX(), 60.0) +
               bearing("spin", "'rotor', 'inner'", axis, 0.0));
  EXPECT_NEAR(turn_at_end(run, 0), 0.09829878831231163, 1e-9);
  EXPECT_NEAR(turn_at_end(run, 1), 1.0492987491912555, 1e-9);
  EXPECT_NEAR(turn_at_end(run, 2), 63.95111099331326, 1e-8);  // ten whole turns and a bit
  const Vector3d along = run.body("rotor").orientation * Vector3d::UnitZ();
  EXPECT_NEAR(0.005 * run.body("rotor").angular_velocity.dot(along), 0.4, within(1e-11, 1e-10));
}

TEST_P(Mechanism, ASleeveOnAnInclinedAxisSlidesAndSpinsIndependently) {
  const double slope = 25.0 * pi / 180.0;
  const Vector3d along(std::cos(slope), 0.0, -std::sin(slope));
  const SceneRun run = run_held(
      head(kAlongZ, 0.5) +
      fmt::format("[[body]]\nname = 'wheel'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.02 }}\n"
                  "mass = 2\ninertia = [0.01, 0.02, 0.01]\nangular_velocity = [{}, 0, {}]\nposition = [0, 0.1, 0]\n",
                  7.0 * along.x(), 7.0 * along.z()) +
      joint_text("sleeve", "cylindrical",
                 fmt::format("bodies = ['wheel']\npoint = [0, 0.1, 0]\naxis = [{}, 0, {}]", along.x(), along.z())));
  EXPECT_NEAR(run.body("wheel").position.dot(along), 0.5182356434595328, within(1e-12, 1e-11));
  EXPECT_NEAR(run.body("wheel").angular_velocity.dot(along), 7.0, within(1e-11, 1e-10));
  EXPECT_NEAR(turn_at_end(run, 0), 3.5, within(1e-12, 1e-10));  // counted beyond half a turn
}

TEST_P(Mechanism, ARodOnABallJointGoesRoundACone) {
  const double tilt = 35.0 * pi / 180.0, length = 0.8, rate = 4.738630877377033;
  const Vector3d along(std::sin(tilt), 0.0, -std::cos(tilt));
  // It does not turn about its own axis.
  const Vector3d spin = rate * (Vector3d::UnitZ() - along * along.z());
  const Vector3d centre = 0.5 * length * along, velocity = spin.cross(centre);
  const SceneRun run = run_held(
      head(kAlongZ, 1.325949513640427) +
      fmt::format("[[body]]\nname = 'rod'\nshape = {{ kind = 'capsule', radius = 0.01, half_length = 0.4 }}\nmass = 1\n"
                  "inertia = [{0}, {0}, 1e-9]\nposition = [{1}, 0, {2}]\norientation = {{ bryan_deg = [0, -35, 0] }}\n"
                  "velocity = [{3}, {4}, {5}]\nangular_velocity = [{6}, {7}, {8}]\n"
                  "[[joint]]\nname = 'ball'\nkind = 'spherical'\nbodies = ['rod']\npoint = [0, 0, 0]\n",
                  length * length / 12.0, centre.x(), centre.z(), velocity.x(), velocity.y(), velocity.z(), spin.x(),
                  spin.y(), spin.z()));
  EXPECT_NEAR((run.body("rod").position - centre).norm(), 0.0, within(1e-9, 1e-8));
}

TEST_P(Mechanism, RodsWithoutMassHoldABarLikeASwing) {
  // Two parallel rods: the bar does not turn and swings as a point.
  const double length = 0.7, angle = 0.3;
  const Vector2d arm = length * Vector2d(std::sin(angle), -std::cos(angle));
  std::string text = head(kDown, 1.0) + text_of({"bar", arm, arm + Vector2d(0.5, 0.0)});
  for (int k = 0; k < 2; ++k)
    text += fmt::format(
        "[[joint]]\nname = 'rod-{0}'\nkind = 'rod'\nbodies = ['bar']\nanchors = [[0, 0, {1}], [{2}, 0, 0]]\n", k,
        k == 0 ? -0.25 : 0.25, 0.5 * k);
  text += "[[constraint]]\nkind = 'planar'\nbody = 'bar'\nnormal = [0, 0, 1]\n";
  const SceneRun run = run_held(text);
  EXPECT_NEAR(run.body("bar").angular_velocity.norm(), 0.0, within(1e-11, 1e-9));
  const Vector3d centre = run.body("bar").position - Vector3d(0.25, 0.0, 0.0);
  EXPECT_NEAR(centre.norm(), length, 1e-12);
  const double swing = std::atan2(centre.x(), -centre.y());
  const double speed = run.body("bar").velocity.norm();
  EXPECT_NEAR(0.5 * speed * speed, kGravity * length * (std::cos(swing) - std::cos(angle)), within(1e-11, 1e-9));
}

TEST_P(Mechanism, AGearSharesATorqueByItsRatio) {
  std::string text = head(kWeightless, 2.0);
  const double inertia[] = {0.3, 0.05};
  for (int k = 0; k < 2; ++k)
    text += fmt::format(
        "[[body]]\nname = 'wheel-{0}'\nshape = {{ kind = 'cylinder', radius = 0.1, half_length = 0.01 }}\nmass = 1\n"
        "inertia = [{1}, {1}, {1}]\nposition = [{0}, 0, 0]\n{2}[[joint]]\nname = 'bearing-{0}'\nkind = 'revolute'\n"
        "bodies = ['wheel-{0}']\npoint = [{0}, 0, 0]\naxis = [0, 0, 1]\n",
        k, inertia[k], kAlone);
  text +=
      "[[joint]]\nname = 'teeth'\nkind = 'gear'\njoints = ['bearing-0', 'bearing-1']\nratio = -0.4\n"
      "[[load]]\nbody = 'wheel-0'\ntorque = [0, 0, 1.5]\n";
  const SceneRun run = run_held(text);
  EXPECT_NEAR(run.body("wheel-0").angular_velocity.z(), 2.0 * 2.4489795918367343, within(1e-11, 1e-9));
  EXPECT_NEAR(run.body("wheel-1").angular_velocity.z(), -2.0 * 6.122448979591836, within(1e-11, 1e-9));
  EXPECT_NEAR(turn_at_end(run, 0), 2.0 * 2.4489795918367343, within(1e-10, 1e-9));
  EXPECT_NEAR(turn_at_end(run, 1), -2.0 * 6.122448979591836, within(1e-10, 1e-9));
}

TEST_P(Mechanism, AWeldMovesAsOneBody) {
  // Two balls welded, thrown with a spin: the centre of mass flies a parabola, the distance stays, and the spin about
  // a principal axis stays.
  const SceneRun run =
      run_held(head(kAlongZ, 1.0) +
               "[[body]]\nname = 'a'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nposition = [-0.2, 0, 0]\n"
               "velocity = [0, -1, 3]\nangular_velocity = [0, 0, 5]\n"
               "[[body]]\nname = 'b'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nposition = [0.1, 0, 0]\n"
               "velocity = [0, 0.5, 3]\nangular_velocity = [0, 0, 5]\n"
               "[[joint]]\nname = 'weld'\nkind = 'fixed'\nbodies = ['a', 'b']\npoint = [0, 0, 0]\n");
  const Vector3d centre = (run.body("a").position + 2.0 * run.body("b").position) / 3.0;
  EXPECT_NEAR((centre - Vector3d(0.0, 0.0, 3.0 - 0.5 * kGravity)).norm(), 0.0, within(1e-12, 1e-11));
  for (const char* name : {"a", "b"}) EXPECT_NEAR(run.body(name).angular_velocity.z(), 5.0, within(1e-12, 1e-11));
  EXPECT_NEAR(turned(run, "a"), std::remainder(5.0, 2.0 * pi), within(1e-12, 1e-10));
}

}  // namespace
}  // namespace carom::test
