#include "carom/base/angle.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Angle, AllWaysOfWritingAreRead) {
  EXPECT_EQ(parse_angle("pi"), kPi);
  EXPECT_EQ(parse_angle("pi/6"), kPi / 6);
  EXPECT_EQ(parse_angle("2*pi/7"), 2 * kPi / 7);
  EXPECT_EQ(parse_angle("2pi/7"), 2 * kPi / 7);
  EXPECT_EQ(parse_angle("-pi/4"), -kPi / 4);
  EXPECT_EQ(parse_angle("0.5236"), 0.5236);
  EXPECT_EQ(parse_angle("0.5236rad"), 0.5236);
  EXPECT_EQ(parse_angle("+1e-3"), 1e-3);
  EXPECT_EQ(parse_angle("-12.5deg"), -12.5 * kPi / 180);
  EXPECT_EQ(parse_angle(" 3 * pi / 4 "), 3 * kPi / 4);
  EXPECT_EQ(parse_angle("0.5pi"), 0.5 * kPi);
  EXPECT_EQ(parse_angle("0deg"), 0.0);
}

TEST(Angle, DegreesAndFractionsOfPiAreTheSameDouble) {
  EXPECT_EQ(parse_angle("30deg"), kPi / 6);
  EXPECT_EQ(parse_angle("45deg"), kPi / 4);
  EXPECT_EQ(parse_angle("60deg"), kPi / 3);
  EXPECT_EQ(parse_angle("90deg"), kPi / 2);
  EXPECT_EQ(parse_angle("5*pi/30"), parse_angle("pi/6"));
}

TEST(Angle, OtherTextsAreRefusedWithTheirKind) {
  const auto kind_of = [](const std::string& text) {
    try {
      parse_angle(text, "alpha");
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().field, "alpha");
      EXPECT_NE(std::string(error.what()).find("alpha is '"), std::string::npos);
      return std::string(kind_name(error.kind()));
    }
    return std::string("accepted");
  };
  for (const char* text :
       {"", "deg", "30 degrees", "pi/", "pi/pi", "2*", "pi*2", "--1", "1.2.3", "30grad", "1e", "x", "*pi"}) {
    EXPECT_EQ(kind_of(text), "syntax") << text;
  }
  EXPECT_EQ(kind_of("pi/0"), "out-of-range");
  EXPECT_EQ(kind_of("1e999"), "not-finite");
  EXPECT_EQ(kind_of("1e308pi"), "not-finite");
}

}  // namespace
}  // namespace carom
