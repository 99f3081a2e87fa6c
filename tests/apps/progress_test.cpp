#include "common/progress.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using app::fraction_done;
using app::progress_line;
using app::ProgressStyle;

TEST(Progress, TheFractionIsThatOfTheNearerEnd) {
  EXPECT_DOUBLE_EQ(fraction_done({0.5, 10, 1.0}, {2.0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(fraction_done({0.5, 10, 1.0}, {2.0, 20}), 0.5);
  EXPECT_DOUBLE_EQ(fraction_done({0.5, 10, 1.0}, {std::numeric_limits<double>::infinity(), 0}), 0.0);
  EXPECT_DOUBLE_EQ(fraction_done({3.0, 10, 1.0}, {2.0, 0}), 1.0);
}

TEST(Progress, TheRemainingTimeFollowsFromTheShareThatIsDone) {
  const auto json = nlohmann::json::parse(progress_line({0.5, 10, 30.0}, {2.0, 0}, ProgressStyle::json));
  EXPECT_EQ(json["time"], 0.5);
  EXPECT_EQ(json["duration"], 2.0);
  EXPECT_EQ(json["events"], 10);
  EXPECT_DOUBLE_EQ(json["remaining"].get<double>(), 90.0);
  EXPECT_TRUE(
      nlohmann::json::parse(progress_line({0.0, 0, 1.0}, {2.0, 0}, ProgressStyle::json))["remaining"].is_null());
}

TEST(Progress, APersonSeesTimeEventsAndWhatIsLeft) {
  EXPECT_EQ(progress_line({0.5, 10, 30.0}, {2.0, 0}, ProgressStyle::plain), " 25 %  0.5 of 2 s, 10 events, 90 s left");
  EXPECT_EQ(progress_line({1.0, 1, 3600.0}, {2.0, 0}, ProgressStyle::bar),
            "[###############...............]  50 %  1 of 2 s, 1 event, 60 min left");
  EXPECT_EQ(progress_line({0.0, 0, 3.0}, {2.0, 0}, ProgressStyle::plain), "  0 %  0 of 2 s, 0 events, ? left");
}

TEST(Progress, WhereTheTimeStandsStillItSaysWhatTheRunIsBusyWith) {
  EXPECT_EQ(progress_line({0.5, 10, 30.0, "an impact law"}, {2.0, 0}, ProgressStyle::plain),
            " 25 %  0.5 of 2 s, 10 events, 90 s left; busy with an impact law");
  const auto json = nlohmann::json::parse(progress_line({0.5, 10, 30.0, "an event"}, {2.0, 0}, ProgressStyle::json));
  EXPECT_EQ(json["busy"], "an event");
  EXPECT_TRUE(nlohmann::json::parse(progress_line({0.5, 10, 30.0}, {2.0, 0}, ProgressStyle::json))["busy"].is_null());
}

TEST(Progress, WithoutATerminalABarBecomesLinesAndTheDefaultIsSilent) {
  // The standard error of a test may be a terminal; the program decides by it.
  const std::string bar = "bar";
  const std::string json = "json";
  const bool terminal = ::isatty(2) == 1;
  EXPECT_EQ(app::progress_style(&bar), terminal ? ProgressStyle::bar : ProgressStyle::plain);
  EXPECT_EQ(app::progress_style(nullptr), terminal ? ProgressStyle::bar : ProgressStyle::none);
  EXPECT_EQ(app::progress_style(&json), ProgressStyle::json);
}

}  // namespace
}  // namespace carom::test
