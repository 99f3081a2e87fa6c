#pragma once
/// One step of a diagonally implicit Runge–Kutta pair of orders 5(4) for stiff systems: seven stages, of which the
/// first is the slope that is known and the last the slope at the end. L-stable and stiffly accurate: what is quicker
/// than the step is at its end where it comes to rest, as it should.
///
/// Stage i solves k = f(t + c_i h, y + h Σ_{j<i} a_ij k_j + hγ k). Newton's method with a linear map S near ∂f/∂y,
/// taken once for the whole step: k grows by (1 − hγS)⁻¹ (f − k). Its first guess is the polynomial through the stages
/// before. It ends when what is still to come, judged by how quickly it shrinks, is a small part of the tolerance.
///
/// Source: Kennedy & Carpenter, Diagonally implicit Runge–Kutta methods for ordinary differential equations. A review,
/// NASA/TM-2016-219173, 2016: ESDIRK5(4)7L[2]SA2.

#include <vector>

#include "carom/numerics/stepper/stepper.h"

namespace carom {

class ImplicitStep {
 public:
  /// Where the step begins: the system with its stiff part, and what the stepper keeps of it.
  struct Start {
    OdeSystem& system;
    int n;
    double time;
    const double* y;
    const double* slope;
    const double* inverse_scale;
  };

  /// Makes room for n components.
  void reserve(int n);

  /// Writes the point and the slope at the end of a step of size h. Returns the estimated error relative to the scale;
  /// infinite where the stages are not found.
  double take(const Start& start, double h, double* result, double* result_slope);

  /// Evaluations of the right-hand side in the last step.
  [[nodiscard]] long evaluations() const { return evaluations_; }

  void transfer(Archive& archive) { archive(n_, evaluations_, rate_, storage_); }

 private:
  bool find_stage(const Start& start, double h, int stage);
  void guess(const Start& start, int stage);
  [[nodiscard]] double* slope_of(int stage) { return storage_.data() + static_cast<std::size_t>(stage) * n_; }

  std::size_t n_ = 0;
  long evaluations_ = 0;
  double rate_ = 1.0;            ///< at which the last iteration shrank
  std::vector<double> storage_;  ///< the slopes of the stages, then base, argument and residual of the present one
};

}  // namespace carom
