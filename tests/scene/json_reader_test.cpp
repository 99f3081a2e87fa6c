#include "carom/scene/document/json_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scene/expect_error.h"

namespace carom::scene::json_reader_test {
namespace {

Node read(const std::string& text) {
  return read_json(Source("test.json", text));
}

std::string error_of(const std::string& text) {
  return test::error_of([&text] { read(text); });
}

std::string message_of(const std::string& text) {
  return test::message_of([&text] { read(text); });
}

TEST(JsonReader, EveryTypeIsRead) {
  const Node root = read(R"({"null": null, "yes": true, "no": false, "whole": -7, "real": 0.5, "text": "aé\n",
                            "array": [1, [2], {}], "table": {"": 3}})");
  EXPECT_TRUE(root.find("null")->is(Node::Type::null));
  EXPECT_TRUE(root.find("yes")->boolean());
  EXPECT_FALSE(root.find("no")->boolean());
  EXPECT_EQ(root.find("whole")->integer(), -7);
  EXPECT_EQ(root.find("real")->number(), 0.5);
  EXPECT_EQ(root.find("text")->string(), "aé\n");
  EXPECT_EQ(root.find("array")->array().size(), 3u);
  EXPECT_EQ(root.find("table")->find("")->integer(), 3);
  EXPECT_EQ(root.find("absent"), nullptr);
}

TEST(JsonReader, EveryValueAndKeyKnowsItsPlace) {
  const Source source("test.json", "{\n  \"ä\": [1, -2.5],\r\n\t\"b\": \"x\"\n}");
  const Node root = read_json(source);
  const auto described = [&source](Mark mark) {
    const Place place = source.place(mark);
    return std::to_string(place.line) + ":" + std::to_string(place.column) + "+" + std::to_string(place.length) + " " +
           place.text;
  };
  EXPECT_EQ(described(root.mark()), "1:1+1 {");
  EXPECT_EQ(described(root.table()[0].key_mark), "2:3+3   \"ä\": [1, -2.5],");
  EXPECT_EQ(described(root.table()[0].value.mark()), "2:8+9   \"ä\": [1, -2.5],");
  EXPECT_EQ(described(root.table()[0].value.array()[1].mark()), "2:12+4   \"ä\": [1, -2.5],");
  EXPECT_EQ(described(root.table()[1].key_mark), "3:2+3 \t\"b\": \"x\"");
  EXPECT_EQ(described(root.table()[1].value.mark()), "3:7+3 \t\"b\": \"x\"");
}

TEST(JsonReader, NumbersKeepTheirValue) {
  EXPECT_TRUE(read("-0").is(Node::Type::real));
  EXPECT_TRUE(std::signbit(read("-0").number()));
  EXPECT_TRUE(std::signbit(read("-0.0").number()));
  EXPECT_EQ(read("9223372036854775807").integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read("9223372036854775808").number(), 9223372036854775808.0);
  EXPECT_EQ(read("1E+2").number(), 100.0);
  EXPECT_EQ(read("0.1e-1").number(), 0.01);
  EXPECT_EQ(read("1e-999").number(), 0.0);
  EXPECT_EQ(read("0.1").number(), 0.1);
}

TEST(JsonReader, EscapesAreDecoded) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00")").string(), "\"\\/\b\f\n\r\tAé€😀");
  EXPECT_EQ(read(R"("\u0000")").string(), std::string(1, '\0'));
}

