#pragma once
/// The explicit Runge–Kutta method of order 8 by Dormand and Prince, with error estimates of order 5 and 3.
///
/// For tight tolerances: twelve evaluations a step. Source: Hairer, Nørsett & Wanner, Solving Ordinary Differential
/// Equations I, 2nd edition, section II.10 (DOP853). Events are located by taking the step again with another size,
/// which keeps the full order right up to the event, or on the polynomial of order 7 that four more evaluations give.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "carom/base/archive.h"
#include "carom/numerics/dense.h"
#include "carom/numerics/stepper/relative_error.h"

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
  /// Needs first_slope(). Writes y_new and returns the weighted error (root mean square, relative to `tolerance` times
  /// 1 + |y|): at most 1 where the step may be accepted.
  template <class RightHandSide>
  double step(const RightHandSide& f, const double* y, double h, double* y_new, double tolerance) {
    stages([&f](double, const double* stage_y, double* k) { f(stage_y, k); }, y, h);
    double error5 = 0.0;
    double error3 = 0.0;
    for (int i = 0; i < n_; ++i) {
      const Sums sums = sums_of(i);
      y_new[i] = y[i] + h * sums.slope;
      const double scale = tolerance * (1.0 + std::max(std::abs(y[i]), std::abs(y_new[i])));
      error5 += (sums.error5 / scale) * (sums.error5 / scale);
      error3 += (sums.error3 / scale) * (sums.error3 / scale);
    }
    const double denominator = error5 + 0.01 * error3;
    if (!(denominator > 0.0)) return 0.0;
    return std::abs(h) * error5 / std::sqrt(denominator * n_);
  }

  /// One step of size h for ẏ = f(t, y), f called as f(double c, const double* y, double* slope) at t + c h. Needs
  /// first_slope(). Writes y_new and returns the error relative to the scale in the maximum norm, its inverse given for
  /// each component (0: not controlled); infinite where f is not finite.
  template <class RightHandSide>
  double step_scaled(const RightHandSide& f, const double* y, double h, double* y_new, const double* inverse_scale) {
    stages(f, y, h);
    // Slopes 1 and 2 serve the early stages alone; their room takes the two error estimates.
    double* const __restrict new_y = y_new;
    double* const __restrict e5 = slope(1);
    double* const __restrict e3 = slope(2);
    for (int i = 0; i < n_; ++i) {
      const Sums sums = sums_of(i);
      new_y[i] = y[i] + h * sums.slope;
      e5[i] = sums.error5;
      e3[i] = sums.error3;
    }
    const double error5 = relative_error([e5](int i) { return e5[i]; }, inverse_scale, n_);
    const double error3 = relative_error([e3](int i) { return e3[i]; }, inverse_scale, n_);
    if (!(std::isfinite(error5) && std::isfinite(error3))) return std::numeric_limits<double>::infinity();
    const double denominator = std::sqrt(error5 * error5 + 0.01 * error3 * error3);
    return denominator > 0.0 ? std::abs(h) * error5 * (error5 / denominator) : 0.0;
  }

  /// The motion within the step that step_scaled() has just made, f, y, h and y_new as there, as the coefficients of a
  /// DensePolynomial.
  template <class RightHandSide>
  void write_polynomial(const RightHandSide& f, const double* y, double h, const double* y_new, double* coefficients) {
    double* const stage_y = stage_.data() + static_cast<std::size_t>(kStages) * n_;
    f(1.0, y_new, late_slope(kStages));
    for (int s = 0; s < kLate; ++s) {
      for (int i = 0; i < n_; ++i) stage_y[i] = kLateA[s][0] * slope(0)[i];
      for (int r = kFirstLate; r <= kStages + s; ++r) {
        const double factor = kLateA[s][r - kFirstLate + 1];
        if (factor != 0.0) dense::add_scaled(factor, late_slope(r), stage_y, n_);
      }
      for (int i = 0; i < n_; ++i) stage_y[i] = y[i] + h * stage_y[i];
      f(kLateC[s], stage_y, late_slope(kStages + 1 + s));
    }
    std::copy_n(y, n_, coefficients);
    for (int from = 0; from < n_; from += kChunk)
      write_terms(y, h, y_new, {from, std::min(kChunk, n_ - from)}, coefficients);
  }

  /// Factor for the next step size from the error of the last one.
  [[nodiscard]] static double step_factor(double error) {
    return std::clamp(0.9 * std::pow(std::max(error, 1e-30), -1.0 / 8.0), 0.2, 5.0);
  }

  void transfer(Archive& archive) { archive(n_, stage_); }

 private:
  /// Of one component: the slope of the whole step, and the two error estimates as slopes.
  struct Sums {
    double slope;
    double error5;
    double error3;
  };

  /// Stages 2 to 12; their slopes stand in slope(1) … slope(11).
  template <class RightHandSide>
  void stages(const RightHandSide& f, const double* y, double h) {
    double* const __restrict stage_y = stage_.data() + static_cast<std::size_t>(kStages) * n_;
    const double* const k = stage_.data();
    for (int s = 1; s < kStages; ++s) {
      // Stage s uses slopes 0, (1, 2 early on) and kFirstUsed[s] … s−1.
      const double* a = kA[s];
      // Component by component inside, so that the compiler makes vectors of it; the order of each sum is the same.
      for (int i = 0; i < n_; ++i) stage_y[i] = a[0] * k[i];
      int r = kFirstUsed[s];
      for (; r + 2 <= s; r += 2) {
        const double* const first = k + static_cast<std::size_t>(r) * n_;
        const double* const second = first + n_;
        const double factor = a[r], second_factor = a[r + 1];
        for (int i = 0; i < n_; ++i) stage_y[i] = stage_y[i] + factor * first[i] + second_factor * second[i];
      }
      if (r < s) dense::add_scaled(a[r], k + static_cast<std::size_t>(r) * n_, stage_y, n_);
      for (int i = 0; i < n_; ++i) stage_y[i] = y[i] + h * stage_y[i];
      f(kC[s], stage_y, slope(s));
    }
  }

  static constexpr int kChunk = 64;
  struct Chunk {
    int from, count;
  };
  /// y₀ + θ(whole + (1−θ)(first + θ(last + (1−θ)(c₀ + θ(c₁ + (1−θ)(c₂ + θ c₃)))))), by Legendre polynomials.
  void write_terms(const double* y, double h, const double* y_new, Chunk chunk, double* coefficients) {
    double c[4][kChunk];
    for (int k = 0; k < 4; ++k) {
      const double* const start = slope(0) + chunk.from;
      for (int i = 0; i < chunk.count; ++i) c[k][i] = kDenseD[k][0] * start[i];
      for (int r = kFirstLate; r <= kStages + kLate; ++r)
        dense::add_scaled(kDenseD[k][r - kFirstLate + 1], late_slope(r) + chunk.from, c[k], chunk.count);
    }
    const std::ptrdiff_t n = n_;
    const double* const begins = slope(0) + chunk.from;
    const double* const ends = late_slope(kStages) + chunk.from;
    double* const __restrict term = coefficients + n + chunk.from;
    for (int i = 0; i < chunk.count; ++i) {
      const double whole = y_new[chunk.from + i] - y[chunk.from + i], first = h * begins[i] - whole;
      const double last = whole - h * ends[i] - first;
      const double c0 = h * c[0][i], c1 = h * c[1][i], c2 = h * c[2][i], c3 = h * c[3][i];
      term[i] = whole;
      term[n + i] = -first - 0.5 * last - 0.2 * c0 - 0.1 * c1 - (3.0 / 70) * c2 - (3.0 / 140) * c3;
      term[2 * n + i] = -0.5 * last - (1.0 / 14) * c1 - (1.0 / 84) * c3;
      term[3 * n + i] = 0.2 * c0 + 0.1 * c1 + (1.0 / 15) * c2 + (1.0 / 30) * c3;
      term[4 * n + i] = (1.0 / 14) * c1 + (3.0 / 154) * c3;
      term[5 * n + i] = (-1.0 / 42) * c2 - (1.0 / 84) * c3;
      term[6 * n + i] = (-1.0 / 132) * c3;
      term[7 * n + i] = 0.0;
    }
  }

  [[nodiscard]] Sums sums_of(int i) const {
    Sums sums{kB[0] * slope(0)[i], kE5[0] * slope(0)[i], 0.0};
    for (int s = 5; s < kStages; ++s) {
      sums.slope += kB[s] * slope(s)[i];
      sums.error5 += kE5[s] * slope(s)[i];
    }
    sums.error3 = sums.slope - kE3[0] * slope(0)[i] - kE3[1] * slope(8)[i] - kE3[2] * slope(11)[i];
    return sums;
  }

  /// Slopes of stages kFirstLate to kStages + kLate; those after the step take the room of early ones, which only
  /// stages before them use.
  [[nodiscard]] double* late_slope(int s) { return slope(s < kStages ? s : s - kStages + 1); }
  [[nodiscard]] double* slope(int s) { return stage_.data() + static_cast<std::size_t>(s) * n_; }
  [[nodiscard]] const double* slope(int s) const { return stage_.data() + static_cast<std::size_t>(s) * n_; }

  static const double kC[kStages];
  static const double kA[kStages][kStages];
  /// The first slope after slope 0 that stage s uses.
  static constexpr int kFirstUsed[kStages] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3};
  static const double kB[kStages];
  static const double kE5[kStages];
  static const double kE3[3];
  /// The three stages after the end of the step, which is stage kStages: by slopes 0 and kFirstLate and those after.
  static constexpr int kLate = 3, kFirstLate = 5;
  static const double kLateC[kLate];
  static const double kLateA[kLate][kStages + kLate - kFirstLate + 1];
  static const double kDenseD[4][kStages + kLate - kFirstLate + 2];

  int n_ = 0;
  std::vector<double> stage_;
};

}  // namespace carom
