#include "carom/numerics/lambert_w.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/base/random.h"
#include "support/property_cases.h"

namespace carom {
namespace {

/// A few units of round-off.
constexpr double kRoundOff = 1e-15;

void expect_close(double value, double expected, double at) {
  EXPECT_LE(std::abs(value - expected), kRoundOff * std::abs(expected)) << "at " << at << ": " << value;
}

struct Point {
  double x;
  double expected;
};

// Reference values of this file: mpmath with 40 digits and more.

TEST(LambertW, AgreesWithReferenceValues) {
  constexpr Point kPoints[] = {
      {-0.3678794411714423, -0.999999984695745872},
      {-0.3678, -0.979360714957830517},
      {-0.36, -0.806084315970817624},
      {-0.3, -0.489402227180214934},
      {-0.2500001, -0.35740317865552647},
      {-0.25, -0.357402956181388903},
      {-0.1, -0.111832559158962972},
      {-0.001, -0.00100100150267188584},
      {-1e-12, -1.00000000000099998e-12},
      {1e-300, 1.00000000000000003e-300},
      {1e-05, 9.99990000149997415e-6},
      {0.1, 0.0912765271608622689},
      {0.5, 0.351733711249195826},
      {1.0, 0.567143290409783873},
      {2.718281828459045, 0.999999999999999973},
      {10.0, 1.74552800274069938},
      {1000.0, 5.24960285240159623},
      {10000000000.0, 20.0286854133049508},
      {1e+100, 224.843106445118502},
      {1e+300, 684.247208629760849},
  };
  for (const Point& point : kPoints) expect_close(lambert_w0(point.x), point.expected, point.x);
}

TEST(LambertW, HasItsEndsWhereTheyAre) {
  EXPECT_EQ(lambert_w0(0.0), 0.0);
  EXPECT_EQ(lambert_w0(-0.36787944117144233), -1.0);
  EXPECT_TRUE(std::isnan(lambert_w0(-0.3679)));
  EXPECT_TRUE(std::isnan(lambert_w0(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(lambert_w0(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_EQ(lambert_w0_above_branch(0.0), 0.0);
}

TEST(LambertW, KeepsItsDigitsAtTheBranchPoint) {
  constexpr Point kPoints[] = {
      {1e-300, 1.41421356237309507e-150},
      {1e-30, 1.41421356237309444e-15},
      {1e-16, 1.41421355570642838e-8},
      {1e-08, 0.000141414689649211741},
      {0.001, 0.0440571922590480822},
      {0.1, 0.383183168208294844},
      {0.5, 0.698290437315663988},
      {0.999, 0.841217039865500358},
      {1.001, 0.841594014769484644},
      {2.0, 0.947530902542285128},
      {5.0, 0.997515080664850547},
      {20.0, 0.999999999241743957},
      {39.0, 0.999999999999999996},
      {50.0, 1.0},
      {1000.0, 1.0},
  };
  for (const Point& point : kPoints) expect_close(lambert_w0_above_branch(point.x), point.expected, point.x);
}

TEST(LambertW, RemaindersOfTheLogarithmDoNotCancel) {
  struct Remainders {
    double x, shortfall, third;
  };
  constexpr Remainders kPoints[] = {
      {-0.999999, 12.8155115579355185, 12.3155495045465866},     {-0.9, 1.40258509299404588, 1.36842948284505595},
      {-0.51, 0.203349887877464767, 0.552576971733833584},       {-0.49, 0.183344553263765588, 0.537994825827381411},
      {-0.1, 0.00536051565782630184, 0.360515657826301229},      {-1e-05, 5.00003333358333615e-11, 0.3333358333533335},
      {-1e-150, 5.00000000000000006e-301, 0.333333333333333333}, {1e-12, 4.99999999999666647e-25, 0.333333333333083333},
      {0.001, 4.99666916466833211e-7, 0.333083533166809399},     {0.3, 0.0376357355325089454, 0.272750535833001929},
      {0.499, 0.0942017808795393478, 0.243849928285055554},      {0.501, 0.0948684473486750982, 0.24359194449158028},
      {3.0, 1.61370563888010938, 0.106899791152588541},          {11.0, 8.51509335021199969, 0.0390570297894725772},
      {100000000.0, 99999981.579319246, 4.99999990000001842e-9},
  };
  for (const Remainders& point : kPoints) {
    expect_close(log_shortfall(point.x), point.shortfall, point.x);
    expect_close(log_third_remainder(point.x), point.third, point.x);
  }
}

TEST(LambertW, UndoesTheProductItInverts) {
  // w eʷ = x; an error of ε in w changes the product by the factor (1 + w)ε.
  Random random(11);
  for (int i = 0; i < test::property_cases(2000); ++i) {
    const double x = std::exp(random.uniform(-40.0, 200.0)) - 0.36;
    const double w = lambert_w0(x);
    EXPECT_NEAR(w + std::log(x / w), w + w, 4e-15 * (1.0 + w)) << x;
  }
}

}  // namespace
}  // namespace carom
