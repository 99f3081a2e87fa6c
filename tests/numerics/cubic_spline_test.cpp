#include "carom/numerics/cubic_spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/random.h"

namespace carom {
namespace {

struct Samples {
  std::vector<double> times, values;
};

Samples random_table(Random& random, SplineEnds ends) {
  Samples table;
  double time = random.uniform(-2.0, 1.0);
  const int rows = 3 + static_cast<int>(random.uniform(0.0, 30.0));
  for (int i = 0; i < rows; ++i, time += random.uniform(0.02, 0.5)) {
    table.times.push_back(time);
    table.values.push_back(random.uniform(-1.0, 1.0));
  }
  if (ends == SplineEnds::periodic) table.values.back() = table.values.front();
  return table;
}

class EverySplineEnd : public testing::TestWithParam<SplineEnds> {};

TEST_P(EverySplineEnd, GoesThroughItsPointsTwiceContinuouslyDifferentiable) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const Samples table = random_table(random, GetParam());
    const CubicSpline spline(table.times, table.values, GetParam());
    for (std::size_t i = 0; i < table.times.size(); ++i)
      EXPECT_NEAR(spline.at(table.times[i]).value, table.values[i], 1e-12);
    // On both sides of every knot, that of its own ends included; third derivatives are bounded by bends over lengths.
    double steepest = 0.0;
    for (std::size_t i = 1; i < spline.times().size(); ++i)
      steepest = std::max(
          steepest, std::abs(spline.bends()[i] - spline.bends()[i - 1]) / (spline.times()[i] - spline.times()[i - 1]));
    const double h = 1e-9;
    for (const double time : spline.times()) {
      const Jet before = spline.at(time - h), after = spline.at(time + h);
      EXPECT_NEAR(before.acceleration, after.acceleration, 2.0 * h * steepest + 1e-9);
      EXPECT_NEAR(after.rate - before.rate, 2.0 * h * spline.at(time).acceleration, 1e-10 * (1.0 + steepest));
    }
  }
}

TEST_P(EverySplineEnd, ItsRangesHold) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const Samples table = random_table(random, GetParam());
    const CubicSpline spline(table.times, table.values, GetParam());
    const double from = random.uniform(-4.0, 12.0);
    const double length = std::min(random.uniform(0.0, 3.0), spline.longest_window(from));
    const JetRange range = spline.over(from, from + length);
    for (int i = 0; i <= 200; ++i) {
      const Jet jet = spline.at(from + length * i / 200.0);
      const double slack = 1e-9;
      ASSERT_TRUE(jet.value >= range.value.low - slack && jet.value <= range.value.high + slack);
      ASSERT_TRUE(jet.rate >= range.rate.low - slack && jet.rate <= range.rate.high + slack);
      ASSERT_TRUE(jet.acceleration >= range.acceleration.low - slack * 1e3 &&
                  jet.acceleration <= range.acceleration.high + slack * 1e3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CubicSpline, EverySplineEnd,
                         testing::Values(SplineEnds::natural, SplineEnds::rest, SplineEnds::periodic));

TEST(CubicSpline, NaturalEndsGoOnStraight) {
  const CubicSpline spline({0.0, 1.0, 3.0}, {0.0, 1.0, 0.0}, SplineEnds::natural);
  const Jet end = spline.at(3.0), later = spline.at(5.0);
  EXPECT_NEAR(end.acceleration, 0.0, 1e-15);
  EXPECT_EQ(later.rate, end.rate);
  EXPECT_NEAR(later.value, 2.0 * end.rate, 1e-15);
  // By hand: (0 + 2·3)/6·2 M = −½ − 1, M = −3/2 at the middle knot.
  EXPECT_NEAR(spline.at(1.0).acceleration, -1.5, 1e-15);
}

TEST(CubicSpline, EndsAtRestAreHeldThere) {
  const CubicSpline spline({0.0, 1.0, 2.0, 4.0}, {0.0, 0.3, -0.2, 0.7}, SplineEnds::rest);
  for (const double time : {0.0, 4.0}) {
    EXPECT_NEAR(spline.at(time).rate, 0.0, 1e-14);
    EXPECT_NEAR(spline.at(time).acceleration, 0.0, 1e-14);
  }
  EXPECT_EQ(spline.at(9.0).value, 0.7);
  EXPECT_EQ(spline.at(-9.0).rate, 0.0);
}

TEST(CubicSpline, TwoRowsAtRestAreASmoothStep) {
  const CubicSpline spline({1.0, 2.0}, {0.0, 1.0}, SplineEnds::rest);
  EXPECT_NEAR(spline.at(1.5).value, 0.5, 1e-15);
  EXPECT_NEAR(spline.at(1.0).rate, 0.0, 1e-15);
  EXPECT_NEAR(spline.at(2.0).acceleration, 0.0, 1e-14);
}

TEST(CubicSpline, APeriodicTableOfASineConvergesWithTheFourthPower) {
  const auto error = [](int rows) {
    Samples table;
    for (int i = 0; i <= rows; ++i) {
      table.times.push_back(static_cast<double>(i) / rows);
      table.values.push_back(i == rows ? 0.0 : std::sin(2.0 * std::numbers::pi * i / rows));
    }
    const CubicSpline spline(table.times, table.values, SplineEnds::periodic);
    double largest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      const double time = -2.0 + 0.0057 * i;
      largest = std::max(largest, std::abs(spline.at(time).value - std::sin(2.0 * std::numbers::pi * time)));
    }
    return largest;
  };
  EXPECT_LT(error(16), 2e-4);
  EXPECT_NEAR(error(16) / error(32), 16.0, 1.0);
}

}  // namespace
}  // namespace carom
