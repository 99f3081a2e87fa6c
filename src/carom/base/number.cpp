#include "carom/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom {
namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

/// Power of ten of the leading digit that is not zero, for a well-formed decimal text; distinguishes overflow from
/// underflow, which std::from_chars reports alike.
long long decimal_magnitude(std::string_view digits) {
  const std::size_t mark = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t leading = mantissa.find_first_of("123456789");
  long long magnitude = static_cast<long long>(point) - static_cast<long long>(leading) - (leading < point ? 1 : 0);
  if (mark == std::string_view::npos) return magnitude;

  std::string_view exponent_text = digits.substr(mark + 1);
  const bool negative = exponent_text.starts_with('-');
  if (negative || exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  constexpr long long kBeyondAnyText = 1'000'000'000'000;
  long long exponent = 0;
  for (const char digit : exponent_text) exponent = std::min(exponent * 10 + (digit - '0'), kBeyondAnyText);
  return magnitude + (negative ? -exponent : exponent);
}

}  // namespace

NumberText read_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity")) {
    return {sign * std::numeric_limits<double>::infinity(), NumberStatus::not_finite};
  }
  if (equals_ignoring_case(text, "nan")) {
    return {std::numeric_limits<double>::quiet_NaN(), NumberStatus::not_finite};
  }
  const bool starts_as_number = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  if (!starts_as_number) return {};

  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) {
    if (decimal_magnitude(text) < 0) return {sign * 0.0, NumberStatus::good};
    return {sign * std::numeric_limits<double>::infinity(), NumberStatus::not_finite};
  }
  return {sign * value, NumberStatus::good};
}

double parse_number(std::string_view text, std::string_view field) {
  const NumberText number = read_number(text);
  const std::string subject = std::string(field) + " is '" + printable(text) + "', expected a ";
  if (number.status == NumberStatus::malformed) {
    throw InputError(Kind::syntax, std::string(field), subject + "number such as 0.5 or 1e-3");
  }
  if (number.status == NumberStatus::not_finite) {
    throw InputError(Kind::not_finite, std::string(field), subject + "finite number");
  }
  return number.value;
}

void append_shortest(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";
  } else if (std::isinf(value)) {
    text += value > 0 ? "inf" : "-inf";
  } else if (value == 0.0 && std::signbit(value)) {
    text += "-0.0";
  } else {
    std::array<char, 32> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    text.append(buffer.data(), end);
  }
}

std::string format_number(double value) {
  std::string text;
  append_shortest(text, value);
  return text;
}

}  // namespace carom
