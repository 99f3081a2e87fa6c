#include "carom/numerics/stepper/stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/assert.h"
#include "carom/numerics/dense.h"

namespace carom {

std::unique_ptr<Stepper> Stepper::clone(OdeSystem& system) const {
  std::unique_ptr<Stepper> other = copy();
  if (other->system_ != nullptr) other->system_ = &system;
  return other;
}

void Stepper::start(OdeSystem& system, double time, std::span<const double> y, std::span<const double> scale) {
  system_ = &system;
  n_ = system.size();
  positions_ = system.position_count();
  CAROM_ASSERT(y.size() == size() && scale.size() == size() && 2 * positions_ <= n_);
  for (std::vector<double>* storage : {&y_, &slope_, &trial_y_, &trial_slope_, &inverse_scale_})
    dense::ensure(*storage, size());
  time_ = time;
  tried_ = false;
  std::copy(y.begin(), y.end(), y_.begin());
  for (int i = 0; i < n_; ++i) inverse_scale_[i] = 1.0 / scale[i];
  evaluate(time_, y_.data(), slope_.data());
  begin();
}

double Stepper::attempt(double h) {
  CAROM_ASSERT(system_ != nullptr && h != 0.0);
  trial_time_ = time_ + h;
  tried_ = true;
  return try_step(h);
}

void Stepper::accept() {
  CAROM_ASSERT(tried_);
  keep();
  y_.swap(trial_y_);
  slope_.swap(trial_slope_);
  time_ = trial_time_;
  tried_ = false;
}

void Stepper::nudge_trial(std::span<const double> y) {
  CAROM_ASSERT(tried_ && y.size() == size());
  std::copy(y.begin(), y.end(), trial_y_.begin());
}

void Stepper::replace_trial(std::span<const double> y) {
  nudge_trial(y);
  evaluate(trial_time_, trial_y_.data(), trial_slope_.data());
}

double Stepper::first_step(int order) const {
  double by_motion = std::numeric_limits<double>::infinity();  // the least of h^(p+1)
  double by_fall = by_motion;                                  // the least of h²
  for (int i = 0; i < positions_; ++i) {
    const double weight = inverse_scale_[i];
    const double acceleration = std::abs(slope_[positions_ + i]);
    if (!(weight > 0.0 && acceleration > 0.0)) continue;
    const double time_scale = std::abs(slope_[i]) / acceleration;
    by_fall = std::min(by_fall, 2.0 / (weight * acceleration));
    by_motion = std::min(by_motion, std::pow(time_scale, order - 1) / (weight * acceleration));
  }
  return std::max(std::pow(by_motion, 1.0 / (order + 1)), std::sqrt(by_fall));
}

void Stepper::transfer(Archive& archive, OdeSystem& system) {
  bool started = system_ != nullptr;
  archive(started, n_, positions_, time_, trial_time_, y_, slope_, trial_y_, trial_slope_, inverse_scale_, tried_,
          evaluations_);
  if (archive.loads()) system_ = started ? &system : nullptr;
  transfer_history(archive);
}

}  // namespace carom
