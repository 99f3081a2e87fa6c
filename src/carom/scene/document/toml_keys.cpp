#include "carom/scene/document/toml_keys.h"

namespace carom::scene {
namespace {

bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

bool is_bare(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_' || character == '-';
}

bool is_escaped(std::string_view text, std::size_t at) {
  std::size_t backslashes = 0;
  while (backslashes < at && text[at - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

/// Start of the simple key that ends before `end`.
std::optional<std::size_t> start_of_key(std::string_view text, std::size_t end) {
  if (end == 0) return std::nullopt;
  const char quote = text[end - 1];
  std::size_t start = end;
  if (quote != '"' && quote != '\'') {
    while (start > 0 && is_bare(text[start - 1])) --start;
    return start < end ? std::optional(start) : std::nullopt;
  }
  for (start = end - 1; start > 0;) {
    --start;
    if (text[start] == quote && (quote == '\'' || !is_escaped(text, start))) return start;
  }
  return std::nullopt;
}

/// End of the simple key that starts at `start`.
std::size_t end_of_key(std::string_view text, std::size_t start) {
  const char quote = text[start];
  std::size_t end = start;
  if (quote != '"' && quote != '\'') {
    while (end < text.size() && is_bare(text[end])) ++end;
    return end;
  }
  for (++end; end < text.size(); ++end) {
    if (text[end] == quote && (quote == '\'' || !is_escaped(text, end))) return end + 1;
  }
  return end;
}

}  // namespace

std::optional<Mark> key_before_value(std::string_view text, std::size_t value) {
  std::size_t at = value;
  const auto skip_blanks = [&text, &at] {
    while (at > 0 && is_blank(text[at - 1])) --at;
  };
  skip_blanks();
  if (at == 0 || text[at - 1] != '=') return std::nullopt;
  --at;
  skip_blanks();
  const std::optional<std::size_t> start = start_of_key(text, at);
  if (!start) return std::nullopt;
  return make_mark(*start, at);
}

std::optional<Mark> key_part(std::string_view text, Mark key, std::size_t index) {
  std::string_view covered = text.substr(0, std::size_t{key.offset} + key.length);
  std::size_t at = key.offset;
  while (at < covered.size() && (covered[at] == '[' || is_blank(covered[at]))) ++at;
  for (std::size_t part = 0; at < covered.size(); ++part) {
    const std::size_t end = end_of_key(covered, at);
    if (end == at) return std::nullopt;
    if (part == index) return make_mark(at, end);
    at = end;
    while (at < covered.size() && (covered[at] == '.' || is_blank(covered[at]))) ++at;
  }
  return std::nullopt;
}

}  // namespace carom::scene
