#include "carom/scene/document/fields.h"

#include <algorithm>
#include <cmath>

#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/toml_writer.h"

namespace carom::scene {
namespace {

constexpr std::size_t kLongestPath = 200;  // characters of a path in a message

/// A value in a sentence: short ones as written, containers by their kind.
std::string shown(const Entry& entry) {
  if (entry.node->is(Node::Type::array) || entry.node->is(Node::Type::table)) {
    return std::string(type_name(entry.node->type()));
  }
  if (!is_marked(entry.node->mark())) return printable(toml_text(*entry.node, *entry.source));
  return printable(entry.source->text(entry.node->mark()));
}

Entry entry_at(const Entry& array, std::size_t index) {
  return {&array.node->array()[index], array.source, join_path(array.path, std::to_string(index))};
}

const Array& require_array(const Entry& entry, std::string_view expected) {
  if (!entry.node->is(Node::Type::array)) entry.fail(Kind::wrong_type, expected);
  return entry.node->array();
}

[[noreturn]] void fail_length(const Entry& entry, std::size_t count, std::string_view unit, const Length& length) {
  std::string message = entry.name() + " has " + std::to_string(count) + " " + std::string(unit) + ", expected " +
                        std::to_string(length.count);
  if (!length.reason.empty()) message += " (" + std::string(length.reason) + ")";
  throw InputError(Kind::size_mismatch, entry.place(), message);
}

bool lies_within(double value, const Bounds& bounds) {
  const bool above = bounds.least_excluded ? value > bounds.least : value >= bounds.least;
  const bool below = bounds.greatest_excluded ? value < bounds.greatest : value <= bounds.greatest;
  return above && below;
}

std::string description(const Bounds& bounds) {
  const bool from_below = std::isfinite(bounds.least);
  const bool from_above = std::isfinite(bounds.greatest);
  if (from_below && from_above && !bounds.least_excluded && !bounds.greatest_excluded) {
    return "a number from " + format_number(bounds.least) + " to " + format_number(bounds.greatest);
  }
  std::string text = "a number";
  if (from_below) text += (bounds.least_excluded ? " > " : " >= ") + format_number(bounds.least);
  if (from_below && from_above) text += " and";
  if (from_above) text += (bounds.greatest_excluded ? " < " : " <= ") + format_number(bounds.greatest);
  return text;
}

/// One number of a vector or matrix; its path is made up only where it is needed.
double element(const Entry& array, std::size_t index, const Bounds& bounds = {}) {
  const Node& node = array.node->array()[index];
  if (node.is_number() && std::isfinite(node.number()) && lies_within(node.number(), bounds)) return node.number();
  return as_number(entry_at(array, index), bounds);
}

}  // namespace

std::string Entry::name() const {
  return path.empty() ? "the document" : printable(path, kLongestPath);
}

void Entry::fail(Kind kind, std::string_view expected) const {
  throw InputError(kind, place(), name() + " is " + shown(*this) + ", expected " + std::string(expected));
}

Entry root_entry(const Document& document) {
  return {&document.root, &document.source, {}};
}

double as_number(const Entry& entry, const Bounds& bounds) {
  if (!entry.node->is_number()) entry.fail(Kind::wrong_type, "a number");
  const double value = entry.node->number();
  if (!std::isfinite(value)) entry.fail(Kind::not_finite, "a finite number");
  if (!lies_within(value, bounds)) entry.fail(Kind::out_of_range, description(bounds));
  return value;
}

std::int64_t as_integer(const Entry& entry, std::int64_t least, std::int64_t greatest) {
  const std::string expected = "an integer from " + std::to_string(least) + " to " + std::to_string(greatest);
  if (!entry.node->is_number()) entry.fail(Kind::wrong_type, expected);
  std::int64_t value = 0;
  if (entry.node->is(Node::Type::integer)) {
    value = entry.node->integer();
  } else {
    const double real = entry.node->number();
    if (!std::isfinite(real)) entry.fail(Kind::not_finite, expected);
    if (real != std::floor(real)) entry.fail(Kind::wrong_type, expected);
    constexpr double kBeyondInteger = 9223372036854775808.0;  // 2⁶³
    if (std::abs(real) >= kBeyondInteger) entry.fail(Kind::out_of_range, expected);
    value = static_cast<std::int64_t>(real);
  }
  if (value < least || value > greatest) entry.fail(Kind::out_of_range, expected);
  return value;
}

bool as_boolean(const Entry& entry) {
  if (!entry.node->is(Node::Type::boolean)) entry.fail(Kind::wrong_type, "true or false");
  return entry.node->boolean();
}

const std::string& as_string(const Entry& entry) {
  if (!entry.node->is(Node::Type::string)) entry.fail(Kind::wrong_type, "a string");
  return entry.node->string();
}

Vector as_vector(const Entry& entry, std::optional<Length> length, const Bounds& bounds) {
  const Array& array = require_array(entry, "an array of numbers");
  const auto count = static_cast<Eigen::Index>(array.size());
  if (length && length->count != count) fail_length(entry, array.size(), "entries", *length);
  Vector vector(count);
  for (Eigen::Index i = 0; i < count; ++i) vector(i) = element(entry, i, bounds);
  return vector;
}

Matrix as_matrix(const Entry& entry, std::optional<Length> columns) {
  constexpr std::string_view kExpected = "an array of rows, each an array of numbers";
  const Array& rows = require_array(entry, kExpected);
  if (rows.empty()) return Matrix(0, columns ? columns->count : 0);
  const Array& first = require_array(entry_at(entry, 0), kExpected);
  const Length width = columns.value_or(Length{static_cast<Eigen::Index>(first.size()), "the length of the first row"});
  // Checked before the memory is taken, so that a long row cannot ask for rows × columns of it.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Entry row = entry_at(entry, i);
    const std::size_t count = require_array(row, "a row, that is an array of numbers").size();
    if (static_cast<Eigen::Index>(count) != width.count) fail_length(row, count, "entries", width);
  }
  Matrix matrix(static_cast<Eigen::Index>(rows.size()), width.count);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Entry row = entry_at(entry, i);
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = element(row, j);
  }
  return matrix;
}

