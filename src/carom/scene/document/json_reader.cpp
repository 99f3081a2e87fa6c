#include "carom/scene/document/json_reader.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "carom/base/utf8.h"
#include "carom/scene/document/json_scanner.h"

namespace carom::scene {
namespace {

/// Recursive descent; the recursion is as deep as the nesting, which is limited.
class JsonReader {
 public:
  explicit JsonReader(const Source& source) : source_(source), scanner_(source) {}

  Node read() {
    Node root = value();
    scanner_.skip_blanks();
    if (!scanner_.at_end()) scanner_.fail_expected("the end of the input after the value");
    return root;
  }

 private:
  Node value() {
    scanner_.skip_blanks();
    const std::size_t first = scanner_.position();
    if (++values_ > kMostValues) {
      fail(Kind::limit, make_mark(first, first + 1),
           "the input has more than " + std::to_string(kMostValues) + " values");
    }
    switch (scanner_.peek()) {
      case '{': return nested('}');
      case '[': return nested(']');
      case '"': {
        std::string text = scanner_.read_string();
        return {std::move(text), scanner_.mark_from(first)};
      }
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': return scanner_.read_number();
      default: return scanner_.read_word();
    }
  }

  Node nested(char closing) {
    const std::size_t first = scanner_.position();
    if (++depth_ > kDeepestNesting) {
      fail(Kind::limit, make_mark(first, first + 1),
           "arrays and tables are nested more than " + std::to_string(kDeepestNesting) + " deep");
    }
    scanner_.accept(closing == ']' ? '[' : '{');
    Node::Value content;
    if (closing == ']') {
      content = entries(first);
    } else {
      content = members(first);
    }
    --depth_;
    return {std::move(content), scanner_.mark_from(first)};
  }

  Array entries(std::size_t opening) {
    Array array;
    scanner_.skip_blanks();
    if (scanner_.accept(']')) return array;
    do {
      refuse_closing(']', !array.empty());
      path_.push_back(std::to_string(array.size()));
      array.push_back(value());
      path_.pop_back();
      scanner_.skip_blanks();
    } while (scanner_.accept(','));
    if (!scanner_.accept(']')) fail_unclosed("',' or ']' after an entry of the array", opening);
    return array;
  }

  Table members(std::size_t opening) {
    Table table;
    std::unordered_map<std::string, Mark> seen;
    scanner_.skip_blanks();
    if (scanner_.accept('}')) return table;
    do {
      refuse_closing('}', !table.empty());
      table.push_back(member(seen, opening));
      scanner_.skip_blanks();
    } while (scanner_.accept(','));
    if (!scanner_.accept('}')) fail_unclosed("',' or '}' after an entry of the table", opening);
    return table;
  }

  Member member(std::unordered_map<std::string, Mark>& seen, std::size_t opening) {
    if (scanner_.peek() != '"') fail_unclosed("a key in double quotes", opening);
    const std::size_t first = scanner_.position();
    std::string key = scanner_.read_string();
    const Mark mark = scanner_.mark_from(first);
    path_.push_back(key);
    const auto [earlier, is_new] = seen.emplace(key, mark);
    if (!is_new) {
      fail(Kind::duplicate_name, mark,
           "the key '" + printable(key) + "' is given twice, first at " + source_.describe(earlier->second));
    }
    scanner_.skip_blanks();
    if (!scanner_.accept(':')) scanner_.fail_expected("':' after the key '" + printable(key) + "'");
    Node content = value();
    path_.pop_back();
    return {std::move(key), mark, std::move(content)};
  }

  /// After a comma: names a closing bracket that makes it a trailing one.
  void refuse_closing(char closing, bool after_comma) {
    scanner_.skip_blanks();
    if (!after_comma || scanner_.peek() != closing) return;
    const std::size_t at = scanner_.position();
    scanner_.fail(make_mark(at, at + 1), std::string("a comma may not stand before the closing '") + closing + "'");
  }

  [[noreturn]] void fail_unclosed(const std::string& expected, std::size_t opening) const {
    if (!scanner_.at_end()) scanner_.fail_expected(expected);
    const std::string bracket(source_.text().substr(opening, 1));
    scanner_.fail_expected(expected + " (the '" + bracket + "' at " +
                           source_.describe(make_mark(opening, opening + 1)) + " is still open)");
  }

  [[noreturn]] void fail(Kind kind, Mark mark, const std::string& message) const {
    std::string path;
    for (const std::string& part : path_) path = join_path(path, part);
    throw InputError(kind, source_.place(mark, path), message);
  }

  const Source& source_;
  JsonScanner scanner_;
  std::vector<std::string> path_;  ///< of the value being read
  int depth_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

Node read_json(const Source& source) {
  Node root = JsonReader(source).read();
  require_finite(root, source);
  return root;
}

}  // namespace carom::scene
