/// Impacts through joints: what the joints bear, against closed forms and independent integrations.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kKnob = 0.01;  ///< radius of the balls by which bars touch walls

/// A thin uniform bar that touches with a small ball at its far end only.
struct KnobbedBar {
  std::string name;
  Vector2d from, to;
  double mass = 1.0;
  double inertia = -1.0;
  double rate = 0.0;
  Vector2d velocity = Vector2d::Zero();  ///< of the centre of mass
  double centre = 0.5;                   ///< where the centre of mass is, from 0 to 1

  [[nodiscard]] std::string text() const {
    const Vector2d along = to - from, at = from + centre * along;
    const double moment = inertia < 0.0 ? mass * along.squaredNorm() / 12.0 : inertia;
    const Vector2d back = at - to;
    return fmt::format(
        "[[body]]\nname = '{}'\nshape = {{ kind = 'sphere', radius = {} }}\nmass = {}\ninertia = [{}, {}, {}]\n"
        "centre_of_mass = [{}, {}, 0]\nposition_of = 'centre_of_mass'\nposition = [{}, {}, 0]\nvelocity = [{}, {}, 0]\n"
        "angular_velocity = [0, 0, {}]\nmaterial = 'steel'\n",
        name, kKnob, mass, moment, moment, moment, back.x(), back.y(), at.x(), at.y(), velocity.x(), velocity.y(),
        rate);
  }
};

/// A wall whose free side is along the normal, which the centre of a knob meets at `at`.
std::string wall(const Vector2d& normal, const Vector2d& at, double restitution) {
  const Vector2d point = at - kKnob * normal;
  return fmt::format(
      "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nrestitution = {}\n"
      "[[plane]]\nname = 'wall'\nnormal = [{}, {}, 0]\npoint = [{}, {}, 0]\nmaterial = 'steel'\n",
      restitution, normal.x(), normal.y(), point.x(), point.y());
}

TEST(ImpactThroughJoints, APendulumMeetsAStopAndItsHingeBearsHalf) {
  const double restitution = 0.7;
  const double times[] = {0.48333371359331134, 1.3608340994719264, 2.2061991005821007, 3.0376318854882993};
  double rate = 5.424942396007538;
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 3.2) + wall({1.0, 0.0}, {0.0, -1.0}, restitution) +
                                                 KnobbedBar{"rod", {0.0, 0.0}, {1.0, 0.0}}.text() +
                                                 hinge("hinge", "'rod'", {0.0, 0.0})));
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 4u);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].record.time, times[k], 1e-10);
    const ContactRecord& contact = impacts[k].contacts.at(0);
    EXPECT_NEAR(contact.rate_before, -rate, 1e-9);
    EXPECT_NEAR(contact.rate_after, restitution * rate, 1e-9);
    EXPECT_NEAR(contact.impulse, (1.0 + restitution) * rate / 3.0, 1e-9);
    ASSERT_EQ(impacts[k].joints.size(), 1u);
    EXPECT_NEAR(impacts[k].joints[0].force.x(), 0.5 * contact.impulse, 1e-9);
    EXPECT_NEAR(impacts[k].joints[0].force.y(), 0.0, 1e-9);
    EXPECT_NEAR(impacts[k].joints[0].couple.norm(), 0.0, 1e-12);
    rate *= restitution;
  }
}

TEST(ImpactThroughJoints, DryFrictionTakesNoPartInAnImpact) {
  // The pendulum with a stop again, with friction in its hinge; it sticks before it has come down to the stop.
  const double times[] = {0.46965709076923723, 1.3285586161737613, 2.170069638034612, 3.0153769515978515,
                          3.9686502167530766};
  const double rates[] = {4.143094534814854, 2.8301059275718874, 1.7858400686608031, 0.9479152036285264,
                          0.22352934709048972};
  const double angle = 70.0 * pi / 180.0;
  const SceneRun run = run_scene(scene_from_text(
      mechanism(kGravity, 5.0) + wall({1.0, 0.0}, {0.0, -1.0}, 0.8) +
      KnobbedBar{"rod", {0.0, 0.0}, {std::sin(angle), -std::cos(angle)}}.text() + hinge("hinge", "'rod'", {0.0, 0.0}) +
      "start_deg = 70\nfriction = { kinetic = 0.3, static = 0.4 }\n"));
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 5u);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].record.time, times[k], 1e-9);
    EXPECT_NEAR(impacts[k].contacts.at(0).rate_before, -rates[k], 1e-9);
    EXPECT_NEAR(impacts[k].contacts.at(0).rate_after, 0.8 * rates[k], 1e-9);
  }
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], 0.015740134984348463, 1e-10);
  EXPECT_NEAR(run.body("rod").angular_velocity.norm(), 0.0, 1e-13);
}

