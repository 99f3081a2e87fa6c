/// Contact that lasts under the compliant engine: bodies that touch at the start, stacks, piles, grazing contacts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "carom/base/activity.h"
#include "carom/base/random.h"
#include "contact/heavy_cases.h"
#include "engine/smooth_models.h"

namespace carom::test {
namespace {

constexpr double kEarthGravity = 9.81;

CompliantReport report_of(const Engine& engine) {
  return *engine.result(engine.state_at(engine.now())).compliant;
}

/// Largest energy that passed, and how often contacts began.
struct Watch final : Observer {
  double energy = 0.0, kinetic = 0.0;
  int starts = 0, ends = 0;
  void sample(const State&, const EnergyBook& book) override {
    energy = std::max({energy, std::abs(book.now.total()), book.now.kinetic});
    kinetic = std::max(kinetic, book.now.kinetic);
  }
  void event(const EventRecord& event) override {
    if (event.kind == EventKind::contact_start) ++starts;
    if (event.kind == EventKind::contact_end) ++ends;
  }
};

SmoothScene on_a_floor(double stiffness, double restitution) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -kEarthGravity};
  scene.set_law("tsuji", restitution);
  scene.set_stiffness(stiffness);
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  scene.options.rtol = 1e-6;
  scene.options.duration = 2.0;
  scene.settings.output_step = 0.01;
  return scene;
}

/// Runs it and expects that it reaches its end with the energy accounted for within 100 rtol.
RunResult expect_to_end(const SmoothScene& scene) {
  Watch watch;
  RunResult result = scene.run(&watch);
  EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
  EXPECT_LE(std::abs(result.energy.error()), 100.0 * scene.options.rtol * watch.energy);
  return result;
}

TEST(SmoothTouching, TwoBallsThatTouchAtRestByAWallSinkInAndStay) {
  SmoothScene scene = on_a_floor(1e6, 0.2);
  const double mass = 1000.0 * 4.0 / 3.0 * M_PI * 1e-3;
  scene.add_ball(0.1, mass, {0.0, -0.2, 0.1});
  scene.add_ball(0.1, mass, {0.0, 0.0, 0.1});
  scene.add_plane({0.0, 1.0, 0.0}, {0.0, -0.30000000000000004, 0.0});
  const RunResult result = expect_to_end(scene);
  // Each at the depth of its weight, (mg/K)^(2/3).
  const double depth = std::pow(mass * kEarthGravity / 1e6, 2.0 / 3.0);
  for (const BodyState& body : result.final_state.bodies) EXPECT_NEAR(body.position.z(), 0.1 - depth, 1e-8);
}

TEST(SmoothTouching, AContactThatIsOnlyGrazedBeginsAndEndsOnce) {
  // A ball passes another one that it touches in one point of its path; round-off decides whether it does.
  for (const double off : {-1e-13, 0.0, 1e-17, 1e-13}) {
    SmoothScene scene;
    scene.set_law("tsuji", 0.5);
    scene.set_stiffness(1e6);
    scene.options.duration = 2.0;
    scene.add_ball(0.1, 1.0, {-1.0, 0.2 + off, 0.0}, {1.0, 0.0, 0.0});
    scene.add_ball(0.1, 1.0, {0.0, 0.0, 0.0});
    Watch watch;
    const RunResult result = scene.run(&watch);
    EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
    EXPECT_LE(watch.starts, 1);
    EXPECT_EQ(watch.starts, watch.ends);
    EXPECT_NEAR(result.final_state.bodies[0].position.x(), 1.0, 1e-6);
  }
}

TEST(SmoothTouching, FlightsThatAreShorterThanAStepAreNotMissed) {
  // On a table that pulls away a little faster than the ball falls, the ball flies for a moment in every period; long
  // steps must see each of these flights.
  std::map<double, int> starts;
  for (const double rtol : {1e-3, 1e-5, 1e-8}) {
    SmoothScene scene = on_a_floor(1e7, 0.3);
    scene.add_ball(0.1, 1.0, {0.0, 0.0, 0.1});
    DrivenMotion shaking;
    constexpr double kFrequency = 5.0;
    shaking.position = SineProfile{1.02 * kEarthGravity / std::pow(2.0 * M_PI * kFrequency, 2), kFrequency, 0.0};
    scene.model.obstacles[0].motion = shaking;
    scene.options.rtol = rtol;
    Watch watch;
    const RunResult result = scene.run(&watch);
    EXPECT_EQ(result.stop, RunStop::duration);
    starts[rtol] = watch.starts;
  }
  EXPECT_GE(starts[1e-8], 9);  // ten periods
  EXPECT_EQ(starts[1e-3], starts[1e-8]);
  EXPECT_EQ(starts[1e-5], starts[1e-8]);
}

