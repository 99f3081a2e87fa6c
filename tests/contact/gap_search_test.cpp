#include "carom/contact/gap_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom::contact {
namespace {

constexpr double kNoise = 1e-14;

GapCrossing search(const GapFunction& gap, double end, std::optional<double> bound, int pieces = 4) {
  return first_closing(gap, {end, kNoise, 1e-10, bound, pieces});
}

/// g = 1 − ½ a t², closing at √(2/a).
GapSample fall(double t, double a) {
  return {1.0 - 0.5 * a * t * t, -a * t};
}

TEST(GapSearch, FindsAPlainCrossingToRoundOff) {
  const auto gap = [](double t) { return fall(t, 9.81); };
  const double exact = std::sqrt(2.0 / 9.81);
  for (const auto bound : {std::optional<double>(), std::optional<double>(9.81), std::optional<double>(30.0)}) {
    const GapCrossing found = search(gap, 1.0, bound);
    ASSERT_TRUE(found.time);
    EXPECT_NEAR(*found.time, exact, 3e-15);
    EXPECT_EQ(found.proven, bound.has_value());
    EXPECT_FALSE(search(gap, 0.9 * exact, bound).time);
  }
}

TEST(GapSearch, FindsADoubleCrossingWithinTheStep) {
  // A dip of depth 1e-6 and width 2√(2e-6/100) ≈ 3e-4 in the middle of a step of length 1.
  const double depth = 1e-6;
  const auto gap = [&](double t) {
    const double x = t - 0.537;
    return GapSample{50.0 * x * x - depth, 100.0 * x};
  };
  const double exact = 0.537 - std::sqrt(depth / 50.0);
  for (const auto bound : {std::optional<double>(), std::optional<double>(100.0)}) {
    const GapCrossing found = search(gap, 1.0, bound);
    ASSERT_TRUE(found.time);
    EXPECT_NEAR(*found.time, exact, 1e-10);
  }
}

TEST(GapSearch, TakesTheFirstOfManyCrossings) {
  const auto gap = [](double t) { return GapSample{std::cos(7.0 * t) + 0.5, -7.0 * std::sin(7.0 * t)}; };
  const double exact = 2.0 * std::numbers::pi / 3.0 / 7.0;
  for (const auto bound : {std::optional<double>(), std::optional<double>(49.0)})
    EXPECT_NEAR(search(gap, 3.0, bound).time.value_or(-1.0), exact, 1e-14);
}

TEST(GapSearch, AGrazeThatDoesNotTouchIsNone) {
  const auto gap = [](double t) { return GapSample{(t - 0.3) * (t - 0.3) + 1e-9, 2.0 * (t - 0.3)}; };
  for (const auto bound : {std::optional<double>(), std::optional<double>(2.0), std::optional<double>(10.0)})
    EXPECT_FALSE(search(gap, 1.0, bound).time);
}

TEST(GapSearch, AContactThatLeavesIsFoundWhenItComesBack) {
  for (const double offset : {0.0, 3e-17, -3e-17, 5e-12, -5e-12}) {
    for (const double speed : {1.0, 1e-3, 1e-5}) {
      const auto gap = [&](double t) { return GapSample{offset + speed * t - 4.905 * t * t, speed - 9.81 * t}; };
      // Back at zero, or where it left from below zero.
      const double level = std::max(offset, 0.0);
      const double exact = (speed + std::sqrt(speed * speed + 4.0 * 4.905 * level)) / 9.81;
      for (const auto bound : {std::optional<double>(), std::optional<double>(9.81)}) {
        const GapCrossing found = search(gap, 3.0, bound);
        ASSERT_TRUE(found.time) << speed;
        EXPECT_NEAR(*found.time, exact, 2e-14 / speed + 1e-15) << speed << ' ' << offset;
      }
    }
  }
}

TEST(GapSearch, AContactLetGoWithoutSpeedLeavesOnce) {
  const auto gap = [](double t) { return GapSample{t * t * t, 3.0 * t * t}; };
  EXPECT_FALSE(search(gap, 1.0, std::nullopt).time);
  const GapCrossing bounded = search(gap, 1.0, 6.0);
  EXPECT_FALSE(bounded.time);
  EXPECT_FALSE(bounded.proven);  // at the start nothing is known but that gap and rate are zero
}

TEST(GapSearch, AContactThatStaysWithinNoiseDoesNotClose) {
  const auto gap = [](double t) { return GapSample{1e-16 * std::sin(1e3 * t), 1e-16 * std::cos(977.0 * t)}; };
  EXPECT_FALSE(search(gap, 1.0, std::nullopt).time);
}

}  // namespace
}  // namespace carom::contact
