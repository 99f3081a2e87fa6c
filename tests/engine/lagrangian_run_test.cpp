/// A user's system under the loop of all engines: in pieces, copied on the way, stopped and continued.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "carom/engine/lagrangian/system_engine.h"
#include "carom/engine/run.h"
#include "double_pendulum.h"
#include "engine/lagrangian_systems.h"

namespace carom {
namespace {

using namespace test;
using lagrangian::SystemEngine;

/// Everything a run tells, as numbers that are compared to the bit.
class Bits : public Observer {
 public:
  void sample(const State& state, const EnergyBook& book) override {
    samples.insert(samples.end(), {state.time, book.now.total(), book.error()});
  }
  void event(const EventRecord& event) override {
    events.insert(events.end(), {event.time, static_cast<double>(event.kind), static_cast<double>(event.round)});
    for (const ContactRecord& contact : event.contacts)
      events.insert(events.end(), {static_cast<double>(contact.b), contact.impulse, contact.rate_after});
    if (on_event) on_event();
  }
  void progress(double /*time*/, long /*events*/) override {}

  std::vector<double> samples, events;
  std::function<void()> on_event;
};

/// State, energies and counts at the time that a run has reached.
std::vector<double> present(const Run& run) {
  const LagrangianState state = dynamic_cast<const SystemEngine&>(run.engine()).lagrangian_state_at(run.time());
  std::vector<double> numbers{state.time};
  numbers.insert(numbers.end(), state.q.begin(), state.q.end());
  numbers.insert(numbers.end(), state.v.begin(), state.v.end());
  const RunResult result = run.result();
  const EnergyBook& book = result.energy;
  numbers.insert(numbers.end(), {book.initial, book.impacts, book.damping, book.cut_off, book.now.total()});
  for (const std::int64_t count : {result.impacts, result.multiple, result.contacts_opened, result.steps_accepted,
                                   result.steps_rejected, result.evaluations})
    numbers.push_back(static_cast<double>(count));
  return numbers;
}

/// A system, where it starts, and under which options.
struct Case {
  const char* name;
  std::shared_ptr<const LagrangianSystem> system;
  LagrangianState start;
  LagrangianOptions options;

  [[nodiscard]] Run run() const {
    return {std::make_unique<SystemEngine>(*system, start, options), {.output_step = options.output_step}};
  }
};

/// Bounces that end under damping, blocks that clatter to rest, a constraint, chaos, five rounds at one instant.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto bouncing = std::make_shared<Point>();
  bouncing->e = 0.8;
  bouncing->damping = 0.1;
  all.push_back({"point", bouncing, state({0.0, 1.0}, {0.5, 0.0}), {.duration = 6.0, .output_step = 0.03}});
  for (const bool rough : {false, true}) {
    const auto block = std::make_shared<Block>();
    block->rough = rough;
    all.push_back({rough ? "rough block" : "block",
                   block,
                   state({0.0, 1.0, 0.7}, {0.3, -0.2, 1.5}),
                   {.law = &impact_law("newton"), .duration = 4.0, .output_step = 0.03}});
  }
  all.push_back({"rod", std::make_shared<HeldRod>(), state({-0.8, -0.6}, {0.0, 0.0}), {.duration = 20.0}});
  const auto pendulum = std::make_shared<DoublePendulum>();
  pendulum->total_energy = 100.0;
  all.push_back({"pendulum", pendulum, state({0.3, 0.4}, {5.0, -3.0}), {.duration = 20.0, .output_step = 0.1}});
  all.push_back({"wedge",
                 std::make_shared<Wedge>(),
                 state({1.0, 0.5}, {-2.0, -1.0}),
                 {.law = &impact_law("superposition"), .duration = 2.0, .output_step = 0.03}});
  return all;
}

struct Outcome {
  std::vector<double> samples, events, end;
};

Outcome run_in_one_go(const Case& given) {
  Run run = given.run();
  Bits bits;
  run.add(bits);
  run.advance_to(run.end());
  EXPECT_EQ(run.result().stop, RunStop::duration);
  EXPECT_GT(run.result().impacts, 3);
  return {bits.samples, bits.events, present(run)};
}

TEST(LagrangianRun, AHundredPiecesGiveTheBitsOfOneGo) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    carom::Run run = given.run();
    Bits bits;
    run.add(bits);
    for (int piece = 1; piece <= 100; ++piece) {
      const double until = given.options.duration * piece / 100.0;
      run.advance_to(until);
      EXPECT_EQ(run.time(), until);
    }
    EXPECT_EQ(bits.samples, whole.samples);
    EXPECT_EQ(bits.events, whole.events);
    EXPECT_EQ(present(run), whole.end);
  }
}

TEST(LagrangianRun, ARunThatIsWrittenDownAndReadIntoAnotherGoesOnWithTheSameBits) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    Bits bits;
    carom::Run run = given.run();
    run.add(bits);
    for (int piece = 1; piece <= 20; ++piece) {
      run.advance_to(given.options.duration * piece / 20.0);
      Archive out;
      out(run);
      const std::vector<std::byte> bytes = out.take();
      carom::Run next = given.run();
      Archive in(bytes);
      in(next);
      in.finish();
      run = std::move(next);
      run.add_again(bits);
    }
    EXPECT_EQ(bits.samples, whole.samples);
    EXPECT_EQ(bits.events, whole.events);
    EXPECT_EQ(present(run), whole.end);
  }
}

TEST(LagrangianRun, RunningTwiceGivesTheSameBits) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome first = run_in_one_go(given);
    const Outcome second = run_in_one_go(given);
    EXPECT_EQ(second.samples, first.samples);
    EXPECT_EQ(second.events, first.events);
    EXPECT_EQ(second.end, first.end);
  }
}