TEST(SmoothSettle, ABodyIsNeverLetDownByMoreThanAHundredthOfItsSize) {
  SmoothScene scene = on_a_floor(10.0, 0.5);
  scene.add_ball(0.1, 1.0, {0.0, 0.0, 0.1});
  const auto engine = scene.engine();
  EXPECT_EQ(engine->state_at(0.0).bodies[0].position.z(), 0.1);
  const CompliantReport report = report_of(*engine);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("the stiffness of"), std::string::npos) << report.warnings[0];
  EXPECT_NE(report.warnings[0].find("too small"), std::string::npos);
  EXPECT_EQ(report.settled, 0);
  // With a stiffness that bears it within that, it is let down to (mg/K)^(2/3).
  scene.set_stiffness(1e6);
  EXPECT_NEAR(scene.engine()->state_at(0.0).bodies[0].position.z(), 0.1 - std::pow(kEarthGravity / 1e6, 2.0 / 3.0),
              1e-15);
  EXPECT_TRUE(report_of(*scene.engine()).warnings.empty());
}

TEST(SmoothStacks, AnOffsetStackThatTouchesAtTheStartStands) {
  SmoothScene scene = on_a_floor(1e8, 0.3);
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.set_friction("coulomb", {{"coefficient", 0.5}, {"vr", 1e-2}});
  scene.options.duration = 0.3;
  for (int k = 0; k < 4; ++k)
    scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.03 * k, 0.0, 0.1 + 0.2 * k}, {0.0, 0.0, 0.0});
  const RunResult result = expect_to_end(scene);
  for (const BodyIndex body : result.final_state.bodies.indices()) {
    const Eigen::Vector3d off = result.final_state.bodies[body].position - scene.state.bodies[body].position;
    EXPECT_LT(off.norm(), 1e-3);
    EXPECT_LT(off.z(), 0.0);
  }
}

TEST(SmoothStacks, ABoxThatSlidesAlongAFaceWithHardlyAGapIsNotSearchedWithoutEnd) {
  // It rocks a little on an elastic floor, and a wall as high as it is stands beside it with a gap of 10⁻¹¹ m.
  SmoothScene scene = on_a_floor(1e8, 1.0);
  scene.set_law("hertz", 1.0);
  scene.set_stiffness(1e8);
  scene.options.duration = 0.2;
  const int box = scene.add_body(Box{{0.05, 0.05, 0.05}}, 1.0, {0.0, 0.0, 0.05}, {0.0, 0.3, 0.0});
  scene.state.bodies[BodyIndex(box)].angular_velocity.x() = 0.01;
  Obstacle wall;
  wall.name = "wall";
  wall.material = 1;
  wall.parts = one_part(Box{{0.05, 0.5, 0.05}});
  wall.pose.position = {0.1 + 1e-11, 0.0, 0.05};
  scene.model.obstacles.push_back(wall);
  const std::int64_t before = Activity::own().ticks;
  const RunResult result = expect_to_end(scene);
  // A few ticks a step, where the search by safe steps takes hundreds.
  EXPECT_LT(Activity::own().ticks - before, 50 * result.steps_accepted);
  EXPECT_GT(result.steps_accepted, 100);
}

TEST(SmoothStacks, FrictionThatHoldsABodyDoesNotHoldTheSteps) {
  // A box on a slope creeps at v_r artanh(tan θ/μ); its slip relaxes in v_r/(μg) = 20 µs, to which explicit steps would
  // be held: some 10⁵ evaluations a second.
  SmoothScene scene = on_a_floor(1e8, 0.3);
  constexpr double kSlope = 0.25, kFriction = 0.5, kSpeed = 1e-4;
  scene.model.gravity = kEarthGravity * Eigen::Vector3d(kSlope, 0.0, -1.0).normalized();
  scene.set_friction("coulomb", {{"coefficient", kFriction}, {"vr", kSpeed}});
  scene.options.duration = 1.0;
  scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.0, 0.0, 0.1}, {0.0, 0.0, 0.0});
  const RunResult result = expect_to_end(scene);
  // Speeds are within some rtol of √(2 stored energy/m), about 0.005 m/s here.
  EXPECT_NEAR(result.final_state.bodies[0].velocity.x(), kSpeed * std::atanh(kSlope / kFriction), 1e-7);
  EXPECT_LT(result.evaluations, 10000);
}

