#pragma once
/// UTF-8 [RFC 3629], as far as reading input and pointing into it needs: is a text valid, how many characters
/// stand before a byte, how wide does a character print. A byte that belongs to no valid sequence counts as one
/// character throughout, so that positions in a damaged text are still defined.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace carom {

/// One decoded character. Overlong forms, surrogates and values above U+10FFFF are not valid.
struct Utf8Character {
  char32_t code = 0;      ///< the code point; the byte itself where `valid` is false
  std::size_t bytes = 1;  ///< length in the text, 1 to 4; 1 where `valid` is false
  bool valid = true;
};

/// The first character of a text that is not empty.
Utf8Character first_character(std::string_view text);

/// Offset of the first byte that is not valid UTF-8; none where the whole text is valid.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Number of characters (code points), the unit of `Place::column` and `Place::length`.
std::size_t count_characters(std::string_view text);

/// Appends the encoding of a code point that is a Unicode scalar value.
void append_utf8(std::string& text, char32_t code);

/// Cells a character takes on a terminal: 0 (combining), 1, or 2 (wide, as in Chinese). Control characters: 0.
int display_width(char32_t code);

/// The text on one line for a message: control characters and stray bytes as `\x0A`, and, beyond
/// `most_characters`, cut and ended with "...".
std::string printable(std::string_view text, std::size_t most_characters = 60);

}  // namespace carom
