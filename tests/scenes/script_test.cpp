/// Scripted events: when they happen, and what they do, against closed forms.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

const char* const kBall =
    "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 2\nposition = [0, 1.1, 0]\n";
const char* const kFloor = "[[plane]]\nname = 'floor'\nnormal = [0, 1, 0]\npoint = [0, 0, 0]\n";

TEST(Script, AJointLetsGoAtATimeAndTheRodFliesOn) {
  const Bar rod{.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}, .rate = 2.0, .velocity = {0.0, 1.0}};
  const SceneRun run =
      run_scene(scene_from_text(mechanism(0.0, 1.0) + text_of(rod) + hinge("hinge", "'rod'", {0.0, 0.0}) +
                                "[[when]]\nname = 'let go'\ntime = 0.4\nrelease = ['hinge']\n"));
  expect_ended(run);
  ASSERT_EQ(run.of_kind(EventKind::scripted).size(), 1u);
  EXPECT_EQ(run.of_kind(EventKind::scripted)[0].record.time, 0.4);
  EXPECT_EQ(run.of_kind(EventKind::scripted)[0].record.script, 0);
  // From there on the centre goes straight, and the rod turns as before.
  const Vector3d at(0.5 * std::cos(0.8), 0.5 * std::sin(0.8), 0.0), velocity(-std::sin(0.8), std::cos(0.8), 0.0);
  EXPECT_NEAR((run.body("rod").position - at - 0.6 * velocity).norm(), 0.0, 1e-10);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), 2.0, 1e-11);
}

TEST(Script, AJointLetsGoWhenAnAngleIsReached) {
  // A pendulum from the horizontal is released at 30° before the vertical; the energy is that of the fall.
  const Bar rod{.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}};
  const SceneRun run = run_scene(scene_from_text(
      mechanism(kGravity, 0.6) + text_of(rod) + hinge("hinge", "'rod'", {0.0, 0.0}) +
      "[[when]]\nquantity = 'coordinate.hinge'\nvalue_deg = -60\ndirection = 'falling'\nrelease = ['hinge']\n"));
  expect_ended(run);
  ASSERT_EQ(run.of_kind(EventKind::scripted).size(), 1u);
  const double rate = std::sqrt(3.0 * kGravity * std::sin(pi / 3.0));
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), -rate, 1e-9);
  const double since = 0.6 - run.of_kind(EventKind::scripted)[0].record.time;
  ASSERT_GT(since, 0.1);
  EXPECT_NEAR(run.body("rod").velocity.x(), -0.5 * rate * std::sin(pi / 3.0), 1e-9);
  EXPECT_NEAR(run.body("rod").velocity.y(), -0.5 * rate * std::cos(pi / 3.0) - kGravity * since, 1e-9);
}

TEST(Script, ACrossingTheOtherWayDoesNotCount) {
  const Bar rod{.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}};
  const SceneRun run = run_scene(
      scene_from_text(mechanism(kGravity, 2.5) + text_of(rod) + hinge("hinge", "'rod'", {0.0, 0.0}) +
                      "[[when]]\nquantity = 'coordinate.hinge'\nvalue_deg = -90\ndirection = 'rising'\nstop = true\n"));
  // The first time that it comes back through the vertical is after three quarters of its period.
  EXPECT_EQ(run.result.stop, RunStop::scripted);
  EXPECT_NEAR(run.result.final_state.time, 0.75 * 1.9333348543732454, 1e-9);
}

TEST(Script, APushMovesABodyThroughItsJoints) {
  // Two rods in line, at rest and free, pushed across at the first end: 5/4 and −1/4 of P/m.
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 1e-6) + text_of({.name = "one", .from = {0.0, 0.0}, .to = {1.0, 0.0}}) +
      text_of({.name = "two", .from = {1.0, 0.0}, .to = {2.0, 0.0}}) + hinge("joint", "'one', 'two'", {1.0, 0.0}) +
      "[[when]]\ntime = 0\nimpulse = { body = 'one', linear = [0, 1, 0], angular = [0, 0, -0.5] }\n"));
  expect_held(run);
  EXPECT_NEAR(run.body("one").velocity.y(), 1.25, 1e-11);
  EXPECT_NEAR(run.body("two").velocity.y(), -0.25, 1e-11);
  EXPECT_NEAR(run.body("one").angular_velocity.z(), -4.5, 1e-10);
  EXPECT_NEAR(run.body("two").angular_velocity.z(), 1.5, 1e-10);
}

