#include "carom/scene/document/toml_guard.h"

#include <algorithm>
#include <string_view>

#include "carom/scene/document/node.h"

namespace carom::scene {
namespace {

constexpr std::size_t kLongLine = 200;  // a line break is added at the next comma beyond this [bytes]

class TomlGuard {
 public:
  explicit TomlGuard(const Source& source) : source_(source), text_(source.text()) {}

  GuardedToml run() {
    result_.text.reserve(text_.size() + text_.size() / kLongLine + 1);
    while (position_ < text_.size()) step();
    if (!result_.text.ends_with('\n')) result_.text += '\n';
    return std::move(result_);
  }

 private:
  /// An open bracket, '[' or '{', and how deep the array or table lies.
  struct Frame {
    char bracket;
    int depth;
  };

  void step() {
    const char character = text_[position_];
    switch (character) {
      case '#': copy(std::min(text_.find('\n', position_), text_.size())); return;
      case '"':
      case '\'': copy(end_of_string()); return;
      case '\n': end_line(); break;
      case '.': deepen_key(); break;
      case '=': in_key_ = false; break;
      case '[': open_square(); break;
      case '{': open(character); break;
      case ']':
      case '}': close(); break;
      case ',': comma(); return;
      case '0': check_binary(); break;
      default: break;
    }
    copy(position_ + 1);
  }

  void copy(std::size_t end) {
    result_.text += text_.substr(position_, end - position_);
    position_ = end;
  }

  void end_line() {
    line_start_ = result_.text.size() + 1;
    if (!frames_.empty()) return;
    in_header_ = false;
    start_key();
  }

  void start_key() {
    in_key_ = true;
    key_parts_ = 1;
    count_value();
  }

  void deepen_key() {
    if (in_header_) {
      ++header_depth_;
      require_depth(header_depth_);
    } else if (in_key_) {
      ++key_parts_;
      require_depth(value_depth());
    }
  }

  void open_square() {
    if (!frames_.empty() || !in_key_) {
      open('[');
    } else if (!in_header_) {
      in_header_ = true;
      header_depth_ = text_.substr(position_).starts_with("[[") ? 2 : 1;
    }
  }

  void open(char bracket) {
    const int depth = value_depth();
    require_depth(depth);
    frames_.push_back({bracket, depth});
    in_key_ = false;
    if (bracket == '{') start_key();
  }

  void close() {
    if (!frames_.empty()) frames_.pop_back();
    in_key_ = in_key_ && frames_.empty();
  }

  void comma() {
    copy(position_ + 1);
    if (frames_.empty()) return;
    if (frames_.back().bracket == '{') {
      start_key();
      return;
    }
    count_value();
    if (result_.text.size() - line_start_ < kLongLine) return;
    result_.breaks.push_back(result_.text.size());
    result_.text += '\n';
    line_start_ = result_.text.size();
  }

  /// Depth of the value at the position: root entries have depth 1.
  [[nodiscard]] int value_depth() const {
    if (frames_.empty()) return header_depth_ + key_parts_;
    return frames_.back().depth + (frames_.back().bracket == '{' ? key_parts_ : 1);
  }

  /// End of the string that begins at the position; the end of the line where a string of one line is not closed.
  [[nodiscard]] std::size_t end_of_string() const {
    const char quote = text_[position_];
    const std::string triple(3, quote);
    const bool many_lines = !in_key_ && text_.substr(position_).starts_with(triple);
    std::size_t at = position_ + (many_lines ? 3 : 1);
    while (at < text_.size()) {
      if (text_[at] == '\\' && quote == '"') {
        at += 2;
      } else if (many_lines && text_.substr(at).starts_with(triple)) {
        at += 3;
        // Up to two quotes may stand before the closing three.
        for (int extra = 0; extra < 2 && at < text_.size() && text_[at] == quote; ++extra) ++at;
        return at;
      } else if (!many_lines && text_[at] == quote) {
        return at + 1;
      } else if (!many_lines && text_[at] == '\n') {
        return at;
      } else {
        ++at;
      }
    }
    return text_.size();
  }

  /// toml11 computes binary integers in signed 64 bits without looking for overflow, one doubling per digit.
  void check_binary() const {
    const std::string_view rest = text_.substr(position_);
    if (in_key_ || !rest.starts_with("0b")) return;
    const std::size_t end = std::min(rest.find_first_not_of("01_", 2), rest.size());
    const auto digits = static_cast<std::size_t>(std::count_if(
        rest.begin() + 2, rest.begin() + static_cast<std::ptrdiff_t>(end), [](char digit) { return digit != '_'; }));
    constexpr std::size_t kMostBinaryDigits = 62;
    if (digits <= kMostBinaryDigits) return;
    throw InputError(Kind::out_of_range, source_.place(make_mark(position_, position_ + end)),
                     "the integer has " + std::to_string(digits) + " binary digits, expected at most " +
                         std::to_string(kMostBinaryDigits));
  }

  void require_depth(int depth) const {
    if (depth <= kDeepestNesting) return;
    throw InputError(Kind::limit, source_.place(make_mark(position_, position_ + 1)),
                     "arrays and tables are nested more than " + std::to_string(kDeepestNesting) + " deep");
  }

  void count_value() {
    if (++values_ <= kMostTomlValues) return;
    throw InputError(
        Kind::limit, source_.place(make_mark(position_, position_ + 1)),
        "the input has more than " + std::to_string(kMostTomlValues) + " values; write larger problems as JSON");
  }

  const Source& source_;
  std::string_view text_;
  GuardedToml result_;
  std::vector<Frame> frames_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;  ///< of the line being written, in result_.text
  std::size_t values_ = 0;
  int header_depth_ = 0;
  int key_parts_ = 1;
  bool in_key_ = true;
  bool in_header_ = false;
};

}  // namespace

std::size_t GuardedToml::original(std::size_t offset) const {
  const auto added = std::lower_bound(breaks.begin(), breaks.end(), offset) - breaks.begin();
  return offset - static_cast<std::size_t>(added);
}

GuardedToml guard_toml(const Source& source) {
  return TomlGuard(source).run();
}

}  // namespace carom::scene
