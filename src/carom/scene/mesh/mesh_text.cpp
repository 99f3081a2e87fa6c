#include "carom/scene/mesh/mesh_text.h"

#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom::scene {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

}  // namespace

Word MeshText::word_at(std::size_t first, std::size_t end) const {
  const std::size_t last = std::min(text().find_first_of(kBlanks, first), end);
  return {text().substr(first, last - first), make_mark(first, last)};
}

Word MeshText::next() {
  at_ = std::min(text().find_first_not_of(kBlanks, at_), text().size());
  const Word word = word_at(at_, text().size());
  at_ += word.text.size();
  return word;
}

std::optional<std::vector<Word>> MeshText::next_line() {
  while (at_ < text().size()) {
    const std::size_t line_end = std::min(text().find('\n', at_), text().size());
    const std::size_t end = std::min(text().find('#', at_), line_end);
    std::vector<Word> words;
    for (std::size_t first = text().find_first_not_of(kBlanks, at_); first < end;) {
      words.push_back(word_at(first, end));
      first = text().find_first_not_of(kBlanks, first + words.back().text.size());
    }
    at_ = line_end + 1;
    if (!words.empty()) return words;
  }
  return std::nullopt;
}

void MeshText::skip_line() {
  at_ = std::min(text().find('\n', at_), text().size());
}

void MeshText::fail(const Word& word, const std::string& expected, Kind kind) const {
  const std::string found = word.text.empty() ? "the file ends here" : "'" + printable(word.text) + "'";
  throw InputError(kind, source_.place(word.mark), found + ", expected " + expected);
}

double MeshText::number(const Word& word) const {
  const NumberText read = read_number(word.text);
  if (read.status == NumberStatus::malformed) fail(word, "a number");
  if (read.status == NumberStatus::not_finite) fail(word, "a finite number", Kind::not_finite);
  return read.value;
}

}  // namespace carom::scene