// In the manner of JSONTestSuite: y_ must be accepted.
TEST(JsonReader, WellFormedTextsAreAccepted) {
  const std::vector<std::string> texts = {"[[]   ]",
                                          "[\"\"]",
                                          "[]",
                                          "[\"a\"]",
                                          "[false]",
                                          "[null, 1, \"1\", {}]",
                                          "[1\n]",
                                          " [1]",
                                          "[1,null,null,null,2]",
                                          "[2] ",
                                          "[123e65]",
                                          "[0e+1]",
                                          "[0e1]",
                                          "[ 4]",
                                          "[-0.000000000000000000000000000000000000000000000000000000001]",
                                          "[20e1]",
                                          "[-0]",
                                          "[-123]",
                                          "[-1]",
                                          "[1E22]",
                                          "[1E-2]",
                                          "[1E+2]",
                                          "[123e45]",
                                          "[123.456e78]",
                                          "[1e-2]",
                                          "[1e+2]",
                                          "[123]",
                                          "[123.456789]",
                                          R"({"asd":"sdf", "dfg":"fgh"})",
                                          R"({"asd":"sdf"})",
                                          "{}",
                                          "{\"\":0}",
                                          R"({"foo\u0000bar": 42})",
                                          R"({ "min": -1.0e+28, "max": 1.0e+28 })",
                                          "{\"a\":[]}",
                                          "{\n\"a\": \"b\"\n}",
                                          R"(["\u0060\u012a\u12AB"])",
                                          R"(["\uD801\udc37"])",
                                          R"(["\ud83d\ude39\ud83d\udc8d"])",
                                          "[\"a/*b*/c/*d//e\"]",
                                          R"(["\\a"])",
                                          R"(["\\n"])",
                                          R"(["\u0012"])",
                                          R"(["\uFFFF"])",
                                          "[\"asd \"]",
                                          "[\"\xF4\x8F\xBF\xBF\"]",
                                          R"(["\uDBFF\uDFFF"])",
                                          R"(["new\u00A0line"])",
                                          "[\"\xE2\x80\xA8\"]",
                                          "[\"\x7F\"]",
                                          R"(["\u0022"])",
                                          "\" \"",
                                          "false",
                                          "42",
                                          "-0.1",
                                          "null",
                                          "\"asd\"",
                                          "true",
                                          "\"\"",
                                          "[\"a\"]\n",
                                          "[true]",
                                          " [] ",
                                          "\xEF\xBB\xBF{}"};
  for (const std::string& text : texts) EXPECT_EQ(error_of(text), "accepted") << text;
}