TEST(LagrangianRun, ACopyTakenHalfWayGivesTheSameBitsAndLeavesTheOriginalAlone) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    carom::Run run = given.run();
    Bits bits;
    run.add(bits);
    run.advance_to(0.5 * run.end());
    const std::vector<double> half_way = present(run);
    const auto events_before = static_cast<std::ptrdiff_t>(bits.events.size());
    carom::Run copy(run);
    EXPECT_EQ(present(copy), half_way);
    Bits of_copy;
    copy.add(of_copy);
    copy.advance_to(copy.end());
    EXPECT_EQ(present(copy), whole.end);
    EXPECT_EQ(of_copy.events, std::vector<double>(whole.events.begin() + events_before, whole.events.end()));
    EXPECT_EQ(present(run), half_way);
    run.advance_to(run.end());
    EXPECT_EQ(present(run), whole.end);
    EXPECT_EQ(bits.events, whole.events);
  }
}

TEST(LagrangianRun, GoesOnAfterAnInterruptAsIfThereHadBeenNone) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    carom::Run run = given.run();
    std::atomic<bool> interrupt = false;
    Bits bits;
    bits.on_event = [&] { interrupt = true; };
    run.add(bits);
    run.watch(interrupt);
    int interrupts = 0;
    for (run.advance_to(run.end()); run.result().stop == RunStop::interrupted; run.advance_to(run.end())) {
      EXPECT_LT(run.time(), run.end());
      interrupt = false;
      ++interrupts;
    }
    EXPECT_GT(interrupts, 0);
    EXPECT_EQ(run.result().stop, RunStop::duration);
    EXPECT_EQ(bits.events, whole.events);
    EXPECT_EQ(present(run), whole.end);
  }
}

TEST(LagrangianRun, GoesOnAfterTheLimitOfEventsAsIfThereHadBeenNone) {
  for (Case given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    given.options.max_events = 1;
    carom::Run run = given.run();
    Bits bits;
    run.add(bits);
    run.advance_to(run.end());
    EXPECT_EQ(run.result().stop, RunStop::event_limit);
    EXPECT_EQ(run.result().impacts, 1);
    while (run.result().stop == RunStop::event_limit) run.advance_to(run.end());
    EXPECT_EQ(bits.events, whole.events);
    EXPECT_EQ(present(run), whole.end);
  }
}

TEST(LagrangianRun, AStepFromEventToEventVisitsEveryOne) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    carom::Run run = given.run();
    Bits bits;
    run.add(bits);
    double last = 0.0;
    while (run.advance_to_event()) {
      EXPECT_GE(run.time(), last);
      last = run.time();
    }
    EXPECT_EQ(bits.events, whole.events);
    EXPECT_EQ(present(run), whole.end);
  }
}

TEST(LagrangianRun, TellsTheMotionBetweenEvents) {
  const Point point;
  carom::Run run(
      std::make_unique<SystemEngine>(point, state({0.0, 1.0}, {0.5, 0.0}), LagrangianOptions{.duration = 2.0}), {});
  const auto& engine = dynamic_cast<const SystemEngine&>(run.engine());
  for (const double time : {0.0, 0.05, 0.1, 0.37, 0.44}) {
    run.advance_to(time);
    EXPECT_EQ(run.state().time, time);
    const LagrangianState now = engine.lagrangian_state_at(time);
    EXPECT_EQ(now.time, time);
    EXPECT_NEAR(now.q[0], 0.5 * time, 1e-13);
    EXPECT_NEAR(now.q[1], 1.0 - 0.5 * kGravity * time * time, 1e-13);
    EXPECT_NEAR(now.v[1], -kGravity * time, 1e-12);
    EXPECT_NEAR(run.energy().now.kinetic, 0.25 + std::pow(kGravity * time, 2), 1e-12);
    EXPECT_LT(std::abs(run.energy().error()), 1e-12);
  }
}

TEST(LagrangianRun, ARunThatIsExtendedIsTheLongerOneBitForBit) {
  for (Case given : cases()) {
    SCOPED_TRACE(given.name);
    const Outcome whole = run_in_one_go(given);
    const double end = given.options.duration;
    for (const double part : {0.01, 0.31, 0.77}) {
      given.options.duration = part * end;
      carom::Run run = given.run();
      Bits bits;
      run.add(bits);
      run.advance_to(run.end());
      EXPECT_EQ(run.result().stop, RunStop::duration);
      run.extend(end);
      run.advance_to(end);
      EXPECT_EQ(bits.events, whole.events);
      EXPECT_EQ(present(run), whole.end);
    }
  }
}

TEST(LagrangianRun, TheEndCanBeMadeALaterOne) {
  const Point point;
  const auto fall = std::sqrt(2.0 / kGravity);
  carom::Run run(
      std::make_unique<SystemEngine>(point, state({0.0, 1.0}, {0.5, 0.0}), LagrangianOptions{.duration = 1.0}), {});
  Notes notes;
  run.add(notes);
  run.advance_to(run.end());
  EXPECT_EQ(run.time(), 1.0);
  EXPECT_EQ(run.result().stop, RunStop::duration);
  run.extend(9.0);
  run.advance_to(run.end());
  EXPECT_EQ(run.time(), 9.0);
  ASSERT_EQ(notes.events.size(), 10u);
  for (std::size_t k = 0; k < notes.events.size(); ++k)
    EXPECT_NEAR(notes.events[k].time, (2.0 * static_cast<double>(k) + 1.0) * fall, 1e-12) << k;
}

}  // namespace
}  // namespace carom
