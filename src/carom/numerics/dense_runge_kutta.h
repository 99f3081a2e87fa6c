#pragma once
/// Steps of order 8 (dormand_prince_853.h) with the motion within them as a polynomial of order 7: what
/// GaussCollocation does, at a fixed price of sixteen evaluations a step. For tolerances that do not ask for the energy
/// to the last digit, and for quick motions: a chain waves so fast that the iteration of the collocation takes a
/// hundred of them.

#include <cmath>
#include <vector>

#include "carom/numerics/dense_polynomial.h"
#include "carom/numerics/dormand_prince_853.h"

namespace carom {

class DenseRungeKutta {
 public:
  /// For n components, each with unit scale.
  void resize(int n) {
    n_ = n;
    method_.resize(n);
    scale_.assign(static_cast<std::size_t>(n), 1.0);
    inverse_scale_.resize(static_cast<std::size_t>(n));
    coefficients_.resize(static_cast<std::size_t>(DensePolynomial::size(n)));
  }
  /// The error of component i is weighed against tolerance·(scale_i + |y_i|).
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  void set_scale(const double* scale) { scale_.assign(scale, scale + n_); }

  /// One step of size h from (t, y); f is called as f(double t, const double* y, double* slope). `y_new` is another
  /// place than y. Returns the error: at most 1 where the step may be accepted, which has a polynomial then; infinite
  /// where f is not finite.
  template <class RightHandSide>
  double step(const RightHandSide& f, double t, const double* y, double h, double* y_new) {
    for (int i = 0; i < n_; ++i) inverse_scale_[i] = 1.0 / (tolerance_ * (scale_[i] + std::abs(y[i])));
    const auto at = [&](double c, const double* state, double* slope) { f(t + c * h, state, slope); };
    at(0.0, y, method_.first_slope());
    const double error = method_.step_scaled(at, y, h, y_new, inverse_scale_.data());
    if (!(error <= 1.0)) return error;
    start_ = t;
    step_ = h;
    method_.write_polynomial(at, y, h, y_new, coefficients_.data());
    // The end of the polynomial, to the bit.
    for (int i = 0; i < n_; ++i) y_new[i] = y[i] + coefficients_[n_ + i];
    return error;
  }

  /// The motion during the last step that was good; valid until the next step() or resize().
  [[nodiscard]] DensePolynomial dense() const { return {coefficients_.data(), n_, start_, step_}; }

  /// Factor for the next step size from the error of the last step.
  [[nodiscard]] static double step_factor(double error) { return DormandPrince853::step_factor(error); }

 private:
  int n_ = 0;
  double tolerance_ = 1e-13, start_ = 0.0, step_ = 0.0;
  DormandPrince853 method_;
  std::vector<double> scale_, inverse_scale_, coefficients_;
};

}  // namespace carom
