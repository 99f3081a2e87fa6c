/// How heaps come to rest under the rigid engine: slow impacts of pressed clusters, and islands of many contacts.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/scene/settings.h"
#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {
namespace {

/// A ball that rests on a floor, and one that falls on it.
std::string falling_on_another(double restitution, double gravity, const std::string& run = {}) {
  return fmt::format(
      "format = 1\nworld.gravity = [0, 0, {}]\n[run]\nlaw = \"newton\"\nduration = 2\nstop_at_rest = true\n{}\n"
      "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = {}\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n"
      "[[body]]\nname = \"lower\"\nshape = {{ kind = \"sphere\", radius = 0.05 }}\nmass = 1\nmaterial = \"m\"\n"
      "position = [0, 0, 0.05]\n"
      "[[body]]\nname = \"upper\"\nshape = {{ kind = \"sphere\", radius = 0.05 }}\nmass = 1\nmaterial = \"m\"\n"
      "position = [0, 0, 0.16]\nvelocity = [0, 0, -0.5]\n",
      -gravity, run, restitution);
}

int settled_impacts(const SceneRun& run) {
  int count = 0;
  for (const KeptEvent& event : run.impacts()) count += event.record.flags.has(Flag::settled) ? 1 : 0;
  return count;
}

TEST(Settling, AnImpactBelowTheSettlingSpeedIsPlasticAndSaysSo) {
  // The upper ball arrives with √(0.5² + 2·9.81·0.01) = 0.6681 m/s.
  const SceneRun run = run_scene(scene_from_text(falling_on_another(0.5, 9.81, "settle_speed = 0.67")));
  ASSERT_EQ(run.impacts().size(), 1u);
  EXPECT_TRUE(run.impacts()[0].record.flags.has(Flag::settled));
  for (const ContactRecord& contact : run.impacts()[0].contacts) {
    EXPECT_NEAR(contact.rate_after, 0.0, 1e-12);
    EXPECT_NEAR(contact.impulse, std::sqrt(0.25 + 2.0 * 9.81 * 0.01), 1e-9);
  }
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  const SceneRun faster = run_scene(scene_from_text(falling_on_another(0.5, 9.81, "settle_speed = 0.66")));
  EXPECT_FALSE(faster.impacts()[0].record.flags.has(Flag::settled));
}

TEST(Settling, BallsOnEachOtherComeToRestAfterFewImpacts) {
  const SceneRun run = run_scene(scene_from_text(falling_on_another(0.5, 9.81)));
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  EXPECT_LT(run.result.impacts, 20);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.energy_scale);
}

TEST(Settling, IsSwitchedOffByASpeedOfZero) {
  const SceneRun run = run_scene(scene_from_text(falling_on_another(0.5, 9.81, "settle_speed = 0")));
  EXPECT_EQ(settled_impacts(run), 0);
  EXPECT_GT(run.result.impacts, run_scene(scene_from_text(falling_on_another(0.5, 9.81))).result.impacts);
}

TEST(Settling, LeavesElasticAndForceFreeImpactsAlone) {
  for (const std::string& text :
       {falling_on_another(1.0, 9.81, "settle_speed = 10"), falling_on_another(0.5, 0.0, "settle_speed = 10")}) {
    const SceneRun run = run_scene(scene_from_text(text));
    EXPECT_GT(run.result.impacts, 0);
    EXPECT_EQ(settled_impacts(run), 0);
  }
}

TEST(Settling, RefusesASpeedBelowZero) {
  EXPECT_THROW(run_scene(scene_from_text(falling_on_another(0.5, 9.81, "settle_speed = -1"))), InputError);
}

TEST(Crowds, EightBallsWithFrictionFallIntoABoxAndOnlyLoseEnergy) {
  scene::Document document = scene::read_document(test_data("hard-scenes/O-eight-balls-in-a-box-hang.toml"));
  const std::vector<std::string> settings{"run.law=newton", "pair.0.friction={ law = \"coulomb\", coefficient = 0.3 }",
                                          quick() ? "run.duration=0.2" : "run.duration=1"};
  scene::apply_settings(document, settings);
  const SceneRun run = run_scene(scene::read_scene_file(document));
  EXPECT_NE(run.result.stop, RunStop::failed) << (run.result.failure ? run.result.failure->reason : std::string());
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-9 * run.energy_scale);
  // What the steps of the crowd leave of the energy is a small part of it.
  EXPECT_LE(std::abs(run.result.energy.cut_off), 1e-3 * run.energy_scale);
  for (const State& sample : run.samples)
    for (const BodyState& ball : sample.bodies) EXPECT_GE(ball.position.z(), 0.05 * (1.0 - 1e-4));
}

