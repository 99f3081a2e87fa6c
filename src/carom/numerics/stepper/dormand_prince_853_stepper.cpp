#include "carom/numerics/stepper/dormand_prince_853_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

void DormandPrince853Stepper::begin() {
  method_.resize(n_);
  tried_step_ = 0.0;
}

double DormandPrince853Stepper::try_step(double h) {
  std::copy_n(slope_.data(), n_, method_.first_slope());
  const auto f = [this, h](double c, const double* y, double* slope) {
    evaluate(c == 1.0 ? trial_time_ : time_ + c * h, y, slope);
  };
  tried_step_ = h;
  error_ = method_.step_scaled(f, y_.data(), h, trial_y_.data(), inverse_scale_.data());
  evaluate(trial_time_, trial_y_.data(), trial_slope_.data());
  if (!all_finite(trial_slope_.data(), n_)) error_ = std::numeric_limits<double>::infinity();
  return error_;
}

double DormandPrince853Stepper::proposed_step() const {
  if (tried_step_ == 0.0) return first_step(8);
  return tried_step_ * DormandPrince853::step_factor(error_);
}

void DormandPrince853Stepper::transfer_history(Archive& archive) {
  archive(tried_step_, error_, method_);
}

}  // namespace carom
