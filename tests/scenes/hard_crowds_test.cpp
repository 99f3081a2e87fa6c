/// Legal scenes in which crowds once came to places or energies that they may not have (tests/data/hard-scenes).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/geometry/half_width.h"
#include "carom/geometry/pair_table.h"
#include "scenes/hard_scene.h"

namespace carom::test {
namespace {

SceneRun run_crowd(const std::string& name) {
  SceneRun run = run_hard(name);
  expect_good_end(run);
  return run;
}

/// How deep two bodies are in each other at a sample, at most and relative to half the least width of the thinner one.
double deepest_overlap_of(const SceneRun& run) {
  const Model& model = run.scene.model;
  const auto width = [&](BodyIndex body) { return half_width(model.bodies[body].parts[0].shape); };
  double deepest = 0.0;
  for (const State& sample : run.samples)
    for (const BodyIndex a : model.bodies.indices())
      for (const BodyIndex b : model.bodies.indices()) {
        if (!(a < b)) continue;
        const double gap =
            proximity(model.bodies[a].parts, sample.bodies[a].pose(), model.bodies[b].parts, sample.bodies[b].pose())
                .distance;
        deepest = std::max(deepest, -gap / std::min(width(a), width(b)));
      }
  return deepest;
}

/// What a step of a crowd may let bodies overlap.
constexpr double kCrowdDepth = 5e-7;

TEST(HardScenes, BoxesOfAStackThatTurnOnEachOtherMeetAtNoPlaceThatIsNotLookedAt) {
  const SceneRun run = run_crowd("AK-boxes-turn-on-each-other");
  EXPECT_LE(deepest_overlap_of(run), kCrowdDepth);
}

TEST(HardScenes, ABallThatRollsOverACornerDoesNotSinkIntoTheEdge) {
  const SceneRun run = run_crowd("AL-ball-rolls-over-a-corner");
  EXPECT_LE(deepest_overlap_of(run), kCrowdDepth);
}

TEST(HardScenes, ADominoThatHangsOnARoughEdgeDoesNotSinkIntoIt) {
  // Sticking would have to pull, and the floor drives them together: friction alone ends that.
  const SceneRun run = run_crowd("CN-domino-hangs-on-a-rough-edge");
  EXPECT_LE(deepest_overlap_of(run), kCrowdDepth);
}

TEST(HardScenes, TheEdgeOfABoxSlidesOverACornerOfAnother) {
  // Between two looks the corner comes onto a face and leaves it again.
  const SceneRun run = run_crowd("CO-edge-slides-over-a-corner");
  EXPECT_LE(deepest_overlap_of(run), kCrowdDepth);
}

TEST(HardScenes, ARoughStackThatTopplesFromAStandNeverHasMoreEnergyThanAtFirst) {
  const SceneRun run = run_crowd("AM-rough-stack-topples-from-a-stand");
  const Model& model = run.scene.model;
  const auto energy = [&](const State& state) {
    double sum = 0.0;
    for (const BodyIndex body : model.bodies.indices()) {
      const BodyState& box = state.bodies[body];
      const Eigen::Vector3d spin = box.orientation.conjugate() * box.angular_velocity;
      sum += 0.5 * model.bodies[body].mass * box.velocity.squaredNorm() +
             0.5 * spin.dot(model.bodies[body].inertia.cwiseProduct(spin)) -
             model.bodies[body].mass * model.gravity.dot(box.position);
    }
    return sum;
  };
  for (const State& sample : run.samples)
    EXPECT_LE(energy(sample), energy(run.samples[0]) + 1e-9 * run.energy_scale) << sample.time;
}

TEST(HardScenes, ABoxThatRestsInAShellTouchesIt) {
  const SceneRun run = run_crowd("BN-box-stops-in-a-shell");
  const BodyIndex box(1);
  const Body& body = run.scene.model.bodies[box];
  const BodyState& last = run.result.final_state.bodies[box];
  ASSERT_EQ(last.velocity.norm(), 0.0);
  const Obstacle& shell = run.scene.model.obstacles[0];
  EXPECT_LE(std::abs(proximity(body.parts, last.pose(), shell.parts, shell.pose).distance),
            kCrowdDepth * half_width(body.parts[0].shape));
}

// Newton's law with friction may create energy: here in every second of five hundred rounds of one instant, 1e68 J.
TEST(HardScenes, RoundsOfALawThatCreatesEnergyEndBeforeTheyGainSpeed) {
  const SceneRun run = run_crowd("BA-newton-gains-on-a-full-floor");
  EXPECT_EQ(run.result.stop, RunStop::duration);
  EXPECT_LT(greatest_speed(run.result.final_state), 30.0);  // a ball falls at 2.7 m/s
}

}  // namespace
}  // namespace carom::test
