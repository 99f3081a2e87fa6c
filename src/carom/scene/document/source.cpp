#include "carom/scene/document/source.h"

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"

namespace carom::scene {

Mark make_mark(std::size_t first, std::size_t last) {
  CAROM_ASSERT(first <= last && last <= kLargestInput);
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)};
}

Source::Source(std::string name, std::string text) : name_(std::move(name)) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  line_starts_.push_back(0);
  add_text(text, name_);
  file_size_ = text_.size();
}

void Source::add_text(std::string_view text, const std::string& name) {
  if (text.size() > kLargestInput - text_.size()) {
    Place place;
    place.file = name;
    throw InputError(
        Kind::limit, place,
        "the input has " + std::to_string(text.size()) + " bytes, expected at most " + std::to_string(kLargestInput));
  }
  constexpr std::string_view kRecordBegin = "\x89HDF";
  if (text.starts_with(kRecordBegin)) {
    Place place;
    place.file = name;
    throw InputError(Kind::syntax, place,
                     "this is a record of a run, not a text; carom info, view, events and plot read it");
  }
  const std::size_t first = text_.size();
  text_ += text;
  for (std::size_t end = text_.find('\n', first); end != std::string::npos; end = text_.find('\n', end + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(end + 1));
  }
  if (const auto bad = first_invalid_utf8(text)) {
    const std::string byte = printable(text.substr(*bad, 1));
    throw InputError(Kind::syntax, place(make_mark(first + *bad, first + *bad + 1)),
                     "the byte " + byte + " is not valid UTF-8 here");
  }
}

std::size_t Source::append(const std::string& name, std::string_view text) {
  if (line_starts_.back() != text_.size()) add_text("\n", name);
  appended_.push_back({line_starts_.size() - 1, name});
  const std::size_t first = text_.size();
  add_text(text, name);
  return first;
}

std::string_view Source::text(Mark mark) const {
  return std::string_view(text_).substr(mark.offset, mark.length);
}

std::size_t Source::line_index(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::size_t>(after - line_starts_.begin()) - 1;
}

std::string_view Source::line_text(std::size_t index) const {
  const std::size_t first = line_starts_[index];
  const std::size_t last = index + 1 < line_starts_.size() ? line_starts_[index + 1] - 1 : text_.size();
  std::string_view line = std::string_view(text_).substr(first, last - first);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t Source::line_offset(std::size_t line) const {
  CAROM_ASSERT(line >= 1);
  return line <= line_starts_.size() ? line_starts_[line - 1] : text_.size();
}

Place Source::place(Mark mark, std::string field) const {
  if (!is_marked(mark)) {
    Place nowhere;
    nowhere.field = std::move(field);
    return nowhere;
  }
  const std::size_t index = line_index(mark.offset);
  const std::string_view line = line_text(index);
  const std::size_t before = std::min<std::size_t>(mark.offset - line_starts_[index], line.size());
  Place place;
  place.file = name_;
  place.line = static_cast<int>(index + 1);
  for (const Appended& part : appended_) {
    if (index < part.line) break;
    place.file = part.name;
    place.line = static_cast<int>(index - part.line + 1);
  }
  place.column = static_cast<int>(count_characters(line.substr(0, before)) + 1);
  place.length = std::max(1, static_cast<int>(count_characters(line.substr(before, mark.length))));
  place.field = std::move(field);
  place.text = line;
  return place;
}

std::string Source::describe(Mark mark) const {
  if (!is_marked(mark)) return "set by the program";
  const Place at = place(mark);
  return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
}

}  // namespace carom::scene
