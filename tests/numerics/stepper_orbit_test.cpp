/// Motions with known ends and invariants: an oscillator, Kepler's ellipse, Arenstorf's orbit.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "numerics/stepper_problems.h"

namespace carom {
namespace {

using namespace test;
constexpr double kPeriod = 2.0 * std::numbers::pi;

constexpr std::string_view kAdaptive[] = {"dormand-prince", "dormand-prince-853", "adams"};

TEST(StepperOscillator, ComesBackAfterManyPeriods) {
  FunctionSystem system = oscillator();
  for (const std::string_view name : kAdaptive) {
    const auto stepper = make_stepper(name);
    const Result result = integrate(*stepper, system, {1.0, 0.0}, 20.0 * kPeriod, 1e-11);
    // The errors of the steps add up in phase: at most steps × tolerance, and a good deal less with changing signs.
    const double bound = 1e-11 * static_cast<double>(result.steps);
    EXPECT_NEAR(result.y[0], 1.0, bound) << name;
    EXPECT_NEAR(result.y[1], 0.0, bound) << name;
  }
}

double kepler_energy(std::span<const double> y) {
  return 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / std::hypot(y[0], y[1]);
}

TEST(StepperKepler, KeepsTheOrbitThroughAHundredRevolutions) {
  FunctionSystem system = kepler();
  constexpr double eccentricity = 0.6;
  const std::vector<double> start{1.0 - eccentricity, 0.0, 0.0, std::sqrt((1.0 + eccentricity) / (1.0 - eccentricity))};
  for (const std::string_view name : kAdaptive) {
    const auto stepper = make_stepper(name);
    const Result result = integrate(*stepper, system, start, 100.0 * kPeriod, 1e-12);
    // One error of a step in the velocity v ≤ 2 changes the energy by 2e-12 at most, and the semi-axis by 4e-12; the
    // phase drifts with the square of the time.
    const double energy_bound = 2e-12 * static_cast<double>(result.steps);
    EXPECT_NEAR(kepler_energy(result.y), -0.5, energy_bound) << name;
    EXPECT_NEAR(result.y[0] * result.y[3] - result.y[1] * result.y[2], 0.8, energy_bound) << name;
    EXPECT_LT(largest_difference(result.y, start), 2e-4) << name;
    EXPECT_GT(result.largest_step / result.smallest_step, 4.0) << name;
  }
}

/// The restricted three-body problem: a satellite about earth and moon. Hairer, Nørsett & Wanner I, section II.0.
FunctionSystem arenstorf() {
  return {4, 2, [](double, const double* y, double* slope) {
            constexpr double moon = 0.012277471, earth = 1.0 - moon;
            const double to_earth = std::hypot(y[0] + moon, y[1]);
            const double to_moon = std::hypot(y[0] - earth, y[1]);
            const double d1 = to_earth * to_earth * to_earth;
            const double d2 = to_moon * to_moon * to_moon;
            slope[0] = y[2];
            slope[1] = y[3];
            slope[2] = y[0] + 2.0 * y[3] - earth * (y[0] + moon) / d1 - moon * (y[0] - earth) / d2;
            slope[3] = y[1] - 2.0 * y[2] - earth * y[1] / d1 - moon * y[1] / d2;
          }};
}

TEST(StepperArenstorf, ClosesTheOrbitWithStepsThatFollowIt) {
  FunctionSystem system = arenstorf();
  const std::vector<double> start{0.994, 0.0, 0.0, -2.00158510637908252240537862224};
  constexpr double period = 17.0652165601579625588917206249;
  for (const std::string_view name : kAdaptive) {
    const auto stepper = make_stepper(name);
    const Result coarse = integrate(*stepper, system, start, period, 1e-8);
    const Result fine = integrate(*stepper, system, start, period, 1e-13);
    // Errors of the beginning are magnified about a million times by the passage of the moon.
    EXPECT_LT(std::hypot(fine.y[0] - start[0], fine.y[1]), 1e-6) << name;
    EXPECT_LT(std::hypot(fine.y[0] - start[0], fine.y[1]), std::hypot(coarse.y[0] - start[0], coarse.y[1])) << name;
    EXPECT_GT(fine.largest_step / fine.smallest_step, 100.0) << name;
    EXPECT_LT(fine.rejected, fine.steps / 4) << name;
  }
}

TEST(StepperAdams, ReachesOrderTwelveAndNeedsFewerEvaluationsThanDormandPrince) {
  FunctionSystem system = oscillator();
  const auto adams = make_stepper("adams");
  const auto runge_kutta = make_stepper("dormand-prince");
  const Result by_adams = integrate(*adams, system, {1.0, 0.0}, 10.0 * kPeriod, 1e-10);
  const Result by_runge_kutta = integrate(*runge_kutta, system, {1.0, 0.0}, 10.0 * kPeriod, 1e-10);
  EXPECT_LT(2 * by_adams.evaluations, by_runge_kutta.evaluations);
  const double error_of_runge_kutta = largest_difference(by_runge_kutta.y, std::vector<double>{1.0, 0.0});
  EXPECT_LT(largest_difference(by_adams.y, std::vector<double>{1.0, 0.0}), 10.0 * error_of_runge_kutta);

  FunctionSystem orbit = kepler();
  const std::vector<double> start{0.7, 0.0, 0.0, std::sqrt(1.3 / 0.7)};
  const Result orbit_by_adams = integrate(*adams, orbit, start, 10.0 * kPeriod, 1e-10);
  EXPECT_EQ(orbit_by_adams.highest_order, 12);
  EXPECT_LT(2 * orbit_by_adams.evaluations, integrate(*runge_kutta, orbit, start, 10.0 * kPeriod, 1e-10).evaluations);
}

TEST(StepperAdams, KeepsToTheHighestOrderThatIsAllowed) {
  FunctionSystem system = oscillator();
  for (const int order : {1, 2, 5, 8}) {
    const auto adams = make_stepper("adams", {.max_order = order});
    const Result result = integrate(*adams, system, {1.0, 0.0}, kPeriod, 1e-7);
    EXPECT_EQ(result.highest_order, order);
    EXPECT_LT(largest_difference(result.y, std::vector<double>{1.0, 0.0}), 1e-7 * static_cast<double>(result.steps));
  }
}

TEST(StepperVerlet, KeepsTheEnergyOfTheOscillatorBoundedForEver) {
  // The method conserves v² + (1 − ¼h²)x² exactly, for ω = 1; the energy ½(v² + x²) stays below its first value and
  // above it by less than ⅛h².
  FunctionSystem system = oscillator();
  constexpr double h = kPeriod / 20.0;
  constexpr double quarter = 0.25 * h * h;
  const auto stepper = make_stepper("velocity-verlet", {.step = h});
  stepper->start(system, 0.0, std::vector<double>{1.0, 0.0}, std::vector<double>{1.0, 1.0});
  double least = 1.0, most = 1.0, drift = 0.0;
  for (int i = 0; i < 20 * 100000; ++i) {
    ASSERT_EQ(stepper->attempt(stepper->proposed_step()), 0.0);
    stepper->accept();
    const double x = stepper->y()[0], v = stepper->y()[1];
    least = std::min(least, v * v + x * x);
    most = std::max(most, v * v + x * x);
    drift = std::max(drift, std::abs(v * v + (1.0 - quarter) * x * x - (1.0 - quarter)));
  }
  EXPECT_LT(drift, 1e-11);  // two million roundings of 1e-16, as a random walk
  EXPECT_LT(most, 1.0 + 1e-11);
  EXPECT_GT(least, 1.0 - quarter - 1e-11);
  EXPECT_LT(least, 1.0 - 0.9 * quarter);
  EXPECT_EQ(stepper->evaluations(), 2000001);
}

TEST(StepperVerlet, IsReversible) {
  FunctionSystem system = kepler();
  const std::vector<double> start{0.4, 0.0, 0.0, 2.0};
  const auto stepper = make_stepper("velocity-verlet", {.step = 0.01});
  stepper->start(system, 0.0, start, std::vector<double>(4, 1.0));
  for (const double h : {0.01, -0.01})
    for (int i = 0; i < 1000; ++i) {
      stepper->attempt(h);
      stepper->accept();
    }
  EXPECT_LT(largest_difference(stepper->y(), start), 1e-10);
}

}  // namespace
}  // namespace carom
