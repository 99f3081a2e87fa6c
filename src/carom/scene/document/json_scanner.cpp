#include "carom/scene/document/json_scanner.h"

#include <array>
#include <charconv>
#include <limits>

#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom::scene {
namespace {

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}

}  // namespace

void JsonScanner::skip_blanks() {
  while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++position_;
}

bool JsonScanner::accept(char character) {
  if (at_end() || peek() != character) return false;
  ++position_;
  return true;
}

void JsonScanner::fail(Mark mark, const std::string& message) const {
  throw InputError(Kind::syntax, source_.place(mark), message);
}

void JsonScanner::fail_expected(std::string_view expected) const {
  const std::string start = "expected " + std::string(expected) + ", found ";
  if (at_end()) {
    // Point just behind the last thing that can be seen.
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    const std::size_t end = last == std::string_view::npos ? 0 : last + 1;
    fail(make_mark(end, end), start + "the end of the input");
  }
  const std::string_view rest = text_.substr(position_);
  if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#')) {
    fail(make_mark(position_, position_ + (rest[0] == '#' ? 1 : 2)), "comments are not allowed in JSON");
  }
  if (rest.starts_with('\'')) {
    fail(make_mark(position_, position_ + 1), start + "a single quote; strings stand in double quotes");
  }
  const std::string_view word = word_at_position();
  const std::size_t length = word.empty() ? first_character(rest).bytes : word.size();
  fail(make_mark(position_, position_ + length), start + "'" + printable(rest.substr(0, length)) + "'");
}

std::string_view JsonScanner::word_at_position() const {
  std::size_t end = position_;
  while (end < text_.size() && (is_letter(text_[end]) || (end > position_ && is_digit(text_[end])))) ++end;
  return text_.substr(position_, end - position_);
}

std::string JsonScanner::read_string() {
  const std::size_t first = position_++;
  std::string value;
  while (true) {
    const std::size_t plain = position_;
    while (!at_end() && peek() != '"' && peek() != '\\' && static_cast<unsigned char>(peek()) >= 0x20) ++position_;
    value += text_.substr(plain, position_ - plain);
    if (at_end() || peek() == '\n') {
      fail(mark_from(first), "the string is not closed, expected '\"' before the end of the line");
    }
    if (accept('"')) return value;
    if (peek() != '\\') {
      fail(make_mark(position_, position_ + 1), "the control character " + printable(text_.substr(position_, 1)) +
                                                    " must be written as an escape such as \\n or \\u0001");
    }
    append_utf8(value, read_escape());
  }
}

char32_t JsonScanner::read_escape() {
  const std::size_t escape = position_++;
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t known = at_end() ? std::string_view::npos : kLetters.find(peek());
  if (known != std::string_view::npos) {
    ++position_;
    return static_cast<unsigned char>(kMeanings[known]);
  }
  if (!accept('u')) {
    const std::size_t next = at_end() || peek() == '\n' ? 0 : first_character(text_.substr(position_)).bytes;
    fail(make_mark(escape, position_ + next), R"(unknown escape, expected one of \" \\ \/ \b \f \n \r \t \uXXXX)");
  }
  const char32_t high = read_four_digits(escape);
  if (high < 0xD800 || high > 0xDFFF) return high;
  if (high <= 0xDBFF && text_.substr(position_).starts_with("\\u")) {
    position_ += 2;
    const char32_t low = read_four_digits(escape);
    if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }
  fail(mark_from(escape), R"(half of a surrogate pair, expected \uD800 to \uDBFF followed by \uDC00 to \uDFFF)");
}

char32_t JsonScanner::read_four_digits(std::size_t escape) {
  const std::string_view digits = text_.substr(position_, 4);
  unsigned code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const auto read = static_cast<std::size_t>(end - digits.data());
  position_ += read;
  if (error != std::errc() || read != 4) fail(mark_from(escape), "expected four hexadecimal digits after \\u");
  return code;
}

void JsonScanner::skip_digits(std::string_view where) {
  if (at_end() || !is_digit(peek())) fail_expected("a digit " + std::string(where));
  while (!at_end() && is_digit(peek())) ++position_;
}

Node JsonScanner::read_number() {
  const std::size_t first = position_;
  const bool negative = accept('-');
  if (negative && (peek() == 'I' || peek() == 'i' || peek() == 'N' || peek() == 'n')) {
    const NumberText word = carom::read_number(word_at_position());
    if (word.status == NumberStatus::not_finite) {
      position_ += word_at_position().size();
      return {-word.value, mark_from(first)};
    }
  }
  const bool zero = peek() == '0';
  skip_digits("of a number");
  if (zero && position_ > first + (negative ? 2 : 1)) {
    fail(mark_from(first), "a number may not begin with a zero before other digits");
  }
  bool whole = true;
  if (accept('.')) {
    whole = false;
    skip_digits("after the decimal point");
  }
  if (peek() == 'e' || peek() == 'E') {
    ++position_;
    whole = false;
    if (!accept('+')) accept('-');
    skip_digits("in the exponent");
  }
  const Mark mark = mark_from(first);
  const std::string_view digits = source_.text(mark);
  std::int64_t integer = 0;
  if (whole && digits != "-0" &&
      std::from_chars(digits.data(), digits.data() + digits.size(), integer).ec == std::errc()) {
    return {integer, mark};
  }
  return {carom::read_number(digits).value, mark};
}

Node JsonScanner::read_word() {
  const std::size_t first = position_;
  const std::string_view word = word_at_position();
  if (word.empty()) {
    if (peek() == '+') fail(make_mark(first, first + 1), "a number may not begin with '+'");
    if (peek() == '.') fail(make_mark(first, first + 1), "a number needs a digit before the decimal point");
    fail_expected("a value");
  }
  position_ += word.size();
  const Mark mark = mark_from(first);
  if (word == "true" || word == "false") return {word == "true", mark};
  if (word == "null") return {std::monostate{}, mark};
  if (const NumberText number = carom::read_number(word); number.status == NumberStatus::not_finite) {
    return {number.value, mark};
  }
  constexpr std::array<std::string_view, 3> kWords = {"true", "false", "null"};
  const auto meant = nearest_name(word, kWords);
  fail(mark, "expected a value, found '" + printable(word) + "'" +
                 (meant ? "; did you mean '" + std::string(*meant) + "'?" : "; strings stand in double quotes"));
}

}  // namespace carom::scene
