/// A run in pieces has the bits of a run in one go; so has a copy, and one that was interrupted.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/simulation/simulation.h"
#include "simulation/balls.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

/// Scenes of both engines: flight, rest, islands, springs, many bodies, constraints, forces.
std::vector<std::pair<std::string, std::string>> scenes_and_durations() {
  return {{"bouncing-ball", "10"},  {"ellipsoid-in-a-box", "3"}, {"egg-on-its-side", "1"}, {"spring-pendulum", "2"},
          {"rocking-block", "1"},   {"cradle-on-rods", "0.8"},   {"pool-break", "1"},      {"superball-pendulum", "2"},
          {"cradle-smooth", "0.5"}, {"pool-table", "0.2"},       {"bearing", "0.0005"},    {"touching-chain", "0.001"}};
}

struct Told {
  std::vector<double> events, samples, end;
  bool operator==(const Told&) const = default;
};

template <class Drive>
Told run(const Scene& scene, const Drive& drive) {
  Simulation simulation(scene);
  Witness witness;
  simulation.add(witness);
  drive(simulation);
  Told told{witness.events, witness.samples, {}};
  append(told.end, simulation.state());
  return told;
}

Scene scene_of(const std::pair<std::string, std::string>& one) {
  const double duration = std::stod(one.second);
  return shipped(one.first, {"run.duration=" + one.second, "run.output_step=" + std::to_string(duration / 8.0)});
}

TEST(Pieces, AHundredPiecesHaveTheBitsOfOneRun) {
  for (const auto& one : scenes_and_durations()) {
    SCOPED_TRACE(one.first);
    const Scene scene = scene_of(one);
    const Told whole = run(scene, [](Simulation& simulation) { simulation.run(); });
    const Told pieces = run(scene, [](Simulation& simulation) {
      const double end = simulation.end_time();
      for (int k = 1; k < 100; ++k) simulation.advance_to(end * k / 100.0);
      simulation.run();
    });
    EXPECT_EQ(pieces.events, whole.events);
    EXPECT_EQ(pieces.samples, whole.samples);
    EXPECT_EQ(pieces.end, whole.end);
  }
}

TEST(Pieces, EventByEventHasTheBitsOfOneRun) {
  for (const auto& one : scenes_and_durations()) {
    SCOPED_TRACE(one.first);
    const Scene scene = scene_of(one);
    const Told whole = run(scene, [](Simulation& simulation) { simulation.run(); });
    const Told stepped = run(scene, [](Simulation& simulation) {
      while (simulation.next_event()) {
      }
    });
    EXPECT_EQ(stepped.events, whole.events);
    EXPECT_EQ(stepped.end, whole.end);
  }
}

TEST(Pieces, ACopyGoesItsOwnWayWithTheSameBits) {
  for (const auto& one : scenes_and_durations()) {
    SCOPED_TRACE(one.first);
    Simulation original(scene_of(one));
    original.advance_to(0.4 * original.end_time());
    Simulation copy = original;
    Witness of_original, of_copy;
    original.add(of_original);
    copy.add(of_copy);
    copy.run();
    EXPECT_TRUE(of_original.events.empty());
    EXPECT_EQ(original.time(), 0.4 * original.end_time());
    original.run();
    EXPECT_EQ(of_copy.events, of_original.events);
    EXPECT_EQ(of_copy.samples, of_original.samples);
    EXPECT_FALSE(of_original.samples.empty());
  }
}

TEST(Pieces, AnInterruptedRunGoesOnWithTheSameBits) {
  for (const auto& one : scenes_and_durations()) {
    SCOPED_TRACE(one.first);
    const Scene scene = scene_of(one);
    const Told whole = run(scene, [](Simulation& simulation) { simulation.run(); });
    int stops = 0;
    const Told interrupted = run(scene, [&stops](Simulation& simulation) {
      int events = 0;
      simulation.on_event([&](const EventRecord&) {
        if (++events % 7 == 3) simulation.interrupt();
      });
      while (simulation.run().stop == RunStop::interrupted) ++stops;
    });
    EXPECT_EQ(interrupted.events, whole.events);
    EXPECT_EQ(interrupted.end, whole.end);
    if (whole.events.size() > 100) {
      EXPECT_GT(stops, 0);
    }
  }
}

TEST(Pieces, AnInterruptBeforeTheRunStopsItAtOnce) {
  Simulation simulation(falling_ball(0.9));
  simulation.interrupt();
  EXPECT_EQ(simulation.run().stop, RunStop::interrupted);
  EXPECT_EQ(simulation.time(), 0.0);
  EXPECT_EQ(simulation.run().stop, RunStop::duration);
}

TEST(Pieces, TheLimitOfEventsCanBePassedBitByBit) {
  Scene scene = falling_ball(0.9);
  Simulation whole(scene);
  const RunResult all = whole.run();
  scene.set("run.max_events", 10);
  Simulation limited(scene);
  EXPECT_EQ(limited.run().stop, RunStop::event_limit);
  EXPECT_EQ(limited.result().impacts, 10);
  EXPECT_EQ(limited.run().impacts, 20);
  while (limited.run().stop == RunStop::event_limit) {
  }
  EXPECT_EQ(limited.result().impacts, all.impacts);
  EXPECT_EQ(limited.state().bodies[0].position.z(), whole.state().bodies[0].position.z());
}

TEST(Pieces, ItGoesOnBeyondTheDurationOfTheScene) {
  for (const auto& one : scenes_and_durations()) {
    SCOPED_TRACE(one.first);
    const Scene scene = scene_of(one);
    Simulation longer(scene);
    const double end = longer.end_time();
    longer.run();
    longer.advance_to(1.25 * end);
    EXPECT_EQ(longer.time(), 1.25 * end);
    const RunResult result = longer.result();
    EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
    EXPECT_LE(longer.summary().balance_error(), 1e-6);
    // The past is still known, on both sides of the old end.
    EXPECT_EQ(longer.state_at(0.5 * end).time, 0.5 * end);
    EXPECT_EQ(longer.state_at(1.1 * end).time, 1.1 * end);
  }
}

TEST(Pieces, BeyondTheDurationTheBallBouncesAsIfItHadBeenAskedForAtOnce) {
  Simulation at_once(falling_ball(0.9, 4.0)), later(falling_ball(0.9, 1.0));
  at_once.run();
  later.run();
  later.advance_to(4.0);
  EXPECT_NEAR(later.state().bodies[0].position.z(), at_once.state().bodies[0].position.z(), 1e-12);
  EXPECT_EQ(later.result().impacts, at_once.result().impacts);
  EXPECT_NEAR(later.energy().error(), 0.0, 1e-13);
}

}  // namespace
}  // namespace carom::test
