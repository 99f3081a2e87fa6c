#include "carom/engine/singular_search.h"

#include <cmath>

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

/// Where the distance, which is known up to `edge`, comes to zero: by inverse quadratic interpolation of three places.
std::optional<double> zero_beyond(const std::function<double(double)>& f, double from, double edge) {
  const double part = 0.25 * (edge - from);
  const double places[] = {edge - part, edge - 2.0 * part, edge - 3.0 * part};
  double left[3];
  for (int k = 0; k < 3; ++k) left[k] = std::sqrt(f(places[k]));
  if (!(left[0] > 0.0 && left[1] > left[0] && left[2] > left[1])) return std::nullopt;
  double zero = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double other = left[(k + 1) % 3], third = left[(k + 2) % 3];
    zero += places[k] * other * third / ((left[k] - other) * (left[k] - third));
  }
  if (!(zero >= edge)) return std::nullopt;
  return zero;
}

}  // namespace

std::optional<double> singular_instant(const std::function<double(double)>& independence,
                                       const SingularStretch& stretch) {
  const auto& [from, to, farthest] = stretch;
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
  const double first = edge(low), middle = 0.5 * (first + edge(high));
  if (independence(to) > 0.0) return middle;
  return std::min(std::max(middle, zero_beyond(independence, from, first).value_or(middle)), farthest);
}

}  // namespace carom
