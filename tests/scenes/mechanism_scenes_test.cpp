/// What the shipped scenes with mechanisms show, each by its point.

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

double last_turn(const SceneRun& run, int joint) {
  return run.result.final_state.turns[JointIndex(joint)][0];
}

TEST(MechanismScenes, APendulumStrikesAStop) {
  const SceneRun run = run_shipped("pendulum-against-a-stop");
  expect_held(run);
  const double times[] = {0.48333371359331134, 1.3608340994719264, 2.2061991005821007, 3.0376318854882993,
                          3.8626043439311717};
  double rate = 5.424942396007538;
  ASSERT_GE(run.impacts().size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    const KeptEvent impact = run.impacts()[k];
    EXPECT_NEAR(impact.record.time, times[k], 1e-9);
    EXPECT_NEAR(impact.contacts.at(0).impulse, 1.7 * rate / 3.0, 1e-9);
    EXPECT_NEAR(impact.joints.at(0).force.norm(), 1.7 * rate / 2.0, 1e-9);
    rate *= 0.7;
  }
}

TEST(MechanismScenes, StrikeAsTheyDoWhereTheIntegrationIsCoarse) {
  // Of the walker one foot rests on the floor meanwhile.
  for (const char* const scene : {"pendulum-against-a-stop", "compass-walker"}) {
    const SceneRun exact = run_shipped(scene, {"run.duration=3"});
    for (const char* const tolerance : {"1e-9", "1e-8", "1e-7"}) {
      SCOPED_TRACE(std::string(scene) + " at " + tolerance);
      const SceneRun run =
          run_shipped(scene, {"run.duration=3", std::string("run.integration_tolerance=") + tolerance});
      expect_ended(run);
      ASSERT_EQ(run.impacts().size(), exact.impacts().size());
      EXPECT_NEAR(run.impacts().back().record.time, exact.impacts().back().record.time, 1e2 * std::stod(tolerance));
    }
  }
}

TEST(MechanismScenes, ADoublePendulumSwingsFree) {
  const SceneRun run = run_shipped("double-pendulum", {"run.duration=2"});
  expect_held(run);
  const double upper = last_turn(run, 0), lower = upper + last_turn(run, 1) + pi / 6.0;
  EXPECT_NEAR(upper, -1.387732001012518, 1e-10);
  EXPECT_NEAR(lower, -0.232730674412333, 1e-10);
  EXPECT_NEAR(run.body("upper").angular_velocity.y(), -3.5606441444051464, 1e-10);
  EXPECT_NEAR(run.body("lower").angular_velocity.y(), -7.6714389184464755, 1e-10);
  EXPECT_NEAR(run.result.energy.now.total(), 1.1772, 1e-12);
  EXPECT_TRUE(run.events.empty());
}

TEST(MechanismScenes, ADoublePendulumStrikesAWallUnderEveryLaw) {
  for (const char* law : kLaws) {
    const SceneRun run = run_shipped("double-pendulum-against-a-wall", {std::string("run.law=") + law});
    expect_held(run);
    ASSERT_GE(run.impacts().size(), 2u);
    const KeptEvent first = run.impacts()[0];
    EXPECT_NEAR(first.record.time, 0.6145886870993021, 1e-9);
    EXPECT_NEAR(first.contacts.at(0).impulse, 2.5696510571832323, 1e-8);
    ASSERT_EQ(first.joints.size(), 2u);
    EXPECT_NEAR(first.joints[0].force.x(), -0.24179304587253636, 1e-8);
    EXPECT_NEAR(first.joints[1].force.z(), 1.3291670420413726, 1e-8);
  }
}

