#pragma once
/// The norm of the steppers: the largest component of an error relative to its scale. Four lanes at a time, always
/// combined in the same order: strict floating point lets the compiler make vectors of it only so.

#include <cmath>
#include <limits>

namespace carom {

/// max |e_i w_i| for errors e_i = error(i) and weights w (0: not controlled); infinite where an error is not finite.
template <class Error>
inline double relative_error(const Error& error, const double* weight, int n) {
  double largest[4] = {0.0, 0.0, 0.0, 0.0};
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) {
      const double relative = std::abs(error(i + k) * weight[i + k]);
      largest[k] = relative > largest[k] ? relative : largest[k];
      sum[k] += relative;
    }
  for (; i < n; ++i) {
    const double relative = std::abs(error(i) * weight[i]);
    largest[0] = relative > largest[0] ? relative : largest[0];
    sum[0] += relative;
  }
  // A comparison with NaN is false, so the maximum alone would not notice it; the sum does, for 0·∞ is NaN as well.
  if (!std::isfinite(sum[0] + sum[1] + sum[2] + sum[3])) return std::numeric_limits<double>::infinity();
  double result = 0.0;
  for (const double one : largest) result = one > result ? one : result;
  return result;
}

/// Whether no number of the array is infinite or NaN.
inline bool all_finite(const double* x, int n) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += 0.0 * x[i + k];
  for (; i < n; ++i) sum[0] += 0.0 * x[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

}  // namespace carom
