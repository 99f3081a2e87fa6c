#pragma once
/// The words of a text of a mesh, line by line, and errors that point at them. Internal to the readers of meshes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/document/source.h"

namespace carom::scene {

struct Word {
  std::string_view text;  ///< empty: the end of the file
  Mark mark;
};

class MeshText {
 public:
  MeshText(const std::string& name, std::string text) : source_(name, std::move(text)) {}

  /// The next word, wherever it is.
  Word next();
  /// The words of the next line that has any; none at the end of the file. `#` begins a comment.
  std::optional<std::vector<Word>> next_line();
  /// Leaves out what is left of the line.
  void skip_line();

  /// Throws InputError: "{word} in line 7, expected …".
  [[noreturn]] void fail(const Word& word, const std::string& expected, Kind kind = Kind::syntax) const;
  /// The number that a word is. Throws `syntax` and `not_finite`.
  [[nodiscard]] double number(const Word& word) const;

 private:
  [[nodiscard]] std::string_view text() const { return source_.text(); }
  [[nodiscard]] Word word_at(std::size_t first, std::size_t end) const;

  Source source_;
  std::size_t at_ = 0;
};

}  // namespace carom::scene