TEST(SmoothStacks, ATowerThatSticksIsTheSameWithAndWithoutImplicitSteps) {
  // Boxes on each other that are pushed sideways, to their end by steps of one kind and of the other: the eighth-order
  // method knows explicit ones alone.
  SmoothScene scene = on_a_floor(1e7, 0.3);
  scene.set_friction("coulomb", {{"coefficient", 0.4}, {"vr", 1e-3}});
  scene.options.rtol = 1e-8;
  scene.options.duration = 0.2;
  for (int k = 0; k < 3; ++k) scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.0, 0.0, 0.1 + 0.2 * k}, {0.2 * k, 0.0, 0.0});
  const RunResult mixed = expect_to_end(scene);
  scene.options.integrator = "dormand-prince-853";
  const RunResult exact = expect_to_end(scene);
  for (const BodyIndex body : mixed.final_state.bodies.indices()) {
    const BodyState &one = mixed.final_state.bodies[body], &other = exact.final_state.bodies[body];
    EXPECT_LT((one.position - other.position).norm(), 1e-7);
    EXPECT_LT((one.velocity - other.velocity).norm(), 1e-6);
  }
  EXPECT_LT(3 * mixed.evaluations, exact.evaluations);
}

TEST(SmoothEnergy, ThousandsOfElasticBouncesGainNoMoreThanSomeErrorsOfAStep) {
  SmoothScene scene = on_a_floor(1e8, 1.0);
  scene.set_law("hertz", 1.0);
  for (const double side : {-1.0, 1.0}) {
    scene.add_plane({-side, 0.0, 0.0}, {0.4 * side, 0.0, 0.0});
    scene.add_plane({0.0, -side, 0.0}, {0.0, 0.4 * side, 0.0});
  }
  for (int k = 0; k < 18; ++k)
    scene.add_ball(0.1, 4.0, {0.25 * (k % 3 - 1) + 0.002 * k, 0.25 * (k / 3 % 3 - 1), 0.3 + 0.25 * (k / 9)},
                   {0.3, -0.2 * (k % 2), 0.0});
  scene.options.duration = 40.0;
  Watch watch;
  const RunResult result = scene.run(&watch);
  ASSERT_EQ(result.stop, RunStop::duration);
  EXPECT_GT(watch.starts, 2000);
  EXPECT_LE(std::abs(result.energy.error()), 20.0 * scene.options.rtol * watch.kinetic);
}

TEST(SmoothSleep, AStandingTowerCostsNothingUntilItIsStruck) {
  SmoothScene scene = on_a_floor(1e8, 0.3);
  scene.set_friction("tangential-spring", {{"coefficient", 0.5}, {"stiffness", 1e6}});
  for (int k = 0; k < 3; ++k) scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.0, 0.0, 0.1 + 0.2 * k}, {0.0, 0.0, 0.0});
  const RunResult alone = expect_to_end(scene);
  // All the work is done while it sinks in: ten times the time costs no more than a few evaluations.
  SmoothScene longer = scene;
  longer.options.duration = 20.0;
  EXPECT_LT(expect_to_end(longer).evaluations, alone.evaluations + 5000);
  for (const BodyState& body : alone.final_state.bodies) {
    EXPECT_TRUE(body.velocity.isZero(0.0));
    EXPECT_TRUE(body.angular_velocity.isZero(0.0));
  }
  // A ball arrives after it has gone to sleep, and knocks the top off.
  scene.add_ball(0.1, 2.0, {-3.1, 0.0, 0.5}, {3.0, 0.0, 0.0});
  scene.model.gravity = {0.0, 0.0, -kEarthGravity};
  scene.state.bodies.back().velocity.z() = 0.5 * kEarthGravity;  // up, and back at this height after a second
  const RunResult struck = expect_to_end(scene);
  EXPECT_GT(struck.final_state.bodies[2].position.x(), 0.05);
}

TEST(SmoothSleep, WhatCouldFallIsNotStopped) {
  // A ball beside the top of another one by less than a step can tell falls off all the same.
  SmoothScene scene = on_a_floor(1e7, 0.1);
  scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.0, 9.0, 0.1}, {0.0, 0.0, 0.0});
  scene.add_ball(0.1, 1.0, {1.0, 0.0, 0.1});
  scene.add_ball(0.1, 1.0, {1.0 + 1e-9, 0.0, 0.3});
  scene.options.duration = 4.0;
  const RunResult result = expect_to_end(scene);
  EXPECT_LT(result.final_state.bodies[2].position.z(), 0.2);
  EXPECT_TRUE(result.final_state.bodies[0].velocity.isZero(0.0));
}

