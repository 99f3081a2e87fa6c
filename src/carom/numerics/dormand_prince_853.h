#pragma once
/// The explicit Runge–Kutta method of order 8 by Dormand and Prince, with error estimates of order 5 and 3.
///
/// For tight tolerances: twelve evaluations a step. Source: Hairer, Nørsett & Wanner, Solving Ordinary Differential
/// Equations I, 2nd edition, section II.10 (DOP853). Events are located by taking the step again with another size,
/// which keeps the full order right up to the event.

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/numerics/dense.h"

namespace carom {

class DormandPrince853 {
 public:
  static constexpr int kStages = 12;

  void resize(int n) {
    n_ = n;
    dense::ensure(stage_, static_cast<std::size_t>(n) * (kStages + 1));
  }

  /// The slope at the start of the step; must be set before step(), for instance by the right-hand side itself.
  [[nodiscard]] double* first_slope() { return slope(0); }

  /// One step of size h for the autonomous system ẏ = f(y), f called as f(const double* y, double* slope).
  /// Needs first_slope(). Writes y_new and returns the weighted error: at most 1 where the step may be accepted.
  template <class RightHandSide>
  double step(const RightHandSide& f, const double* y, double h, double* y_new, double tolerance) {
    double* stage_y = stage_.data() + static_cast<std::size_t>(kStages) * n_;
    const double* k = stage_.data();
    for (int s = 1; s < kStages; ++s) {
      // Stage s uses slopes 0, (1, 2 early on) and kFirstUsed[s] … s−1.
      const double* a = kA[s];
      // Component by component inside, so that the compiler makes vectors of it; the order of each sum is the same.
      for (int i = 0; i < n_; ++i) stage_y[i] = a[0] * k[i];
      for (int r = kFirstUsed[s]; r < s; ++r) {
        const double* kr = k + static_cast<std::size_t>(r) * n_;
        const double factor = a[r];
        for (int i = 0; i < n_; ++i) stage_y[i] += factor * kr[i];
      }
      for (int i = 0; i < n_; ++i) stage_y[i] = y[i] + h * stage_y[i];
      f(stage_y, slope(s));
    }
    double error5 = 0.0;
    double error3 = 0.0;
    for (int i = 0; i < n_; ++i) {
      double sum = kB[0] * slope(0)[i];
      double e5 = kE5[0] * slope(0)[i];
      for (int s = 5; s < kStages; ++s) {
        sum += kB[s] * slope(s)[i];
        e5 += kE5[s] * slope(s)[i];
      }
      const double e3 = sum - kE3[0] * slope(0)[i] - kE3[1] * slope(8)[i] - kE3[2] * slope(11)[i];
      y_new[i] = y[i] + h * sum;
      const double scale = tolerance * (1.0 + std::max(std::abs(y[i]), std::abs(y_new[i])));
      error5 += (e5 / scale) * (e5 / scale);
      error3 += (e3 / scale) * (e3 / scale);
    }
    const double denominator = error5 + 0.01 * error3;
    if (!(denominator > 0.0)) return 0.0;
    return std::abs(h) * error5 / std::sqrt(denominator * n_);
  }

  /// Factor for the next step size from the error of the last one.
  [[nodiscard]] static double step_factor(double error) {
    return std::clamp(0.9 * std::pow(std::max(error, 1e-30), -1.0 / 8.0), 0.2, 5.0);
  }

 private:
  [[nodiscard]] double* slope(int s) { return stage_.data() + static_cast<std::size_t>(s) * n_; }
  [[nodiscard]] const double* slope(int s) const { return stage_.data() + static_cast<std::size_t>(s) * n_; }

  static const double kA[kStages][kStages];
  /// The first slope after slope 0 that stage s uses.
  static constexpr int kFirstUsed[kStages] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3};
  static const double kB[kStages];
  static const double kE5[kStages];
  static const double kE3[3];

  int n_ = 0;
  std::vector<double> stage_;
};

}  // namespace carom
