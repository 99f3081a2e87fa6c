#pragma once

namespace carom {

/// The larger of two numbers; not a number where one of them is none, which std::max would forget.
constexpr double larger_or_nan(double x, double y) {
  return y > x || y != y ? y : x;
}

}  // namespace carom
