#include "carom/base/diagnostic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "carom/base/utf8.h"

namespace carom {
namespace {

Place place_at(int line, int column, int length, std::string text) {
  Place place;
  place.file = "wall.json";
  place.line = line;
  place.column = column;
  place.length = length;
  place.text = std::move(text);
  return place;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    lines.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return lines;
}

TEST(Diagnostic, UnderlinesTheValue) {
  const InputError error(Kind::out_of_range, place_at(7, 35, 3, R"(  {"name": "wall", "restitution": 1.2})"),
                         "contacts.1.restitution is 1.2, expected a number from 0 to 1");
  EXPECT_EQ(format_diagnostic(error),
            "error: contacts.1.restitution is 1.2, expected a number from 0 to 1 [out-of-range]\n"
            "  --> wall.json:7:35\n"
            "   |\n"
            " 7 |   {\"name\": \"wall\", \"restitution\": 1.2}\n"
            "   |                                   ^^^\n");
}

TEST(Diagnostic, TheMarginFollowsTheLineNumber) {
  const auto lines = lines_of(format_diagnostic(InputError(Kind::syntax, place_at(1234, 1, 1, "x"), "m")));
  EXPECT_EQ(lines[1], "     --> wall.json:1234:1");
  EXPECT_EQ(lines[2], "      |");
  EXPECT_EQ(lines[3], " 1234 | x");
  EXPECT_EQ(lines[4], "      | ^");
}

TEST(Diagnostic, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(format_diagnostic(InputError(Kind::usage, std::string("law"), "law is missing")),
            "error: law is missing [usage]\n");
  Place place;
  place.file = "gone.json";
  EXPECT_EQ(format_diagnostic(InputError(Kind::file, place, "cannot read")),
            "error: cannot read [file]\n  --> gone.json\n");
  place.file = "-";
  place.line = 1;
  place.column = 1;
  EXPECT_EQ(lines_of(format_diagnostic(InputError(Kind::syntax, place, "m")))[1], "  --> <stdin>:1:1");
}

TEST(Diagnostic, TheCaretStandsUnderTheCharacterBehindTabsAndWideCharacters) {
  const auto marked = [](const std::string& before) {
    const Place place = place_at(1, static_cast<int>(count_characters(before)) + 1, 1, before + "X");
    const auto lines = lines_of(format_diagnostic(InputError(Kind::syntax, place, "m")));
    return std::pair(lines[3].substr(5), lines[4].substr(5));
  };
  EXPECT_EQ(marked("\t").first, "    X");
  EXPECT_EQ(marked("\t").second, "    ^");
  EXPECT_EQ(marked("ab\t").second, "    ^");
  EXPECT_EQ(marked("ä").second, " ^");
  EXPECT_EQ(marked("中").second, "  ^");
  EXPECT_EQ(marked("e\xCC\x81").second, " ^");  // e and a combining accent
  EXPECT_EQ(marked("\x1B").first, "\\x1BX");
  EXPECT_EQ(marked("\x1B").second, "    ^");
  EXPECT_EQ(marked("\xFF").first, "\\xFFX");
  EXPECT_EQ(marked("\xFF").second, "    ^");
}

TEST(Diagnostic, LongLinesAreCutAroundTheMark) {
  for (const int column : {1, 2, 50, 99, 100, 101, 5000, 9999, 10000, 10001}) {
    std::string text(10000, '.');
    const bool inside = column <= 10000;
    if (inside) text.replace(static_cast<std::size_t>(column - 1), 1, "X");
    const auto lines = lines_of(format_diagnostic(InputError(Kind::syntax, place_at(3, column, 1, text), "m")));
    EXPECT_LE(lines[3].size(), 115u);
    ASSERT_LE(lines[4].size(), 115u);
    const std::size_t caret = lines[4].find('^');
    EXPECT_TRUE(!inside || lines[3].at(caret) == 'X') << column;
  }
  const Place whole = place_at(1, 1, 5000, std::string(5000, 'x'));
  EXPECT_LE(lines_of(format_diagnostic(InputError(Kind::syntax, whole, "m")))[4].size(), 115u);
}

TEST(Diagnostic, LongLinesOfOtherCharactersAreCutBetweenCharacters) {
  for (const std::string unit : {"ä", "€", "😀", "\xFF", "\x80", "\t"}) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += unit;
    const std::string marked = text + "X" + text;
    const auto lines = lines_of(format_diagnostic(InputError(Kind::syntax, place_at(3, 2001, 1, marked), "m")));
    EXPECT_EQ(first_invalid_utf8(lines[3]), std::nullopt);
    EXPECT_NE(lines[3].find('X'), std::string::npos);
    EXPECT_TRUE(lines[3].ends_with("..."));
    EXPECT_NE(lines[4].find('^'), std::string::npos);
  }
}

TEST(Diagnostic, AMarkBehindTheLineIsShownAtItsEnd) {
  const auto lines = lines_of(format_diagnostic(InputError(Kind::syntax, place_at(1, 4, 9, "abc"), "m")));
  EXPECT_EQ(lines[4], "   |    ^");
  EXPECT_EQ(lines_of(format_diagnostic(InputError(Kind::syntax, place_at(1, 90, 1, "abc"), "m")))[4], "   |    ^");
  EXPECT_EQ(lines_of(format_diagnostic(InputError(Kind::syntax, place_at(1, 1, 1, ""), "m")))[3], " 1 |");
}

}  // namespace
}  // namespace carom
