/// Orders of convergence, by equal steps and by tolerance.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "carom/numerics/stepper/adams.h"
#include "numerics/stepper_problems.h"

namespace carom {
namespace {

using namespace test;

std::vector<double> general_end(std::string_view name, int steps) {
  FunctionSystem system = general();
  const auto stepper = make_stepper(name, {.step = 1.0});
  return integrate_equal_steps(*stepper, system, kGeneralStart, 2.0, steps);
}

/// The order that halving the step shows, from `steps` to twice as many.
double order_seen(std::string_view name, int steps) {
  const std::vector<double> exact = general_end("dormand-prince-853", 400);
  return std::log2(largest_difference(general_end(name, steps), exact) /
                   largest_difference(general_end(name, 2 * steps), exact));
}

TEST(StepperOrder, DormandPrinceIsOfOrderFive) {
  EXPECT_NEAR(order_seen("dormand-prince", 40), 5.0, 0.3);
  EXPECT_NEAR(order_seen("dormand-prince", 80), 5.0, 0.2);
}

TEST(StepperOrder, DormandPrince853IsOfOrderEight) {
  EXPECT_NEAR(order_seen("dormand-prince-853", 10), 8.0, 0.6);
  EXPECT_NEAR(order_seen("dormand-prince-853", 16), 8.0, 0.6);
}

TEST(StepperOrder, VerletIsOfOrderTwoWithDampingAndWithARestAsWell) {
  EXPECT_NEAR(order_seen("velocity-verlet", 200), 2.0, 0.05);
  EXPECT_NEAR(order_seen("velocity-verlet", 400), 2.0, 0.05);
}

/// The order of the last step's size in its error estimate: p + 1 for a pair whose lower order is p.
double order_of_estimate(std::string_view name, double h) {
  FunctionSystem system = general();
  const auto stepper = make_stepper(name);
  const std::vector<double> scale(kGeneralStart.size(), 1e-6);
  stepper->start(system, 0.3, kGeneralStart, scale);
  const double coarse = stepper->attempt(h);
  return std::log2(coarse / stepper->attempt(0.5 * h));
}

TEST(StepperOrder, ErrorEstimatesOfAStepShrinkAsTheirOrderSays) {
  EXPECT_NEAR(order_of_estimate("dormand-prince", 0.02), 5.0, 0.3);
  EXPECT_NEAR(order_of_estimate("dormand-prince-853", 0.1), 8.0, 1.0);
  EXPECT_NEAR(order_of_estimate("adams", 1e-3), 2.0, 0.05);  // at order 1
}

TEST(StepperOrder, TheErrorFollowsTheTolerance) {
  // The global error is about steps × tolerance: between a hundredth and a hundred times the tolerance here, and it
  // falls with the tolerance through eight decades.
  FunctionSystem system = general();
  const std::vector<double> exact = general_end("dormand-prince-853", 400);
  for (const Integrator& one : integrators()) {
    if (!one.adaptive) continue;
    const auto stepper = make_stepper(one.name);
    double before = 1.0;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const Result result = integrate(*stepper, system, kGeneralStart, 2.0, tolerance);
      const double error = largest_difference(result.y, exact);
      EXPECT_LT(error, 100.0 * tolerance) << one.name << " " << tolerance;
      EXPECT_LT(error, before) << one.name << " " << tolerance;
      before = error;
    }
  }
}

TEST(StepperOrder, DormandPrinceTakesStepsLikeTheFifthRootOfTheTolerance) {
  FunctionSystem system = kepler();
  const auto stepper = make_stepper("dormand-prince");
  const std::vector<double> start{0.5, 0.0, 0.0, std::sqrt(3.0)};
  const Result coarse = integrate(*stepper, system, start, 60.0, 1e-5);
  const Result fine = integrate(*stepper, system, start, 60.0, 1e-10);
  EXPECT_NEAR(std::log10(static_cast<double>(fine.steps) / static_cast<double>(coarse.steps)), 1.0, 0.15);
}

/// Quadrature of ẏ = d t^(d−1) at a given order with steps of random size: the largest error of a step relative to y,
/// once the small steps of the start, of which the rounding is magnified, are out of its memory.
double largest_step_error(int order, int degree) {
  FunctionSystem power(
      1, 0, [degree](double t, const double*, double* slope) { slope[0] = degree * std::pow(t, degree - 1); });
  Adams stepper(order);
  stepper.start(power, 0.5, std::vector<double>{0.0}, std::vector<double>{INFINITY});
  for (int i = 0; i < order; ++i) {
    stepper.attempt(std::ldexp(0.4, i - order));
    stepper.accept();
  }
  EXPECT_EQ(stepper.order(), order);
  Random random(static_cast<std::uint64_t>(order));
  double largest = 0.0;
  for (int i = 0; i < 20 + order; ++i) {
    const double t = stepper.time();
    const double h = random.uniform(0.05, 0.1);
    stepper.attempt(h);
    const double step = stepper.trial_y()[0] - stepper.y()[0];
    const double exact = std::pow(t + h, degree) - std::pow(t, degree);
    if (i > order) largest = std::max(largest, std::abs(step - exact) / std::pow(t + h, degree));
    stepper.accept();
  }
  return largest;
}

TEST(StepperOrder, AdamsIsExactForPolynomialsUpToOneBeyondItsOrderWithAnyStepSizes) {
  for (int order = 1; order <= Adams::kMaxOrder; ++order) {
    EXPECT_LT(largest_step_error(order, order), 1e-13) << order;
    EXPECT_LT(largest_step_error(order, order + 1), 1e-13) << order;
    if (order <= 6) {
      EXPECT_GT(largest_step_error(order, order + 2), 1e-10) << order;
    }
  }
}

}  // namespace
}  // namespace carom
