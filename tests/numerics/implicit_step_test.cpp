/// Steps longer than what is quick in a system: the implicit pair that `dormand-prince` takes there.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/stepper_problems.h"

namespace carom {
namespace {

using namespace test;

/// A system that says how quick it is, and solves with a map S at the state y.
class QuickSystem final : public OdeSystem, private StiffPart {
 public:
  using Solve = std::function<void(const double* y, double c, double* r)>;

  QuickSystem(FunctionSystem system, double rate, Solve solve)
      : system_(std::move(system)), rate_(rate), solve_(std::move(solve)) {}

  [[nodiscard]] int size() const override { return system_.size(); }
  [[nodiscard]] int position_count() const override { return system_.position_count(); }
  void slope(double time, const double* y, double* slope) override { system_.slope(time, y, slope); }
  [[nodiscard]] StiffPart* stiff_part() override { return this; }

 private:
  double quickest_rate(double, const double*) override { return rate_; }
  void factor(double, const double* y, double c) override {
    y_.assign(y, y + size());
    c_ = c;
  }
  void solve(double* r) override { solve_(y_.data(), c_, r); }

  FunctionSystem system_;
  double rate_;
  Solve solve_;
  std::vector<double> y_;
  double c_ = 0.0;
};

/// S = 0.
void solve_with_nothing(const double*, double, double*) {}

/// general() with every step implicit.
QuickSystem always_implicit() {
  return {general(), 1e9, solve_with_nothing};
}

/// After `steps` equal steps, the stages found to round-off.
std::vector<double> after_equal_steps(OdeSystem& system, int steps) {
  const auto stepper = make_stepper("dormand-prince");
  stepper->start(system, 0.0, kGeneralStart, std::vector<double>(kGeneralStart.size(), 1e-12));
  for (int i = 0; i < steps; ++i) {
    stepper->attempt(2.0 / steps);
    stepper->accept();
  }
  return {stepper->y().begin(), stepper->y().end()};
}

TEST(ImplicitStep, IsOfOrderFive) {
  QuickSystem system = always_implicit();
  FunctionSystem plain = general();
  const std::vector<double> exact = after_equal_steps(plain, 2000);
  const double coarse = largest_difference(after_equal_steps(system, 20), exact);
  const double fine = largest_difference(after_equal_steps(system, 40), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 5.0, 0.3);
}

TEST(ImplicitStep, EstimatesItsErrorWithOrderFive) {
  QuickSystem system = always_implicit();
  const auto stepper = make_stepper("dormand-prince");
  stepper->start(system, 0.3, kGeneralStart, std::vector<double>(kGeneralStart.size(), 1e-12));
  const double coarse = stepper->attempt(0.04);
  EXPECT_NEAR(std::log2(coarse / stepper->attempt(0.02)), 5.0, 0.3);
}

/// v̇ = −λ(tanh(v) − cos t) − x, and the work of the quick force: friction that carries a body along.
FunctionSystem carried(double rate) {
  return {3, 1, [rate](double t, const double* y, double* slope) {
            const double force = -rate * (std::tanh(y[1]) - 0.5 * std::cos(t));
            slope[0] = y[1];
            slope[1] = force - y[0];
            slope[2] = force * y[1];
          }};
}

TEST(ImplicitStep, FollowsWhatIsCarriedAlongInFarFewerStepsThanExplicitOnes) {
  const double rate = 1e4, tolerance = 1e-7;
  const std::vector<double> start{0.0, std::atanh(0.5), 0.0};
  FunctionSystem plain = carried(rate);
  // The force at the beginning of the step is left out of the slope of its power.
  QuickSystem quick(carried(rate), rate, [rate](const double* y, double c, double* r) {
    const double slope = rate * (1.0 - std::tanh(y[1]) * std::tanh(y[1]));
    r[1] /= 1.0 + c * slope;
    r[0] += c * r[1];
    r[2] -= c * slope * y[1] * r[1];
  });
  const auto stepper = make_stepper("dormand-prince");
  const Result explicit_steps = integrate(*stepper, plain, start, 3.0, tolerance);
  const Result implicit_steps = integrate(*stepper, quick, start, 3.0, tolerance);
  EXPECT_LT(20 * implicit_steps.evaluations, explicit_steps.evaluations);
  // Steps × tolerance, and the work magnifies errors of v by the force.
  EXPECT_NEAR(implicit_steps.y[0], explicit_steps.y[0], 1e2 * tolerance);
  EXPECT_NEAR(implicit_steps.y[1], explicit_steps.y[1], 1e2 * tolerance);
  EXPECT_NEAR(implicit_steps.y[2], explicit_steps.y[2], 1e3 * tolerance);
}

TEST(ImplicitStep, LeavesStepsExplicitThatAccuracyKeepsShort) {
  QuickSystem quick(general(), 5.0, solve_with_nothing);
  FunctionSystem plain = general();
  const auto stepper = make_stepper("dormand-prince");
  const Result with = integrate(*stepper, quick, kGeneralStart, 2.0, 1e-10);
  const Result without = integrate(*stepper, plain, kGeneralStart, 2.0, 1e-10);
  EXPECT_EQ(with.y, without.y);
}

}  // namespace
}  // namespace carom
