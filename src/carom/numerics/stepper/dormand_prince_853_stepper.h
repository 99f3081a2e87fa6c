#pragma once
/// The eighth-order method of numerics/dormand_prince_853.h as a stepper, for tight tolerances: twelve evaluations a
/// step. The slope at the end of a step is the first of the next.

#include "carom/numerics/dormand_prince_853.h"
#include "carom/numerics/stepper/stepper.h"

namespace carom {

class DormandPrince853Stepper final : public Stepper {
 public:
  [[nodiscard]] double proposed_step() const override;
  [[nodiscard]] int order() const override { return 8; }

 private:
  [[nodiscard]] std::unique_ptr<Stepper> copy() const override {
    return std::make_unique<DormandPrince853Stepper>(*this);
  }
  void transfer_history(Archive& archive) override;
  void begin() override;
  double try_step(double h) override;

  double tried_step_ = 0.0;  ///< 0 after a start
  double error_ = 0.0;
  DormandPrince853 method_;
};

}  // namespace carom
