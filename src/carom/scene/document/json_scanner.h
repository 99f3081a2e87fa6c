#pragma once
/// The words of JSON, one level below json_reader: blanks, strings and numbers. Internal to the reader.

#include <cstddef>
#include <string>
#include <string_view>

#include "carom/scene/document/node.h"

namespace carom::scene {

/// A position in a Source that moves forward over tokens, and complains.
class JsonScanner {
 public:
  explicit JsonScanner(const Source& source) : source_(source), text_(source.text()) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] Mark mark_from(std::size_t first) const { return make_mark(first, position_); }
  [[nodiscard]] const Source& source() const { return source_; }

  /// The character at the position; '\0' at the end of the text.
  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }

  void skip_blanks();
  bool accept(char character);

  /// The string whose opening quote is at the position, escapes decoded.
  std::string read_string();

  /// The number that begins at the position with a digit or a minus sign. Too large ones become infinite reals.
  Node read_number();

  /// The value that is written as a word: true, false, null; NaN and Infinity become reals that are not finite.
  Node read_word();

  /// "expected ',' or ']' after an entry of the array, found 'x'", at the position.
  [[noreturn]] void fail_expected(std::string_view expected) const;
  [[noreturn]] void fail(Mark mark, const std::string& message) const;

 private:
  char32_t read_escape();
  char32_t read_four_digits(std::size_t escape);
  void skip_digits(std::string_view where);
  [[nodiscard]] std::string_view word_at_position() const;

  const Source& source_;
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace carom::scene