TEST(MechanismScenes, ASliderCrankStrikesAStop) {
  const SceneRun run = run_shipped("slider-crank-with-a-stop");
  expect_held(run);
  const double times[] = {0.30391826592655863, 1.063713930742955, 2.0134585117634503};
  const double impulses[] = {3.408337250736363, 2.7266698005890904};
  ASSERT_EQ(run.impacts().size(), 4u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(run.impacts()[k].record.time, times[k], 1e-9);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(run.impacts()[k].contacts.at(0).impulse, impulses[k], 1e-8);
  EXPECT_NEAR(run.impacts()[0].joints.at(1).force.x(), -2.486763277278003, 1e-8);
}

TEST(MechanismScenes, AMotorTurnsAFourBar) {
  const SceneRun run = run_shipped("four-bar-with-motor", {"run.duration=0.3"});
  expect_held(run);
  EXPECT_NEAR(run.body("coupler").angular_velocity.y(), -0.4587179932159298, 1e-9);
  EXPECT_NEAR(run.body("rocker").angular_velocity.y(), -3.038405769718884, 1e-9);
  EXPECT_NEAR(last_turn(run, 0), 2.4, 1e-12);
}

TEST(MechanismScenes, ABeadIsFlungOutAndStrikesTheEnd) {
  const SceneRun early = run_shipped("bead-on-a-driven-rod", {"run.duration=0.6"});
  expect_held(early);
  EXPECT_NEAR(early.body("bead").position.norm(), 0.6214946352634532, 1e-10);
  EXPECT_NEAR(early.result.energy.motor_work, 1.5581501174756371, 1e-10);
  const SceneRun run = run_shipped("bead-on-a-driven-rod");
  expect_held(run);
  const KeptEvent strike = run.impacts().at(0);
  EXPECT_NEAR(strike.record.time, std::acosh(4.0) / 3.0, 1e-9);
  EXPECT_NEAR(strike.contacts.at(0).impulse, 0.5 * 1.5 * 0.6 * std::sinh(std::acosh(4.0)), 1e-9);
  ASSERT_EQ(run.of_kind(EventKind::rest).size(), 1u);
  EXPECT_NEAR(run.body("bead").position.norm(), 0.8, 1e-10);
}

TEST(MechanismScenes, ARimlessWheelFindsItsLimitCycle) {
  const SceneRun run = run_shipped("rimless-wheel");
  expect_ended(run);
  const double times[] = {0.6652084723917288, 1.4607071374405491, 2.333813760175267, 3.243894641019371};
  const double after[] = {1.4194424243886492, 1.324945874785052, 1.2873506832809773, 1.2728235969088677};
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 12u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(impacts[k].record.time, times[k], 1e-9);
    EXPECT_NEAR(impacts[k].jumps.at(0).angular_velocity_after.y(), after[k], 1e-9);
  }
  // The distance from the cycle shrinks by η² = (8/13)² a step.
  EXPECT_NEAR(impacts.back().jumps.at(0).angular_velocity_after.y(), 1.2638870902090709, 5e-6);
  EXPECT_NEAR(impacts.back().record.time - impacts[impacts.size() - 2].record.time, 0.9354690156302303, 1e-5);
}

TEST(MechanismScenes, AGyroscopePrecesses) {
  const SceneRun run = run_shipped("gyroscope-in-gimbals", {"run.duration=0.8"});
  expect_held(run);
  EXPECT_NEAR(last_turn(run, 0), 0.09829878831231163, 1e-9);
  EXPECT_NEAR(last_turn(run, 1), 1.0492987491912555, 1e-9);
  EXPECT_NEAR(last_turn(run, 2), 63.95111099331326, 1e-8);
}

TEST(MechanismScenes, AHeavyTopNodsAndGoesRound) {
  const double period = 0.30822587841772464;
  const auto tilt = [](const SceneRun& run) {
    return std::acos(run.body("top").position.normalized().z()) * 180.0 / pi;
  };
  EXPECT_NEAR(tilt(run_shipped("heavy-top", {setting("run.duration", 0.5 * period)})), 53.27386859063915, 1e-8);
  const SceneRun whole = run_shipped("heavy-top", {setting("run.duration", period)});
  expect_held(whole);
  EXPECT_NEAR(tilt(whole), 40.0, 1e-8);
  const Vector3d end = whole.body("top").position;
  EXPECT_NEAR(std::atan2(end.y(), end.x()), 1.1029429021550818, 1e-8);
}

TEST(MechanismScenes, AUniversalJointGoesToAndFro) {
  const SceneRun run = run_shipped("universal-joint", {"run.duration=0.13"});
  expect_held(run);
  EXPECT_NEAR(run.body("output").angular_velocity.norm(), 8.81799838047188, 1e-9);
  const SceneRun whole = run_shipped("universal-joint");
  double least = 1e9, most = 0.0;
  for (const State& sample : whole.samples) {
    least = std::min(least, sample.bodies[std::size_t{1}].angular_velocity.norm());
    most = std::max(most, sample.bodies[std::size_t{1}].angular_velocity.norm());
  }
  EXPECT_NEAR(least, 10.0 * std::cos(pi / 6.0), 1e-2);
  EXPECT_NEAR(most, 10.0 / std::cos(pi / 6.0), 1e-2);
  EXPECT_GE(least, 10.0 * std::cos(pi / 6.0) - 1e-9);
}