TEST(SmoothStacks, AStackThatIsOffsetBothWaysComesToRest) {
  // A crossing of edges opens within round-off while the stack sinks in, and has to bear when a box leans on it.
  SmoothScene scene = on_a_floor(1e8, 0.3);
  scene.set_friction("coulomb", {{"coefficient", 0.5}, {"vr", 0.01}});
  for (int k = 0; k < 5; ++k)
    scene.add_body(Box{{0.1, 0.1, 0.1}}, 8.0, {0.02 * k, 0.01 * k, 0.1 + 0.2 * k}, Eigen::Vector3d::Zero());
  const RunResult result = expect_to_end(scene);
  EXPECT_LT(result.compliant->deepest, 0.01);
  for (const BodyIndex body : result.final_state.bodies.indices()) {
    const Eigen::Vector3d off = result.final_state.bodies[body].position - scene.state.bodies[body].position;
    EXPECT_LT(off.norm(), 5e-3);
    EXPECT_LT(result.final_state.bodies[body].velocity.norm(), 1e-3);
  }
}

/// Boxes and balls on each other, touching or some way apart.
SmoothScene random_stack(std::uint64_t seed) {
  Random random(seed);
  SmoothScene scene = on_a_floor(std::pow(10.0, random.uniform(6.0, 8.0)), random.uniform(0.1, 0.8));
  if (random.uniform() < 0.5) scene.set_friction("coulomb", {{"coefficient", random.uniform(0.1, 0.8)}, {"vr", 0.03}});
  scene.options.duration = 0.5;
  const bool touching = random.uniform() < 0.5;
  double height = 0.0;
  for (int k = random.integer(2, 4); k > 0; --k) {
    const Eigen::Vector3d half(random.uniform(0.06, 0.12), random.uniform(0.06, 0.12), random.uniform(0.06, 0.12));
    if (!touching) height += std::pow(10.0, random.uniform(-6.0, -2.0));
    const Eigen::Vector3d place(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), height + half.z());
    const double kind = random.uniform();
    if (kind < 0.8) {
      scene.add_body(Box{half}, 1.0, place, Eigen::Vector3d::Zero());
      if (random.uniform() < 0.5)
        scene.state.bodies.back().orientation =
            Eigen::AngleAxisd(random.uniform(0.0, 1.6), Eigen::Vector3d::UnitZ()) * Eigen::Quaterniond::Identity();
    } else {
      scene.add_ball(half.z(), 1.0, place);
    }
    height += 2.0 * half.z();
  }
  return scene;
}

TEST(SmoothStacks, RandomStacksRunThroughWithTheirEnergyAccountedFor) {
  for (int seed = 0; seed < heavy_cases(24); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_to_end(random_stack(static_cast<std::uint64_t>(seed)));
  }
}

TEST(SmoothStacks, ABoxThatIsKnockedOverAnotherStaysOnTopOfIt) {
  // Points of the upper box are handed over while it turns, and open while it is still in the lower one a little; they
  // have to bear again when it tips back.
  SmoothScene scene = on_a_floor(1.1e8, 0.05);
  scene.set_law("hunt-crossley-fixed", 0.05, 1.5);
  scene.set_friction("tangential-spring", {{"coefficient", 0.63}, {"stiffness", 1.5e6}});
  for (const double height : {0.113, 0.339})
    scene.add_body(Box{{0.113, 0.113, 0.113}}, 11.5, {0.2825, 0.0, height}, Eigen::Vector3d::Zero());
  for (int k = 0; k < 6; ++k) {
    SmoothScene struck = scene;
    struck.add_ball(0.113, 6.0, {-0.2 - 0.02 * k, 0.01 * k, 0.12 + 0.01 * k}, {2.5, 0.0, 1.0});
    const RunResult result = expect_to_end(struck);
    ASSERT_TRUE(result.compliant.has_value());
    EXPECT_LT(result.compliant->deepest, 0.05) << k;
    EXPECT_GE(result.energy.contacts, 0.0) << k;
  }
}

TEST(SmoothStacks, DeeplyPressedBoxesKeepTheirEnergy) {
  // So soft that boxes press into each other by a good part of their size, and their points come and go out of order.
  for (int seed = 0; seed < heavy_cases(6); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(static_cast<std::uint64_t>(seed) + 40);
    SmoothScene scene = on_a_floor(7e5, 0.5);
    scene.options.duration = 1.2;
    for (int k = 0; k < 5; ++k) {
      scene.add_body(Box{{0.08, random.uniform(0.05, 0.1), 0.07}}, 3.0,
                     {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.2 + 0.3 * k}, Eigen::Vector3d::Zero());
      scene.state.bodies.back().orientation = Eigen::Quaterniond(random.uniform(0.1, 1.0), random.uniform(-1.0, 1.0),
                                                                 random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0))
                                                  .normalized();
    }
    expect_to_end(scene);
  }
}

}  // namespace
}  // namespace carom::test
