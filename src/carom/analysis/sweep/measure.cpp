#include "carom/analysis/sweep/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"

namespace carom::sweep {
namespace {

/// Splits at commas outside of brackets and quotation marks.
std::vector<std::string_view> split_measures(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(trimmed(text.substr(first, i - first)));
    first = i + 1;
  }
  parts.push_back(trimmed(text.substr(first)));
  return parts;
}

Measure read_measure(const MarkedText& marked, std::string_view part, const Names& names,
                     const std::vector<std::string>& taken) {
  const std::size_t equals = find_unquoted(part, '=');
  if (equals == std::string_view::npos) return {std::string(part), Expression(marked, part, names)};
  const std::string_view column = trimmed(part.substr(0, equals));
  if (column.empty()) throw marked.error(Kind::syntax, part, "a name is missing before '='");
  if (std::find(taken.begin(), taken.end(), column) != taken.end()) {
    throw marked.error(Kind::duplicate_name, column,
                       fmt::format("the table has a column '{}' already; take another name", printable(column)));
  }
  return {std::string(column), Expression(marked, part.substr(equals + 1), names)};
}

}  // namespace

std::vector<Measure> read_measures(const std::vector<std::string>& texts, const Names& names,
                                   const std::vector<std::string>& taken) {
  std::vector<Measure> measures;
  for (const std::string& text : texts) {
    const MarkedText marked{"--measure", text};
    for (const std::string_view part : split_measures(text)) {
      measures.push_back(read_measure(marked, part, names, taken));
      const std::string& column = measures.back().column;
      const auto same = [&column](const Measure& other) { return other.column == column; };
      if (std::count_if(measures.begin(), measures.end(), same) > 1) {
        throw marked.error(Kind::duplicate_name, part, fmt::format("'{}' is measured twice", printable(column)));
      }
    }
  }
  return measures;
}

Value cell_of(const Measure& measure, const NamedValues& values) {
  if (const int name = measure.expression.single_name(); name >= 0) {
    const std::string& word = values.words[static_cast<std::size_t>(name)];
    if (!word.empty()) return word;
  }
  const double number = measure.expression.value(values.numbers);
  return std::isnan(number) ? Value() : Value(number);
}

}  // namespace carom::sweep
