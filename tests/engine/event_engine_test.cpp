#include "carom/engine/event/event_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/engine/run.h"

namespace carom::event_engine_test {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;

/// A ball over a floor: the simplest scene that has everything.
struct BallOverFloor {
  Model model;
  State state;
  EventOptions options;
  RunSettings settings;

  explicit BallOverFloor(double restitution = 1.0, bool rough = false) {
    model.gravity = {0.0, 0.0, -kGravity};
    model.materials.resize(1);
    model.materials[0].name = "stuff";
    model.rules.resize(1);
    model.rules[0].restitution = restitution;
    model.rules[0].rough = rough;
    add_ball({0.0, 0.0, 1.5}, Vector3d::Zero());
    Obstacle floor;
    floor.name = "floor";
    floor.pose = half_space_pose(Vector3d::UnitZ(), Vector3d::Zero());
    floor.material = 0;
    model.obstacles.push_back(floor);
  }
  void add_ball(const Vector3d& position, const Vector3d& velocity) {
    Body ball = homogeneous_body("ball" + std::to_string(model.bodies.size()), Sphere{0.5}, 2.0);
    ball.material = 0;
    model.bodies.push_back(ball);
    BodyState where;
    where.position = position;
    where.velocity = velocity;
    state.bodies.push_back(where);
  }
  [[nodiscard]] std::unique_ptr<EventEngine> engine() const {
    return std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options);
  }
  RunResult run(Observer* observer = nullptr, const std::atomic<bool>* interrupt = nullptr) const {
    return run_to_end(engine(), settings, observer, interrupt);
  }
};

/// Notes what an engine tells.
class Notes final : public Observer {
 public:
  void sample(const State& state, const EnergyBook& book) override {
    samples.push_back(state);
    books.push_back(book);
  }
  void event(const EventRecord& event) override {
    times.push_back(event.time);
    kinds.push_back(event.kind);
  }
  void progress(double /*time*/, long /*events*/) override { ++reports; }

  [[nodiscard]] std::vector<double> of(EventKind kind) const {
    std::vector<double> found;
    for (std::size_t k = 0; k < times.size(); ++k)
      if (kinds[k] == kind) found.push_back(times[k]);
    return found;
  }

  std::vector<State> samples;
  std::vector<EnergyBook> books;
  std::vector<double> times;
  std::vector<EventKind> kinds;
  int reports = 0;
};

void expect_refused(const BallOverFloor& scene, Kind kind, const std::string& field) {
  try {
    const Run run(scene.engine(), scene.settings);
    ADD_FAILURE() << field << " was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.place().field, field) << error.what();
  }
}

TEST(EventEngine, RefusesOptionsOutOfRange) {
  const double nan = std::nan("");
  const double infinite = std::numeric_limits<double>::infinity();
  const auto refused = [](auto change, Kind kind, const std::string& field) {
    BallOverFloor scene;
    change(scene);
    expect_refused(scene, kind, field);
  };
  refused([](BallOverFloor& s) { s.options.duration = 0.0; }, Kind::out_of_range, "run.duration");
  refused([](BallOverFloor& s) { s.options.duration = -1.0; }, Kind::out_of_range, "run.duration");
  refused([&](BallOverFloor& s) { s.options.duration = nan; }, Kind::not_finite, "run.duration");
  refused([](BallOverFloor& s) { s.settings.output_step = -0.1; }, Kind::out_of_range, "run.output_step");
  refused([&](BallOverFloor& s) { s.settings.output_step = infinite; }, Kind::not_finite, "run.output_step");
  refused([](BallOverFloor& s) { s.options.contact_tolerance = 0.0; }, Kind::out_of_range, "run.contact_tolerance");
  refused([](BallOverFloor& s) { s.options.contact_tolerance = 0.1; }, Kind::out_of_range, "run.contact_tolerance");
}

TEST(EventEngine, RefusesOverlapAtTheStart) {
  BallOverFloor scene;
  scene.state.bodies[0].position.z() = 0.5 - 1e-6;
  expect_refused(scene, Kind::overlap, "body.ball0.position");
  scene.state.bodies[0].position.z() = 0.5 - 1e-11;  // round-off
  EXPECT_NO_THROW(scene.run());
}

TEST(EventEngine, BouncesAtTheKnownTimes) {
  BallOverFloor scene;
  scene.options.duration = 90.0;
  Notes notes;
  const RunResult result = scene.run(&notes);
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_EQ(result.guarantee, Guarantee::proven);
  EXPECT_EQ(result.final_state.time, 90.0);
  const double fall = std::sqrt(2.0 / kGravity);
  ASSERT_EQ(notes.times.size(), 100u);
  EXPECT_EQ(result.impacts, 100);
  EXPECT_EQ(result.multiple, 0);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_NEAR(notes.times[k], (2.0 * static_cast<double>(k) + 1.0) * fall, 1e-12);
  EXPECT_NEAR(result.energy.now.total(), 2.0 * kGravity * 1.5, 1e-12);
}

