/// The shipped scenes of lasting friction: what their heads say is what happens.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/friction_scene.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

TEST(FrictionScenes, TheBilliardBallWithDrawRollsBack) {
  const SceneRun run = run_shipped("billiard-ball-with-draw");
  expect_sound(run);
  const auto sticks = run.of_kind(EventKind::stick);
  ASSERT_EQ(sticks.size(), 1U);
  EXPECT_NEAR(sticks[0].record.time, 1.0402650356778795, 1e-11);
  EXPECT_NEAR(run.body("ball").velocity.x(), -0.041, 1e-12);
  const SceneRun dead =
      run_shipped("billiard-ball-with-draw", {setting("body.0.angular_velocity", Vector3d(0.0, -5.0 / 0.028575, 0.0))});
  EXPECT_LT(dead.body("ball").velocity.norm(), 1e-12);
}

TEST(FrictionScenes, TheBlockComesBackOrStays) {
  const SceneRun run = run_shipped("block-on-an-incline");
  expect_sound(run);
  EXPECT_NEAR(run.body("block").velocity.norm(), 2.08945720105045, 1e-10);
  EXPECT_NEAR(run.result.energy.friction, 5.817084302489211, 1e-10);
  const SceneRun stays = run_shipped("block-on-an-incline", {setting("pair.0.friction.static", 0.8)});
  EXPECT_EQ(stays.body("block").velocity.norm(), 0.0);
  EXPECT_EQ(stays.of_kind(EventKind::stick).size(), 1U);
}

TEST(FrictionScenes, TheBeltKeepsItsPeriod) {
  const double period = 0.6486048194244809;
  const int periods = quick() ? 5 : 40;
  const SceneRun run =
      run_shipped("stick-slip-belt", {setting("run.duration", 0.1962 + periods * period + 0.01), "run.output_step=1"});
  expect_ended(run);
  const auto slips = run.of_kind(EventKind::slip);
  ASSERT_EQ(slips.size(), static_cast<std::size_t>(periods) + 1);
  EXPECT_NEAR(slips.back().record.time, 0.1962 + periods * period, 1e-11 * periods);
}

TEST(FrictionScenes, TheBallOnTheTurntableIsBackAfterItsPeriod) {
  const SceneRun run = run_shipped("ball-on-a-turntable");
  expect_ended(run);
  EXPECT_LT(difference(run.body("ball").position, {0.3, 0.0, 0.05}), 1e-10);
  EXPECT_EQ(run.result.energy.friction, 0.0);
}

TEST(FrictionScenes, TheLadderLeavesTheWallWhereItSays) {
  const SceneRun run = run_shipped("ladder");
  expect_ended(run);
  const auto releases = run.of_kind(EventKind::release);
  ASSERT_EQ(releases.size(), 1U);
  EXPECT_NEAR(releases[0].record.time, 0.628275557205059, 1e-9);
}

TEST(FrictionScenes, TheFallingBoxSlipsBackwardThenForward) {
  const SceneRun run = run_shipped("falling-box-slips");
  expect_ended(run);
  const auto slips = run.of_kind(EventKind::slip);
  ASSERT_EQ(slips.size(), 2U);
  EXPECT_NEAR(slips[0].record.time, 0.46888274689030046, 1e-9);
  EXPECT_NEAR(slips[1].record.time, 0.8334777606757736, 1e-9);
}

TEST(FrictionScenes, PainlevesRodJumpsWithoutACollision) {
  const SceneRun run = run_shipped("painleve-rod");
  expect_ended(run);
  const auto impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 1U);
  EXPECT_EQ(impacts[0].record.time, 0.0);
  EXPECT_TRUE(impacts[0].record.flags.has(Flag::impact_without_collision));
  EXPECT_TRUE(impacts[0].record.flags.has(Flag::painleve_inconsistent));
  EXPECT_LT(impacts[0].record.energy.change, 0.0);
  EXPECT_TRUE(run_shipped("painleve-rod", {setting("pair.0.friction.coefficient", 1.2)}).impacts().empty());
}

TEST(FrictionScenes, TheBoxTipsSlidesOrStands) {
  const SceneRun tips = run_shipped("box-tips-or-slides");
  expect_ended(tips);
  EXPECT_GT(tips.body("box").angular_velocity.y(), 0.5);
  EXPECT_EQ(tips.result.energy.friction, 0.0);
  const SceneRun slides = run_shipped(
      "box-tips-or-slides", {setting("pair.0.friction.static", 0.4), setting("pair.0.friction.kinetic", 0.3)});
  EXPECT_LT(slides.body("box").angular_velocity.norm(), 1e-12);
  EXPECT_NEAR(slides.body("box").velocity.x(), 2.3562872366623964 * 0.3, 1e-10);
  const SceneRun stands = run_shipped(
      "box-tips-or-slides", {setting("body.0.shape.half_sizes", Vector3d(0.2, 0.1, 0.2)), "body.0.position=[0,0,0.2]"});
  EXPECT_EQ(stands.body("box").velocity.norm(), 0.0);
}

TEST(FrictionScenes, TheCubeTurnsAboutTheEdgeItIsCaughtAt) {
  expect_sound(run_shipped("cube-caught-at-its-edge"));
  const SceneRun run = run_shipped("cube-caught-at-its-edge", {"run.stop_at_rest=true"});
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  const auto impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  ASSERT_EQ(impacts[0].jumps.size(), 1U);
  EXPECT_NEAR(impacts[0].jumps[0].angular_velocity_after.y(), 3.0 / (8.0 * 0.1), 1e-12);
  for (const KeptEvent& impact : impacts)
    for (const ContactRecord& contact : impact.contacts) EXPECT_GE(contact.impulse, 0.0);
}

