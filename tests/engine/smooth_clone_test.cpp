/// A clone of the compliant engine is an independent engine with the same future.

#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/smooth_models.h"

namespace carom::test {
namespace {

/// A ball on a spring beside a ball that hangs on a rod, and a ball that falls onto a plane.
SmoothScene spring_pendulum() {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.set_law("tsuji", 0.7);
  scene.add_ball(0.05, 0.2, {0.4, 0.0, 1.0}, {0.0, 0.3, 0.0});
  scene.add_ball(0.05, 0.3, {-0.5, 0.0, 1.5});
  scene.add_ball(0.05, 0.25, {0.0, 0.0, 0.3});
  scene.model.springs.push_back({.body_a = 0,
                                 .body_b = kNone,
                                 .point_b = {0.0, 0.0, 1.5},
                                 .stiffness = 40.0,
                                 .damping = 0.1,
                                 .rest_length = 0.4});
  scene.model.constraints.emplace_back(RodConstraint{1, {0.0, 0.0, 1.5}, 0.5});
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  scene.options.duration = 0.6;
  return scene;
}

/// Five balls on rods, the first one lifted.
SmoothScene hanging_balls() {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  constexpr double kRadius = 0.02, kLength = 0.2;
  for (int i = 0; i < 5; ++i) {
    const Eigen::Vector3d pivot(2.0 * kRadius * i, 0.0, 0.0);
    const double angle = i == 0 ? std::numbers::pi / 6.0 : 0.0;
    scene.add_ball(kRadius, 0.1, pivot + kLength * Eigen::Vector3d(-std::sin(angle), 0.0, -std::cos(angle)));
    scene.model.constraints.emplace_back(RodConstraint{i, pivot, kLength});
  }
  scene.options.duration = 0.5;
  return scene;
}

/// Balls between an outer ring at rest and an inner one that turns, with friction.
SmoothScene bearing() {
  SmoothScene scene;
  scene.set_law("hunt-crossley-fixed", 0.8, 0.1);
  scene.set_friction("coulomb", {{"coefficient", 0.1}, {"vr", 0.01}});
  constexpr double kInner = 0.02, kBall = 0.005, kOuter = kInner + 2.0 * kBall;
  for (int i = 0; i < 6; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 6.0;
    scene.add_ball(kBall, 0.004, (kInner + kBall - 1e-8) * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0),
                   0.5 * Eigen::Vector3d(-std::sin(angle), std::cos(angle), 0.0));
    scene.model.constraints.emplace_back(PlanarConstraint{i, Eigen::Vector3d::UnitZ()});
  }
  Obstacle inner{.name = "inner", .parts = one_part(Cylinder{kInner, 0.02}), .pose = {}, .material = 1};
  inner.angular_velocity = {0.0, 0.0, 60.0};
  Obstacle outer{.name = "outer", .parts = one_part(Bore{kOuter, 0.02}), .pose = {}, .material = 1};
  scene.model.obstacles = {inner, outer};
  scene.options.duration = 0.004;
  return scene;
}

SmoothScene pool_break() {
  SmoothScene scene = planar_break(1e-4);
  scene.options.duration = 0.4;
  return scene;
}

/// All numbers of all events.
struct Recorder final : Observer {
  std::vector<double> numbers;
  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    numbers.push_back(event.time);
    for (const ContactRecord& contact : event.contacts)
      for (const double number : {contact.impulse, contact.rate_before, contact.rate_after, contact.point.x()})
        numbers.push_back(number);
  }
  void progress(double, long) override {}
};

/// What became of a run: its events and its final state.
struct Future {
  std::vector<double> events, state;
  bool operator==(const Future&) const = default;
};

