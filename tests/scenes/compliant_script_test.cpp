/// Scripted events in the compliant engine: at the same instants as in the rigid one where no contact intervenes, with
/// the same effect.

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/error.h"
#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

const std::string kUnder = "engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = 1e-11\n";

/// The same text under both engines: the same scripted events, and the same end.
SceneRun run_both(double gravity, double duration, const std::string& text, double accuracy = 1e-9) {
  const SceneRun rigid = run_scene(scene_from_text(mechanism(gravity, duration) + text));
  SceneRun run = run_scene(scene_from_text(mechanism(gravity, duration) + kUnder + text));
  EXPECT_EQ(run.result.stop, rigid.result.stop) << (run.result.failure ? run.result.failure->reason : "");
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-9 * std::max(run.energy_scale, 1.0));
  const std::vector<KeptEvent> here = run.of_kind(EventKind::scripted), there = rigid.of_kind(EventKind::scripted);
  EXPECT_EQ(here.size(), there.size());
  for (std::size_t k = 0; k < std::min(here.size(), there.size()); ++k) {
    EXPECT_EQ(here[k].record.script, there[k].record.script);
    EXPECT_NEAR(here[k].record.time, there[k].record.time, accuracy);
    EXPECT_EQ(here[k].jumps.size(), there[k].jumps.size());
    EXPECT_NEAR(here[k].record.energy.change, there[k].record.energy.change, 100.0 * accuracy);
    EXPECT_NEAR(here[k].record.energy.change_from_impulses, here[k].record.energy.change, 1e-9);
    EXPECT_NEAR(there[k].record.energy.change_from_impulses, there[k].record.energy.change, 1e-9);
    EXPECT_EQ(here[k].joints.size(), there[k].joints.size());
    for (std::size_t j = 0; j < std::min(here[k].joints.size(), there[k].joints.size()); ++j) {
      EXPECT_NEAR(difference(here[k].joints[j].force, there[k].joints[j].force), 0.0, 100.0 * accuracy);
      EXPECT_NEAR(difference(here[k].joints[j].couple, there[k].joints[j].couple), 0.0, 100.0 * accuracy);
    }
  }
  EXPECT_NEAR(run.result.final_state.time, rigid.result.final_state.time, accuracy);
  for (const BodyIndex body : run.result.final_state.bodies.indices()) {
    const BodyState &one = run.result.final_state.bodies[body], &other = rigid.result.final_state.bodies[body];
    EXPECT_NEAR(difference(one.position, other.position), 0.0, 10.0 * accuracy);
    EXPECT_NEAR(difference(one.velocity, other.velocity), 0.0, 100.0 * accuracy);
    EXPECT_NEAR(difference(one.angular_velocity, other.angular_velocity), 0.0, 100.0 * accuracy);
  }
  return run;
}

const std::string kRod = text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) + hinge("hinge", "'rod'", {0.0, 0.0});

TEST(CompliantScript, AJointLetsGoAtATimeAndTheRodFliesOn) {
  const SceneRun run =
      run_both(0.0, 1.0,
               text_of({.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}, .rate = 2.0, .velocity = {0.0, 1.0}}) +
                   hinge("hinge", "'rod'", {0.0, 0.0}) + "[[when]]\ntime = 0.4\nrelease = ['hinge']\n");
  EXPECT_EQ(run.of_kind(EventKind::scripted).at(0).record.time, 0.4);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), 2.0, 1e-9);
}

TEST(CompliantScript, AJointLetsGoWhenAnAngleIsReached) {
  const SceneRun run = run_both(
      kGravity, 0.6,
      kRod + "[[when]]\nquantity = 'coordinate.hinge'\nvalue_deg = -60\ndirection = 'falling'\nrelease = ['hinge']\n");
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), -std::sqrt(3.0 * kGravity * std::sin(pi / 3.0)), 1e-9);
}

TEST(CompliantScript, ACrossingTheOtherWayDoesNotCount) {
  const SceneRun run =
      run_both(kGravity, 2.5,
               kRod + "[[when]]\nquantity = 'coordinate.hinge'\nvalue_deg = -90\ndirection = 'rising'\nstop = true\n");
  EXPECT_EQ(run.result.stop, RunStop::scripted);
  EXPECT_NEAR(run.result.final_state.time, 0.75 * 1.9333348543732454, 1e-9);
}

