#pragma once
/// A polynomial by its coefficients, and where it passes a level.

#include <algorithm>
#include <cmath>

namespace carom {

/// Weights of the recursion for a power y = x^η of a series: y_k = (1/x₀) Σ_{j=1…k} weight[k][j] x_j y_{k−j}.
template <int Order>
struct PowerWeights {
  constexpr PowerWeights() = default;
  constexpr explicit PowerWeights(double exponent) {
    for (int k = 1; k <= Order; ++k)
      for (int j = 1; j <= k; ++j) weight[k][j] = (exponent + 1.0) * j / k - 1.0;
  }
  constexpr const double* operator[](int k) const { return weight[k]; }

  double weight[Order + 1][Order + 1] = {};
};

/// Where a polynomial is looked at, with its values there.
struct PolynomialRange {
  double low, high;
  double first, last;  ///< values at low and high
};

/// Coefficients a₀, a₁, … of a polynomial, `stride` apart.
struct PolynomialView {
  const double* coefficients;
  int stride;
  int order;

  [[nodiscard]] double value(double h) const {
    double sum = coefficients[order * stride];
    for (int k = order - 1; k >= 0; --k) sum = sum * h + coefficients[k * stride];
    return sum;
  }

  [[nodiscard]] double slope(double h) const {
    double sum = order * coefficients[order * stride];
    for (int k = order - 1; k >= 1; --k) sum = sum * h + k * coefficients[k * stride];
    return sum;
  }

  /// Where it is least between 0 and h if it falls at first and rises in the end, else h.
  [[nodiscard]] double lowest(double h) const {
    if (!(coefficients[stride] < 0.0)) return h;
    const double last = slope(h);
    if (!(last > 0.0)) return h;
    double low = 0.0, high = h;
    for (int turn = 0; turn < 60 && high - low > 1e-9 * h; ++turn) {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0.0 ? low : high) = middle;
    }
    return high;
  }

  /// Where it passes `level`, which lies between the values at the ends of the range: Newton's method in a bracket. A
  /// polynomial that starts at the level and comes back to it is divided by its root at zero first.
  [[nodiscard]] double root(double level, PolynomialRange range) const {
    PolynomialView rest = *this;
    const bool rising = range.last > level;
    const double close = 1e-8 * range.high;  // before the last, quadratic, turn
    double h = range.low + (level - range.first) / (range.last - range.first) * (range.high - range.low);
    if (range.first == level && range.low == 0.0) {
      rest = {coefficients + stride, stride, order - 1};
      level = 0.0;
      h = 0.5 * range.high;
    }
    for (int turn = 0; turn < 100; ++turn) {
      double f = rest.coefficients[rest.order * rest.stride];
      double slope = 0.0;
      for (int k = rest.order - 1; k >= 0; --k) {
        slope = slope * h + f;
        f = f * h + rest.coefficients[k * rest.stride];
      }
      f -= level;
      const double next = h - f / slope;
      if (std::abs(next - h) < close) return std::clamp(next, range.low, range.high);
      ((f > 0.0) == rising ? range.high : range.low) = h;
      h = next > range.low && next < range.high ? next : 0.5 * (range.low + range.high);
    }
    return h;
  }
};

}  // namespace carom
