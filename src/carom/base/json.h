#pragma once
/// A JSON value that is built in code and written as text [RFC 8259]. Fields of an object keep the order in which they
/// were added. Reading JSON is the task of carom/scene/document.
///
/// A list in braces is an object where all its entries are pairs that begin with a string, and otherwise an array:
/// `Json{{"a", 1}, {"b", {2, 3}}}` is {"a":1,"b":[2,3]}; `Json::array({…})` is an array in every case.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "carom/base/assert.h"

namespace carom {

class Json {
 public:
  struct Field;
  using Array = std::vector<Json>;
  using Object = std::vector<Field>;

  Json() noexcept;
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  Json(std::nullptr_t) noexcept;
  template <std::same_as<bool> Boolean>
  Json(Boolean value);
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Json(Integer value);
  Json(double value);  ///< what is not finite is written as null
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  template <class Entry>
  Json(const std::vector<Entry>& entries);
  Json(std::initializer_list<Json> entries);

  static Json array(std::initializer_list<Json> entries = {});
  static Json object();

  [[nodiscard]] bool is_null() const { return holds<std::monostate>(); }
  [[nodiscard]] bool is_string() const { return holds<std::string>(); }
  [[nodiscard]] bool is_number() const { return holds<std::int64_t>() || holds<double>(); }
  [[nodiscard]] bool is_array() const { return holds<Array>(); }
  [[nodiscard]] bool is_object() const { return holds<Object>(); }

  /// The value of one that is known to be of that type.
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const Array& entries() const;
  [[nodiscard]] const Object& fields() const;

  /// The field of an object, or null where there is none or this is no object.
  [[nodiscard]] const Json* find(std::string_view key) const;

  /// The field of an object, added as null where there is none. Null becomes an object.
  Json& operator[](std::string_view key);
  /// Takes all fields of another object, in place of those of the same name.
  void update(Json other);
  /// Adds an entry to an array. Null becomes an array.
  void push_back(Json entry);

  /// The value on one line, without blanks. Bytes of a string that are not UTF-8 become replacement characters.
  [[nodiscard]] std::string dump() const;

 private:
  template <class Type>
  [[nodiscard]] bool holds() const {
    return std::holds_alternative<Type>(value_);
  }
  void append_to(std::string& text) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

struct Json::Field {
  std::string key;
  Json value;
};

template <std::same_as<bool> Boolean>
Json::Json(Boolean value) : value_(value) {}

template <std::integral Integer>
requires(!std::same_as<Integer, bool>) Json::Json(Integer value) : value_(static_cast<std::int64_t>(value)) {
  CAROM_ASSERT(std::in_range<std::int64_t>(value));
}

template <class Entry>
Json::Json(const std::vector<Entry>& entries) : value_(Array(entries.begin(), entries.end())) {}

/// A number, or null where there is none or it is not finite.
Json json_number(double value);
Json json_number(std::optional<double> value);

/// A list of such numbers.
Json json_numbers(std::span<const double> values);
Json json_numbers(std::span<const std::optional<double>> values);

/// The value as text, indented, lists of plain values on one line; ends with a newline.
std::string json_text(const Json& value);

}  // namespace carom
