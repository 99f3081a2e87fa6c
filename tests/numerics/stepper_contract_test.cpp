/// What every integrator of the registry promises (stepper.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "carom/base/error.h"
#include "numerics/stepper_problems.h"

namespace carom {
namespace {

using namespace test;

class EveryIntegrator : public testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<Stepper> make() const { return make_stepper(GetParam(), {.step = 0.02}); }

  FunctionSystem system_ = general();
  std::vector<double> scale_ = std::vector<double>(kGeneralStart.size(), 1e-8);
};

/// Some steps from the start, to have a history.
void take_steps(Stepper& stepper, int count) {
  for (int i = 0; i < count;) {
    if (stepper.attempt(std::min(stepper.proposed_step(), 0.05)) > 1.0) continue;
    stepper.accept();
    ++i;
  }
}

TEST_P(EveryIntegrator, LeavesNoTraceOfAttemptsThatAreNotAccepted) {
  const auto once = make();
  const auto often = make();
  once->start(system_, 0.0, kGeneralStart, scale_);
  often->start(system_, 0.0, kGeneralStart, scale_);
  for (int i = 0; i < 60; ++i) {
    const double h = std::min(once->proposed_step(), 0.05);
    const double error = once->attempt(h);
    for (const double other : {0.3 * h, 1.7 * h, 20.0 * h, h}) often->attempt(other);
    EXPECT_EQ(often->attempt(h), error);
    ASSERT_EQ(often->proposed_step(), once->proposed_step()) << i;
    ASSERT_EQ(largest_difference(once->trial_y(), often->trial_y()), 0.0) << i;
    ASSERT_EQ(largest_difference(once->trial_slope(), often->trial_slope()), 0.0) << i;
    if (error > 1.0) continue;
    const double proposed = once->proposed_step();
    once->accept();
    often->accept();
    EXPECT_EQ(once->proposed_step(), proposed);
  }
  EXPECT_GT(once->time(), 0.1);
}

TEST_P(EveryIntegrator, ForgetsItsHistoryAtAStart) {
  FunctionSystem before = oscillator(30.0);
  const auto used = make();
  used->start(before, 5.0, std::vector<double>{1.0, 3.0}, std::vector<double>{1e-9, 1e-9});
  take_steps(*used, 40);
  const auto fresh = make();
  used->start(system_, 0.0, kGeneralStart, scale_);
  fresh->start(system_, 0.0, kGeneralStart, scale_);
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(used->proposed_step(), fresh->proposed_step()) << i;
    take_steps(*used, 1);
    take_steps(*fresh, 1);
    ASSERT_EQ(used->time(), fresh->time()) << i;
    ASSERT_EQ(largest_difference(used->y(), fresh->y()), 0.0) << i;
  }
}

TEST_P(EveryIntegrator, HasClonesThatGoOnWithTheirOwnSystem) {
  auto system = std::make_unique<FunctionSystem>(system_);
  const auto original = make();
  original->start(*system, 0.0, kGeneralStart, scale_);
  take_steps(*original, 20);
  const auto expected = make();
  expected->start(system_, 0.0, kGeneralStart, scale_);
  take_steps(*expected, 50);
  FunctionSystem copy = *system;
  const auto clone = original->clone(copy);
  take_steps(*original, 30);
  system.reset();  // nobody but the original looks at it
  take_steps(*clone, 30);
  for (const Stepper* const stepper : {original.get(), clone.get()}) {
    EXPECT_EQ(stepper->time(), expected->time());
    EXPECT_EQ(largest_difference(stepper->y(), expected->y()), 0.0);
    EXPECT_EQ(stepper->proposed_step(), expected->proposed_step());
    EXPECT_EQ(stepper->evaluations(), expected->evaluations());
  }
}