TEST(MechanismScenes, ACompassWalksAHundredStepsLikePointMasses) {
  const SceneRun run = run_shipped("compass-walker", {"run.duration=75", "run.output_step=1"});
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 100u);
  for (std::size_t k = 10; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].record.time - impacts[k - 1].record.time, 0.7343463911587197, 0.02 * 0.7343463911587197);
    EXPECT_NE(int{impacts[k].contacts.at(0).a}, int{impacts[k - 1].contacts.at(0).a});  // by turns
    EXPECT_NEAR(impacts[k].contacts.at(0).impulse, 13.57968031462571, 0.02 * 13.57968031462571);
  }
}

TEST(MechanismScenes, ATrebuchetThrowsItsStone) {
  const SceneRun run = run_shipped("trebuchet");
  EXPECT_EQ(run.result.stop, RunStop::scripted);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
  ASSERT_EQ(run.of_kind(EventKind::scripted).size(), 2u);
  ASSERT_EQ(run.of_kind(EventKind::release).size(), 1u);  // it was dragged over the ground before
  const double opened = run.of_kind(EventKind::scripted)[0].record.time, landed = run.result.final_state.time;
  EXPECT_NEAR(run.body("stone").position.x(), 148.67, 0.01);
  // From the sling on it flies alone, with the velocity across that it lands with.
  const State* first = nullptr;
  for (const State& sample : run.samples)
    if (first == nullptr && sample.time > opened) first = &sample;
  ASSERT_NE(first, nullptr);
  const BodyState& flying = first->bodies[std::size_t{2}];
  const double flight = landed - first->time;
  EXPECT_NEAR(flying.position.x() + flight * flying.velocity.x(), run.body("stone").position.x(), 1e-9);
  EXPECT_NEAR(flying.position.z() + flight * flying.velocity.z() - 0.5 * kGravity * flight * flight, 0.1, 1e-9);
}

TEST(MechanismScenes, AChainLandsHingeByHinge) {
  const SceneRun run = run_shipped("chain-of-rods-dropped");
  expect_held(run);
  ASSERT_GT(run.impacts().size(), 20u);
  double across = 0.0;
  for (const BodyState& body : run.result.final_state.bodies) across += 0.2 * body.velocity.x();
  EXPECT_NEAR(across, 0.0, 1e-12);
  for (const BodyState& body : run.result.final_state.bodies) EXPECT_GT(body.position.z(), 0.0);
  // All joints take part in each impact.
  for (const KeptEvent& impact : run.impacts()) EXPECT_EQ(impact.joints.size(), 5u);
}

TEST(MechanismScenes, ACradleOnStringsSendsOneBallOut) {
  const SceneRun run = run_shipped("cradle-on-strings");
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 4u);
  const double speed = std::sqrt(2.0 * kGravity * (1.0 - std::cos(40.0 * pi / 180.0)));
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    ASSERT_EQ(impacts[k].contacts.size(), 4u);
    for (const ContactRecord& contact : impacts[k].contacts) EXPECT_NEAR(contact.impulse, speed, 1e-10);
    ASSERT_EQ(impacts[k].joints.size(), 10u);
    for (const JointRecord& joint : impacts[k].joints) EXPECT_NEAR(joint.force.norm(), 0.0, 1e-10);
  }
  // Half a period of the pendulum between two impacts.
  const double half = impacts[1].record.time - impacts[0].record.time;
  EXPECT_NEAR(half, 2.0 * impacts[0].record.time, 1e-9);
}

TEST(MechanismScenes, AGripperHoldsABallAndDropsIt) {
  const SceneRun run = run_shipped("gripper");
  expect_held(run);
  for (const State& sample : run.samples) {
    const double falls = std::max(sample.time - 0.5, 0.0);
    EXPECT_NEAR(sample.bodies[std::size_t{0}].position.z(), -0.5 * kGravity * falls * falls, 1e-11);
  }
  EXPECT_EQ(run.of_kind(EventKind::release).size(), 3u);
  EXPECT_EQ(run.of_kind(EventKind::rest).size(), 3u);         // the fingers, on the limits of their slides
  EXPECT_NEAR(run.impacts().at(0).record.time, 0.54, 1e-10);  // 0.04 m at 50 m/s²
}

