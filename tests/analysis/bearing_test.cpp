#include "carom/analysis/bearing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/error.h"

namespace carom {
namespace {

// ER-10K by its catalogue: balls of 0.3125 in on a pitch circle of 1.319 in.
constexpr BearingGeometry kCatalogue{.balls = 8, .ball_diameter = 0.0079375, .pitch_diameter = 0.0335026};

TEST(Bearing, LinesOfTheCatalogueWithTheInnerRaceTurning) {
  const BearingLines lines = bearing_lines(kCatalogue, {.inner = 1.0});
  EXPECT_NEAR(lines.cage, 0.3815390447308567, 1e-15);
  EXPECT_NEAR(lines.outer_race, 3.0523123578468536, 1e-14);
  EXPECT_NEAR(lines.inner_race, 4.947687642153146, 1e-14);
  EXPECT_NEAR(lines.ball_spin, 1.9919390447308567, 1e-14);
}

TEST(Bearing, LinesOfTheCatalogueWithTheOuterRaceTurning) {
  const BearingLines lines = bearing_lines(kCatalogue, {.outer = 1.0});
  EXPECT_NEAR(lines.cage, 0.6184609552691432, 1e-15);
  EXPECT_NEAR(lines.outer_race, 3.0523123578468536, 1e-14);
  EXPECT_NEAR(lines.inner_race, 4.947687642153146, 1e-14);
  EXPECT_NEAR(lines.ball_spin, 1.9919390447308567, 1e-14);
}

TEST(Bearing, LinesOfThePublishedTable) {
  // 31.438 mm is the mean of bore and outer diameter, not the pitch; so published by Gismeros Moreno et al., 2021.
  const BearingLines lines =
      bearing_lines({.balls = 8, .ball_diameter = 0.007938, .pitch_diameter = 0.031438}, {.outer = 1.0});
  EXPECT_NEAR(lines.cage, 0.6262484890896367, 1e-15);
  EXPECT_NEAR(lines.outer_race, 2.990012087282906, 1e-14);
  EXPECT_NEAR(lines.inner_race, 5.009987912717094, 1e-14);
  EXPECT_NEAR(lines.ball_spin, 1.8539732292273197, 1e-14);
}

TEST(Bearing, RacesThatTurnTogetherCarryTheBallsAlong) {
  const BearingLines lines = bearing_lines(kCatalogue, {.inner = 7.0, .outer = 7.0});
  EXPECT_NEAR(lines.cage, 7.0, 1e-14);
  EXPECT_EQ(lines.outer_race, 0.0);
  EXPECT_EQ(lines.ball_spin, 0.0);
}

TEST(Bearing, ACageLiesBetweenItsRacesAndPassesAllBalls) {
  // n balls pass a point of the outer race as often as the cage turns against it.
  for (const double outer : {-5.0, 0.0, 3.0, 20.0}) {
    const BearingLines lines = bearing_lines(kCatalogue, {.inner = 10.0, .outer = outer});
    const double gamma = 0.0079375 / 0.0335026;
    const double cage = 0.5 * (10.0 * (1.0 - gamma) + outer * (1.0 + gamma));
    EXPECT_NEAR(lines.outer_race, 8.0 * std::abs(cage - outer), 1e-12);
    EXPECT_NEAR(lines.inner_race, 8.0 * std::abs(cage - 10.0), 1e-12);
  }
}

TEST(Bearing, TheContactAngleCountsByItsCosine) {
  BearingGeometry inclined = kCatalogue;
  inclined.contact_angle = std::numbers::pi / 3.0;
  BearingGeometry small = kCatalogue;
  small.ball_diameter *= 0.5;
  EXPECT_NEAR(bearing_lines(inclined, {.outer = 1.0}).outer_race, bearing_lines(small, {.outer = 1.0}).outer_race,
              1e-14);
}

TEST(Bearing, WhatIsNoBearingIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(bearing_lines({0, 0.01, 0.05}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.0, 0.05}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.01, 0.01}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, nan, 0.05}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.01, nan}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.01, 0.05, 1.6}, {}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.01, 0.05}, {.inner = nan}), InputError);
  EXPECT_THROW(bearing_lines({8, 0.01, 0.05}, {.outer = INFINITY}), InputError);
  try {
    bearing_lines({8, 0.05, 0.01}, {});
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::out_of_range);
    EXPECT_STREQ(error.what(), "pitch is 0.01, expected a diameter greater than that of a ball");
  }
}

TEST(BearingLineName, NamesHarmonicsAndSideBands) {
  const BearingLines lines = bearing_lines(kCatalogue, {.outer = 10.0});
  const auto name = [&lines](double frequency) { return bearing_line_name(lines, frequency, 0.1); };
  EXPECT_EQ(name(30.52), "BPFO");
  EXPECT_EQ(name(61.05), "2×BPFO");
  EXPECT_EQ(name(30.52 - 10.0), "BPFO−fo");
  EXPECT_EQ(name(30.52 + 10.0), "BPFO+fo");
  EXPECT_EQ(name(49.48), "BPFI");
  EXPECT_EQ(name(19.92), "BSF");
  EXPECT_EQ(name(6.18), "FTF");
  EXPECT_EQ(name(10.0), "fo");
  EXPECT_EQ(name(19.92 + 6.18), "BSF+FTF");
  EXPECT_EQ(name(11.0), "");
  EXPECT_EQ(name(1000.0), "");
}

TEST(BearingLineName, AHarmonicGoesBeforeASideBandAndTheNearestBeforeTheRest) {
  const BearingLines lines{
      .cage = 4.0, .outer_race = 30.0, .inner_race = 50.0, .ball_spin = 19.0, .speeds = {0.0, 10.0}};
  EXPECT_EQ(bearing_line_name(lines, 30.0, 0.5), "BPFO");  // the lowest harmonic of several at one place
  EXPECT_EQ(bearing_line_name(lines, 40.2, 0.5), "4×fo");  // and not BPFO+fo
  EXPECT_EQ(bearing_line_name(lines, 19.4, 2.0), "BSF");
  EXPECT_EQ(bearing_line_name(lines, 19.6, 2.0), "2×fo");
}

}  // namespace
}  // namespace carom
