#pragma once
/// Lines of the format's tables, each saying only what differs. Internal to the format.

#include "carom/scene/format/section.h"

namespace carom::scene {

/// Most entries of a list of numbers.
inline constexpr int kMostNumbers = 100'000;

constexpr Key with_unit(Key key, std::string_view unit) {
  key.unit = unit;
  return key;
}
constexpr Key with_default(Key key, std::string_view absent) {
  key.absent = absent;
  return key;
}
constexpr Key required(Key key) {
  key.required = true;
  return key;
}
constexpr Key for_engines(Key key, EngineSet engines) {
  key.engines = engines;
  return key;
}
constexpr Key number_key(std::string_view name, const Bounds& bounds, std::string_view help,
                         std::string_view absent = {}) {
  Key key{name, ValueType::number, help};
  key.bounds = bounds;
  key.absent = absent;
  return key;
}
constexpr Key integer_key(std::string_view name, const Bounds& bounds, std::string_view help,
                          std::string_view absent = {}) {
  Key key{name, ValueType::integer, help};
  key.bounds = bounds;
  key.absent = absent;
  return key;
}
constexpr Key plain_key(std::string_view name, ValueType type, std::string_view help, std::string_view absent = {}) {
  Key key{name, type, help};
  key.absent = absent;
  return key;
}
constexpr Key direction_key(std::string_view name, std::string_view help, std::string_view absent = {}) {
  return plain_key(name, ValueType::direction, help, absent);
}
constexpr Key vector_key(std::string_view name, std::string_view help, std::string_view absent = "[0, 0, 0]") {
  return plain_key(name, ValueType::vector, help, absent);
}
constexpr Key sizes_key(std::string_view name, std::string_view help) {
  Key key{name, ValueType::vector, help, "m"};
  key.bounds = kPositive;
  key.required = true;
  return key;
}
constexpr Key matrix_key(std::string_view name, int rows, int columns, std::string_view help) {
  Key key{name, ValueType::matrix, help, "m"};
  key.rows = rows;
  key.columns = columns;
  return key;
}
constexpr Key points_key(std::string_view name, int least, int columns, std::string_view help) {
  Key key{name, ValueType::points, help, "m"};
  key.rows = least;
  key.columns = columns;
  return key;
}
constexpr Key numbers_key(std::string_view name, int count, std::string_view help) {
  Key key{name, ValueType::vector, help};
  key.columns = count;
  return key;
}
constexpr Key number_list_key(std::string_view name, const Bounds& bounds, std::string_view help) {
  Key key{name, ValueType::numbers, help};
  key.bounds = bounds;
  key.rows = 1;
  key.columns = kMostNumbers;
  return key;
}
constexpr Key law_key(std::string_view name, const Bounds& bounds, std::span<const Section> (*variants)(),
                      std::string_view help) {
  Key key{name, ValueType::law, help};
  key.bounds = bounds;
  key.variants = variants;
  key.chooser = kLawKey;
  return key;
}
constexpr Key choice_key(std::string_view name, std::vector<std::string_view> (*choices)(), std::string_view help,
                         std::string_view absent) {
  Key key{name, ValueType::choice, help};
  key.choices = choices;
  key.absent = absent;
  return key;
}
constexpr Key names_key(std::string_view name, int least, int most, std::string_view help) {
  Key key{name, ValueType::names, help};
  key.rows = least;
  key.columns = most;
  key.required = true;
  return key;
}
constexpr Key optional_names_key(std::string_view name, int most, std::string_view help) {
  Key key = names_key(name, 0, most, help);
  key.required = false;
  key.absent = "[]";
  return key;
}
constexpr Key table_key(std::string_view name, ValueType type, const Section& section, std::string_view absent = {}) {
  Key key{name, type, section.help};
  key.table = &section;
  key.absent = absent;
  return key;
}
constexpr Key variant_key(std::string_view name, ValueType type, std::span<const Section> (*variants)(),
                          std::string_view help) {
  Key key{name, type, help};
  key.variants = variants;
  return key;
}
constexpr Key size_key(std::string_view name, std::string_view help) {
  return required(with_unit(number_key(name, kPositive, help), "m"));
}

}  // namespace carom::scene