TEST(MechanismScenes, AHubRattlesInItsBacklash) {
  const SceneRun run = run_shipped("gear-pair-with-backlash");
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 7u);
  double relative = 4.0, time = pi / 180.0 / 4.0;
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].record.time, time, 1e-9);
    EXPECT_NEAR(impacts[k].contacts.at(0).rate_before, -relative, 1e-10);
    EXPECT_EQ(impacts[k].contacts.at(0).limit.side, k % 2 == 0 ? LimitSide::upper : LimitSide::lower);
    relative *= 0.5;
    time += pi / 90.0 / relative;
  }
  // What turns is kept, as the first axle sees it.
  const double wheels = 0.01 + 0.05 * 6.25;
  EXPECT_NEAR(0.04 * run.body("hub").angular_velocity.y() + wheels * run.body("first").angular_velocity.y(), 0.16,
              1e-11);
  EXPECT_NEAR(run.body("second").angular_velocity.y(), -2.5 * run.body("first").angular_velocity.y(), 1e-10);
}

/// Times between the last two strokes of the beak, and how far the toy fell meanwhile.
std::pair<double, double> last_stroke(const SceneRun& run) {
  std::vector<std::pair<double, double>> strokes;
  for (const KeptEvent& impact : run.impacts())
    for (const ContactRecord& contact : impact.contacts)
      if (run.scene.model.name(contact.a) == "woodpecker") strokes.emplace_back(impact.record.time, contact.point.z());
  if (strokes.size() < 2) return {};
  const auto &last = strokes.back(), &before = strokes[strokes.size() - 2];
  return {last.first - before.first, before.second - last.second};
}

/// The linear model: mechanism oracle M20. Nothing of the scene is fitted; what is left of the difference is that its
/// levers turn.
TEST(MechanismScenes, AWoodpeckerPecksItsWayDownLikeTheLinearModel) {
  const SceneRun run = run_shipped("woodpecker");
  expect_held(run);
  const auto [period, fallen] = last_stroke(run);
  EXPECT_NEAR(period, 0.14597606514375433, 0.003 * 0.146);
  EXPECT_NEAR(fallen, 0.019445379284717176, 0.02 * 0.01945);
  using enum EventKind;
  const std::pair<EventKind, double> first_period[] = {
      {impact, 0.0005795215383521317}, {release, 0.0024342123323964713}, {impact, 0.037722623020521664},
      {impact, 0.040451357051783966},  {stick, 0.08657147920465397},     {slip, 0.1261648862041168},
      {release, 0.13198564343892671},  {impact, 0.1428747114847615},     {impact, 0.14597606514375433}};
  std::size_t k = 0;
  for (const KeptEvent& event : run.events) {
    if (event.record.kind == contact_start || k == std::size(first_period)) continue;
    EXPECT_EQ(event.record.kind, first_period[k].first) << k;
    EXPECT_NEAR(event.record.time, first_period[k].second, 1.5e-3) << k;
    ++k;
  }
  EXPECT_EQ(k, std::size(first_period));
}

/// During its stroke the beak slips down and then up, which friction follows in a contact that lasts: it comes back
/// with less of its speed than by an impulse that is judged by the slip afterwards.
TEST(MechanismScenes, AWoodpeckerPecksMoreSlowlyWithStiffContacts) {
  for (const char* const stiffness : {"1e8", "1e10"}) {
    const SceneRun run = run_shipped("woodpecker", {"run.engine=smooth", std::string("pair.0.stiffness=") + stiffness,
                                                    std::string("pair.1.stiffness=") + stiffness});
    expect_ended(run);
    std::vector<double> strokes;
    for (const KeptEvent& event : run.of_kind(EventKind::contact_start))
      for (const ContactRecord& contact : event.contacts)
        if (run.scene.model.name(contact.a) == "woodpecker") strokes.push_back(event.record.time);
    ASSERT_GE(strokes.size(), 5u);
    EXPECT_NEAR(strokes.back() - strokes[strokes.size() - 3], 2.0 * 0.1642, 0.01 * 0.328) << stiffness;
  }
}

TEST(MechanismScenes, ARattlebackTurnsBackFromOneWayOnly) {
  const auto spin = [](const SceneRun& run) { return run.body("stone").angular_velocity.z(); };
  const SceneRun wrong = run_shipped("rattleback");
  expect_ended(wrong);
  EXPECT_GT(spin(wrong), 3.0);
  const SceneRun right = run_shipped("rattleback", {"body.stone.angular_velocity=[0, 0, 5]"});
  EXPECT_GT(spin(right), 4.5);
}

}  // namespace
}  // namespace carom::test
