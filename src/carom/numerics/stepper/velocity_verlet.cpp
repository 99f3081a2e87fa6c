#include "carom/numerics/stepper/velocity_verlet.h"

#include <limits>

#include "carom/numerics/dense.h"
#include "carom/numerics/stepper/relative_error.h"

namespace carom {

void VelocityVerlet::begin() {
  dense::ensure(predicted_, n_);
}

double VelocityVerlet::try_step(double h) {
  const int n = n_;
  const int m = positions_;
  const double half = 0.5 * h;
  const double* const y = y_.data();
  const double* const slope = slope_.data();
  const double* const acceleration = slope + m;
  double* const __restrict predicted = predicted_.data();
  double* const __restrict result = trial_y_.data();
  double* const __restrict new_slope = trial_slope_.data();

  for (int i = 0; i < m; ++i) predicted[i] = y[i] + h * (y[m + i] + half * acceleration[i]);
  for (int i = m; i < n; ++i) predicted[i] = y[i] + h * slope[i];
  evaluate(trial_time_, predicted, new_slope);
  for (int i = 0; i < m; ++i) result[i] = predicted[i];
  for (int i = m; i < n; ++i) result[i] = y[i] + half * (slope[i] + new_slope[i]);
  for (int i = 0; i < m; ++i) new_slope[i] = result[m + i];
  return all_finite(new_slope, n) ? 0.0 : std::numeric_limits<double>::infinity();
}

void VelocityVerlet::transfer_history(Archive& archive) {
  archive(predicted_);
}

}  // namespace carom