TEST(CompliantScript, APushMovesABodyThroughItsJoints) {
  const SceneRun run = run_both(
      0.0, 0.1,
      text_of({.name = "one", .from = {0.0, 0.0}, .to = {1.0, 0.0}}) +
          text_of({.name = "two", .from = {1.0, 0.0}, .to = {2.0, 0.0}}) + hinge("joint", "'one', 'two'", {1.0, 0.0}) +
          "[[when]]\ntime = 0.05\nimpulse = { body = 'one', linear = [0, 1, 0], angular = [0, 0, -0.5] }\n");
  const KeptEvent push = run.of_kind(EventKind::scripted).at(0);
  ASSERT_EQ(push.jumps.size(), 2u);
  EXPECT_NEAR(push.jumps[0].velocity_after.y(), 1.25, 1e-12);
  EXPECT_NEAR(push.jumps[1].velocity_after.y(), -0.25, 1e-12);
  EXPECT_NEAR(run.result.energy.torque_work, 0.5 * (1.25 * 1.25 + 0.0625 + (4.5 * 4.5 + 1.5 * 1.5) / 12.0), 1e-10);
  // The other rod is moved by the joint alone, and the work of the push is all that the two have gained.
  ASSERT_EQ(push.joints.size(), 1u);
  EXPECT_NEAR((push.joints[0].force - Vector3d(0.0, 0.25, 0.0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(push.joints[0].couple.norm(), 0.0, 1e-12);
  EXPECT_EQ(push.record.energy.before, 0.0);
  EXPECT_NEAR(push.record.energy.after, run.result.energy.torque_work, 1e-12);
  EXPECT_NEAR(push.record.energy.change_from_impulses, push.record.energy.change, 1e-12);
}

TEST(CompliantScript, AMotorIsSwitchedOnAndOff) {
  const SceneRun run =
      run_both(0.0, 1.0,
               text_of({.name = "rod", .from = {-0.5, 0.0}, .to = {0.5, 0.0}}) + hinge("axle", "'rod'", {0.0, 0.0}) +
                   "[[when]]\ntime = 0.2\nmotor = { joint = 'axle', torque = 0.5 }\n"
                   "[[when]]\ntime = 0.5\nmotor = { joint = 'axle', speed = 3 }\n"
                   "[[when]]\ntime = 0.8\nmotor = { joint = 'axle', off = true }\n");
  const KeptEvent faster = run.of_kind(EventKind::scripted).at(1);
  EXPECT_NEAR(faster.jumps.at(0).angular_velocity_before.z(), 1.8, 1e-9);
  EXPECT_NEAR(faster.joints.at(0).couple.z(), (3.0 - 1.8) / 12.0, 1e-9);
  EXPECT_NEAR(faster.record.energy.change, (9.0 - 1.8 * 1.8) / 24.0, 1e-9);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), 3.0, 1e-10);
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], 0.5 * 6.0 * 0.09 + 3.0 * 0.5, 1e-9);
}

TEST(CompliantScript, LevelsOfBodiesThatDoNotTouchAreSeenTogether) {
  // A rod is pushed when a ball in flight has come down to a height, and the ball when it is fast enough.
  const SceneRun run = run_both(
      kGravity, 1.0,
      text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) + kAlone + hinge("hinge", "'rod'", {0.0, 0.0}) +
          "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nposition = [5, 2, 0]\n" +
          kAlone +
          "[[when]]\nquantity = 'position.ball.y'\nvalue = 1\n"
          "impulse = { body = 'rod', angular = [0, 0, 0.5] }\n"
          "[[when]]\nquantity = 'velocity.ball.y'\nvalue = -8\nimpulse = { body = 'ball', linear = [1, 3, 0] }\n");
  const std::vector<KeptEvent> scripted = run.of_kind(EventKind::scripted);
  ASSERT_EQ(scripted.size(), 2u);
  EXPECT_NEAR(scripted[0].record.time, std::sqrt(2.0 / kGravity), 1e-12);
  EXPECT_NEAR(scripted[1].record.time, 8.0 / kGravity, 1e-12);
}

const std::string kSteel = "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nstiffness = 1e9\n";
const std::string kBallAndFloor =
    "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nposition = [0, 1.1, 0]\n"
    "material = 'steel'\n[[plane]]\nname = 'floor'\nnormal = [0, 1, 0]\npoint = [0, 0, 0]\nmaterial = 'steel'\n";

TEST(CompliantScript, TheThirdImpactOfAPairStopsTheRun) {
  const SceneRun run = run_scene(scene_from_text(smooth_head(kGravity, 5.0) + kSteel + kBallAndFloor +
                                                 "[[when]]\nimpact = ['floor', 'ball']\ncount = 3\nstop = true\n"));
  EXPECT_EQ(run.result.stop, RunStop::scripted);
  EXPECT_EQ(run.result.impacts, 3);
  const double flights = 5.0 * std::sqrt(2.0 / kGravity);
  EXPECT_GT(run.result.final_state.time, flights);
  EXPECT_LT(run.result.final_state.time, flights + 4e-3);  // two contacts of 1 ms
}

