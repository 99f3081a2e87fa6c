#include "carom/base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace carom {
namespace {

using Reader = nlohmann::ordered_json;

Reader read(const Json& json) {
  return Reader::parse(json.dump());
}

TEST(Json, ListsOfNamedPairsAreObjectsAndAllOthersArrays) {
  EXPECT_EQ((Json{{"b", 1}, {"a", "two"}}).dump(), R"({"b":1,"a":"two"})");
  EXPECT_EQ((Json{{"one", {2, 3}}}).dump(), R"({"one":[2,3]})");
  EXPECT_EQ((Json{"one", "two"}).dump(), R"(["one","two"])");
  EXPECT_EQ((Json{{1, 2}, {3, 4}}).dump(), "[[1,2],[3,4]]");
  EXPECT_EQ((Json{{"a", 1}, {"b", 2, 3}}).dump(), R"([["a",1],["b",2,3]])");
  EXPECT_EQ(Json::array({{"a", 1}, {"b", 2}}).dump(), R"([["a",1],["b",2]])");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
}

TEST(Json, EveryTypeIsWrittenAsItself) {
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_EQ(Json(nullptr).dump(), "null");
  EXPECT_EQ(Json(true).dump(), "true");
  EXPECT_EQ(Json(false).dump(), "false");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::size_t{7}).dump(), "7");
  EXPECT_EQ(Json(7.0).dump(), "7.0");
  EXPECT_EQ(Json(std::string_view("text")).dump(), "\"text\"");
  EXPECT_EQ(Json(std::vector<std::string>{"a", "b"}).dump(), R"(["a","b"])");
}

TEST(Json, FieldsKeepTheirOrderAndAreReplacedInPlace) {
  Json json{{"z", 1}, {"a", 2}};
  json["m"] = 3;
  json["z"] = "new";
  json["inner"]["deeper"] = true;
  json["list"].push_back(1);
  json["list"].push_back({{"x", 2}});
  json.update({{"a", nullptr}, {"last", 5}});
  EXPECT_EQ(json.dump(), R"({"z":"new","a":null,"m":3,"inner":{"deeper":true},"list":[1,{"x":2}],"last":5})");
}

TEST(Json, FieldsAreFoundByName) {
  const Json json{{"number", 1.5}, {"count", 3}, {"text", "t"}};
  ASSERT_NE(json.find("number"), nullptr);
  EXPECT_EQ(json.find("number")->number(), 1.5);
  EXPECT_EQ(json.find("count")->number(), 3.0);
  EXPECT_EQ(json.find("text")->string(), "t");
  EXPECT_EQ(json.find("nothing"), nullptr);
  EXPECT_EQ(Json(1).find("number"), nullptr);
  EXPECT_TRUE(json.find("count")->is_number());
  EXPECT_FALSE(json.find("text")->is_number());
}

TEST(Json, NumbersReadBackToTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const Reader back = read(Json(value));
    ASSERT_TRUE(back.is_number_float()) << Json(value).dump();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back.get<double>()), std::bit_cast<std::uint64_t>(value));
  }
}

/// The layout (point, zeros, exponent) is that of the independent writer, which now and then needs digits more.
TEST(Json, NumbersAreLaidOutAsOthersDo) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> mantissa(-99999, 99999);
  int shorter = 0;
  for (int exponent = -310; exponent <= 303; ++exponent) {
    for (int i = 0; i < 100; ++i) {
      const double value = std::stod(std::to_string(mantissa(random)) + "e" + std::to_string(exponent));
      const std::string ours = Json(value).dump();
      const std::string theirs = Reader(value).dump();
      if (ours.size() < theirs.size()) {
        ++shorter;
      } else {
        ASSERT_EQ(ours, theirs);
      }
    }
  }
  EXPECT_LT(shorter, 61400 / 100);
  for (const double value : {0.0, -0.0, 1.0, -1.0, 0.1, 1e-3, 1e-4, 1e-5, 123456.0, 1e14, 1e15, 1e16, 0.5e-4, 5e-324,
                             std::numeric_limits<double>::max(), 999999999999999.0, 1234567890123456.0}) {
    EXPECT_EQ(Json(value).dump(), Reader(value).dump());
  }
}

TEST(Json, WhatIsNotFiniteIsNull) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {1.0, infinity, std::nan("")};
  EXPECT_EQ(Json(infinity).dump(), "null");
  EXPECT_TRUE(json_number(infinity).is_null());
  EXPECT_TRUE(json_number(std::optional<double>()).is_null());
  EXPECT_EQ(json_numbers(values).dump(), "[1.0,null,null]");
  const std::optional<double> optional_values[] = {2.5, std::nullopt};
  EXPECT_EQ(json_numbers(optional_values).dump(), "[2.5,null]");
}

TEST(Json, StringsAreEscapedAndReadBack) {
  std::string all;
  for (char letter = 0; letter < 127; ++letter) all += letter;
  all += "\x7F ä € 😀 \\u0041";
  EXPECT_EQ(read(Json(all)).get<std::string>(), all);
  EXPECT_EQ(Json(all).dump(), Reader(all).dump());
  EXPECT_EQ(Json("a\"\\\n\x01").dump(), "\"a\\\"\\\\\\n\\u0001\"");
  EXPECT_EQ((Json{{"a\"b", 1}}).dump(), R"({"a\"b":1})");
}

TEST(Json, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(Json("caf\xE9.h5").dump(), "\"caf\xEF\xBF\xBD.h5\"");
  EXPECT_EQ(Json("\xC3").dump(), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ((Json{{"\xFF", 1}}).dump(), "{\"\xEF\xBF\xBD\":1}");
}

TEST(Json, TextIsIndentedWithListsOfPlainValuesOnOneLine) {
  const Json json{{"name", "a"},
                  {"values", {1, 2.5, nullptr}},
                  {"none", Json::array()},
                  {"nothing", Json::object()},
                  {"rows", {{{"x", 1}}, {{"x", 2}}}}};
  EXPECT_EQ(json_text(json), R"({
  "name": "a",
  "values": [1, 2.5, null],
  "none": [],
  "nothing": {},
  "rows": [
    {
      "x": 1
    },
    {
      "x": 2
    }
  ]
}
)");
  EXPECT_EQ(json_text(Json(1)), "1\n");
}

}  // namespace
}  // namespace carom
