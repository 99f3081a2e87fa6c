#pragma once
/// The bytes of a film: a header of JSON and columns of numbers behind it. docs/film-format.md

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// Rows [first, end) of a table.
struct FilmRows {
  std::size_t first = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t count() const { return end - first; }
};

/// Columns that go into one film. They are looked at when the bytes are made, so they have to live until then.
class FilmArrays {
 public:
  /// The rows of a column that has `width` numbers in each.
  template <class Number>
  void add(std::string_view name, const std::vector<Number>& column, FilmRows rows, std::size_t width = 1) {
    const std::span<const Number> part = std::span(column).subspan(rows.first * width, rows.count() * width);
    arrays_.push_back({std::string(name), type_name(Number{}), std::as_bytes(part), part.size()});
  }

  /// Magic word, lengths, header, arrays. `fields` are the other fields of the header: JSON without the outer braces.
  [[nodiscard]] std::string bytes(std::string_view fields) const;

 private:
  static std::string_view type_name(double /*number*/) { return "f64"; }
  static std::string_view type_name(float /*number*/) { return "f32"; }
  static std::string_view type_name(std::int32_t /*number*/) { return "i32"; }
  static std::string_view type_name(std::uint32_t /*number*/) { return "u32"; }
  static std::string_view type_name(std::uint8_t /*number*/) { return "u8"; }

  struct Array {
    std::string name;  ///< plain letters, dots and underscores
    std::string_view type;
    std::span<const std::byte> bytes;
    std::size_t length;  ///< in numbers
  };
  std::vector<Array> arrays_;
};

}  // namespace carom
