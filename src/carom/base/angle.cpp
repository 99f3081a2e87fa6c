#include "carom/base/angle.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom {
namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2⁵³: whole numbers up to here are exact

bool is_whole(double value) {
  return std::abs(value) <= kLargestWhole && value == std::floor(value);
}

/// factor·π/divisor, in lowest terms where both are whole.
double times_pi(double factor, double divisor) {
  if (is_whole(factor) && is_whole(divisor) && factor != 0.0) {
    const auto common = static_cast<double>(
        std::gcd(static_cast<std::int64_t>(std::abs(factor)), static_cast<std::int64_t>(std::abs(divisor))));
    factor /= common;
    divisor /= common;
  }
  return factor * std::numbers::pi / divisor;
}

/// The text being read and what is needed to complain about it.
class AngleReader {
 public:
  AngleReader(std::string_view text, std::string_view field) : rest_(text), text_(text), field_(field) {}

  double read() {
    skip_blanks();
    const bool negative = accept("-");
    if (!negative) accept("+");
    const double angle = magnitude();
    skip_blanks();
    if (!rest_.empty()) fail(Kind::syntax, "an angle such as 30deg, pi/6 or 0.5236");
    if (!std::isfinite(angle)) fail(Kind::not_finite, "a finite angle");
    return negative ? -angle : angle;
  }

 private:
  double magnitude() {
    const std::optional<double> factor = number();
    if (factor && accept("deg")) return times_pi(*factor, 180.0);
    if (factor && accept("rad")) return *factor;
    const bool product = factor && accept("*");
    if (!accept("pi")) {
      if (factor && !product) return *factor;
      fail(Kind::syntax, "an angle such as 30deg, pi/6 or 0.5236");
    }
    double divisor = 1.0;
    if (accept("/")) {
      const std::optional<double> given = number();
      if (!given) fail(Kind::syntax, "a number after '/'");
      if (*given == 0.0) fail(Kind::out_of_range, "a denominator other than zero");
      divisor = *given;
    }
    return times_pi(factor.value_or(1.0), divisor);
  }

  /// The longest unsigned number at the front, none where there is no digit.
  std::optional<double> number() {
    skip_blanks();
    std::size_t length = rest_.find_first_not_of("0123456789.");
    if (length == std::string_view::npos) length = rest_.size();
    if (length > 0 && length < rest_.size() && (rest_[length] == 'e' || rest_[length] == 'E')) {
      std::size_t end = length + 1;
      if (end < rest_.size() && (rest_[end] == '+' || rest_[end] == '-')) ++end;
      const std::size_t digits = end;
      while (end < rest_.size() && rest_[end] >= '0' && rest_[end] <= '9') ++end;
      if (end > digits) length = end;
    }
    if (length == 0) return std::nullopt;
    const NumberText value = read_number(rest_.substr(0, length));
    if (value.status == NumberStatus::not_finite) fail(Kind::not_finite, "a finite angle");
    if (value.status == NumberStatus::malformed) fail(Kind::syntax, "an angle such as 30deg, pi/6 or 0.5236");
    rest_.remove_prefix(length);
    return value.value;
  }

  bool accept(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  [[noreturn]] void fail(Kind kind, std::string_view expected) const {
    throw InputError(kind, std::string(field_),
                     std::string(field_) + " is '" + printable(text_) + "', expected " + std::string(expected));
  }

  std::string_view rest_;
  std::string_view text_;
  std::string_view field_;
};

}  // namespace

double parse_angle(std::string_view text, std::string_view field) {
  return AngleReader(text, field).read();
}

}  // namespace carom