TEST(EventEngine, SamplesStandAtMultiplesOfTheOutputStepAndAtTheEnd) {
  BallOverFloor scene(0.7);
  scene.options.duration = 1.0;
  scene.settings.output_step = 0.3;
  Notes notes;
  scene.run(&notes);
  ASSERT_EQ(notes.samples.size(), 5u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(notes.samples[k].time, 0.3 * static_cast<double>(k));
  EXPECT_EQ(notes.samples[4].time, 1.0);
  EXPECT_NEAR(notes.samples[1].bodies[0].position.z(), 1.5 - 0.5 * kGravity * 0.09, 1e-15);
  for (const EnergyBook& book : notes.books) EXPECT_LT(std::abs(book.error()), 1e-13 * 2.0 * kGravity);

  scene.settings.output_step = 0.0;  // start and end only
  Notes few;
  scene.run(&few);
  ASSERT_EQ(few.samples.size(), 2u);
  EXPECT_EQ(few.samples[0].time, 0.0);
  EXPECT_EQ(few.samples[1].time, 1.0);

  scene.settings.output_step = 0.25;  // the last multiple is the end: not told twice
  Notes whole;
  scene.run(&whole);
  EXPECT_EQ(whole.samples.size(), 5u);
}

TEST(EventEngine, StartsAtTheTimeOfTheState) {
  BallOverFloor scene;
  scene.state.time = 2.0;
  scene.options.duration = 3.0;
  Notes notes;
  const RunResult result = scene.run(&notes);
  EXPECT_EQ(notes.samples.front().time, 2.0);
  ASSERT_FALSE(notes.times.empty());
  EXPECT_NEAR(notes.times[0], 2.0 + std::sqrt(2.0 / kGravity), 1e-14);
  EXPECT_EQ(result.final_state.time, 5.0);
}

TEST(EventEngine, StopsAtRestWhenAskedTo) {
  BallOverFloor scene(0.5);
  scene.options.duration = 100.0;
  scene.settings.stop_at_rest = true;
  Notes notes;
  const RunResult result = scene.run(&notes);
  EXPECT_EQ(result.stop, RunStop::at_rest);
  const double end = std::sqrt(2.0 / kGravity) * (1.0 + 2.0 * 0.5 / 0.5);
  EXPECT_NEAR(result.final_state.time, end, 1e-9);
  ASSERT_EQ(notes.of(EventKind::rest).size(), 1u);
  EXPECT_NEAR(notes.of(EventKind::rest)[0], end, 1e-9);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.5, 1e-14);
  EXPECT_EQ(result.final_state.bodies[0].velocity, Vector3d::Zero());
  EXPECT_NEAR(result.energy.dissipated(), 2.0 * kGravity, 1e-12);

  scene.settings.stop_at_rest = false;
  scene.options.duration = 3600.0;  // an hour
  const RunResult hour = scene.run();
  EXPECT_EQ(hour.stop, RunStop::duration);
  EXPECT_EQ(hour.impacts, result.impacts);
  EXPECT_EQ(hour.final_state.bodies[0].position, result.final_state.bodies[0].position);
}

TEST(EventEngine, StopsAtTheEventLimit) {
  BallOverFloor scene;
  scene.options.duration = 1e9;
  scene.options.max_events = 7;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::event_limit);
  EXPECT_EQ(result.impacts, 7);
  EXPECT_NEAR(result.final_state.time, 13.0 * std::sqrt(2.0 / kGravity), 1e-12);
  EXPECT_GT(result.final_state.bodies[0].velocity.z(), 0.0);  // after the impact
}

TEST(EventEngine, StopsWhenItIsInterrupted) {
  BallOverFloor scene;
  scene.options.duration = 1e12;
  const std::atomic<bool> interrupt{true};
  const RunResult result = scene.run(nullptr, &interrupt);
  EXPECT_EQ(result.stop, RunStop::interrupted);
  EXPECT_LT(result.impacts, 100000);
  EXPECT_NEAR(result.energy.now.total(), 2.0 * kGravity * 1.5, 1e-8);
}

TEST(EventEngine, AnExceptionOfTheObserverPassesThrough) {
  class Refusing final : public Observer {
   public:
    void sample(const State& /*state*/, const EnergyBook& /*book*/) override {}
    void event(const EventRecord& /*event*/) override { throw std::runtime_error("the disk is full"); }
    void progress(double /*time*/, long /*events*/) override {}
  } refusing;
  EXPECT_THROW(BallOverFloor().run(&refusing), std::runtime_error);
}

