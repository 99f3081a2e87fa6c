#pragma once
/// The explicit Runge–Kutta pair 5(4) by Dormand and Prince, the method of MATLAB's ode45: seven stages, of which the
/// last is the first of the next step, so six evaluations a step. The result of order 5 is carried on (local
/// extrapolation); the step follows a PI controller, which avoids rejected steps where stability bounds the size.
///
/// Where the system tells what of it is quick (StiffPart), and the step that accuracy allows is much longer than an
/// explicit method could take, the step is an implicit one of the same orders (implicit_step.h). Which of the two
/// follows from the size of the step and the rate at its beginning alone.
///
/// Source: Dormand & Prince, A family of embedded Runge–Kutta formulae, J. Comput. Appl. Math. 6 (1980) 19–26; the
/// controller and its constants from Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations II, section IV.2
/// (DOPRI5).

#include "carom/numerics/stepper/implicit_step.h"
#include "carom/numerics/stepper/stepper.h"

namespace carom {

class DormandPrince final : public Stepper {
 public:
  [[nodiscard]] double proposed_step() const override;
  [[nodiscard]] int order() const override { return 5; }
  [[nodiscard]] bool passed_over() const override;

 private:
  [[nodiscard]] std::unique_ptr<Stepper> copy() const override { return std::make_unique<DormandPrince>(*this); }
  void transfer_history(Archive& archive) override;
  void begin() override;
  double try_step(double h) override;
  void keep() override;
  void prefetch_more() const override {
    carom::prefetch(this, sizeof *this);
    prefetch_elements(storage_);
  }

  double try_explicit(double h);
  double try_implicit(double h);
  /// The quickest rate where a step of this size begins; 0: not known. Of steps that are much shorter than it allows,
  /// the one that was seen some steps before.
  double quickest_rate(double h);
  /// Of a size that accuracy allows after the tried step, the one to take.
  [[nodiscard]] double affordable(double h) const;

  double tried_step_ = 0.0;       ///< 0 after a start
  double error_ = 0.0;            ///< of the tried step
  double error_before_ = 0.0;     ///< of the last accepted step, for the controller
  double reference_error_ = 0.0;  ///< the one that the proposal after the tried step refers to
  double rate_ = -1.0;            ///< of this point; negative: not asked for yet
  double seen_rate_ = -1.0;       ///< that of an earlier one; negative: too old
  int steps_since_seen_ = 0;
  double tried_rate_ = 0.0;  ///< that of the tried step, and whether it is of this point
  bool tried_here_ = false;
  ImplicitStep implicit_;
  std::vector<double> storage_;  ///< k₂ … k₆ and the argument of the stage, n each
};

}  // namespace carom
