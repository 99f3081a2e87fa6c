#include "carom/scene/document/toml_complaint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/toml_keys.h"

namespace carom::scene {
namespace {

/// A toml11 message taken apart.
struct Complaint {
  std::string said;         ///< the sentence and the remarks beside the carets, without the user's own text
  std::vector<Mark> marks;  ///< what the carets point at, in the guarded text
};

struct Sentence {
  std::string_view theirs;  ///< part of the first line or of the remark beside the caret
  std::string_view ours;
};

constexpr std::array<Sentence, 26> kSentences = {{
    {"missing array separator", "expected ',' or ']' after an entry of the array"},
    {"value having invalid format", "expected a value or ']' in the array"},
    {"array did not closed", "the array is not closed, expected ']'"},
    {"unknown value appeared", "expected a value: a number, true, false, a string in quotes, an array or a table"},
    {"not a boolean", "expected a value; only true and false are words without quotes"},
    {"not a float", "expected a value; a string stands in quotes"},
    {"input is empty", "expected a value"},
    {"missing key-value separator", "expected '=' after the key"},
    {"invalid format for key", "expected '=' after the key; other characters than A-Z a-z 0-9 _ - need quotes"},
    {"missing value after", "expected a value after '='"},
    {"empty key", "expected a key before '='"},
    {"invalid key appeared", "expected a key, or a table header such as [run]"},
    {"unknown line appeared", "expected a key, or a table header such as [run]"},
    {"invalid line format", "expected the end of the line after the value"},
    {"newline required", "expected the end of the line after the table header"},
    {"missing table separator `,`", "expected ',' or '}' after an entry of the inline table"},
    {"trailing comma", "a comma may not stand before the closing '}' of an inline table"},
    {"missing curly brace", "the inline table is not closed on its line, expected '}'"},
    {"inline table did not closed", "the inline table is not closed, expected '}'"},
    {"missing table separator `}`", "the inline table is not closed, expected '}'"},
    {"string", "the string is not closed, or has an unknown escape or a control character"},
    {"leading zero", "a number may not begin with a zero before other digits"},
    {"surrounded by digits", "an '_' in a number must stand between digits"},
    {"bad float", "a decimal number needs digits before and after the point and in the exponent"},
    {"immutable", "the inline table is complete, nothing can be added to it"},
    {"RFC3339", "not a valid date or time"},
}};

constexpr std::array<std::string_view, 5> kTwice = {"already exists", "cannot be defined", "collides with",
                                                    "defined twice", "is neither table nor an array of tables"};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::size_t offset_of_line(std::string_view text, std::size_t line) {
  std::size_t offset = 0;
  for (std::size_t number = 1; number < line; ++number) {
    const std::size_t end = text.find('\n', offset);
    if (end == std::string_view::npos) return text.size();
    offset = end + 1;
  }
  return offset;
}

/// " 12 | text" → 12; 0 where the line does not look so.
std::size_t line_number(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()));
  return error == std::errc() && rest.starts_with(" |") ? number : 0;
}

Complaint take_apart(std::string_view what, std::string_view text) {
  Complaint complaint;
  const std::string head = std::string(" --> ") + kTomlSourceName + "\n";
  const std::size_t start = what.find(head);
  complaint.said = what.substr(0, start);
  if (start == std::string_view::npos) return complaint;
  std::string_view rest = what.substr(start + head.size());
  while (!rest.empty()) {
    const std::size_t number = line_number(take_line(rest));
    if (number == 0) continue;
    const std::string_view underline = take_line(rest);
    const std::size_t bar = underline.find("| ");
    if (bar == std::string_view::npos) continue;
    const std::string_view carets = underline.substr(bar + 2);
    const std::size_t column = std::min(carets.find_first_not_of(' '), carets.size());
    const std::size_t end = std::min(carets.find_first_not_of('~', column), carets.size());
    const std::size_t first = std::min(offset_of_line(text, number) + column, text.size());
    complaint.marks.push_back(make_mark(first, std::min(first + std::max<std::size_t>(1, end - column), text.size())));
    complaint.said += carets.substr(column);
  }
  return complaint;
}

/// Part of a word without quotes: a number, a date, a boolean.
bool belongs_to_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '+' ||
         c == '-' || c == '.' || c == ':';
}

/// The word a caret points at.
std::string_view word_at(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size() && belongs_to_word(text[end])) ++end;
  return text.substr(offset, end - offset);
}

/// Where the trouble can be seen: blanks on the way to it are skipped, and the end of the input is the end of the last
/// thing in it.
std::size_t visible_offset(std::string_view text, std::size_t offset) {
  const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
  if (offset >= end) return end;
  const std::size_t next = text.find_first_not_of(" \t", offset);
  return text[next] == '\n' || text[next] == '\r' ? offset : next;
}

/// The dotted key that a message quotes as ("a.b").
std::string quoted_name(std::string_view message) {
  const std::size_t first = message.find("(\"");
  const std::size_t last = message.rfind("\")");
  if (first == std::string_view::npos || last == std::string_view::npos || last < first + 2) return {};
  return std::string(message.substr(first + 2, last - first - 2));
}

InputError defined_twice(const std::string& said, std::vector<Mark> marks, const Source& source) {
  std::string name = quoted_name(said);
  for (Mark& mark : marks) {
    if (const auto key = key_before_value(source.text(), mark.offset)) mark = *key;
  }
  std::string message = name.empty() ? "the name is given twice" : "'" + printable(name) + "' is given twice";
  if (marks.size() > 1) message += ", first at " + source.describe(marks.front());
  return {Kind::duplicate_name, source.place(marks.back(), std::move(name)), message};
}

InputError wrong_syntax(const std::string& said, std::vector<Mark> marks, const Source& source) {
  const auto known = std::find_if(kSentences.begin(), kSentences.end(),
                                  [&said](const Sentence& sentence) { return contains(said, sentence.theirs); });
  std::string message(known != kSentences.end() ? known->ours : "this is not valid TOML: ");
  if (known == kSentences.end()) message += printable(said.substr(0, said.find('\n')));

  // toml11 points behind a date, and at the first letter of other words.
  std::uint32_t& offset = marks.back().offset;
  if (contains(said, "RFC3339")) {
    while (offset > 0 && belongs_to_word(source.text()[offset - 1])) --offset;
  }
  const std::string_view word = word_at(source.text(), offset);
  if (word.size() > 1) marks.back().length = static_cast<std::uint32_t>(word.size());
  if (read_number(word).status == NumberStatus::not_finite) {
    return {Kind::not_finite, source.place(marks.back()),
            "the value is " + printable(word) + ", expected a finite number"};
  }
  if (contains(said, "array starts here")) message += " that begins at " + source.describe(marks.front());
  return {Kind::syntax, source.place(marks.back()), message};
}

}  // namespace

InputError translate_toml_complaint(const std::string& what, const GuardedToml& guarded, const Source& source) {
  Complaint complaint = take_apart(what, guarded.text);
  for (Mark& mark : complaint.marks) {
    const std::size_t first = visible_offset(source.text(), guarded.original(mark.offset));
    mark = make_mark(first, std::min(first + mark.length, source.text().size()));
  }
  if (complaint.marks.empty()) complaint.marks.push_back({});
  const bool twice = std::any_of(kTwice.begin(), kTwice.end(),
                                 [&complaint](std::string_view part) { return contains(complaint.said, part); });
  return twice ? defined_twice(complaint.said, std::move(complaint.marks), source)
               : wrong_syntax(complaint.said, std::move(complaint.marks), source);
}

}  // namespace carom::scene
