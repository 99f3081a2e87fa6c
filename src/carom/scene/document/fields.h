#pragma once
/// From a document tree to typed values. Whoever reads a part of a file asks for what it expects; what is not as
/// expected becomes an InputError that names the dotted path and the value and points at it in the text.
///
///     Fields ball(entry, kBallKeys);                      // unknown keys: unknown_name, with the nearest known one
///     const double mass = ball.number("mass");            // absent: missing_field; a string: wrong_type
///     const double spin = ball.number("spin", 0.0);       // absent: 0
///     const Vector position = ball.vector("position", {3, "x, y and z"});    // other lengths: size_mismatch

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/mechanics/impact_problem.h"
#include "carom/scene/document/node.h"
#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// A value together with where it stands. Refers to a Document that outlives it.
struct Entry {
  const Node* node;
  const Source* source;
  std::string path;  ///< dotted; empty for the root

  [[nodiscard]] Place place() const { return source->place(node->mark(), path); }

  /// The path in a sentence; "the document" for the root.
  [[nodiscard]] std::string name() const;

  /// Throws an InputError of this value: "contacts.1.restitution is 1.2, expected " + expected.
  [[noreturn]] void fail(Kind kind, std::string_view expected) const;
};

Entry root_entry(const Document& document);

/// Numbers that are allowed. The default allows all (that are finite).
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool greatest_excluded = false;
};
inline constexpr Bounds kPositive{0.0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr Bounds kNotNegative{0.0, std::numeric_limits<double>::infinity(), false, false};
inline constexpr Bounds kUnitInterval{0.0, 1.0, false, false};

/// A length that is required, and why, for the message: "expected 3 (the length of velocity)".
struct Length {
  Eigen::Index count;
  std::string_view reason;
};

/// Single values. Errors: wrong_type, not_finite, out_of_range, size_mismatch.
double as_number(const Entry& entry, const Bounds& bounds = {});
std::int64_t as_integer(const Entry& entry, std::int64_t least, std::int64_t greatest);  ///< 1e5 is an integer
bool as_boolean(const Entry& entry);
const std::string& as_string(const Entry& entry);
Vector as_vector(const Entry& entry, std::optional<Length> length = {}, const Bounds& bounds = {});
Matrix as_matrix(const Entry& entry, std::optional<Length> columns = {});  ///< an array of rows of equal length
/// Three numbers as a column, or nine, in one list or in three rows, as a 3 × 3 matrix.
Matrix as_inertia(const Entry& entry);
std::vector<Entry> as_entries(const Entry& entry);  ///< the entries of an array

/// The error about a key that is not among the known ones, and about one that is missing.
InputError unknown_key(const Entry& table, const Member& member, std::span<const std::string_view> known);
InputError missing_key(const Entry& table, std::string_view key);

/// A table of which all keys are known.
class Fields {
 public:
  /// A table that has been checked.
  explicit Fields(Entry table) : table_(std::move(table)) {}
  /// Throws wrong_type where `table` is none, unknown_name for the first key that is not in `known`.
  Fields(Entry table, std::span<const std::string_view> known);

  [[nodiscard]] const Entry& entry() const { return table_; }
  [[nodiscard]] std::optional<Entry> find(std::string_view key) const;
  [[nodiscard]] Entry at(std::string_view key) const;  ///< throws missing_field

  // With a default the key may be absent, without one it is required.
  [[nodiscard]] double number(std::string_view key, const Bounds& bounds = {}) const;
  [[nodiscard]] double number(std::string_view key, double absent, const Bounds& bounds = {}) const;
  [[nodiscard]] std::optional<double> optional_number(std::string_view key, const Bounds& bounds = {}) const;
  [[nodiscard]] bool boolean(std::string_view key, bool absent) const;
  [[nodiscard]] std::string string(std::string_view key) const;
  [[nodiscard]] std::string string(std::string_view key, std::string_view absent) const;
  [[nodiscard]] Vector vector(std::string_view key, std::optional<Length> length = {}) const;
  [[nodiscard]] Matrix matrix(std::string_view key, std::optional<Length> columns = {}) const;

 private:
  Entry table_;
};

}  // namespace carom::scene
