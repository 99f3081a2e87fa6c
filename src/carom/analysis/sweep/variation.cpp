#include "carom/analysis/sweep/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/analysis/sweep/marked_text.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/source.h"
#include "carom/scene/document/toml_value.h"
#include "carom/scene/value_node.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kExpected = "expected PATH=lin(a,b,n), PATH=log(a,b,n) or PATH=v1,v2,…";

/// Splits at commas that stand in no brackets and no quotation marks.
std::vector<std::string_view> split_values(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') {
        ++i;  // what follows is no end
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(trimmed(text.substr(first, i - first)));
      first = i + 1;
    }
  }
  parts.push_back(trimmed(text.substr(first)));
  return parts;
}

double read_end(const MarkedText& marked, std::string_view part) {
  const NumberText number = read_number(part);
  if (number.status == NumberStatus::good) return number.value;
  throw marked.error(number.status == NumberStatus::not_finite ? Kind::not_finite : Kind::syntax, part,
                     fmt::format("'{}' is no finite number; {}", printable(part), kExpected));
}

std::size_t read_count(const MarkedText& marked, std::string_view part) {
  constexpr double kMost = 1e15;
  const NumberText number = read_number(part);
  if (number.status == NumberStatus::good && number.value >= 1.0 && number.value <= kMost &&
      number.value == std::floor(number.value)) {
    return static_cast<std::size_t>(number.value);
  }
  throw marked.error(Kind::out_of_range, part,
                     fmt::format("'{}' is no number of values, expected a whole number from 1 on", printable(part)));
}

bool is_whole(double value) {
  constexpr double kLargest = 9007199254740992.0;  // 2⁵³
  return value == std::floor(value) && std::abs(value) <= kLargest;
}

/// Written without a point or an exponent.
bool is_written_whole(std::string_view text) {
  return text.find_first_of(".eE") == std::string_view::npos;
}

void read_span(const MarkedText& marked, std::string_view inside, Variation& variation) {
  const std::vector<std::string_view> parts = split_values(inside);
  if (parts.size() != 2 && parts.size() != 3) {
    throw marked.error(Kind::size_mismatch, inside, fmt::format("{} entries in brackets; {}", parts.size(), kExpected));
  }
  variation.low = read_end(marked, parts[0]);
  variation.high = read_end(marked, parts[1]);
  if (parts.size() == 3) variation.count = read_count(marked, parts[2]);
  if (variation.spacing == Spacing::logarithmic) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double end = i == 0 ? variation.low : variation.high;
      if (end != 0.0 && std::signbit(end) == std::signbit(variation.low)) continue;
      throw marked.error(Kind::out_of_range, parts[i],
                         fmt::format("a logarithmic row cannot reach {}: both ends need the same sign, and neither "
                                     "may be zero",
                                     format_number(end)));
    }
    return;
  }
  const bool written = is_written_whole(parts[0]) && is_written_whole(parts[1]);
  const double steps = variation.count > 1 ? static_cast<double>(variation.count - 1) : 1.0;
  variation.whole = written && is_whole(variation.low) && is_whole(variation.high) &&
                    (variation.count == 1 || is_whole((variation.high - variation.low) / steps));
}

bool is_bare_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [&is_letter](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

Value read_value(const MarkedText& marked, std::string_view part) {
  if (part.empty()) throw marked.error(Kind::syntax, part, fmt::format("a value is missing; {}", kExpected));
  try {
    const scene::Node node = scene::read_toml_value(part, scene::kNoMark);
    return scene::value_of(node, scene::Source("", ""));
  } catch (const InputError& error) {
    if (error.kind() == Kind::syntax && is_bare_word(part)) return std::string(part);
    throw marked.error(error.kind(), part, error.what());
  }
}

constexpr std::string_view kLinear = "lin", kLogarithmic = "log";

}  // namespace

Value Variation::at(std::size_t i) const {
  if (spacing == Spacing::listed) return values[i];
  if (count == 1) return whole ? Value(static_cast<std::int64_t>(low)) : Value(low);
  if (whole) {
    const double step = (high - low) / static_cast<double>(count - 1);
    return static_cast<std::int64_t>(low + step * static_cast<double>(i));
  }
  // The ends as they were written.
  if (i == 0) return low;
  if (i + 1 == count) return high;
  return between(static_cast<double>(i) / static_cast<double>(count - 1));
}

Value Variation::between(double share) const {
  switch (spacing) {
    case Spacing::listed: return values[static_cast<std::size_t>(share * static_cast<double>(values.size()))];
    case Spacing::linear: {
      const double width = high - low;
      return std::isfinite(width) ? low + width * share : low * (1.0 - share) + high * share;
    }
    case Spacing::logarithmic: break;
  }
  return std::copysign(std::exp(std::log(std::abs(low)) + std::log(high / low) * share), low);
}

Variation read_variation(std::string_view text) {
  const MarkedText marked{"--vary", text};
  const std::size_t equals = find_unquoted(text, '=');
  const std::string_view path = trimmed(text.substr(0, equals));
  if (equals == std::string_view::npos || path.empty()) {
    throw marked.error(Kind::usage, text, fmt::format("'{}' is no variation; {}", printable(text), kExpected));
  }
  Variation variation;
  variation.text = text;
  variation.path = path;
  const std::string_view right = trimmed(text.substr(equals + 1));
  if (right.empty()) {
    throw marked.error(Kind::usage, text.substr(equals), fmt::format("there are no values; {}", kExpected));
  }
  const std::size_t bracket = right.find('(');
  const std::string_view word = trimmed(right.substr(0, bracket));
  if (bracket != std::string_view::npos && is_bare_word(word)) {
    if (word != kLinear && word != kLogarithmic) {
      throw marked.error(Kind::unknown_name, word, fmt::format("unknown form '{}'; {}", printable(word), kExpected));
    }
    if (right.back() != ')') {
      throw marked.error(Kind::syntax, right.substr(bracket), fmt::format("a bracket is not closed; {}", kExpected));
    }
    variation.spacing = word == kLinear ? Spacing::linear : Spacing::logarithmic;
    read_span(marked, right.substr(bracket + 1, right.size() - bracket - 2), variation);
    return variation;
  }
  for (const std::string_view part : split_values(right)) {
    variation.values.push_back(read_value(marked, part));
    variation.texts.emplace_back(part);
  }
  variation.count = variation.values.size();
  return variation;
}

}  // namespace carom::sweep
