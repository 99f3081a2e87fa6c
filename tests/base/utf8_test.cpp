#include "carom/base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carom {
namespace {

TEST(Utf8, EveryCodePointIsReadBackAsItWasWritten) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Character character = first_character(text);
    ASSERT_TRUE(character.valid) << static_cast<unsigned>(code);
    ASSERT_EQ(character.code, code);
    ASSERT_EQ(character.bytes, text.size());
  }
}

TEST(Utf8, TheFirstBadByteIsFound) {
  struct Case {
    std::string text;
    std::size_t bad;
  };
  const std::vector<Case> cases = {
      {"\xFF", 0},
      {"ab\x80", 2},                // a continuation byte alone
      {"a\xC3", 1},                 // cut off
      {"a\xC3(", 1},                // continuation missing
      {"\xC0\xAF", 0},              // overlong '/'
      {"\xE0\x80\x80", 0},          // overlong NUL
      {"\xC3\xA4\xED\xA0\x80", 2},  // a surrogate
      {"\xF4\x90\x80\x80", 0},      // above U+10FFFF
      {"\xF5\x80\x80\x80", 0},
      {"\xE2\x82", 0},
  };
  for (const Case& c : cases) EXPECT_EQ(first_invalid_utf8(c.text), c.bad) << printable(c.text);
  EXPECT_EQ(first_invalid_utf8("plain, ä, €, 😀"), std::nullopt);
  EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
}

TEST(Utf8, CharactersAreCountedAndStrayBytesCountAsOne) {
  EXPECT_EQ(count_characters("aä€😀"), 4u);
  EXPECT_EQ(count_characters("\xFF\xFF"), 2u);
}

TEST(Utf8, PrintableTextHasNoControlCharacters) {
  EXPECT_EQ(printable("a\n\x1B[0m\xFF"), "a\\x0A\\x1B[0m\\xFF");
  EXPECT_EQ(printable("ä€"), "ä€");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
}

TEST(Utf8, WidthsAreThoseOfATerminal) {
  EXPECT_EQ(display_width('a'), 1);
  EXPECT_EQ(display_width(0x4E2D), 2);
  EXPECT_EQ(display_width(0x0301), 0);
}

}  // namespace
}  // namespace carom
