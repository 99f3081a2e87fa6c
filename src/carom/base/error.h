#pragma once
/// Errors that are the caller's to mend: bad input (a kind, a place, a message) and files that cannot be used.
/// The kinds are part of the outside contract; scripts match on their names.

#include <stdexcept>
#include <string>
#include <string_view>

namespace carom {

enum class Kind {
  usage,
  syntax,
  unknown_name,
  duplicate_name,
  missing_field,
  wrong_type,
  out_of_range,
  size_mismatch,
  not_finite,
  metric_not_symmetric,
  metric_not_positive_definite,
  zero_normal,
  constraint_violated,
  overlap,
  unsupported,
  file,
  limit,
};

/// The contract's name of a kind, as in `"kind": "out-of-range"`.
std::string_view kind_name(Kind kind);

/// Where in the input the trouble is. Unknown parts are empty or zero.
struct Place {
  std::string file;   ///< as the user named it; "-" is standard input
  int line = 0;       ///< 1-based; 0 where there is none
  int column = 0;     ///< 1-based, in characters (not bytes)
  int length = 0;     ///< characters to underline, at least 1 where `line` is known
  std::string field;  ///< dotted path, for instance `contacts.1.restitution`
  std::string text;   ///< the line itself, for the underlined message
};

/// Bad input. `message` names the field, the value and what was expected, in one sentence without a full stop.
class InputError : public std::runtime_error {
 public:
  InputError(Kind kind, Place place, const std::string& message)
      : std::runtime_error(message), kind_(kind), place_(std::move(place)) {}
  InputError(Kind kind, std::string field, const std::string& message) : std::runtime_error(message), kind_(kind) {
    place_.field = std::move(field);
  }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] const Place& place() const noexcept { return place_; }

 private:
  Kind kind_;
  Place place_;
};

}  // namespace carom
