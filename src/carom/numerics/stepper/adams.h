#pragma once
/// Adams–Bashforth–Moulton of variable step and order 1 to 12, predict–evaluate–correct–evaluate: two evaluations a
/// step at any order, which makes it the cheapest of all for smooth motion at tight tolerances (MATLAB's ode113). The
/// corrector is one order above the predictor (local extrapolation).
///
/// The past is held as modified divided differences φ₁ … φ_{k+2} of the slopes, with ψ_i = h_n + … + h_{n+1−i} the sums
/// of the last steps. A step of size h scales them by β_i, predicts p = y + h Σ g_i β_i φ_i and corrects with the
/// difference d = f(p) − Σ β_i φ_i, which also estimates the errors of the orders k−2 to k. It begins at order 1 with
/// a small step and raises the order with every doubled step while that succeeds; a start after an event therefore
/// costs some twenty evaluations more than one of a Runge–Kutta method.
///
/// Source: Shampine & Gordon, Computer Solution of Ordinary Differential Equations, 1975, chapters 5 to 7 and routine
/// STEP. Three departures: the norm is the maximum; a rejected step keeps its order and shrinks as its error says,
/// rather than by halves, so that nothing remains of it; the start phase ends with the first step that is not doubled.

#include <array>

#include "carom/numerics/stepper/stepper.h"

namespace carom {

class Adams final : public Stepper {
 public:
  static constexpr int kMaxOrder = 12;

  /// `max_order`: 1 to 12, the order that it does not exceed.
  explicit Adams(int max_order = kMaxOrder) : max_order_(max_order) {}

  [[nodiscard]] double proposed_step() const override;
  [[nodiscard]] int order() const override { return order_; }

 private:
  /// Estimated errors relative to the scale, had the last steps been of size h and of this order.
  struct OrderErrors {
    double two_below = 0.0;
    double below = 0.0;
    double here = 0.0;
  };
  /// What follows if the tried step is accepted; `step` also if not.
  struct Plan {
    int order = 1;
    double step = 0.0;
    bool starting = true;
  };
  /// Of index i = 1 … kMaxOrder + 1, as in the source; entry 0 is not used.
  using Coefficients = std::array<double, kMaxOrder + 2>;

  [[nodiscard]] std::unique_ptr<Stepper> copy() const override { return std::make_unique<Adams>(*this); }
  void transfer_history(Archive& archive) override;
  void begin() override;
  double try_step(double h) override;
  void keep() override;

  /// ψ, β, g and σ of a step of size h after the steps that are kept.
  void prepare(double h);
  void predict(double h);
  [[nodiscard]] OrderErrors order_errors(double h) const;
  /// The error of the next order, once the corrected slope stands; told only by steps of one size.
  [[nodiscard]] double error_above(double h) const;
  [[nodiscard]] Plan plan_after_success(double h, const OrderErrors& errors) const;

  [[nodiscard]] double* difference(int i) { return storage_.data() + static_cast<std::size_t>(i - 1) * n_; }
  [[nodiscard]] const double* difference(int i) const { return storage_.data() + static_cast<std::size_t>(i - 1) * n_; }
  [[nodiscard]] double* predicted_slope() { return difference(kMaxOrder + 3); }
  [[nodiscard]] const double* predicted_slope() const { return difference(kMaxOrder + 3); }
  [[nodiscard]] double* predicted_y() { return difference(kMaxOrder + 4); }

  int max_order_;
  int order_ = 1;
  bool starting_ = true;
  int equal_steps_ = 0;     ///< accepted steps of size last_step_ in a row
  double last_step_ = 0.0;  ///< 0 after a start
  Coefficients step_sums_{};

  double tried_step_ = 0.0;  ///< 0 after a start
  int tried_equal_steps_ = 0;
  int prepared_order_ = 0;  ///< for which the coefficients of equal steps stand, 0: for none
  double prepared_step_ = 0.0;
  Coefficients tried_sums_{}, beta_{}, g_{}, sigma_{};
  Plan plan_;

  std::vector<double> storage_;  ///< φ₁ … φ_{kMaxOrder+2}, then Σ β_i φ_i and the predicted point, n each
};

}  // namespace carom