TEST(Script, TheThirdImpactOfAPairStopsTheRun) {
  const double first = std::sqrt(2.0 / kGravity);
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 5.0) + kBall + kFloor +
                                                 "[[when]]\nimpact = ['floor', 'ball']\ncount = 3\nstop = true\n"));
  EXPECT_EQ(run.result.stop, RunStop::scripted);
  EXPECT_EQ(run.result.impacts, 3);
  EXPECT_NEAR(run.result.final_state.time, 5.0 * first, 1e-12);
}

TEST(Script, AMotorIsSwitchedOnAndOff) {
  const Bar rod{.name = "rod", .from = {-0.5, 0.0}, .to = {0.5, 0.0}};
  const SceneRun run =
      run_scene(scene_from_text(mechanism(0.0, 1.0) + text_of(rod) + hinge("axle", "'rod'", {0.0, 0.0}) +
                                "[[when]]\ntime = 0.2\nmotor = { joint = 'axle', torque = 0.5 }\n"
                                "[[when]]\ntime = 0.5\nmotor = { joint = 'axle', speed = 3 }\n"
                                "[[when]]\ntime = 0.8\nmotor = { joint = 'axle', off = true }\n"));
  expect_held(run);
  // 0.5 N m on 1/12 kg m² for 0.3 s, then 3 rad/s.
  ASSERT_EQ(run.of_kind(EventKind::scripted).size(), 3u);
  EXPECT_NEAR(run.of_kind(EventKind::scripted)[1].jumps.at(0).angular_velocity_before.z(), 1.8, 1e-10);
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), 3.0, 1e-11);
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], 0.5 * 6.0 * 0.09 + 3.0 * 0.5, 1e-10);
}

TEST(Script, ContactsThatAreOffLetBodiesPass) {
  // Off until 0.3 s the floor lets the ball fall through; it is met when it comes up again, from above, never.
  const auto scene = [](const std::string& active) {
    return run_scene(scene_from_text(mechanism(kGravity, 0.6) +
                                     "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\n" +
                                     active + kBall + "material = 'steel'\n" + kFloor + "material = 'steel'\n"));
  };
  EXPECT_EQ(scene("").impacts().size(), 1u);
  EXPECT_EQ(scene("active = 'after 0.3'\n").impacts().size(), 1u);  // it falls for 0.45 s
  const SceneRun through = scene("active = 'after 0.5'\n");
  expect_ended(through);
  EXPECT_EQ(through.impacts().size(), 0u);
  EXPECT_NEAR(through.body("ball").position.y(), 1.1 - 0.5 * kGravity * 0.36, 1e-12);
  EXPECT_EQ(scene("active = 'velocity.ball.y < -4'\n").impacts().size(), 1u);
  EXPECT_EQ(scene("active = 'velocity.ball.y > -4'\n").impacts().size(), 0u);
}

TEST(Script, WhatMakesNoSenseIsRefused) {
  const auto refusal = [](const std::string& when) {
    try {
      (void)run_scene(scene_from_text(mechanism(0.0, 1.0) +
                                      text_of({.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}}) +
                                      hinge("hinge", "'rod'", {0.0, 0.0}) + "[[when]]\n" + when));
    } catch (const InputError& error) {
      return std::string(kind_name(error.kind()));
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal("time = 0.5\nstop = true\n"), "none");
  EXPECT_EQ(refusal("time = 0.5\n"), "missing-field");
  EXPECT_EQ(refusal("stop = true\n"), "missing-field");
  EXPECT_EQ(refusal("time = 0.5\nquantity = 'rate.hinge'\nstop = true\n"), "duplicate-name");
  EXPECT_EQ(refusal("quantity = 'rate.hinges'\nstop = true\n"), "unknown-name");
  EXPECT_EQ(refusal("quantity = 'rate.hinge.1'\nstop = true\n"), "unknown-name");
  EXPECT_EQ(refusal("quantity = 'position.rod'\nstop = true\n"), "unknown-name");
  EXPECT_EQ(refusal("impact = []\nstop = true\n"), "size-mismatch");
  EXPECT_EQ(refusal("impact = ['rod']\nstop = true\n"), "wrong-type");
  EXPECT_EQ(refusal("impact = ['hinge']\nstop = true\n"), "unsupported");  // it has no limits
  EXPECT_EQ(refusal("time = 1\nrelease = ['rod']\n"), "wrong-type");
  EXPECT_EQ(refusal("time = 1\nmotor = { joint = 'hinge', force = 1 }\n"), "unsupported");
}

}  // namespace
}  // namespace carom::test