TEST_P(EveryIntegrator, KnowsTheSlopesAtBothEnds) {
  const auto stepper = make();
  stepper->start(system_, 0.0, kGeneralStart, scale_);
  std::vector<double> slope(kGeneralStart.size());
  // Verlet's slope is that at the predicted velocity: off by O(h²).
  const double tolerance = GetParam() == "velocity-verlet" ? 1e-3 : 0.0;
  for (int i = 0; i < 30; ++i) {
    take_steps(*stepper, 1);
    system_.slope(stepper->time(), stepper->y().data(), slope.data());
    EXPECT_LE(largest_difference(stepper->slope(), slope), tolerance);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(stepper->slope()[k], stepper->y()[2 + k]);
    stepper->attempt(0.01);
    EXPECT_EQ(stepper->trial_time(), stepper->time() + 0.01);
    system_.slope(stepper->trial_time(), stepper->trial_y().data(), slope.data());
    EXPECT_LE(largest_difference(stepper->trial_slope(), slope), tolerance);
  }
}

TEST_P(EveryIntegrator, GoesOnFromAReplacedPoint) {
  const auto stepper = make();
  stepper->start(system_, 0.0, kGeneralStart, scale_);
  take_steps(*stepper, 20);
  stepper->attempt(0.001);
  std::vector<double> other(stepper->trial_y().begin(), stepper->trial_y().end());
  other[1] += 1e-9;
  stepper->replace_trial(other);
  std::vector<double> slope(other.size());
  system_.slope(stepper->trial_time(), other.data(), slope.data());
  EXPECT_EQ(largest_difference(stepper->trial_slope(), slope), 0.0);
  stepper->accept();
  EXPECT_EQ(largest_difference(stepper->y(), other), 0.0);
  EXPECT_EQ(largest_difference(stepper->slope(), slope), 0.0);
  take_steps(*stepper, 5);
}

TEST_P(EveryIntegrator, StartsWithOneEvaluationAndCountsThemAll) {
  long calls = 0;
  FunctionSystem counted(2, 1, [&calls](double, const double* y, double* slope) {
    ++calls;
    slope[0] = y[1];
    slope[1] = -y[0];
  });
  const auto stepper = make();
  for (int i = 0; i < 3; ++i) {
    const long before = calls;
    stepper->start(counted, 0.0, std::vector<double>{1.0, 0.2}, std::vector<double>{1e-6, 1e-6});
    EXPECT_EQ(calls - before, 1);
    take_steps(*stepper, 10);
  }
  EXPECT_EQ(stepper->evaluations(), calls);
}

TEST_P(EveryIntegrator, SaysWhereTheRightHandSideIsNotFinite) {
  FunctionSystem root(2, 1, [](double, const double* y, double* slope) {
    slope[0] = y[1];
    slope[1] = std::sqrt(1.0 - y[0]);
  });
  for (const double scale : {1e-6, std::numeric_limits<double>::infinity()}) {
    const auto stepper = make();
    stepper->start(root, 0.0, std::vector<double>{0.9, 1.0}, std::vector<double>{scale, scale});
    EXPECT_EQ(stepper->attempt(0.5), INFINITY);
    EXPECT_GT(stepper->proposed_step(), 0.0);
    EXPECT_LT(stepper->proposed_step(), 0.5);
    EXPECT_TRUE(std::isfinite(stepper->attempt(0.001)));
  }
}

TEST_P(EveryIntegrator, ControlsNoComponentOfInfiniteScale) {
  // The second pair is fast and not asked for; the first alone determines the step.
  FunctionSystem pair(4, 2, [](double, const double* y, double* slope) {
    slope[0] = y[2];
    slope[1] = y[3];
    slope[2] = -y[0];
    slope[3] = -1e5 * y[1];
  });
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> start{1.0, 1.0, 0.0, 0.0};
  const auto stepper = make();
  stepper->start(pair, 0.0, start, std::vector<double>{1e-3, infinite, 1e-3, infinite});
  EXPECT_LE(stepper->attempt(0.02), 1.0);
  const auto strict = make();
  strict->start(pair, 0.0, start, std::vector<double>{1e-3, 1e-3, 1e-3, 1e-3});
  if (integrator(GetParam()).adaptive) {
    EXPECT_GT(strict->attempt(0.02), 1.0);
  }
}