/// A ball on a floor with friction.
std::string on_a_floor(const std::string& motion) {
  return "format = 1\nworld.gravity = [0, 0, -9.81]\n[run]\nduration = 2\nstop_at_rest = true\n"
         "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = 0.3\n"
         "friction = { law = \"coulomb\", coefficient = 0.3 }\n"
         "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n"
         "[[body]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.05 }\nmass = 1\nmaterial = \"m\"\n"
         "position = [0, 0, 0.05]\n" +
         motion;
}

TEST(StandingStill, ABallThatPivotsKeepsItsPlaceAndItsSpin) {
  const SceneRun run = run_scene(scene_from_text(on_a_floor("angular_velocity = [0, 0, 0.5]\n")));
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  EXPECT_EQ(run.body("ball").angular_velocity, Eigen::Vector3d(0.0, 0.0, 0.5));
  EXPECT_EQ(run.body("ball").velocity, Eigen::Vector3d::Zero());
}

TEST(StandingStill, ABallThatRollsSlowlyByItselfRollsOn) {
  const SceneRun run =
      run_scene(scene_from_text(on_a_floor("velocity = [0.0001, 0, 0]\nangular_velocity = [0, 0.002, 0]\n")));
  EXPECT_EQ(run.result.stop, RunStop::duration);
  EXPECT_NEAR(run.body("ball").position.x(), 0.0002, 1e-15);
}

TEST(StandingStill, WhatAHeapLeavesRollingSlowlyStandsToo) {
  scene::Document document = scene::read_document(test_data("hard-scenes/O-eight-balls-in-a-box-hang.toml"));
  const std::vector<std::string> settings{"run.law=newton", "fill.0.seed=1",
                                          "pair.0.friction={ law = \"coulomb\", coefficient = 0.3 }"};
  scene::apply_settings(document, settings);
  const SceneRun run = run_scene(scene::read_scene_file(document));
  EXPECT_EQ(run.result.stop, RunStop::at_rest);
  for (const BodyState& ball : run.result.final_state.bodies) EXPECT_EQ(ball.velocity, Eigen::Vector3d::Zero());
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-9 * run.energy_scale);
  EXPECT_LE(std::abs(run.result.energy.cut_off), 1e-3 * run.energy_scale);
}

/// Cubes that fall flat onto each other.
std::string falling_flat(int boxes, const char* law, double friction) {
  std::string text = fmt::format(
      "format = 1\nworld.gravity = [0, 0, -9.81]\n[run]\nlaw = \"{}\"\nduration = 2\nstop_at_rest = true\n"
      "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = 0.5\n"
      "friction = {{ law = \"coulomb\", coefficient = {} }}\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n",
      law, friction);
  for (int k = 0; k < boxes; ++k)
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nshape = {{ kind = \"box\", half_sizes = [0.1, 0.1, 0.1] }}\nmass = 1\n"
        "material = \"m\"\nposition = [0, 0, {}]\n",
        k, 0.15 + 0.25 * k);
  return text;
}

TEST(Impacts, WhereNothingSlipsFrictionHasNothingToDo) {
  for (const char* const law : {"newton", "poisson"}) {
    const SceneRun run = run_scene(scene_from_text(falling_flat(10, law, 0.3)));
    EXPECT_EQ(run.result.stop, RunStop::at_rest) << law;
    EXPECT_NEAR(run.result.final_state.time,
                run_scene(scene_from_text(falling_flat(10, law, 0.0))).result.final_state.time, 1e-4)
        << law;
    for (const BodyState& box : run.result.final_state.bodies) EXPECT_LT(box.position.head<2>().norm(), 1e-6) << law;
  }
}

TEST(Settling, LeavesBoxesThatFallFlatOntoEachOtherOnTheirAxis) {
  for (const double restitution : {0.2, 0.5, 0.8}) {
    std::string text = fmt::format(
        "format = 1\nworld.gravity = [0, 0, -9.81]\nrun = {{ duration = 2, stop_at_rest = true }}\n"
        "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = {}\n"
        "friction = {{ law = \"coulomb\", coefficient = 0.3 }}\n"
        "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n",
        restitution);
    for (int k = 0; k < 5; ++k)
      text += fmt::format(
          "[[body]]\nname = \"box-{}\"\nshape = {{ kind = \"box\", half_sizes = [0.1, 0.1, 0.1] }}\nmass = 1\n"
          "material = \"m\"\nposition = [0, 0, {}]\n",
          k, 0.15 + 0.25 * k);
    const SceneRun run = run_scene(scene_from_text(text));
    EXPECT_EQ(run.result.stop, RunStop::at_rest);
    for (const BodyState& body : run.result.final_state.bodies)
      EXPECT_LT(body.position.head<2>().norm(), 1e-16) << restitution;
  }
}

}  // namespace
}  // namespace carom::test
