/// Contacts of joined bodies in the compliant engine.

#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

TEST(CompliantMechanism, APendulumThatBouncesOffAWallKeepsItsEnergyAndItsHinge) {
  const auto run_with = [](const std::string& normal, double e) {
    return run_kept(
        smooth_head(kGravity, 1.2, 1e-10) +
        fmt::format("[[material]]\nname = 'steel'\nyoung = 2e9\npoisson = 0.3\n[[pair]]\nmaterials = ['steel', "
                    "'steel']\nrestitution = {}\nnormal = '{}'\n[[plane]]\nname = 'wall'\nnormal = [1, 0, 0]\n"
                    "point = [-0.05, 0, 0]\nmaterial = 'steel'\n[[body]]\nname = 'bob'\n"
                    "shape = {{ kind = 'sphere', radius = 0.05 }}\nmass = 1\nposition = [0.5, -0.5, 0]\n"
                    "material = 'steel'\n",
                    e, normal) +
        hinge("hinge", "'bob'", {0.0, 0.0}));
  };
  const SceneRun elastic = run_with("hertz", 1.0);
  ASSERT_GE(elastic.of_kind(EventKind::contact_end).size(), 1u);
  EXPECT_NEAR(elastic.result.energy.now.total(), elastic.result.energy.initial, 1e-7);
  // The stiff wall turns the pendulum round with the coefficient of restitution, as the rigid law says.
  const SceneRun damped = run_with("flores", 0.9);
  const std::vector<KeptEvent> ends = damped.of_kind(EventKind::contact_end);
  ASSERT_GE(ends.size(), 1u);
  EXPECT_NEAR(
      ends[0].contacts.at(0).rate_after / damped.of_kind(EventKind::contact_start)[0].contacts.at(0).rate_before, -0.9,
      0.02);
}

TEST(CompliantDryJoint, APendulumWithFrictionThatMeetsAStopSticksWhereTheRigidOneDoes) {
  // Stiff enough that contacts are short: both engines come to rest within a hundredth of a radian of each other.
  const std::string bodies =
      "[[material]]\nname = 'steel'\nyoung = 2e11\npoisson = 0.3\n[[pair]]\nmaterials = ['steel', 'steel']\n"
      "restitution = 1.0\n[[plane]]\nname = 'stop'\nnormal = [1, 0, 0]\npoint = [-0.05, 0, 0]\nmaterial = 'steel'\n"
      "[[body]]\nname = 'bob'\nshape = { kind = 'sphere', radius = 0.05 }\nmass = 1\nposition = [0.6, -0.8, 0]\n"
      "material = 'steel'\n" +
      hinge("hinge", "'bob'", {0.0, 0.0}) + "friction = { kinetic = 0.4, static = 0.5 }\n";
  const SceneRun compliant = run_kept(smooth_head(kGravity, 12.0, 1e-8) + bodies);
  const SceneRun rigid = run_kept(mechanism(kGravity, 12.0) + bodies);
  EXPECT_EQ(compliant.of_kind(EventKind::contact_start).size(), rigid.impacts().size());
  EXPECT_NEAR(turn_at_end(compliant, 0), turn_at_end(rigid, 0), 1e-2);
  EXPECT_NEAR(compliant.body("bob").velocity.norm(), 0.0, 1e-12);
}

/// A plate on four legs of welded balls, off its middle, on a floor.
std::string table_on_a_floor(const char* settle) {
  std::string text = smooth_head(0.0, 0.2, 1e-9) + fmt::format("settle = {}\n", settle) +
                     "[[material]]\nname = 'rubber'\nyoung = 1e9\npoisson = 0.4\n[[pair]]\nmaterials = ['rubber', "
                     "'rubber']\nnormal = 'hertz'\n[[plane]]\nname = 'floor'\nnormal = [0, 0, 1]\nmaterial = 'rubber'\n"
                     "[[body]]\nname = 'plate'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 8\n"
                     "position = [0.05, 0.02, 0.5]\nmaterial = 'rubber'\n" +
                     kAlone;
  text.replace(text.find("gravity = [0, -0, 0]"), 20, "gravity = [0, 0, -9.81]");
  for (int k = 0; k < 4; ++k)
    text += fmt::format(
        "[[body]]\nname = 'leg-{0}'\nshape = {{ kind = 'sphere', radius = 0.05 }}\nmass = 0.5\nmaterial = 'rubber'\n"
        "position = [{1}, {2}, 0.05]\n{3}[[joint]]\nname = 'weld-{0}'\nkind = 'fixed'\nbodies = ['leg-{0}', 'plate']\n"
        "point = [0, 0, 0.3]\n",
        k, k % 2 == 0 ? 0.3 : -0.3, k / 2 == 0 ? 0.2 : -0.2, kAlone);
  return text;
}

