#pragma once
/// A value of a scene built in a program: what stands to the right of `=` in a scene file.
///
///     Value speed = 1.5;                                          // also true, 3, "steel"
///     Value gravity = {0, 0, -9.81};                              // a list; std::vector and Eigen vectors as well
///     Value shape = {{"kind", "sphere"}, {"radius", 0.1}};        // a table: every entry a key and its value
///
/// Braces make a list, or a table where every entry is a pair of braces that begins with a string. That is decided when
/// the program is compiled. The one thing that cannot be written so is a list of lists of two strings, which no key of
/// a scene has; List says it: {List{"a", "b"}, List{"c", "d"}}. Around a single Value compilers take braces for a copy
/// or for a list of one; write `= other` or List(1, other).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace carom {

class Value;
struct Field;
using List = std::vector<Value>;

/// Keys and values in their order, as between the braces or below the header of a TOML table.
class Table {
 public:
  Table();
  Table(std::initializer_list<Field> fields);
  explicit Table(std::vector<Field> fields);
  Table(const Table& other);
  Table(Table&& other) noexcept;
  Table& operator=(const Table& other);
  Table& operator=(Table&& other) noexcept;
  ~Table();

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  /// The value of a key; null where there is none.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// Gives a key a value, in the place of the one that it has, or behind all others.
  void set(std::string_view key, Value value);

  friend bool operator==(const Table& a, const Table& b);  ///< the same keys with the same values in the same order

 private:
  std::vector<Field> fields_;
};

namespace detail {

template <class T>
concept Text = std::convertible_to<const T&, std::string_view> && !std::is_null_pointer_v<T>;

/// Vectors and matrices of Eigen, without its headers.
template <class T>
concept Dense = requires(const T& matrix) {
  typename T::Scalar;
  matrix.rows();
  matrix.cols();
  matrix.eval();
};

template <class T>
concept Sequence = !Text<T> && !Dense<T> && requires(const T& range) {
  std::begin(range);
  std::end(range);
};

}  // namespace detail

class Value {
 public:
  /// In the order of the alternatives inside.
  enum class Type { none, boolean, integer, real, text, list, table };

  Value() = default;  ///< none: to leave a key out
  Value(std::same_as<bool> auto value) : content_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T value) : content_(static_cast<std::int64_t>(value)) {
    // What does not fit into 64 bits with a sign stays the large number that it is.
    if (std::unsigned_integral<T> && integer() < 0) content_ = static_cast<double>(value);
  }
  template <std::floating_point T>
  Value(T value) : content_(static_cast<double>(value)) {}
  template <detail::Text T>
  Value(const T& text) : content_(std::string(std::string_view(text))) {}
  Value(List list) : content_(std::move(list)) {}
  Value(Table table) : content_(std::move(table)) {}

  Value(std::initializer_list<Field> fields) : content_(Table(fields)) {}
  /// A template only so that the constructor above is preferred where both would do.
  template <class = void>
  Value(std::initializer_list<Value> entries) : content_(List(entries)) {}

  template <detail::Sequence T>
  requires(!std::same_as<T, List>) Value(const T& range) : content_(List(std::begin(range), std::end(range))) {}

  /// A vector is a list, a matrix the list of its rows.
  template <detail::Dense T>
  Value(const T& expression) : content_(List()) {
    const auto& matrix = expression.eval();
    List& list = std::get<List>(content_);
    for (decltype(matrix.rows()) i = 0; i < matrix.rows(); ++i) {
      List row;
      for (decltype(matrix.cols()) j = 0; j < matrix.cols(); ++j) row.emplace_back(matrix.coeff(i, j));
      if (T::IsVectorAtCompileTime) {
        list.insert(list.end(), row.begin(), row.end());
      } else {
        list.emplace_back(std::move(row));
      }
    }
  }

  [[nodiscard]] Type type() const { return static_cast<Type>(content_.index()); }
  [[nodiscard]] bool is(Type type) const { return this->type() == type; }
  [[nodiscard]] bool is_none() const { return is(Type::none); }

  // The content; throw InputError `wrong_type` where the value is something else.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double number() const;  ///< of an integer as well
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const List& list() const;
  [[nodiscard]] const Table& table() const;

  friend bool operator==(const Value& a, const Value& b);  ///< the same type and content

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Table> content_;
};

struct Field {
  template <detail::Text Key>
  Field(const Key& key_text, Value key_value) : key(std::string_view(key_text)), value(std::move(key_value)) {}

  std::string key;
  Value value;

  friend bool operator==(const Field& a, const Field& b) = default;
};

}  // namespace carom
