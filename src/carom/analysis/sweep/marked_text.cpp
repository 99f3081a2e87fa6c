#include "carom/analysis/sweep/marked_text.h"

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"

namespace carom::sweep {

InputError MarkedText::error(Kind kind, std::string_view part, const std::string& message) const {
  const auto offset = static_cast<std::size_t>(part.data() - text.data());
  CAROM_ASSERT(offset <= text.size());
  Place place;
  place.file = option;
  place.line = 1;
  place.column = static_cast<int>(count_characters(text.substr(0, offset))) + 1;
  place.length = std::max(1, static_cast<int>(count_characters(part)));
  place.field = option;
  place.text = text;
  return {kind, place, message};
}

std::size_t find_unquoted(std::string_view text, char wanted) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == wanted && !quoted) return i;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  const std::size_t last = text.find_last_not_of(" \t");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace carom::sweep