Matrix as_inertia(const Entry& entry) {
  const Array& array = require_array(entry, "3 or 9 numbers");
  if (!array.empty() && array.front().is(Node::Type::array)) {
    Matrix matrix = as_matrix(entry, Length{3, {}});
    if (matrix.rows() != 3) fail_length(entry, array.size(), "rows", Length{3, {}});
    return matrix;
  }
  const Vector numbers = as_vector(entry);
  if (numbers.size() == 3) return numbers;
  if (numbers.size() != 9) {
    throw InputError(Kind::size_mismatch, entry.place(),
                     entry.name() + " has " + std::to_string(numbers.size()) + " entries, expected 3 or 9");
  }
  Matrix matrix(3, 3);
  for (Eigen::Index i = 0; i < 9; ++i) matrix(i / 3, i % 3) = numbers[i];
  return matrix;
}

std::vector<Entry> as_entries(const Entry& entry) {
  const Array& array = require_array(entry, "an array");
  std::vector<Entry> entries;
  entries.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) entries.push_back(entry_at(entry, i));
  return entries;
}

InputError unknown_key(const Entry& table, const Member& member, std::span<const std::string_view> known) {
  const std::string where = table.path.empty() ? "key" : "key of " + printable(table.path);
  return {Kind::unknown_name, table.source->place(member.key_mark, join_path(table.path, member.key)),
          unknown_name_message(where, member.key, known)};
}

InputError missing_key(const Entry& table, std::string_view key) {
  const std::string path = join_path(table.path, key);
  return {Kind::missing_field, table.source->place(table.node->mark(), path),
          printable(path, kLongestPath) + " is missing"};
}

Fields::Fields(Entry table, std::span<const std::string_view> known) : table_(std::move(table)) {
  if (!table_.node->is(Node::Type::table)) table_.fail(Kind::wrong_type, "a table");
  for (const Member& member : table_.node->table()) {
    if (std::find(known.begin(), known.end(), member.key) == known.end()) throw unknown_key(table_, member, known);
  }
}

std::optional<Entry> Fields::find(std::string_view key) const {
  const Node* const node = table_.node->find(key);
  if (node == nullptr) return std::nullopt;
  return Entry{node, table_.source, join_path(table_.path, key)};
}

Entry Fields::at(std::string_view key) const {
  if (auto entry = find(key)) return *std::move(entry);
  throw missing_key(table_, key);
}

double Fields::number(std::string_view key, const Bounds& bounds) const {
  return as_number(at(key), bounds);
}

double Fields::number(std::string_view key, double absent, const Bounds& bounds) const {
  return optional_number(key, bounds).value_or(absent);
}

std::optional<double> Fields::optional_number(std::string_view key, const Bounds& bounds) const {
  const std::optional<Entry> entry = find(key);
  return entry ? std::optional(as_number(*entry, bounds)) : std::nullopt;
}

bool Fields::boolean(std::string_view key, bool absent) const {
  const std::optional<Entry> entry = find(key);
  return entry ? as_boolean(*entry) : absent;
}

std::string Fields::string(std::string_view key) const {
  return as_string(at(key));
}

std::string Fields::string(std::string_view key, std::string_view absent) const {
  const std::optional<Entry> entry = find(key);
  return entry ? as_string(*entry) : std::string(absent);
}

Vector Fields::vector(std::string_view key, std::optional<Length> length) const {
  return as_vector(at(key), length);
}

Matrix Fields::matrix(std::string_view key, std::optional<Length> columns) const {
  return as_matrix(at(key), columns);
}

}  // namespace carom::scene