TEST(ImpactThroughJoints, APendulumComesToRestOnAStop) {
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 4.0) + wall({1.0, 0.0}, {0.6, -0.8}, 0.5) +
                                                 KnobbedBar{"rod", {0.0, 0.0}, {1.0, 0.0}}.text() +
                                                 hinge("hinge", "'rod'", {0.0, 0.0})));
  expect_held(run);
  EXPECT_EQ(run.of_kind(EventKind::rest).size(), 1u);
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], -std::atan2(0.8, 0.6), 1e-11);
  EXPECT_EQ(run.body("rod").angular_velocity.norm(), 0.0);
}

TEST(ImpactThroughJoints, TheCentreOfPercussionSparesTheHinge) {
  // A rod of length 1 turns about its end and strikes at d: the hinge bears P(3d/2L − 1).
  for (const double d : {0.25, 0.5, 2.0 / 3.0, 0.8, 1.0}) {
    KnobbedBar rod{"rod", {0.0, 0.0}, {0.0, -d}};
    rod.inertia = 1.0 / 12.0;
    rod.centre = 0.5 / d;
    rod.rate = -2.0;
    rod.velocity = {-1.0, 0.0};
    const SceneRun run = run_scene(scene_from_text(mechanism(0.0, 0.1) + wall({1.0, 0.0}, {-1e-3, -d}, 0.5) +
                                                   rod.text() + hinge("hinge", "'rod'", {0.0, 0.0})));
    ASSERT_EQ(run.impacts().size(), 1u);
    const KeptEvent impact = run.impacts()[0];
    EXPECT_NEAR(impact.joints.at(0).force.x() / impact.contacts.at(0).impulse, 1.5 * d - 1.0, 1e-5);
  }
}

struct Strike {
  double time, before, impulse;
  double joints[4];  ///< on the upper bar: from the ground and from the lower bar
};

TEST(ImpactThroughJoints, ADoublePendulumStrikesAWallWithItsTipAndItsElbow) {
  const Vector2d elbow = Vector2d(std::cos(-0.3), std::sin(-0.3));
  const Vector2d tip = elbow + 0.8 * Vector2d(std::cos(-0.1), std::sin(-0.1));
  const Strike strikes[] = {{0.6145886870993021,
                             -7.728029844500072,
                             2.5696510571832323,
                             {-0.24179304587253636, -1.358641045859747, -0.6217046504082993, 1.3291670420413726}},
                            {0.6705517288346691,
                             -3.5606923644748973,
                             3.6155599139988146,
                             {0.5699787699957922, -2.053174267464301, -1.3369847924146887, 1.471715639198457}}};
  for (const char* law : kLaws) {
    const SceneRun run = run_scene(
        scene_from_text(mechanism(kGravity, 1.6, law) + wall({1.0, 0.0}, {-0.2, 0.0}, 0.6) +
                        KnobbedBar{"upper", {0.0, 0.0}, elbow}.text() + KnobbedBar{"lower", elbow, tip, 0.6}.text() +
                        hinge("shoulder", "'upper'", {0.0, 0.0}) + hinge("elbow", "'upper', 'lower'", elbow)));
    expect_held(run);
    const std::vector<KeptEvent> impacts = run.impacts();
    ASSERT_EQ(impacts.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      const Strike& strike = strikes[k];
      EXPECT_NEAR(impacts[k].record.time, strike.time, 1e-9);
      EXPECT_NEAR(impacts[k].contacts.at(0).rate_before, strike.before, 1e-8);
      EXPECT_NEAR(impacts[k].contacts.at(0).impulse, strike.impulse, 1e-8);
      ASSERT_EQ(impacts[k].joints.size(), 2u);
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(impacts[k].joints[j].force.x(), strike.joints[2 * j], 1e-8);
        EXPECT_NEAR(impacts[k].joints[j].force.y(), strike.joints[2 * j + 1], 1e-8);
      }
    }
    const Vector3d spin = run.body("lower").angular_velocity;
    EXPECT_NEAR(spin.z(), -2.4424132685150495, 1e-7);
    EXPECT_NEAR(run.body("upper").angular_velocity.z(), -1.4157016601547359, 1e-7);
  }
}