/// A ball between a floor and a ceiling that comes down at 1 m/s and meets it 2 s after `start`: impact n is at
/// start + 2 − 1/n, the odd ones at the floor, and ceiling impact k leaves the ball with speed 2k + 1.
BallOverFloor ball_between_closing_walls(double start) {
  BallOverFloor scene;
  scene.model.gravity.setZero();
  scene.state.time = start;
  scene.state.bodies[0].velocity = {0.0, 0.0, -1.0};
  Obstacle ceiling;
  ceiling.name = "ceiling";
  ceiling.material = 0;
  ceiling.pose = half_space_pose(-Vector3d::UnitZ(), {0.0, 0.0, 3.0 + start});
  ceiling.velocity = {0.0, 0.0, -1.0};
  scene.model.obstacles.push_back(ceiling);
  scene.options.duration = start + 10.0;
  return scene;
}

TEST(EventEngine, TheEventLimitKeepsWhatWasReached) {
  constexpr int kLimit = 1000;
  BallOverFloor scene = ball_between_closing_walls(0.0);
  scene.options.max_events = kLimit;
  Notes notes;
  const RunResult result = scene.run(&notes);
  EXPECT_EQ(result.stop, RunStop::event_limit);
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(result.impacts, kLimit);
  const std::vector<double> impacts = notes.of(EventKind::impact);
  ASSERT_EQ(impacts.size(), static_cast<std::size_t>(kLimit));
  // Round-off of a position, some 1e-16 m, shifts an instant by less than that over a speed of at least 1 m/s, and the
  // shifts of earlier impacts shrink with the gap.
  for (int n = 1; n <= kLimit; ++n) EXPECT_NEAR(impacts[static_cast<std::size_t>(n - 1)], 2.0 - 1.0 / n, 1e-14) << n;
  EXPECT_EQ(result.final_state.time, impacts.back());
  EXPECT_NEAR(result.final_state.bodies[0].velocity.z(), -(kLimit + 1.0), 1e-9);
}

TEST(EventEngine, AFailureKeepsWhatWasReached) {
  // Late on the clock a double tells places of the ceiling apart by 1e-10 m only, and no law can part what it hits.
  constexpr double kStart = 1e6;
  const BallOverFloor scene = ball_between_closing_walls(kStart);
  Notes notes;
  const RunResult result = scene.run(&notes);
  EXPECT_EQ(result.stop, RunStop::failed);
  EXPECT_GT(result.impacts, 100);
  const std::vector<double> impacts = notes.of(EventKind::impact);
  ASSERT_EQ(result.impacts, static_cast<std::int64_t>(impacts.size()));
  for (std::size_t k = 0; k < impacts.size(); ++k)
    EXPECT_NEAR(impacts[k] - kStart, 2.0 - 1.0 / (static_cast<double>(k) + 1.0), 1e-8) << k;
  EXPECT_GE(result.final_state.time, impacts.back());
  EXPECT_LT(result.final_state.time, kStart + 2.0);
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->time, result.final_state.time);
  EXPECT_FALSE(result.failure->reason.empty());
  EXPECT_EQ(result.failure->bodies, std::vector<BodyIndex>{0});
}

TEST(EventEngine, ADrivenWallDoesTheWorkThatTheBallGains) {
  BallOverFloor scene;
  scene.model.gravity.setZero();
  scene.model.obstacles[0].velocity = {0.0, 0.0, 2.0};
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  EXPECT_EQ(result.impacts, 1);
  EXPECT_NEAR(result.final_state.bodies[0].velocity.z(), 4.0, 1e-14);
  EXPECT_NEAR(result.energy.wall_work, 16.0, 1e-13);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-13);
}

/// Three equal balls in a row, two of them touching, the first comes in at 1 m/s: one impact with two contacts.
TEST(EventEngine, BallsThatTouchInARowAreOneImpact) {
  struct Case {
    const char* law;
    double velocities[3];
  };
  // Newton: the gap rates (−1, 0) become (1, 0), with the momentum 1. Sequential: each hands on what it got.
  for (const Case& expected :
       {Case{"newton", {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}, Case{"sequential", {0.0, 0.0, 1.0}}}) {
    BallOverFloor scene;
    scene.model.gravity.setZero();
    scene.state.bodies[0].position = {-3.0, 0.0, 2.0};
    scene.state.bodies[0].velocity = {1.0, 0.0, 0.0};
    scene.add_ball({0.0, 0.0, 2.0}, Vector3d::Zero());
    scene.add_ball({1.0, 0.0, 2.0}, Vector3d::Zero());
    scene.options.law = &impact_law(expected.law);
    scene.options.duration = 3.0;
    Notes notes;
    const RunResult result = scene.run(&notes);
    EXPECT_EQ(result.impacts, 1) << expected.law;
    EXPECT_EQ(result.multiple, 1) << expected.law;
    ASSERT_EQ(notes.times.size(), 1u) << expected.law;
    EXPECT_NEAR(notes.times[0], 2.0, 1e-14) << expected.law;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3d after{expected.velocities[i], 0.0, 0.0};
      EXPECT_LE((result.final_state.bodies[i].velocity - after).norm(), 1e-15) << expected.law << " ball " << i;
    }
  }
}

}  // namespace
}  // namespace carom::event_engine_test
