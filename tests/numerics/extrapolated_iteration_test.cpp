/// Fixed points by extrapolation: linear maps in as many steps as they have dimensions, maps with kinks, maps that
/// grow.

#include "carom/numerics/extrapolated_iteration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace carom {
namespace {

TEST(ExtrapolatedIteration, ALinearMapIsDoneAfterAFewStepsHoweverSlowlyItContracts) {
  // x → x/2 + 1/2, 0.99 x + 0.01, 0.999 x + 0.001: all have the fixed point 1.
  const double factor[] = {0.5, 0.99, 0.999};
  int maps = 0;
  const auto map = [&](double* x) {
    ++maps;
    double change = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double next = factor[k] * x[k] + 1.0 - factor[k];
      change = std::max(change, std::abs(next - x[k]));
      x[k] = next;
    }
    return change;
  };
  const auto residual = [&](const double* x) {
    return std::max({std::abs(x[0] - 1.0), std::abs(x[1] - 1.0), std::abs(x[2] - 1.0)});
  };
  std::vector<double> x{5.0, -3.0, 2.0};
  ExtrapolatedIteration iteration;
  EXPECT_LE(iteration.run(map, residual, 1e-10, 100, x), 1e-10);
  EXPECT_LE(maps, 12);
  for (const double entry : x) EXPECT_NEAR(entry, 1.0, 1e-10);
}

TEST(ExtrapolatedIteration, AKinkThatTurnsTheWayBackIsPassed) {
  // Contracts slowly to 0 from above and to −1 from below 0.1: the extrapolation from above leads too far.
  const auto map = [](double* x) {
    const double next = *x > 0.1 ? 0.95 * *x : -1.0 + 0.5 * (*x + 1.0);
    const double change = std::abs(next - *x);
    *x = next;
    return change;
  };
  const auto residual = [](const double* x) { return std::abs(*x + 1.0); };
  std::vector<double> x{10.0};
  ExtrapolatedIteration iteration;
  EXPECT_LE(iteration.run(map, residual, 1e-12, 500, x), 1e-12);
}

TEST(ExtrapolatedIteration, AMapThatGrowsWithoutEndLeavesNumbers) {
  const auto map = [](double* x) {
    const double next = 2.0 * *x + 1.0;
    const double change = std::abs(next - *x);
    *x = next;
    return change;
  };
  // The fixed point −1 repels; by extrapolation it is found all the same.
  const auto residual = [](const double* x) { return std::abs(*x + 1.0); };
  std::vector<double> x{1.0};
  ExtrapolatedIteration iteration;
  EXPECT_LE(iteration.run(map, residual, 1e-12, 2000, x), 1e-12);
  // Where there is none, it ends with a number.
  const auto away = [](double* y) {
    *y = 3.0 * *y * *y + 1.0;
    return HUGE_VAL;
  };
  std::vector<double> y{1.0};
  iteration.run(
      away, [](const double* z) { return std::abs(*z); }, 1e-12, 2000, y);
  EXPECT_TRUE(std::isfinite(y[0]));
}

TEST(ExtrapolatedIteration, AMapWithoutAFixedPointDoesNotLeadEndlesslyFar) {
  // Each step goes on by a tenth, but for round-off: a straight map through these stands still 1e15 steps away, if
  // anywhere. Bodies that contacts drive together from two sides are such a map of their impulses.
  const auto map = [](double* x) {
    *x += 0.1;
    return 0.1;
  };
  std::vector<double> x{0.0};
  ExtrapolatedIteration iteration;
  iteration.run(
      map, [](const double*) { return 0.1; }, 1e-12, 50, x);
  EXPECT_LT(std::abs(x[0]), 50 * 0.1 * 1e4);
}

}  // namespace
}  // namespace carom