TEST(CompliantMechanism, JoinedBodiesThatRestOnAFloorBeginInBalance) {
  const auto fastest = [](const SceneRun& run) {
    double speed = 0.0;
    for (const State& sample : run.samples)
      for (const BodyState& body : sample.bodies) speed = std::max(speed, body.velocity.norm());
    return speed;
  };
  const SceneRun settled = run_kept(table_on_a_floor("true"));
  EXPECT_LE(fastest(settled), 1e-9);
  // The loads of the legs bear the weight: Hertz's F = K δ^1.5 with K = 4/3 E* √R.
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double depth = 0.05 - settled.body(fmt::format("leg-{}", k)).position.z();
    EXPECT_GT(depth, 0.0);
    sum += std::pow(depth, 1.5);
  }
  const double stiffness = 4.0 / 3.0 * (1e9 / (2.0 * (1.0 - 0.16))) * std::sqrt(0.05);
  EXPECT_NEAR(stiffness * sum, 10.0 * kGravity, 1e-6);
  // Without that they fall onto the floor and go on to bounce.
  EXPECT_GT(fastest(run_kept(table_on_a_floor("false"))), 1e-2);
}

TEST(CompliantMechanism, SpringsAndMotorsOfJointsHelpToBearWhatRests) {
  // A ball on a rail upright on a floor: K δ^1.5 = m g − F − k(0.02 + δ).
  const double stiffness = 1e8, spring = 200.0, force = 3.0;
  const SceneRun run = run_kept(
      smooth_head(kGravity, 0.2, 1e-9) +
      fmt::format("[[material]]\nname = 'rubber'\n[[pair]]\nmaterials = ['rubber', 'rubber']\nstiffness = {}\n",
                  stiffness) +
      "[[plane]]\nname = 'floor'\nnormal = [0, 1, 0]\nmaterial = 'rubber'\n"
      "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nmaterial = 'rubber'\n"
      "position = [0, 0.1, 0]\n"
      "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['ball']\npoint = [0, 0.1, 0]\naxis = [0, 1, 0]\n" +
      fmt::format("spring = {{ stiffness = {}, damping = 1, rest = 0.02 }}\nmotor = {{ force = {} }}\n", spring,
                  force));
  const double depth = 0.1 - run.body("ball").position.y();
  EXPECT_GT(depth, 0.0);
  EXPECT_NEAR(stiffness * std::pow(depth, 1.5), 2.0 * kGravity - force - spring * (0.02 + depth), 1e-8);
  for (const State& sample : run.samples) EXPECT_LE(sample.bodies[std::size_t{0}].velocity.norm(), 1e-9);
}

TEST(CompliantMechanism, JoinedBodiesPassThroughEachOtherUnlessTheyCollide) {
  // A knee that folds: the ball at its end would meet the upper body.
  const auto contacts = [](bool collide) {
    const SceneRun run = run_scene(scene_from_text(
        smooth_head(0.0, 2.0, 1e-8) +
        "[[material]]\nname = 'rubber'\nyoung = 1e7\npoisson = 0.4\n[[pair]]\nmaterials = ['rubber', 'rubber']\n"
        "[[body]]\nname = 'post'\nshape = { kind = 'sphere', radius = 0.2 }\nmass = 1000\nmaterial = 'rubber'\n"
        "[[body]]\nname = 'arm'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nposition = [1, 0, 0]\n"
        "velocity = [0, 1, 0]\nangular_velocity = [0, 0, 2]\nmaterial = 'rubber'\n" +
        hinge("knee", "'arm', 'post'", {0.5, 0.0}) + fmt::format("collide = {}\n", collide)));
    expect_held(run);
    return run.of_kind(EventKind::contact_start).size();
  };
  EXPECT_EQ(contacts(false), 0u);
  EXPECT_GE(contacts(true), 1u);
}

}  // namespace
}  // namespace carom::test