// n_ must be refused; the second column is kind, line and column.
TEST(JsonReader, MalformedTextsAreRefusedAtTheRightPlace) {
  struct Case {
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases = {
      {"", "syntax 1:1"},
      {" ", "syntax 1:1"},
      {"[1 true]", "syntax 1:4"},
      {"[a\xC3\xA5]", "syntax 1:2"},
      {"[\"\": 1]", "syntax 1:4"},
      {"[\"\"],", "syntax 1:5"},
      {"[,1]", "syntax 1:2"},
      {"[1,,2]", "syntax 1:4"},
      {"[\"x\"]]", "syntax 1:6"},
      {"[\"\",]", "syntax 1:5"},
      {"[\"x\"", "syntax 1:5"},
      {"[x", "syntax 1:2"},
      {"[3[4]]", "syntax 1:3"},
      {"[1:2]", "syntax 1:3"},
      {"[*]", "syntax 1:2"},
      {"[\"\"", "syntax 1:4"},
      {"[1,\n1\n,1", "syntax 3:3"},
      {"[1,", "syntax 1:4"},
      {"[fals]", "syntax 1:2"},
      {"[nul]", "syntax 1:2"},
      {"[True]", "syntax 1:2"},
      {"[++1234]", "syntax 1:2"},
      {"[+1]", "syntax 1:2"},
      {"[-01]", "syntax 1:2"},
      {"[-1.0.]", "syntax 1:6"},
      {"[-2.]", "syntax 1:5"},
      {"[.-1]", "syntax 1:2"},
      {"[.2e-3]", "syntax 1:2"},
      {"[0.1.2]", "syntax 1:5"},
      {"[0.3e+]", "syntax 1:7"},
      {"[0.e1]", "syntax 1:4"},
      {"[0e]", "syntax 1:4"},
      {"[1 000.0]", "syntax 1:4"},
      {"[2.e3]", "syntax 1:4"},
      {"[0x42]", "syntax 1:3"},
      {"[012]", "syntax 1:2"},
      {"[- 1]", "syntax 1:3"},
      {"[-foo]", "syntax 1:3"},
      {"[1+2]", "syntax 1:3"},
      {"[\xEF\xBC\x91]", "syntax 1:2"},
      {"[NaN]", "not-finite 1:2 0"},
      {"[-NaN]", "not-finite 1:2 0"},
      {"[Infinity]", "not-finite 1:2 0"},
      {"[1, -Infinity]", "not-finite 1:5 1"},
      {"{\"a\": [1,\n [2, 1e999]]}", "not-finite 2:6 a.1.1"},
      {"[1e99999999999]", "not-finite 1:2 0"},
      {"[\"x\", truth]", "syntax 1:7"},
      {"{[: \"x\"}", "syntax 1:2"},
      {"{\"x\", null}", "syntax 1:5"},
      {R"({"x"::"b"})", "syntax 1:6"},
      {R"({"a":"a" 123})", "syntax 1:10"},
      {"{key: 'value'}", "syntax 1:2"},
      {"{\"id\":0,}", "syntax 1:9"},
      {"{\"id\":0,,}", "syntax 1:9"},
      {"{'a':0}", "syntax 1:2"},
      {"{\"a\":'b'}", "syntax 1:6"},
      {R"({"a":"b"}/**/)", "syntax 1:10"},
      {R"({"a":"b"}//)", "syntax 1:10"},
      {"{\"a\": 1, # one\n\"b\": 2}", "syntax 1:10"},
      {"{\"a\" b}", "syntax 1:6"},
      {"{:\"b\"}", "syntax 1:2"},
      {"{1:1}", "syntax 1:2"},
      {R"({"a":true} "x")", "syntax 1:12"},
      {R"(["\uD800"])", "syntax 1:3"},
      {R"(["\uD800\n"])", "syntax 1:3"},
      {R"(["\uD800\uD800"])", "syntax 1:3"},
      {R"(["\uDC00"])", "syntax 1:3"},
      {R"(["\u00A"])", "syntax 1:3"},
      {R"(["\uqqqq"])", "syntax 1:3"},
      {R"(["\x00"])", "syntax 1:3"},
      {R"(["\a"])", "syntax 1:3"},
      {"[\"\\", "syntax 1:3"},
      {"[\"new\nline\"]", "syntax 1:2"},
      {"[\"\t\"]", "syntax 1:3"},
      {std::string("[\"a\0a\"]", 7), "syntax 1:4"},
      {std::string("[\0]", 3), "syntax 1:2"},
      {"\"", "syntax 1:1"},
      {"[\"a\xFF\"]", "syntax 1:4"},
      {"[\n\n\xC3\x28]", "syntax 3:1"},
      {"<null>", "syntax 1:1"},
      {"[\xC2\xA0]", "syntax 1:2"},
      {"[\x0C]", "syntax 1:2"},
      {R"({"a":1,"b":2,"a":3})", "duplicate-name 1:14 a"},
      {"{\"a\":\n {\"\\u0062\":1,\n \"b\":2}}", "duplicate-name 3:2 a.b"},
  };
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), c.error) << c.text << "\n" << message_of(c.text);
}

TEST(JsonReader, MessagesSayWhatWasExpected) {
  EXPECT_EQ(message_of("[1 2]"), "expected ',' or ']' after an entry of the array, found '2'");
  EXPECT_EQ(
      message_of("{\"a\": [1, 2\n"),
      "expected ',' or ']' after an entry of the array (the '[' at line 1, column 7 is still open), found the end "
      "of the input");
  EXPECT_EQ(message_of("[1,]"), "a comma may not stand before the closing ']'");
  EXPECT_EQ(message_of("[1] // x"), "comments are not allowed in JSON");
  EXPECT_EQ(message_of("[True]"), "expected a value, found 'True'; did you mean 'true'?");
  EXPECT_EQ(message_of("{\"a\" 1}"), "expected ':' after the key 'a', found '1'");
  EXPECT_EQ(message_of("{\"a\":1,\"a\":2}"), "the key 'a' is given twice, first at line 1, column 2");
  EXPECT_EQ(message_of("{\"a\":[1e999]}"), "a.0 is 1e999, expected a finite number");
}

TEST(JsonReader, NestingIsLimited) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
  };
  EXPECT_EQ(error_of(nested(kDeepestNesting)), "accepted");
  EXPECT_TRUE(error_of(nested(kDeepestNesting + 1)).starts_with("limit 1:65"));
  EXPECT_TRUE(error_of(std::string(1000000, '[')).starts_with("limit 1:65"));
}

}  // namespace
}  // namespace carom::scene::json_reader_test
