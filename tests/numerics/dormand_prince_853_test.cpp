#include "carom/numerics/dormand_prince_853.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom {
namespace {

/// ẋ = v, v̇ = −x − ¼x³ (nonlinear, smooth), integrated over one unit of time in `steps` equal steps.
double endpoint(int steps) {
  DormandPrince853 stepper;
  stepper.resize(2);
  const auto f = [](const double* y, double* slope) {
    slope[0] = y[1];
    slope[1] = -y[0] - 0.25 * y[0] * y[0] * y[0];
  };
  double y[2] = {1.0, 0.5};
  double next[2];
  for (int i = 0; i < steps; ++i) {
    f(y, stepper.first_slope());
    stepper.step(f, y, 2.0 / steps, next, 1.0);
    y[0] = next[0];
    y[1] = next[1];
  }
  return y[0];
}

TEST(DormandPrince853, IsOfOrderEight) {
  const double exact = endpoint(200);
  for (const int steps : {4, 8}) {
    const double order = std::log2(std::abs(endpoint(steps) - exact) / std::abs(endpoint(2 * steps) - exact));
    EXPECT_NEAR(order, 8.0, 0.3) << steps;
  }
  EXPECT_LT(std::abs(endpoint(24) - exact), 1e-13);
}

TEST(DormandPrince853, EstimatesItsErrorFromAbove) {
  DormandPrince853 stepper;
  stepper.resize(1);
  const auto f = [](const double* y, double* slope) { slope[0] = -y[0]; };
  for (const double h : {0.1, 0.3, 1.0}) {
    const double y = 1.0;
    double next = 0.0;
    f(&y, stepper.first_slope());
    const double tolerance = 1e-12;
    const double error = stepper.step(f, &y, h, &next, tolerance);
    EXPECT_GT(error * tolerance * 2.0 + 1e-16, std::abs(next - std::exp(-h))) << h;
  }
}

TEST(DormandPrince853, ShrinksAndGrowsTheStepWithinBounds) {
  EXPECT_EQ(DormandPrince853::step_factor(0.0), 5.0);
  EXPECT_EQ(DormandPrince853::step_factor(1e30), 0.2);
  EXPECT_NEAR(DormandPrince853::step_factor(1.0), 0.9, 1e-15);
}

}  // namespace
}  // namespace carom
