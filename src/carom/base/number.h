#pragma once
/// Decimal numbers in and out, the same in every locale.
///
/// Reading rounds to the nearest double (what is too small becomes ±0, as everywhere in IEEE 754); what is too
/// large for a double is an error and not infinity. Printing gives the shortest text that reads back to the same
/// double.

#include <string>
#include <string_view>

namespace carom {

enum class NumberStatus {
  good,
  malformed,   ///< not a decimal number from the first to the last character
  not_finite,  ///< `inf`, `nan`, or a number beyond the largest double such as 1e999
};

struct NumberText {
  double value = 0.0;  ///< ±infinity or NaN where the status is `not_finite`
  NumberStatus status = NumberStatus::malformed;
};

/// Reads a whole text as a number: optional sign, digits with an optional point, optional exponent. No blanks.
NumberText read_number(std::string_view text);

/// The same for command line and text fields. Throws InputError (syntax, not_finite) that names `field`.
double parse_number(std::string_view text, std::string_view field);

/// Shortest text that reads back to the same double: `0.1`, `1e-13`, `-0.0`; `inf`, `-inf` and `nan` as such.
std::string format_number(double value);
/// The same at the end of a text.
void append_shortest(std::string& text, double value);

}  // namespace carom
