/// The bearings: friction carries the balls, races answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

constexpr double kRaceSpeed = 40.0 * std::numbers::pi;  // 20 Hz
/// Speed of the cage per speed of the outer race, ½(1 + d/D): rolling without slip on both races.
constexpr double kFundamentalTrain = 0.618461;

/// The angle through which ball-1 went from one sample to a later one [rad]; samples are less than half a turn apart.
double angle_between(const SceneRun& run, std::size_t from, std::size_t to, std::size_t body) {
  double angle = 0.0;
  for (std::size_t i = from; i < to; ++i) {
    const Eigen::Vector3d& a = run.samples[i].bodies[body].position;
    const Eigen::Vector3d& b = run.samples[i + 1].bodies[body].position;
    angle += std::atan2(a.x() * b.y() - a.y() * b.x(), a.head<2>().dot(b.head<2>()));
  }
  return angle;
}

std::vector<std::string> from_rest(double duration) {
  std::vector<std::string> settings = {setting("run.duration", duration), setting("run.output_step", duration / 50.0)};
  for (int i = 1; i <= 8; ++i) {
    const std::string ball = "body.ball-" + std::to_string(i);
    settings.push_back(ball + ".velocity=[0, 0, 0]");
    settings.push_back(ball + ".angular_velocity=[0, 0, 0]");
  }
  return settings;
}

TEST(Bearing, FrictionBringsTheBallsToTheSpeedOfTheCage) {
  const SceneRun run = run_shipped("bearing", from_rest(0.02));
  expect_sound(run);
  ASSERT_EQ(run.samples.size(), 51u);
  const double time = run.samples[50].time - run.samples[25].time;
  for (std::size_t ball = 0; ball < 8; ++ball) {
    const double speed = angle_between(run, 25, 50, ball) / time;
    // The preload moves the rolling radii by 1e-4; the creep that the regularised friction needs is smaller still.
    EXPECT_NEAR(speed / kRaceSpeed, kFundamentalTrain, 2e-3) << ball;
  }
  EXPECT_GT(run.result.energy.wall_work, 0.0);
}

TEST(Bearing, AFreeRaceIsCarriedByItsBalls) {
  const SceneRun run = run_shipped("bearing-free-race", {"run.duration=0.01", "run.output_step=1e-4"});
  expect_sound(run);
  // The load of 50 N and the weight press the race down by a fraction of its 2 µm of tightness; it stays there.
  for (const State& sample : run.samples) {
    EXPECT_LE(sample.bodies[0].position.norm(), 2e-6);
    EXPECT_NEAR(sample.bodies[0].angular_velocity.z(), kRaceSpeed, 1e-2 * kRaceSpeed);
  }
  EXPECT_LT(run.body("outer").position.y(), 0.0);
}

/// Largest acceleration of the race, from differences of its velocity.
double race_shake(const SceneRun& run) {
  double largest = 0.0;
  for (std::size_t i = run.samples.size() / 4; i + 1 < run.samples.size(); ++i) {
    const Eigen::Vector3d change = run.samples[i + 1].bodies[0].velocity - run.samples[i].bodies[0].velocity;
    largest = std::max(largest, change.norm() / (run.samples[i + 1].time - run.samples[i].time));
  }
  return largest;
}

TEST(Bearing, ADentShakesTheRace) {
  const std::vector<std::string> settings = {"run.duration=0.04"};
  const double healthy = race_shake(run_shipped("bearing-free-race", settings));
  for (const char* const name : {"bearing-outer-dent", "bearing-inner-dent"}) {
    const SceneRun run = run_shipped(name, settings);
    expect_sound(run);
    EXPECT_GT(race_shake(run), 5.0 * healthy) << name;
  }
}

/// Mean time between the passages of balls over the dent of a race, which open their contact with it for a moment.
double time_between_passages(const SceneRun& run, const std::string& race) {
  constexpr double kOnePassage = 3e-3;
  std::vector<double> passages;
  double last = -1.0;
  for (const KeptEvent& event : run.of_kind(EventKind::contact_end)) {
    const ContactRecord& contact = event.contacts[0];
    if (run.scene.model.name(contact.a) != race && run.scene.model.name(contact.b) != race) continue;
    if (event.record.time - last > kOnePassage) passages.push_back(event.record.time);
    last = event.record.time;
  }
  EXPECT_GE(passages.size(), 4u) << race;
  if (passages.size() < 2) return 0.0;
  return (passages.back() - passages.front()) / static_cast<double>(passages.size() - 1);
}

TEST(Bearing, BallsPassADentAtTheKnownRates) {
  // Per turn of the outer race 3.052312 balls pass a point of it and 4.947688 a point of the inner one.
  const std::vector<std::string> settings = {"run.duration=0.1"};
  EXPECT_NEAR(time_between_passages(run_shipped("bearing-outer-dent", settings), "outer"), 0.05 / 3.052312, 2e-4);
  EXPECT_NEAR(time_between_passages(run_shipped("bearing-inner-dent", settings), "inner"), 0.05 / 4.947688, 1e-4);
}

}  // namespace
}  // namespace carom::test