Future future(carom::Run& run) {
  Recorder recorder;
  run.add(recorder);
  run.advance_to(run.end());
  Future future{recorder.numbers, {}};
  const RunResult result = run.result();
  EXPECT_FALSE(result.failure.has_value()) << result.failure->reason;
  for (const BodyState& body : result.final_state.bodies) {
    for (const Eigen::Vector3d& v : {body.position, body.velocity, body.angular_velocity})
      future.state.insert(future.state.end(), v.begin(), v.end());
    future.state.insert(future.state.end(), body.orientation.coeffs().begin(), body.orientation.coeffs().end());
  }
  future.state.push_back(static_cast<double>(result.steps_accepted));
  future.state.push_back(static_cast<double>(result.evaluations));
  future.state.push_back(result.energy.contacts);
  run.remove(recorder);
  return future;
}

class SmoothClone : public testing::TestWithParam<std::pair<const char*, std::function<SmoothScene()>>> {};

TEST_P(SmoothClone, HasTheFutureOfTheOriginal) {
  const SmoothScene scene = GetParam().second();
  carom::Run whole(scene.engine(), {});
  const Future expected = future(whole);
  EXPECT_FALSE(expected.events.empty());

  carom::Run original(scene.engine(), {});
  original.advance_to(0.5 * scene.options.duration);
  carom::Run before(original), after(original);
  // What one does leaves the others alone, whoever is first.
  const Future first = future(before);
  const Future second = future(original);
  const Future third = future(after);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, third);
  EXPECT_EQ(first.state, expected.state);
  EXPECT_TRUE(std::equal(first.events.rbegin(), first.events.rend(), expected.events.rbegin()));
}

TEST_P(SmoothClone, OutlivesTheOriginal) {
  const SmoothScene scene = GetParam().second();
  auto original = std::make_unique<carom::Run>(scene.engine(), RunSettings{});
  original->advance_to(0.3 * scene.options.duration);
  carom::Run clone(*original);
  const Future expected = future(*original);
  original.reset();
  EXPECT_EQ(future(clone), expected);
}

INSTANTIATE_TEST_SUITE_P(Models, SmoothClone,
                         testing::Values(std::pair{"SpringPendulum", &spring_pendulum},
                                         std::pair{"Cradle", &hanging_balls}, std::pair{"Bearing", &bearing},
                                         std::pair{"PoolBreak", &pool_break}),
                         [](const auto& tested) { return std::string(tested.param.first); });

TEST(SmoothEngine, GoesOnAfterItsEndWithItsEnergyAccountedFor) {
  SmoothScene scene = dropped_ball(0.3);
  scene.options.duration = 0.2;
  carom::Run run(scene.engine(), {});
  run.advance_to(run.end());
  EXPECT_EQ(run.result().impacts, 0);
  run.extend(1.0);
  run.advance_to(1.0);
  const RunResult result = run.result();
  EXPECT_EQ(result.stop, RunStop::duration);
  // √(2h/g) = 0.247 s of fall, then once more after twice that: 0.247, 0.742.
  EXPECT_EQ(result.impacts, 2);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-7 * result.energy.initial);
}

TEST(SmoothEngine, StopsApartWhenAllContactsHaveOpened) {
  SmoothScene scene = dropped_ball(0.3);
  scene.options.duration = 2.0;
  scene.options.stop_when_apart = true;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::apart);
  EXPECT_EQ(result.contacts_opened, 1);
  EXPECT_NEAR(result.final_state.time, std::sqrt(2.0 * 0.3 / 9.81), 1e-3);
}

TEST(SmoothEngine, GivesTheSameReportHoweverOftenItIsAsked) {
  SmoothScene scene = touching_chain(4, 1.5);
  scene.set_law("tsuji", 0.5);
  scene.options.duration = 0.01;
  carom::Run run(scene.engine(), {});
  run.advance_to(0.001);
  const RunResult first = run.result(), second = run.result();
  ASSERT_TRUE(first.compliant && second.compliant);
  EXPECT_GT(first.evaluations, 0);
  EXPECT_EQ(first.evaluations, second.evaluations);
  ASSERT_EQ(first.compliant->works.size(), second.compliant->works.size());
  ASSERT_FALSE(first.compliant->works.empty());
  EXPECT_EQ(first.compliant->works[0].dissipated, second.compliant->works[0].dissipated);
  EXPECT_EQ(first.compliant->deepest, second.compliant->deepest);
}

}  // namespace
}  // namespace carom::test