TEST(CompliantScript, TheSecondImpactOnALimitLetsTheJointGo) {
  // In the rigid engine after the impact, in the compliant one when it begins.
  const std::string text = kRod + "limits_deg = [-90, 10]\nrestitution = 0.8\n" +
                           "[[when]]\nimpact = ['hinge']\ncount = 2\nrelease = ['hinge']\n";
  const SceneRun rigid = run_scene(scene_from_text(mechanism(kGravity, 3.0) + text));
  const SceneRun run = run_scene(scene_from_text(smooth_head(kGravity, 3.0, 1e-9) + text));
  expect_ended(rigid);
  expect_ended(run);
  ASSERT_EQ(rigid.of_kind(EventKind::scripted).size(), 1u);
  EXPECT_EQ(rigid.of_kind(EventKind::scripted)[0].record.time, rigid.impacts().at(1).record.time);
  EXPECT_EQ(rigid.impacts().size(), 2u);
  ASSERT_EQ(run.of_kind(EventKind::scripted).size(), 1u);
  EXPECT_EQ(run.of_kind(EventKind::scripted)[0].record.time, run.of_kind(EventKind::contact_start).at(1).record.time);
  EXPECT_EQ(run.of_kind(EventKind::contact_start).size(), 2u);
  EXPECT_EQ(run.of_kind(EventKind::contact_end).size(), 2u);
}

TEST(CompliantScript, ContactsThatAreOffLetBodiesPass) {
  const auto begun = [](const std::string& active) {
    const SceneRun run = run_scene(scene_from_text(smooth_head(kGravity, 0.6) + kSteel + active + kBallAndFloor));
    expect_ended(run);
    return run.of_kind(EventKind::contact_start).size();
  };
  EXPECT_EQ(begun(""), 1u);
  EXPECT_EQ(begun("active = 'after 0.3'\n"), 1u);
  EXPECT_EQ(begun("active = 'after 0.5'\n"), 0u);
  EXPECT_EQ(begun("active = 'velocity.ball.y < -4'\n"), 1u);
  EXPECT_EQ(begun("active = 'velocity.ball.y > -4'\n"), 0u);
}

TEST(CompliantScript, BodiesThatAJointLetGoOfMeetOnceTheyAreApart) {
  // Two balls a radius apart on a rod, the rod let go: they overlap, fly apart, and one comes back from a wall.
  const std::string text =
      kSteel +
      "[[body]]\nname = 'one'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nmaterial = 'steel'\n"
      "position = [0, 0, 0]\n"
      "[[body]]\nname = 'two'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nmaterial = 'steel'\n"
      "position = [0.15, 0, 0]\n"
      "[[joint]]\nname = 'bar'\nkind = 'rod'\nbodies = ['one', 'two']\nanchors = [[0, 0, 0], [0, 0, 0]]\n"
      "[[plane]]\nname = 'wall'\nnormal = [-1, 0, 0]\npoint = [1, 0, 0]\nmaterial = 'steel'\n"
      "[[when]]\ntime = 0.1\nrelease = ['bar']\nimpulse = { body = 'two', linear = [2, 0, 0] }\n";
  const SceneRun rigid = run_scene(scene_from_text(mechanism(0.0, 2.0) + text));
  expect_ended(rigid);
  // To the wall 0.75 m at 2 m/s, back 0.7 m to where the other one stands.
  ASSERT_EQ(rigid.impacts().size(), 2u);
  EXPECT_NEAR(rigid.impacts()[0].record.time, 0.1 + 0.375, 1e-10);
  EXPECT_NEAR(rigid.impacts()[1].record.time, 0.1 + 0.375 + 0.35, 1e-10);
  EXPECT_NEAR(rigid.body("one").velocity.x(), -2.0, 1e-10);
  const SceneRun run = run_scene(scene_from_text(smooth_head(0.0, 2.0, 1e-9) + text));
  expect_ended(run);
  ASSERT_EQ(run.of_kind(EventKind::contact_start).size(), 2u);
  EXPECT_NEAR(run.of_kind(EventKind::contact_start)[1].record.time, 0.825, 2e-3);
  EXPECT_NEAR(run.body("one").velocity.x(), -2.0, 1e-7);
}

TEST(CompliantScript, WhatIsLetGoNeedsAStiffness) {
  const std::string text = text_of({.name = "one", .from = {0.0, 0.0}, .to = {1.0, 0.0}}) +
                           text_of({.name = "two", .from = {1.0, 0.0}, .to = {2.0, 0.0}}) +
                           hinge("joint", "'one', 'two'", {1.0, 0.0});
  EXPECT_NO_THROW((void)run_scene(scene_from_text(smooth_head(0.0, 0.01) + text)));
  EXPECT_THROW(
      (void)run_scene(scene_from_text(smooth_head(0.0, 0.01) + text + "[[when]]\ntime = 1\nrelease = ['joint']\n")),
      InputError);
}

}  // namespace
}  // namespace carom::test