TEST(FrictionScenes, TheWedgeSlidesAwayUnderItsBlock) {
  const SceneRun run = run_shipped("block-on-a-wedge");
  expect_ended(run);
  EXPECT_NEAR(run.body("wedge").velocity.x(), -1.0332676455019305 * 0.3, 1e-9);
  const SceneRun held = run_shipped("block-on-a-wedge", {setting("pair.1.friction.coefficient", 0.4)});
  EXPECT_LT(held.body("wedge").velocity.norm(), 1e-15);
}

TEST(FrictionScenes, SuperballsAreSlowedDownByFrictionUntilTheyStick) {
  for (const char* const law : {"compliant", "incremental", "newton", "poisson"}) {
    const SceneRun run =
        run_shipped("superballs-from-smooth-to-rough", {std::string("run.law=") + law, "run.duration=0.1"});
    expect_sound(run);
    const auto velocity = [&](const char* lane) { return run.body(std::string("on-") + lane).velocity.x(); };
    EXPECT_NEAR(velocity("smooth"), 4.0, 1e-13) << law;
    EXPECT_NEAR(velocity("slippery"), 3.6, 1e-13) << law;
    EXPECT_NEAR(velocity("worn"), 3.2, 1e-13) << law;
    EXPECT_NEAR(velocity("rubbed"), 20.0 / 7.0, 1e-12) << law;
    EXPECT_NEAR(velocity("sticky"), 20.0 / 7.0, 1e-12) << law;
    EXPECT_NEAR(velocity("rough"), 12.0 / 7.0, 1e-13) << law;
  }
}

TEST(FrictionScenes, DiskAndHoopRollRoundAtTheirOwnRates) {
  const SceneRun run = run_shipped("rolling-disk-and-hoop");
  expect_ended(run);
  EXPECT_LT(difference(run.body("disk").position, run.samples.front().bodies[0].position), 1e-9);
  // The hoop has gone as far round its own centre as its rate says.
  const double r = 0.1, h = 0.005, R = 0.4, s = std::sqrt(0.75), c = 0.5;
  const auto rate = [&](double J1, double Jt) {
    return std::sqrt(kGravity * (r * c - h * s) / (r * R * s + h * R * c + J1 * (R - h * s) * s / r + Jt * s * c));
  };
  const double turn =
      2.0 * std::numbers::pi * rate(r * r, 0.5 * r * r + h * h / 3.0) / rate(0.5 * r * r, 0.25 * r * r + h * h / 3.0);
  const Vector3d expected(1.2 + R * std::cos(turn), R * std::sin(turn), r * s + h * c);
  EXPECT_LT(difference(run.body("hoop").position, expected), 1e-9);
  EXPECT_EQ(run.result.energy.friction, 0.0);
}

TEST(FrictionScenes, NoContactOfABlockThatLandsFlatPulls) {
  // Two balls that fall on a rough floor keep their energy under poisson with e = 1: nothing slips.
  const std::string balls =
      "format = 1\n[run]\nlaw = \"poisson\"\nduration = 0.01\n[[material]]\nname = \"m\"\n[[pair]]\n"
      "materials = [\"m\", \"m\"]\nrestitution = 1\nrough = true\n"
      "[[body]]\nname = \"a\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nmaterial = \"m\"\n"
      "position = [0, 0, 0.1]\nvelocity = [0, 0, -1]\n"
      "[[body]]\nname = \"b\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nmaterial = \"m\"\n"
      "position = [0.2, 0, 0.1]\nvelocity = [0, 0, -1]\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = "
      "\"m\"\n";
  const SceneRun run = run_scene(scene_from_text(balls));
  EXPECT_NEAR(run.body("a").velocity.z(), 1.0, 1e-13);
  EXPECT_NEAR(run.result.energy.now.total(), 1.0, 1e-13);
  const std::string block =
      "format = 1\n[run]\nlaw = \"newton\"\nduration = 0.001\n[[material]]\nname = \"m\"\n[[pair]]\n"
      "materials = [\"m\", \"m\"]\nrestitution = 0\nrough = true\n"
      "[[body]]\nname = \"block\"\nshape = { kind = \"box\", half_sizes = [0.1, 0.1, 0.5] }\nmass = 1\nmaterial = "
      "\"m\"\n"
      "position = [0, 0, 0.5]\nvelocity = [0, 0, -1]\nangular_velocity = [0, 8, 0]\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n";
  const SceneRun landed = run_scene(scene_from_text(block));
  ASSERT_FALSE(landed.impacts().empty());
  for (const KeptEvent& impact : landed.impacts()) {
    EXPECT_GE(impact.record.min_impulse, -1e-12);
    for (const ContactRecord& contact : impact.contacts) EXPECT_GE(contact.impulse, -1e-12);
  }
}

TEST(FrictionScenes, ABallRestsInACornerOfThreeRoughPlanes) {
  std::string text = "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 1\nstop_at_rest = true\n";
  text += "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = 0\nrough = true\n";
  text += "[[body]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nmaterial = \"m\"\n";
  text += "position = [0.1, 0.1, 0.1]\n";
  for (const char* const normal : {"[0, 0, 1]", "[1, 0, 0]", "[0, 1, 0]"})
    text += fmt::format("[[plane]]\nname = \"{0}\"\nnormal = {0}\nmaterial = \"m\"\n", normal);
  const SceneRun run = run_scene(scene_from_text(text));
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
}

}  // namespace
}  // namespace carom::test
