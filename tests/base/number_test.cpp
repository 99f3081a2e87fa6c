#include "carom/base/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "carom/base/error.h"

namespace carom {
namespace {

TEST(Number, PrintedNumbersReadBackToTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = format_number(value);
    const NumberText read = read_number(text);
    ASSERT_EQ(read.status, NumberStatus::good) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.value), std::bit_cast<std::uint64_t>(value)) << text;
    ASSERT_EQ(nlohmann::json::parse(text).get<double>(), value) << text;
  }
}

TEST(Number, PrintedNumbersAreShort) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1.0), "1");
  EXPECT_EQ(format_number(1e-13), "1e-13");
  EXPECT_EQ(format_number(-0.0), "-0.0");
  EXPECT_EQ(format_number(0.0), "0");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Number, WellFormedTextsAreRead) {
  EXPECT_EQ(read_number("1.5").value, 1.5);
  EXPECT_EQ(read_number("+1.5").value, 1.5);
  EXPECT_EQ(read_number("-.5e1").value, -5.0);
  EXPECT_EQ(read_number("1.").value, 1.0);
  EXPECT_TRUE(std::signbit(read_number("-0").value));
  EXPECT_EQ(read_number("4.9e-324").value, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read_number("1.7976931348623157e308").value, std::numeric_limits<double>::max());
}

TEST(Number, TooSmallIsZeroAndTooLargeIsAnError) {
  for (const char* text : {"1e-999", "0.0001e-400", "1e-99999999999999999999"}) {
    EXPECT_EQ(read_number(text).status, NumberStatus::good) << text;
    EXPECT_EQ(read_number(text).value, 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(read_number("-1e-999").value));
  for (const char* text :
       {"1e999", "-1e999", "1000e306", "1e99999999999999999999", "inf", "-Infinity", "NaN", "+nan"}) {
    EXPECT_EQ(read_number(text).status, NumberStatus::not_finite) << text;
  }
  const std::string long_fraction = "0." + std::string(400, '0') + "1";
  EXPECT_EQ(read_number(long_fraction).value, 0.0);
  EXPECT_EQ(read_number("1" + std::string(400, '0')).status, NumberStatus::not_finite);
}

TEST(Number, OtherTextsAreMalformed) {
  for (const char* text :
       {"", " 1", "1 ", "1,5", "1.5x", "--1", "+-1", "e5", ".", "-", "0x10", "1e", "1e+", "infinit", "1_0"}) {
    EXPECT_EQ(read_number(text).status, NumberStatus::malformed) << text;
  }
}

TEST(Number, TheLocaleDoesNotMatter) {
  const char* const changed = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(read_number("1.5").value, 1.5);
  EXPECT_EQ(format_number(1.5), "1.5");
  if (changed != nullptr) std::setlocale(LC_ALL, "C");
}

TEST(Number, ErrorsNameTheFieldTheValueAndTheKind) {
  try {
    parse_number("1e999", "restitution");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::not_finite);
    EXPECT_EQ(error.place().field, "restitution");
    EXPECT_STREQ(error.what(), "restitution is '1e999', expected a finite number");
  }
  try {
    parse_number("abc", "restitution");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::syntax);
  }
  EXPECT_EQ(parse_number("-2.5e-3", "x"), -2.5e-3);
}

}  // namespace
}  // namespace carom
