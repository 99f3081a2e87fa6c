#pragma once
/// The text of one input file, and how to point into it.
///
/// Positions inside the library are byte ranges (`Mark`); only when somebody complains are they turned into the
/// line, the column in characters and the underlined text of a `Place`. Texts that are no part of the file but change
/// what it says (`--set`) are appended; marks point into them as into the file, and their places name them.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/error.h"

namespace carom::scene {

/// Largest input that is read [bytes]. Offsets of a Mark have 32 bits.
inline constexpr std::size_t kLargestInput = std::size_t{64} << 20;

/// A range of bytes of a Source.
struct Mark {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

Mark make_mark(std::size_t first, std::size_t last);

/// The mark of what stands in no text, because a program has set it.
inline constexpr Mark kNoMark{std::numeric_limits<std::uint32_t>::max(), 0};
constexpr bool is_marked(Mark mark) {
  return mark.offset != kNoMark.offset;
}

class Source {
 public:
  /// `name` as the user gave it, "-" for standard input. A byte order mark at the beginning of the text is dropped.
  /// Throws InputError: `limit` above kLargestInput, `syntax` where the text is not UTF-8.
  Source(std::string name, std::string text);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The file alone, without what was appended.
  [[nodiscard]] std::string_view text() const { return std::string_view(text_).substr(0, file_size_); }
  [[nodiscard]] std::string_view text(Mark mark) const;

  /// Adds a text under a name of its own and gives the offset of its first byte. Throws InputError as the constructor.
  std::size_t append(const std::string& name, std::string_view text);

  /// Place of a mark: file, line, column, length (as far as the first line goes, at least 1) and the line's text; of
  /// kNoMark the field alone.
  [[nodiscard]] Place place(Mark mark, std::string field = {}) const;

  /// "line 3, column 7", or "set by the program", to refer to a second place within a message.
  [[nodiscard]] std::string describe(Mark mark) const;

  /// Offset of a 1-based line; the end of the text for lines beyond it.
  [[nodiscard]] std::size_t line_offset(std::size_t line) const;

 private:
  [[nodiscard]] std::size_t line_index(std::size_t offset) const;
  [[nodiscard]] std::string_view line_text(std::size_t index) const;

  void add_text(std::string_view text, const std::string& name);

  struct Appended {
    std::size_t line;  ///< index of its first line
    std::string name;
  };

  std::string name_;
  std::string text_;
  std::size_t file_size_ = 0;               ///< bytes of text_ that are the file
  std::vector<std::uint32_t> line_starts_;  ///< offset of the first byte of every line
  std::vector<Appended> appended_;
};

}  // namespace carom::scene
