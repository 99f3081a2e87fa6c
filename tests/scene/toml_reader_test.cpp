#include "carom/scene/document/toml_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "scene/expect_error.h"

namespace carom::scene::toml_reader_test {
namespace {

Node read(const std::string& text) {
  return read_toml(Source("test.toml", text));
}

std::string error_of(const std::string& text) {
  return test::error_of([&text] { read(text); });
}

std::string message_of(const std::string& text) {
  return test::message_of([&text] { read(text); });
}

/// All keys with line, column and text of their marks, and of the values: "a 1:1 'a' = 1:5 '[1]'".
void list_marks(const Node& node, const Source& source, const std::string& path, std::vector<std::string>& list) {
  const auto described = [&source](Mark mark) {
    const Place place = source.place(mark);
    return std::to_string(place.line) + ":" + std::to_string(place.column) + " '" + std::string(source.text(mark)) +
           "'";
  };
  if (node.is(Node::Type::array)) {
    for (std::size_t i = 0; i < node.array().size(); ++i) {
      const std::string name = join_path(path, std::to_string(i));
      list.push_back(name + " = " + described(node.array()[i].mark()));
      list_marks(node.array()[i], source, name, list);
    }
  }
  if (!node.is(Node::Type::table)) return;
  for (const Member& member : node.table()) {
    const std::string name = join_path(path, member.key);
    list.push_back(name + " " + described(member.key_mark) + " = " + described(member.value.mark()));
    list_marks(member.value, source, name, list);
  }
}

std::vector<std::string> marks_of(const std::string& text) {
  const Source source("test.toml", text);
  std::vector<std::string> list;
  list_marks(read_toml(source), source, "", list);
  return list;
}

using Lines = std::vector<std::string>;

TEST(TomlReader, EveryTypeIsRead) {
  const Node root = read(
      "yes = true\nwhole = -7\nhex = 0xfF\noct = 0o17\nbin = 0b101\nbig = 1_000\nreal = 6.5e-1\ntext = "
      "\"a\\n\\u00e9\"\n"
      "raw = 'a\\n'\nmany = \"\"\"\na\nb\"\"\"\ndate = 1979-05-27\narray = [1, [2], {x = 3}]\n[table]\n\"a b\" = 1\n");
  EXPECT_TRUE(root.find("yes")->boolean());
  EXPECT_EQ(root.find("whole")->integer(), -7);
  EXPECT_EQ(root.find("hex")->integer(), 255);
  EXPECT_EQ(root.find("oct")->integer(), 15);
  EXPECT_EQ(root.find("bin")->integer(), 5);
  EXPECT_EQ(root.find("big")->integer(), 1000);
  EXPECT_EQ(root.find("real")->number(), 0.65);
  EXPECT_EQ(root.find("text")->string(), "a\né");
  EXPECT_EQ(root.find("raw")->string(), "a\\n");
  EXPECT_EQ(root.find("many")->string(), "a\nb");
  EXPECT_TRUE(root.find("date")->is(Node::Type::date));
  EXPECT_EQ(root.find("array")->array()[2].find("x")->integer(), 3);
  EXPECT_EQ(root.find("table")->find("a b")->integer(), 1);
  EXPECT_TRUE(read("").is(Node::Type::table));
  EXPECT_TRUE(read("# only a comment").is(Node::Type::table));
}

TEST(TomlReader, NumbersKeepTheirValue) {
  EXPECT_EQ(read("a = 0.1").find("a")->number(), 0.1);
  EXPECT_EQ(read("a = +1_0.2_5").find("a")->number(), 10.25);
  EXPECT_TRUE(std::signbit(read("a = -0.0").find("a")->number()));
  EXPECT_TRUE(std::signbit(read("a = -0").find("a")->number()));
  EXPECT_EQ(read("a = 9223372036854775808").find("a")->number(), 9223372036854775808.0);
  EXPECT_EQ(read("a = 1e-999").find("a")->number(), 0.0);
}

TEST(TomlReader, KeysAndValuesKnowTheirPlace) {
  EXPECT_EQ(marks_of("a = 1\n  \"b c\"  =  'x' # y\n"),
            (Lines{"a 1:1 'a' = 1:5 '1'", "b c 2:3 '\"b c\"' = 2:13 ''x''"}));
  EXPECT_EQ(marks_of("a = [1,\n  2]"), (Lines{"a 1:1 'a' = 1:5 '[1,\n  2]'", "a.0 = 1:6 '1'", "a.1 = 2:3 '2'"}));
}

TEST(TomlReader, DottedKeysKnowTheirPlace) {
  EXPECT_EQ(marks_of("a . b.'c' = 1\na.b.d = 2\n"),
            (Lines{"a 1:1 'a' = 1:1 'a . b.'c''", "a.b 1:5 'b' = 1:1 'a . b.'c''", "a.b.c 1:7 ''c'' = 1:13 '1'",
                   "a.b.d 2:5 'd' = 2:9 '2'"}));
  EXPECT_EQ(marks_of("x = {a.b = 1}"),
            (Lines{"x 1:1 'x' = 1:5 '{a.b = 1}'", "x.a 1:6 'a' = 1:6 'a.b'", "x.a.b 1:8 'b' = 1:12 '1'"}));
}

TEST(TomlReader, TablesAndArraysOfTablesKnowTheirPlace) {
  EXPECT_EQ(marks_of("[a.b]\nc.d = 1\n[ a ]\ne = 2\n"),
            (Lines{"a 3:3 'a' = 3:1 '[ a ]'", "a.b 1:4 'b' = 1:1 '[a.b]'", "a.b.c 2:1 'c' = 2:1 'c.d'",
                   "a.b.c.d 2:3 'd' = 2:7 '1'", "a.e 4:1 'e' = 4:5 '2'"}));
  EXPECT_EQ(marks_of("[[c]]\nn = 1\n[[c]]\n[c.s]\nm = 2\n[[c.t]]\n"),
            (Lines{"c 1:3 'c' = 1:1 '[[c]]'", "c.0 = 1:1 '[[c]]'", "c.0.n 2:1 'n' = 2:5 '1'", "c.1 = 3:1 '[[c]]'",
                   "c.1.s 4:4 's' = 4:1 '[c.s]'", "c.1.s.m 5:1 'm' = 5:5 '2'", "c.1.t 6:5 't' = 6:1 '[[c.t]]'",
                   "c.1.t.0 = 6:1 '[[c.t]]'"}));
}

TEST(TomlReader, MalformedTextsAreRefusedAtTheRightPlace) {
  struct Case {
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases = {
      {"a = [1,\n 2 3]\n", "syntax 2:4"},
      {"a = [1, 2\n", "syntax 1:10"},
      {"a = [1,, 2]", "syntax 1:8"},
      {"x = 1\na = abc\n", "syntax 2:5"},
      {"a", "syntax 1:2"},
      {"a 1", "syntax 1:3"},
      {"a =", "syntax 1:4"},
      {"a = # none\n", "syntax 1:5"},
      {"= 1", "syntax 1:1"},
      {"a = 1 b = 2", "syntax 1:7"},
      {"a = \"x\n", "syntax 1:5"},
      {"a = 'x\n", "syntax 1:5"},
      {R"(a = "\q")", "syntax 1:5"},
      {"a = \"\"\"x\n", "syntax 1:5"},
      {"a = {b = 1\n", "syntax 1:11"},
      {"a = {b = 1,}", "syntax 1:12"},
      {"a = {b = 1 c = 2}", "syntax 1:12"},
      {"a = 01", "syntax 1:5"},
      {"a = 1__0", "syntax 1:6"},
      {"a = .5", "syntax 1:5"},
      {"a = 1.", "syntax 1:6"},
      {"a = 1e", "syntax 1:6"},
      {"a = tru", "syntax 1:5"},
      {"[a", "syntax 1:1"},
      {"[a] b = 1", "syntax 1:5"},
      {"a.b = 1 # ä\na = {b = 1}\n", "duplicate-name 2:1 a"},
      {"a = {b = 1}\na.c = 2\n", "syntax 2:7"},
      {"a = 1979-13-01", "syntax 1:5"},
      {"a = \"ä\nb\"", "syntax 1:5"},
      {"a = 1\na = 2\n", "duplicate-name 2:1 a"},
      {"[a]\nb = 1\n[a]\n", "duplicate-name 3:1 a"},
      {"[[a]]\n[a]\n", "duplicate-name 2:1 a"},
      {"a = []\n[[a]]\n", "duplicate-name 2:1 a"},
      {"a = 1\nb = [1, inf]\n", "not-finite 2:9 b.1"},
      {"a = nan\n", "not-finite 1:5 a"},
      {"a = NaN\n", "not-finite 1:5"},
      {"[t]\na = 1e999\n", "not-finite 2:5 t.a"},
      {"a = 0xFFFFFFFFFFFFFFFFFF", "out-of-range 1:5"},
      {"a = 0b" + std::string(70, '1'), "out-of-range 1:5"},
      {"# ä\na = \"\xFF\"", "syntax 2:6"},
      {"ä = 1", "syntax 1:1"},
  };
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), c.error) << c.text << "\n" << message_of(c.text);
}

TEST(TomlReader, MessagesAreOneSentence) {
  EXPECT_EQ(message_of("a = abc"), "expected a value: a number, true, false, a string in quotes, an array or a table");
  EXPECT_EQ(message_of("a = [1,\n2 3]"),
            "expected ',' or ']' after an entry of the array that begins at line 1, column 5");
  EXPECT_EQ(message_of("x.y = 1\nx.y = 2"), "'x.y' is given twice, first at line 1, column 3");
  EXPECT_EQ(message_of("a = 1e999"), "a is 1e999, expected a finite number");
  // Words of the user's own text are not mistaken for those of the parser.
  EXPECT_EQ(message_of("a = already exists"),
            "expected a value: a number, true, false, a string in quotes, an array or a table");
}

TEST(TomlReader, NestingIsLimitedHoweverItIsWritten) {
  const auto repeated = [](std::string_view part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  EXPECT_EQ(error_of("a = " + repeated("[", 60) + repeated("]", 60)), "accepted");
  EXPECT_TRUE(error_of("a = " + repeated("[", 65) + repeated("]", 65)).starts_with("limit 1:"));
  EXPECT_TRUE(error_of("a = " + repeated("[", 1000000)).starts_with("limit 1:"));
  EXPECT_TRUE(error_of("a = " + repeated("{a=", 100000)).starts_with("limit 1:"));
  EXPECT_TRUE(error_of("a" + repeated(".a", 100000) + " = 1").starts_with("limit 1:"));
  EXPECT_TRUE(error_of("[a" + repeated(".a", 100000) + "]").starts_with("limit 1:"));
  EXPECT_TRUE(error_of("[[a" + repeated(".a", 100000) + "]]").starts_with("limit 1:"));
  EXPECT_TRUE(error_of("a = " + repeated("{b.b.b.b.b.b = [", 20)).starts_with("limit 1:"));
  EXPECT_EQ(error_of("a = [" + repeated("1.5, ", 1000) + "] # ....................................................."),
            "accepted");
  EXPECT_EQ(error_of("a = '" + repeated("[", 1000) + "'\nb = \"\"\"" + repeated("\\\"[", 1000) + "\"\"\"\n"),
            "accepted");
}

/// An array of rows, all on one line or each on its own.
std::string rows(int count, char separator) {
  std::string text = "a = [";
  for (int i = 0; i < count; ++i) {
    text += "[0.125,1],";
    text += separator;
  }
  return text + "\"last\"]\n";
}

TEST(TomlReader, PositionsInLongLinesAreThoseOfTheFile) {
  constexpr std::size_t kCount = 1000;
  const std::string text = rows(kCount, ' ');
  const Source source("test.toml", text);
  const Node root = read_toml(source);
  const Array& array = root.find("a")->array();
  ASSERT_EQ(array.size(), kCount + 1);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(source.text(array[i].mark()), "[0.125,1]");
  EXPECT_EQ(source.text(array.back().mark()), "\"last\"");
  EXPECT_EQ(source.place(array.back().mark()).line, 1);
  EXPECT_EQ(error_of(text.substr(0, text.size() - 2)), "syntax 1:" + std::to_string(text.size() - 1));
}

}  // namespace
}  // namespace carom::scene::toml_reader_test
