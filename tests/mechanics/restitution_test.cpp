#include "carom/mechanics/restitution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/base/error.h"

namespace carom {
namespace {

Restitution power(double e0, double v0, double exponent) {
  return Restitution(PowerRestitution{e0, v0, exponent});
}

Restitution table(std::vector<double> speeds, std::vector<double> values) {
  return Restitution(RestitutionTable{std::move(speeds), std::move(values)});
}

/// `pair.restitution.e0: message`; empty where it is in order.
std::string complaint_about(const Restitution& restitution) {
  try {
    validate(restitution, "r");
  } catch (const InputError& error) {
    return error.place().field;
  }
  return "";
}

TEST(Restitution, ANumberIsTheSameAtEverySpeed) {
  const Restitution e = 0.3;
  for (const double speed : {-1.0, 0.0, 1e-300, 1.0, 1e300}) EXPECT_EQ(e.at(speed), 0.3);
  EXPECT_TRUE(e.is_constant());
  EXPECT_EQ(e.at_rest(), 0.3);
  EXPECT_EQ(e.constant_up_to(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Restitution(), Restitution(1.0));
}

TEST(Restitution, ThePowerLawFallsAboveItsSpeedOnly) {
  const Restitution e = power(0.9, 0.1, 0.25);
  for (const double speed : {-1.0, 0.0, 0.05, 0.1}) EXPECT_EQ(e.at(speed), 0.9);
  EXPECT_DOUBLE_EQ(e.at(1.6), 0.45);  // (16)^(-1/4) = 1/2
  EXPECT_DOUBLE_EQ(e.at(8.1), 0.3);
  EXPECT_NEAR(e.at(0.1 * (1.0 + 1e-12)), 0.9, 1e-12);
  EXPECT_EQ(e.at_rest(), 0.9);
  EXPECT_EQ(e.constant_up_to(), 0.1);
  EXPECT_EQ(power(0.9, 1e-300, 400.0).at(1e300), 0.0);  // nothing overflows
}

TEST(Restitution, ATableIsLinearBetweenItsSpeedsAndHeldOutside) {
  const Restitution e = table({0.5, 1.0, 4.0}, {1.0, 0.8, 0.2});
  for (const double speed : {-1.0, 0.0, 0.5}) EXPECT_EQ(e.at(speed), 1.0);
  EXPECT_DOUBLE_EQ(e.at(0.75), 0.9);
  EXPECT_EQ(e.at(1.0), 0.8);
  EXPECT_DOUBLE_EQ(e.at(2.0), 0.6);
  for (const double speed : {4.0, 5.0, 1e300}) EXPECT_EQ(e.at(speed), 0.2);
  EXPECT_EQ(table({3.0}, {0.4}).at(17.0), 0.4);
}

TEST(Restitution, IsElasticOnlyWhereNothingIsEverLost) {
  EXPECT_TRUE(Restitution(1.0).is_elastic());
  EXPECT_FALSE(Restitution(0.999).is_elastic());
  EXPECT_TRUE(power(1.0, 1.0, 0.0).is_elastic());
  EXPECT_FALSE(power(1.0, 1.0, 0.1).is_elastic());
  EXPECT_TRUE(table({1.0, 2.0}, {1.0, 1.0}).is_elastic());
  EXPECT_FALSE(table({1.0, 2.0}, {1.0, 0.9}).is_elastic());
}

TEST(Restitution, AreEqualWhereTheySayTheSame) {
  EXPECT_EQ(power(0.5, 1.0, 0.2), power(0.5, 1.0, 0.2));
  EXPECT_FALSE(power(0.5, 1.0, 0.2) == power(0.5, 1.0, 0.3));
  EXPECT_FALSE(power(0.5, 1.0, 0.2) == Restitution(0.5));
  EXPECT_EQ(table({1.0}, {0.5}), table({1.0}, {0.5}));
}

TEST(Restitution, EveryMistakeIsNamed) {
  const double nan = std::nan("");
  EXPECT_EQ(complaint_about(0.0), "");
  EXPECT_EQ(complaint_about(1.1), "r");
  EXPECT_EQ(complaint_about(nan), "r");
  EXPECT_EQ(complaint_about(power(1.1, 1.0, 0.2)), "r.e0");
  EXPECT_EQ(complaint_about(power(0.9, 0.0, 0.2)), "r.v0");
  EXPECT_EQ(complaint_about(power(0.9, nan, 0.2)), "r.v0");
  EXPECT_EQ(complaint_about(power(0.9, 1.0, -0.2)), "r.exponent");
  EXPECT_EQ(complaint_about(table({}, {})), "r.values");
  EXPECT_EQ(complaint_about(table({1.0, 2.0}, {0.5})), "r.values");
  EXPECT_EQ(complaint_about(table({1.0, 1.0}, {0.5, 0.4})), "r.speeds.1");
  EXPECT_EQ(complaint_about(table({-1.0, 1.0}, {0.5, 0.4})), "r.speeds.0");
  EXPECT_EQ(complaint_about(table({1.0, 2.0}, {0.5, 1.4})), "r.values.1");
  EXPECT_EQ(complaint_about(table({0.0, 2.0}, {0.5, 1.0})), "");
}

TEST(Restitution, SaysInWordsWhatItIs) {
  EXPECT_EQ(Restitution(0.9).text(), "0.9");
  EXPECT_EQ(power(0.9, 0.1, 0.25).text(), "0.9·max(v/0.1, 1)^-0.25");
  EXPECT_EQ(table({1.0, 2.0}, {0.5, 0.25}).text(), "a table from 0.5 to 0.25");
}

}  // namespace
}  // namespace carom
