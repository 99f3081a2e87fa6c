#include "carom/engine/lagrangian/lagrangian_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "double_pendulum.h"
#include "engine/lagrangian_systems.h"

namespace carom {
namespace {

using namespace test;

TEST(LagrangianEngine, AnElasticPointBouncesAtTheKnownTimes) {
  for (const bool bounded : {true, false}) {
    Point point;
    point.bounded = bounded;
    Notes notes;
    const LagrangianResult result = simulate(point, state({0.0, 1.0}, {0.5, 0.0}), notes, {.duration = 90.0});
    EXPECT_EQ(result.run.stop, RunStop::duration);
    EXPECT_EQ(result.run.guarantee, bounded ? Guarantee::bounded : Guarantee::sampled);
    const double fall = std::sqrt(2.0 / kGravity);
    ASSERT_EQ(notes.events.size(), 100u);
    for (std::size_t k = 0; k < notes.events.size(); ++k)
      EXPECT_NEAR(notes.events[k].time, (2.0 * static_cast<double>(k) + 1.0) * fall, 2e-12) << k;
    EXPECT_NEAR(result.state.q[0], 45.0, 1e-12);
    EXPECT_EQ(result.state.time, 90.0);
    EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
    EXPECT_LT(std::abs(result.run.energy.dissipated()), 1e-12);
  }
}

TEST(LagrangianEngine, BouncesWithRestitutionEndWhereTheSeriesEnds) {
  for (const bool bounded : {true, false}) {
    Point point;
    point.e = 0.9;
    point.bounded = bounded;
    Notes notes;
    const LagrangianResult result = simulate(point, state({0.0, 1.0}, {0.5, 0.0}), notes, {.duration = 12.0});
    const auto impacts = notes.of(EventKind::impact);
    EXPECT_NEAR(impacts[0].time, 0.451523641, 1e-9);
    EXPECT_NEAR(impacts[1].time, 1.264266, 1e-6);
    EXPECT_GT(impacts.size(), 80u);
    EXPECT_LT(impacts.size(), 200u);
    const auto rests = notes.of(EventKind::rest);
    ASSERT_EQ(rests.size(), 1u);
    // The gap is known to 2e-16, so the time of each of the last bounces, at 4e-5 m/s, to 5e-12.
    EXPECT_NEAR(rests[0].time, std::sqrt(2.0 / kGravity) * 1.9 / 0.1, 1e-10);
    EXPECT_NEAR(rests[0].time, 8.578949179, 1e-9);
    EXPECT_EQ(rests[0].contacts, std::vector<int>{0});
    EXPECT_TRUE(notes.of(EventKind::release).empty());
    EXPECT_NEAR(result.state.q[0], 6.0, 1e-12);  // slides on
    EXPECT_NEAR(result.state.q[1], 0.0, 1e-15);
    EXPECT_EQ(result.state.v[1], 0.0);
    EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
    EXPECT_NEAR(result.run.energy.dissipated(), 2.0 * kGravity, 1e-12);
    EXPECT_LT(std::abs(result.run.energy.cut_off), 1e-8);
  }
}

TEST(LagrangianEngine, APlasticContactPersistsAtOnceAndAStopAtRestEndsTheRun) {
  Point point;
  point.e = 0.0;
  Notes notes;
  const LagrangianResult result =
      simulate(point, state({0.0, 1.0}, {0.0, 0.0}), notes, {.duration = 5.0, .stop_at_rest = true});
  EXPECT_EQ(result.run.stop, RunStop::at_rest);
  EXPECT_NEAR(result.state.time, std::sqrt(2.0 / kGravity), 1e-14);
  ASSERT_EQ(notes.events.size(), 2u);
  EXPECT_EQ(notes.events[1].kind, EventKind::contact_start);
}

TEST(LagrangianEngine, BooksWhatDampersTake) {
  Point point;
  point.damping = 0.5;
  point.e = 0.8;
  Notes notes;
  const LagrangianResult result =
      simulate(point, state({0.0, 1.0}, {3.0, 0.0}), notes, {.duration = 2.0, .output_step = 0.01});
  EXPECT_LT(notes.worst, 1e-12);
  EXPECT_GT(result.run.energy.damping, 1.0);
  EXPECT_GT(result.run.energy.impacts, 1.0);
  EXPECT_NEAR(result.state.q[0], 3.0 / 0.25 * (1.0 - std::exp(-0.25 * 2.0)), 1e-12);
}

TEST(LagrangianEngine, TwoWallsAtOnceAreOneProblem) {
  // Along the bisector into the corner; and both walls persist under a pull into it when plastic.
  Point point;
  point.walls = 2;
  point.gravity = {0.0, 0.0};
  Notes notes;
  simulate(point, state({1.0, 1.0}, {-1.0, -1.0}), notes, {.duration = 1.5});
  ASSERT_EQ(notes.events.size(), 1u);
  EXPECT_NEAR(notes.events[0].time, 1.0, 1e-14);
  EXPECT_EQ(notes.events[0].contacts, (std::vector<int>{0, 1}));
  EXPECT_NEAR(notes.events[0].impulses[0], 4.0, 1e-13);

  Notes plastic_notes;
  point.e = 0.0;
  point.gravity = {-1.0, -2.0};
  const LagrangianResult result = simulate(point, state({0.0, 0.0}, {0.0, 0.0}), plastic_notes, {.duration = 3600.0});
  ASSERT_EQ(plastic_notes.events.size(), 1u);
  EXPECT_EQ(plastic_notes.events[0].kind, EventKind::contact_start);
  EXPECT_EQ(plastic_notes.events[0].time, 0.0);
  EXPECT_EQ(result.state.q.norm(), 0.0);
}

TEST(LagrangianEngine, APendulumMeetsAWallAtItsLowestPointEveryHalfPeriod) {
  const double amplitude = 2.0;
  const Pendulum pendulum;
  Notes notes;
  const LagrangianResult result = simulate(pendulum, state({amplitude}, {0.0}), notes, {.duration = 1000.0});
  const double quarter = std::comp_ellint_1(std::sin(0.5 * amplitude));
  ASSERT_GT(notes.events.size(), 100u);
  for (std::size_t k = 0; k < notes.events.size(); ++k)
    EXPECT_NEAR(notes.events[k].time, quarter * (2.0 * static_cast<double>(k) + 1.0), 1e-11) << k;
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-13);
}

TEST(LagrangianEngine, ALawThatLeavesSomethingApproachingIsAskedAgain) {
  Notes notes;
  const LagrangianResult result =
      simulate(Wedge(), state({1.0, 0.5}, {-2.0, -1.0}), notes, {.law = &impact_law("superposition"), .duration = 2.0});
  ASSERT_GT(notes.events.size(), 1u);
  for (std::size_t k = 0; k < notes.events.size(); ++k) {
    EXPECT_NEAR(notes.events[k].time, 0.5, 1e-14);
    EXPECT_EQ(notes.events[k].round, static_cast<int>(k));
  }
  Vector g(2);
  Wedge().gaps(result.state.q, g);
  EXPECT_GT(g.minCoeff(), 0.0);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-11);

