#include "carom/numerics/dense_runge_kutta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace carom {
namespace {

/// ẍ = −x, driven: x = cos t + ½ sin 2t.
void driven(double t, const double* y, double* slope) {
  slope[0] = y[1];
  slope[1] = -y[0] - 1.5 * std::sin(2.0 * t);
}
double place(double t) {
  return std::cos(t) + 0.5 * std::sin(2.0 * t);
}
double speed(double t) {
  return -std::sin(t) + std::cos(2.0 * t);
}

/// The largest error of the polynomial of one step from t = 0.3, and of its slope.
std::pair<double, double> errors_within(double h) {
  DenseRungeKutta method;
  method.resize(2);
  method.set_tolerance(1e300);
  const double y[2] = {place(0.3), speed(0.3)};
  double next[2];
  method.step(driven, 0.3, y, h, next);
  double of_value = 0.0, of_slope = 0.0;
  for (int k = 0; k <= 40; ++k) {
    const double theta = k / 40.0, t = 0.3 + theta * h;
    double value = 0.0, slope = 0.0;
    method.dense().value(theta, 0, 1, &value);
    method.dense().slope(theta, 0, 1, &slope);
    of_value = std::max(of_value, std::abs(value - place(t)));
    of_slope = std::max(of_slope, std::abs(slope - speed(t)));
  }
  return {of_value, of_slope};
}

TEST(DenseRungeKutta, HasAPolynomialOfOrderSevenWithinSteps) {
  const auto [value, slope] = errors_within(0.4);
  const auto [half_value, half_slope] = errors_within(0.2);
  EXPECT_NEAR(std::log2(value / half_value), 8.0, 0.5);
  EXPECT_NEAR(std::log2(slope / half_slope), 7.0, 0.5);
  EXPECT_LT(half_value, 1e-10);
}

TEST(DenseRungeKutta, EndsWhereItsPolynomialEndsAndKeepsTheTolerance) {
  DenseRungeKutta method;
  method.resize(2);
  method.set_tolerance(1e-9);
  std::vector<double> y = {place(0.0), speed(0.0)}, next(2), end(2);
  double t = 0.0, h = 0.1;
  while (t < 10.0) {
    const double error = method.step(driven, t, y.data(), h, next.data());
    if (error <= 1.0) {
      method.dense().value(1.0, 0, 2, end.data());
      EXPECT_EQ(end, next);
      t += h;
      y = next;
    }
    h *= DenseRungeKutta::step_factor(error);
  }
  EXPECT_NEAR(y[0], place(t), 1e-8);
  EXPECT_NEAR(y[1], speed(t), 1e-8);
}

TEST(DenseRungeKutta, SaysWhereTheRightHandSideIsNotFinite) {
  DenseRungeKutta method;
  method.resize(1);
  const double y = 1.0;
  double next = 0.0;
  const auto f = [](double t, const double*, double* slope) { slope[0] = t > 0.05 ? std::nan("") : 1.0; };
  EXPECT_EQ(method.step(f, 0.0, &y, 0.1, &next), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace carom