TEST_P(EveryIntegrator, GoesBackwardsToo) {
  FunctionSystem system = oscillator();
  const auto stepper = make();
  stepper->start(system, 0.0, std::vector<double>{1.0, 0.0}, std::vector<double>{1e-3, 1e-3});
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(stepper->attempt(-0.01), 1.0);
    stepper->accept();
  }
  EXPECT_NEAR(stepper->time(), -1.0, 1e-14);
  EXPECT_NEAR(stepper->y()[0], std::cos(1.0), 1e-4);
  EXPECT_NEAR(stepper->y()[1], std::sin(1.0), 1e-4);
}

TEST_P(EveryIntegrator, RestartsWhereTheForceChanges) {
  // A ball falls from height ½ with g = 1 onto a spring of stiffness k = 400, touching at t = 1 with v = −1. On the
  // spring x = −(1/k)(1 − cos ωτ) − (1/ω) sin ωτ until it leaves, by symmetry with v = +1.
  constexpr double stiffness = 400.0;
  bool on_spring = false;
  FunctionSystem ball(2, 1, [&on_spring](double, const double* y, double* slope) {
    slope[0] = y[1];
    slope[1] = -1.0 - (on_spring ? stiffness * y[0] : 0.0);
  });
  const double omega = std::sqrt(stiffness);
  const double contact = 2.0 * (std::numbers::pi - std::atan(omega)) / omega;
  const std::vector<double> scale{1e-10, 1e-10};
  const auto stepper = make_stepper(GetParam(), {.step = 1e-4});
  const auto run_until = [&stepper](double end) {
    while (stepper->time() < end) {
      const double h = std::min(stepper->proposed_step(), end - stepper->time());
      if (stepper->attempt(h) <= 1.0) stepper->accept();
    }
  };
  stepper->start(ball, 0.0, std::vector<double>{0.5, 0.0}, scale);
  run_until(1.0);
  on_spring = true;
  const std::vector<double> touching(stepper->y().begin(), stepper->y().end());
  stepper->start(ball, 1.0, touching, scale);
  run_until(1.0 + contact);
  const double tolerance = GetParam() == "velocity-verlet" ? 1e-5 : 1e-8;
  EXPECT_NEAR(stepper->y()[0], 0.0, tolerance);
  EXPECT_NEAR(stepper->y()[1], 1.0, tolerance);
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const Integrator& one : integrators()) names.push_back(one.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator, testing::ValuesIn(all_names()), test_name);

TEST(IntegratorRegistry, HasFourWithNamesSummariesAndSources) {
  EXPECT_EQ(all_names(),
            (std::vector<std::string_view>{"dormand-prince", "dormand-prince-853", "adams", "velocity-verlet"}));
  for (const Integrator& one : integrators()) {
    EXPECT_FALSE(one.summary.empty());
    EXPECT_FALSE(one.source.empty());
    EXPECT_GE(one.order, 2);
  }
}

Kind kind_thrown(std::string_view name, const StepperOptions& options, std::string& message) {
  try {
    make_stepper(name, options);
  } catch (const InputError& error) {
    message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing thrown for " << name;
  return Kind::usage;
}

TEST(IntegratorRegistry, TellsTheNearestNameAndTheRangeOfOptions) {
  std::string message;
  EXPECT_EQ(kind_thrown("dormand-price", {}, message), Kind::unknown_name);
  EXPECT_EQ(message,
            "unknown integrator 'dormand-price'; did you mean 'dormand-prince'? known: dormand-prince, "
            "dormand-prince-853, adams, velocity-verlet");
  EXPECT_EQ(kind_thrown("velocity-verlet", {}, message), Kind::out_of_range);
  EXPECT_EQ(message, "step is 0, expected a number > 0 for the integrator velocity-verlet");
  EXPECT_EQ(kind_thrown("velocity-verlet", {.step = std::nan("")}, message), Kind::out_of_range);
  EXPECT_EQ(kind_thrown("adams", {.max_order = 13}, message), Kind::out_of_range);
  EXPECT_EQ(message, "max_order is 13, expected a number from 1 to 12");
}

}  // namespace
}  // namespace carom