  const LagrangianResult failed = simulate(Wedge(), state({1.0, 0.5}, {-2.0, -1.0}), notes,
                                           {.law = &impact_law("superposition"), .duration = 2.0, .max_rounds = 1});
  EXPECT_EQ(failed.run.stop, RunStop::failed);
  ASSERT_TRUE(failed.run.failure);
  EXPECT_NEAR(failed.run.failure->time, 0.5, 1e-14);
}

TEST(LagrangianEngine, ADoublePendulumBetweenWallsKeepsItsEnergy) {
  for (const bool bounded : {true, false}) {
    struct Sampled : DoublePendulum {
      bool known_bound = true;
      [[nodiscard]] std::optional<double> gap_acceleration_bound(int contact, double time, const Vector& q,
                                                                 const Vector& v, double duration) const override {
        if (!known_bound) return std::nullopt;
        return DoublePendulum::gap_acceleration_bound(contact, time, q, v, duration);
      }
    };
    Sampled pendulum;
    pendulum.known_bound = bounded;
    const LagrangianState start = state({0.3, 0.4}, {5.0, -3.0});
    Matrix G(2, 2);
    pendulum.metric(start.q, G);
    pendulum.total_energy = 0.5 * start.v.dot(G * start.v) + pendulum.potential(start.q);
    Notes notes;
    double deepest = 1.0;
    LagrangianOptions options{.duration = 200.0, .output_step = 0.01};
    options.on_sample = [&](const LagrangianState& s, const EnergyBook&) {
      Vector g(4);
      pendulum.gaps(s.q, g);
      deepest = std::min(deepest, g.minCoeff());
    };
    const LagrangianResult result = simulate(pendulum, start, notes, options);
    EXPECT_EQ(result.run.stop, RunStop::duration);
    EXPECT_EQ(result.run.guarantee, bounded ? Guarantee::bounded : Guarantee::sampled);
    EXPECT_GT(result.run.impacts, 300);
    EXPECT_LT(std::abs(result.run.energy.now.total() - result.run.energy.initial), 1e-11);
    EXPECT_LT(notes.worst, 1e-11);
    EXPECT_GT(deepest, -1e-12);
  }
}