/// Balanced crank, uniform coupler, slider that strikes a stop. Between impacts I(θ)ω² is constant, and ω⁺ = −eω⁻.
TEST(ImpactThroughJoints, ASliderCrankStrikesAStop) {
  const double times[] = {0.30391826592655863, 1.063713930742955, 2.0134585117634503, 3.200639238039069};
  const double impulses[] = {3.408337250736363, 2.7266698005890904, 2.181335840471273, 1.7450686723770181};
  const double pin[][2] = {{-2.486763277278003, -0.30209910027388576}, {-1.9894106218224592, 0.24167928021911161}};
  const auto ball = [](const std::string& name, double mass, double inertia, double x, const std::string& more) {
    return fmt::format(
        "[[body]]\nname = '{0}'\nshape = {{ kind = 'sphere', radius = {1} }}\nmass = {2}\n"
        "inertia = [{3}, {3}, {3}]\nposition = [{4}, 0, 0]\nmaterial = 'steel'\n{5}",
        name, kKnob, mass, inertia, x, more);
  };
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 3.3) + wall({-1.0, 0.0}, {0.38, 0.0}, 0.8) +
      ball("crank", 1.0, 0.01, 0.0, "angular_velocity = [0, 0, 10]\n") +
      text_of({"coupler", {-0.1, 0.0}, {0.2, 0.0}, 0.4, 10.0 / 3.0, {0.0, -0.5}}) + ball("slider", 0.5, 1e-3, 0.2, "") +
      hinge("axle", "'crank'", {0.0, 0.0}) + hinge("pin", "'crank', 'coupler'", {-0.1, 0.0}) +
      hinge("wrist", "'coupler', 'slider'", {0.2, 0.0}) +
      "[[joint]]\nname = 'guide'\nkind = 'prismatic'\nbodies = ['slider']\npoint = [0.2, 0, 0]\naxis = [1, 0, 0]\n"));
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 4u);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].record.time, times[k], 1e-9);
    EXPECT_NEAR(impacts[k].contacts.at(0).impulse, impulses[k], 1e-8);
    if (k >= 2) continue;
    ASSERT_EQ(impacts[k].joints.size(), 4u);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(impacts[k].joints[1].force[i], pin[k][i], 1e-8);
      EXPECT_NEAR(impacts[k].joints[0].force[i], -pin[k][i], 1e-8);
    }
  }
}

TEST(ImpactThroughJoints, AChainOfThreeRodsFallsOnAFloorNodeByNode) {
  struct Landing {
    double time, before, impulse, joints[4];
  };
  const Landing landings[] = {{0.33862489380372346,
                               -3.321910208214517,
                               1.908689227333445,
                               {-0.5947537444656357, -0.11875752188323085, -0.7307127018172133, -0.7518210137497274}},
                              {0.34860611525460394,
                               -3.5798462351045823,
                               0.9109893541576801,
                               {-0.37850431845032545, 0.22278620259996373, -0.21509930932602203, 0.003405880562256206}},
                              {0.3526719708384682,
                               -5.936342359295444,
                               1.2929644001116294,
                               {0.09490422563350202, 0.08779208621694463, 0.014453896853740099, -0.35438158087942656}},
                              {0.3726140557932489,
                               -5.140394464839335,
                               2.1496990332677153,
                               {-0.4124002795258311, -1.1343128997910117, -0.2730085083811484, 0.2562159495166726}},
                              {0.3868777170439574,
                               -2.015612905644939,
                               0.9195614668245644,
                               {-0.18871261482294596, -0.10025247600170084, -0.28383087137035995, -0.4572756337045585}},
                              {0.40449698628495984,
                               -1.5425192879432708,
                               0.35158030807334867,
                               {-0.0950511917765735, 0.0927801576151244, -0.05835227049917123, -0.02355879635162376}}};
  Vector2d node[4] = {{0.0, 0.6}};
  const double angles[] = {0.3, -0.4, 0.2};
  for (int k = 0; k < 3; ++k) node[k + 1] = node[k] + 0.4 * Vector2d(std::cos(angles[k]), std::sin(angles[k]));
  // The first bar has a knob at both ends, the others one each, so that a node is one contact.
  const Vector2d half = 0.5 * (node[1] - node[0]), middle = 0.5 * (node[0] + node[1]);
  const std::string first = fmt::format(
      "[[body]]\nname = 'bar-0'\nmaterial = 'steel'\nposition = [{0}, {1}, 0]\ninertia = [{2}, {2}, {2}]\n"
      "shape = {{ kind = 'compound', parts = [\n"
      "  {{ kind = 'sphere', radius = {3}, mass = 0.25, position = [{4}, {5}, 0] }},\n"
      "  {{ kind = 'sphere', radius = {3}, mass = 0.25, position = [{6}, {7}, 0] }} ] }}\n",
      middle.x(), middle.y(), 0.5 * 0.16 / 12.0, kKnob, -half.x(), -half.y(), half.x(), half.y());
  const SceneRun run = run_scene(scene_from_text(
      mechanism(kGravity, 0.405) + wall({0.0, 1.0}, {0.0, 0.0}, 0.5) + first +
      KnobbedBar{"bar-1", node[1], node[2], 0.5}.text() + KnobbedBar{"bar-2", node[2], node[3], 0.5}.text() +
      hinge("hinge-1", "'bar-0', 'bar-1'", node[1]) + hinge("hinge-2", "'bar-1', 'bar-2'", node[2])));
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 6u);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    const Landing& landing = landings[k];
    EXPECT_NEAR(impacts[k].record.time, landing.time, 1e-9);
    EXPECT_NEAR(impacts[k].contacts.at(0).rate_before, landing.before, 1e-8);
    EXPECT_NEAR(impacts[k].contacts.at(0).impulse, landing.impulse, 1e-8);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(impacts[k].joints.at(j).force.x(), landing.joints[2 * j], 1e-8);
      EXPECT_NEAR(impacts[k].joints.at(j).force.y(), landing.joints[2 * j + 1], 1e-8);
    }
  }
}

}  // namespace
}  // namespace carom::test
