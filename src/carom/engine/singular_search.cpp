#include "carom/engine/singular_search.h"

namespace carom {

namespace {

constexpr int kSingularLooks = 16, kNarrowings = 60;
constexpr double kGoldenPart = 0.3819660112501051;

/// A place between the two at which the function is zero, by golden section for its least value.
std::optional<double> zero_between(const std::function<double(double)>& f, double low, double high) {
  double first = low + kGoldenPart * (high - low), second = high - kGoldenPart * (high - low);
  double at_first = f(first), at_second = f(second);
  for (int k = 0; k < kNarrowings; ++k) {
    if (at_first == 0.0) return first;
    if (at_second == 0.0) return second;
    if (at_first < at_second) {
      high = second;
      second = first;
      at_second = at_first;
      first = low + kGoldenPart * (high - low);
      at_first = f(first);
    } else {
      low = first;
      first = second;
      at_first = at_second;
      second = high - kGoldenPart * (high - low);
      at_second = f(second);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> singular_instant(const std::function<double(double)>& independence, double from, double to) {
  const double part = (to - from) / kSingularLooks;
  int least = 0;
  double least_left = std::numeric_limits<double>::infinity();
  for (int look = 1; look <= kSingularLooks && least_left > 0.0; ++look) {
    const double left = independence(from + look * part);
    if (left >= least_left) continue;
    least_left = left;
    least = look;
  }
  const double low = from + (least - 1) * part, high = from + std::min(least + 1, kSingularLooks) * part;
  const std::optional<double> zero =
      least_left == 0.0 ? std::optional(from + least * part) : zero_between(independence, low, high);
  if (!zero) return std::nullopt;
  const auto edge = [&](double outside) {
    double inside = *zero;
    for (int k = 0; k < kNarrowings; ++k) {
      const double middle = 0.5 * (inside + outside);
      (independence(middle) == 0.0 ? inside : outside) = middle;
    }
    return inside;
  };
  return 0.5 * (edge(low) + edge(high));
}

}  // namespace carom
