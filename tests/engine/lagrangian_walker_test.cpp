/// The compass walker of examples/compass_walker.h against gaits found by Newton's method on the return map, in minimal
/// coordinates and with particles and multipliers.

#include <gtest/gtest.h>

#include <cmath>

#include "compass_walker.h"
#include "engine/lagrangian_systems.h"

namespace carom {
namespace {

using namespace test;

struct Gait {
  double slope_deg;
  double step_length, period, half_angle_deg, impulse, energy;
};

double impulse_on(const EventNote& strike, int foot) {
  for (std::size_t i = 0; i < strike.contacts.size(); ++i)
    if (strike.contacts[i] == foot) return strike.impulses[i];
  return 0.0;
}

void expect_gait(const Gait& gait, int steps) {
  CompassWalker walker;
  walker.slope = gait.slope_deg * std::numbers::pi / 180.0;
  walker.step_length = gait.step_length;
  LagrangianOptions options;
  options.law = &impact_law("rough");
  options.duration = 1e3;
  options.max_events = steps;
  Notes notes;
  const LagrangianState start = walker.stride(gait.half_angle_deg * std::numbers::pi / 180.0 + 1e-3, 1.05, 0.45);
  const LagrangianResult done = LagrangianEngine(walker, start, options).run(&notes);
  ASSERT_EQ(done.run.stop, RunStop::event_limit);
  const std::vector<EventNote> strikes = notes.of(EventKind::impact);
  ASSERT_EQ(strikes.size(), static_cast<std::size_t>(steps));
  const EventNote &last = strikes.back(), &before = strikes[strikes.size() - 2];
  EXPECT_NEAR(last.time - before.time, gait.period, 1e-9);
  EXPECT_GT(std::abs(strikes[1].time - strikes[0].time - gait.period), 1e-3);  // it had to find it
  // The foot that strikes bears the blow alone, and strikes by turns.
  for (std::size_t k = 0; k < strikes.size(); ++k) {
    const int striking = static_cast<int>((k + 1) % 2);
    EXPECT_GT(impulse_on(strikes[k], striking), 5.0);
    EXPECT_NEAR(impulse_on(strikes[k], 1 - striking), 0.0, 1e-9);
  }
  EXPECT_NEAR(impulse_on(last, steps % 2), gait.impulse, 1e-7);
  const double half_angle = 0.5 * std::abs(done.state.q[2] - done.state.q[3]) * 180.0 / std::numbers::pi;
  EXPECT_NEAR(half_angle, gait.half_angle_deg, 1e-7);
  EXPECT_NEAR(done.run.energy.impacts / steps, gait.energy, 0.01 * gait.energy);  // the first steps are others
  EXPECT_LT(std::abs(done.run.energy.error()), 1e-9);
}

TEST(LagrangianWalker, FindsTheGaitOfPointMassesOnAnySlope) {
  expect_gait({3.0, 0.535445415430009, 0.7343463911587197, 15.528799519582039, 13.57968031462571, 5.498121984722734},
              60);
  expect_gait(
      {2.0, 0.46814287749199945, 0.7196522123623963, 13.536893597272652, 10.579084903472854, 3.2055059487908113}, 60);
}

}  // namespace
}  // namespace carom
