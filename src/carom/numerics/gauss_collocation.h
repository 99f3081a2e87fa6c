#pragma once
/// Gauss–Legendre collocation with eight stages for ẏ = f(t, y): order 16 at the ends of a step, dense output of order
/// 8 between them, symplectic and symmetric, so that energy and momenta do not drift but for round-off.
///
/// The stages Y_i = y₀ + h Σ_j A_ij f(t₀ + c_j h, Y_j) are solved by fixed-point (Gauss–Seidel) iteration to round-off,
/// starting from the polynomial of the step before where this one continues it: for motions that are not stiff, with
/// h·|∂f/∂y| below about 1. The sum y₁ = y₀ + h Σ b_j f_j is compensated across steps that follow each other.
///
/// Steps are chosen so that the dense output is as good as the tolerance (the ends are far better then): its error is
/// the first missing term of the polynomial, h |a_8| max|I_8|, which is extrapolated from the last ones present.
///
/// Sources: Hairer, Lubich & Wanner, Geometric Numerical Integration, 2nd edition, sections II.1.3 and VIII.6; Hairer,
/// McLachlan & Razakarivony 2008 (iteration to round-off and compensation).

#include <cmath>
#include <vector>

#include "carom/base/archive.h"
#include "carom/numerics/dense_polynomial.h"
#include "carom/numerics/larger.h"

namespace carom {

struct CollocationResult {
  bool converged = false;  ///< the iteration reached round-off; otherwise y_new and the polynomial mean nothing
  int iterations = 0;
  double error = 0.0;  ///< weighted error of the dense output: at most 1 where the step may be accepted
};

class GaussCollocation {
 public:
  static constexpr int kStages = DensePolynomial::kTerms;
  static constexpr int kMaxIterations = 60;

  /// For n components, each with unit scale; forgets earlier steps.
  void resize(int n);
  /// The error of component i is weighed against tolerance·(scale_i + |y_i|); default 1e-13 and 1.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// The iteration ends when it changes less than this part of the tolerance; default 0: at round-off only.
  void set_enough(double part) { enough_ = part; }
  void set_scale(const double* scale) { scale_.assign(scale, scale + n_); }

  /// One step of size h (of either sign) from (t, y); f is called as f(double t, const double* y, double* slope).
  /// `y_new` may be y. A slope that is not finite makes the iteration fail, never the program.
  template <class RightHandSide>
  CollocationResult step(RightHandSide&& f, double t, const double* y, double h, double* y_new);

  /// The motion during the last step that converged; valid until the next step() or resize().
  [[nodiscard]] DensePolynomial dense() const { return {coefficients_.data(), n_, start_, step_}; }

  /// Factor for the next step size from the result of the last one.
  [[nodiscard]] static double step_factor(const CollocationResult& result);
  /// Evaluations of f since resize().
  [[nodiscard]] long evaluations() const { return evaluations_; }

  /// The last step, from which the next one begins, into an archive or back.
  void transfer(Archive& archive);

 private:
  [[nodiscard]] double* slope(int i) { return slope_.data() + static_cast<long>(i) * n_; }
  /// Sets the scratch up for a step from y: y₀, weights, and first guesses of the slopes where the polynomial at hand
  /// begins or ends here. Returns whether there were any.
  bool begin(double t, const double* y, double h);
  void guess_constant(const double* first_slope);
  void stage_value(int i, double h);
  /// Puts the new slope of stage i in place; returns the weighted size of the change.
  double replace_slope(int i, double h);
  /// The polynomial, y_new and the error, from converged slopes.
  double finish(double t, double h, double* y_new);

  enum class Iteration { converged, failed };
  template <class RightHandSide>
  Iteration iterate(RightHandSide&& f, double t, double h, int& iterations);

  static const double kNodes[kStages];
  static const double kA[kStages][kStages];
  static const double kToLegendre[kStages][kStages];

  int n_ = 0;
  double tolerance_ = 1e-13, enough_ = 0.0;
  double start_ = 0.0, step_ = 0.0;
  bool has_polynomial_ = false;
  long evaluations_ = 0;
  std::vector<double> scale_;
  std::vector<double> slope_;                   // K: kStages×n
  std::vector<double> coefficients_;            // of the last polynomial
  std::vector<double> before_, after_, carry_;  // y₀ and y₁ of the last step, what rounding took from y₁
  std::vector<double> weight_, stage_, new_slope_;
};

template <class RightHandSide>
GaussCollocation::Iteration GaussCollocation::iterate(RightHandSide&& f, double t, double h, int& iterations) {
  // Round-off is reached when the change is that small and no longer shrinks.
  const double enough = enough_ * tolerance_;
  const double round_off = 0.01 * tolerance_ > 1e-14 ? 0.01 * tolerance_ : 1e-14;
  double last_change = 0.0;
  int growing = 0;
  for (int k = 0; k < kMaxIterations; ++k) {
    double change = 0.0;
    for (int i = 0; i < kStages; ++i) {
      stage_value(i, h);
      f(t + kNodes[i] * h, static_cast<const double*>(stage_.data()), new_slope_.data());
      ++evaluations_;
      change = larger_or_nan(change, replace_slope(i, h));
    }
    ++iterations;
    if (!std::isfinite(change)) return Iteration::failed;
    if (change == 0.0 || change <= enough) return Iteration::converged;
    if (k > 0 && change >= last_change) {
      if (change <= round_off) return Iteration::converged;
      if (++growing > 1) return Iteration::failed;
    }
    last_change = change;
  }
  return Iteration::failed;
}

template <class RightHandSide>
CollocationResult GaussCollocation::step(RightHandSide&& f, double t, const double* y, double h, double* y_new) {
  CollocationResult result;
  const bool guessed = begin(t, y, h);
  Iteration iteration = Iteration::failed;
  if (guessed) iteration = iterate(f, t, h, result.iterations);
  if (iteration == Iteration::failed) {
    f(t, static_cast<const double*>(before_.data()), new_slope_.data());
    ++evaluations_;
    guess_constant(new_slope_.data());
    iteration = iterate(f, t, h, result.iterations);
  }
  result.converged = iteration == Iteration::converged;
  if (!result.converged) {
    has_polynomial_ = false;
    return result;
  }
  result.error = finish(t, h, y_new);
  return result;
}

}  // namespace carom
