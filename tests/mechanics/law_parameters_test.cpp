#include "carom/mechanics/law_parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr LawParameter kKnown[] = {
    {.name = "share", .default_value = 0.5, .help = "a share"},
    {.name = "speed",
     .high = std::numeric_limits<double>::infinity(),
     .help = "a speed",
     .unit = "m/s",
     .required = true,
     .low_excluded = true,
     .advice = "take 1"},
};
constexpr LawParameter kBeside[] = {{.name = "smooth", .is_flag = true, .help = "a flag"}};

/// Kind, place and message of what is wrong; "fine" where nothing is.
std::string complaint(const LawParameters& given, const std::string& field = "pair.0") {
  try {
    check_parameters({"some-law", field}, given, {kKnown, kBeside});
  } catch (const InputError& error) {
    return std::string(kind_name(error.kind())) + " at " + error.place().field + ": " + error.what();
  }
  return "fine";
}

LawParameters with_speed(double speed) {
  LawParameters given;
  given.set("speed", speed);
  return given;
}

TEST(LawParameters, GiveWhatWasSetOrTheDefault) {
  LawParameters given = with_speed(2.0);
  given.set("smooth", true);
  EXPECT_EQ(given.number("speed"), 2.0);
  EXPECT_EQ(given.number(kKnown[0]), 0.5);
  EXPECT_TRUE(given.flag(kBeside[0]));
  EXPECT_FALSE(LawParameters{}.flag(kBeside[0]));
  EXPECT_FALSE(given.number("share"));
  EXPECT_FALSE(given.number("smooth"));
  EXPECT_TRUE(given.has("smooth"));
  given.set("speed", 3.0);
  EXPECT_EQ(given.number("speed"), 3.0);
  EXPECT_EQ(complaint(given), "fine");
}

TEST(LawParameters, MistakesNameTheFieldTheValueAndWhatWasExpected) {
  EXPECT_EQ(complaint({}),
            "missing-field at pair.0.speed: pair.0.speed is missing, the law 'some-law' needs it: a speed, expected a "
            "number > 0 [m/s]");
  EXPECT_EQ(complaint({}, "").substr(0, 23), "missing-field at speed:");
  EXPECT_EQ(complaint(with_speed(0.0)),
            "out-of-range at pair.0.speed: pair.0.speed of the law 'some-law' is 0, expected a number > 0 [m/s]; take "
            "1");
  EXPECT_EQ(complaint(with_speed(std::nan(""))).substr(0, 10), "not-finite");
  EXPECT_EQ(complaint(with_speed(std::numeric_limits<double>::infinity())).substr(0, 10), "not-finite");
  LawParameters share = with_speed(1.0);
  share.set("share", 1.5);
  EXPECT_EQ(complaint(share),
            "out-of-range at pair.0.share: pair.0.share of the law 'some-law' is 1.5, expected a number from 0 to 1");
  LawParameters flag = with_speed(1.0);
  flag.set("smooth", 1.0);
  EXPECT_EQ(complaint(flag),
            "wrong-type at pair.0.smooth: pair.0.smooth of the law 'some-law' is 1, expected true or false");
  LawParameters misspelt = with_speed(1.0);
  misspelt.set("smoth", true);
  EXPECT_EQ(complaint(misspelt),
            "unknown-name at pair.0.smoth: unknown some-law parameter 'smoth'; did you mean 'smooth'? "
            "known: share, speed, smooth");
}

}  // namespace
}  // namespace carom
