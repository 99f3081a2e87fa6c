#pragma once
/// A document as a tree of values, the same for JSON and TOML. Every value and every key knows where it stands in
/// its Source, so that whatever is wrong with it can be shown to the user.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/scene/document/source.h"

namespace carom::scene {

class Node;
struct Member;
using Array = std::vector<Node>;
using Table = std::vector<Member>;  ///< in the order of the text; keys are unique

/// A date or time of TOML, which nothing in a scene uses.
struct Date {};

/// Deepest nesting that is read, and the most values of one document: limits on what a hostile file can cost.
inline constexpr int kDeepestNesting = 64;
inline constexpr std::size_t kMostValues = 10'000'000;

class Node {
 public:
  /// In the order of the alternatives of `Value`.
  enum class Type { null, boolean, integer, real, string, array, table, date };
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Table, Date>;

  Node();
  Node(Value value, Mark mark);
  Node(const Node& other);
  Node(Node&& other) noexcept;
  Node& operator=(const Node& other);
  Node& operator=(Node&& other) noexcept;
  ~Node();

  [[nodiscard]] Type type() const { return static_cast<Type>(value_.index()); }
  [[nodiscard]] bool is(Type type) const { return this->type() == type; }
  [[nodiscard]] bool is_number() const { return is(Type::integer) || is(Type::real); }
  [[nodiscard]] Mark mark() const { return mark_; }

  /// The value of a node that is known to be of that type.
  [[nodiscard]] bool boolean() const { return std::get<bool>(value_); }
  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(value_); }
  [[nodiscard]] const std::string& string() const { return std::get<std::string>(value_); }
  [[nodiscard]] const Array& array() const { return std::get<Array>(value_); }
  [[nodiscard]] const Table& table() const { return std::get<Table>(value_); }
  [[nodiscard]] double number() const;  ///< of an integer or a real
  /// The same to change.
  [[nodiscard]] Array& array() { return std::get<Array>(value_); }
  [[nodiscard]] Table& table() { return std::get<Table>(value_); }

  /// The entry of a table, or null where there is none or this is no table.
  [[nodiscard]] const Node* find(std::string_view key) const;

 private:
  Value value_;
  Mark mark_;
};

struct Member {
  std::string key;
  Mark key_mark;
  Node value;
};

/// "a number", "an array", … as messages say it.
std::string_view type_name(Node::Type type);

/// Extends a dotted path: `contacts` and `1` give `contacts.1`.
std::string join_path(std::string_view path, std::string_view key);

/// Throws InputError (not_finite), with path and place, for the first NaN, infinity or overflowed number.
void require_finite(const Node& root, const Source& source);

}  // namespace carom::scene