TEST(LagrangianEngine, StopsAtTheLimitAndWhenInterrupted) {
  const Point point;
  Notes notes;
  const LagrangianResult limited =
      simulate(point, state({0.0, 1.0}, {0.0, 0.0}), notes, {.duration = 90.0, .max_events = 3});
  EXPECT_EQ(limited.run.stop, RunStop::event_limit);
  EXPECT_EQ(limited.run.impacts, 3);
  LagrangianEngine engine(point, state({0.0, 1.0}, {0.0, 0.0}), {.duration = 90.0});
  const std::atomic<bool> interrupt = true;
  EXPECT_EQ(engine.run(nullptr, &interrupt).run.stop, RunStop::interrupted);
  EXPECT_EQ(engine.run().run.stop, RunStop::duration);
}

TEST(LagrangianEngine, SamplesAtTheOutputStepsAndAtBothEnds) {
  const Point point;
  std::vector<double> times;
  LagrangianOptions options{.duration = 1.0, .output_step = 0.25};
  options.on_sample = [&](const LagrangianState& s, const EnergyBook&) { times.push_back(s.time); };
  LagrangianEngine(point, state({0.0, 1.0}, {0.0, 0.0}), options).run();
  EXPECT_EQ(times, (std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0}));
}

TEST(LagrangianEngine, RefusesBadInput) {
  const auto kind_of = [](const LagrangianSystem& system, const LagrangianState& s, const LagrangianOptions& options) {
    try {
      const LagrangianEngine engine(system, s, options);
    } catch (const InputError& error) {
      return error.kind();
    }
    return Kind::usage;
  };
  Point point;
  EXPECT_EQ(kind_of(point, state({0.0, -0.1}, {0.0, 0.0}), {}), Kind::overlap);
  EXPECT_EQ(kind_of(point, state({0.0}, {0.0, 0.0}), {}), Kind::size_mismatch);
  EXPECT_EQ(kind_of(point, state({0.0, std::nan("")}, {0.0, 0.0}), {}), Kind::not_finite);
  EXPECT_EQ(kind_of(point, state({0.0, 1.0}, {0.0, 0.0}), {.duration = -1.0}), Kind::out_of_range);
  point.e = 1.5;
  EXPECT_EQ(kind_of(point, state({0.0, 1.0}, {0.0, 0.0}), {}), Kind::out_of_range);
  EXPECT_EQ(kind_of(HeldRod(), state({0.9, 0.0}, {0.0, 0.0}), {}), Kind::overlap);
  EXPECT_EQ(kind_of(HeldRod(), state({0.0, -0.9}, {0.0, 0.0}), {}), Kind::constraint_violated);
  EXPECT_EQ(kind_of(HeldRod(), state({0.0, -1.0}, {0.0, 1.0}), {}), Kind::constraint_violated);
}

}  // namespace
}  // namespace carom
