#include "carom/numerics/stepper/dormand_prince.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/dense.h"
#include "carom/numerics/stepper/relative_error.h"

namespace carom {
namespace {

/// Explicit steps of more than this many of the quickest time constants are not stable (3.3 on the negative real axis,
/// 1 on the imaginary one, StiffPart), and implicit ones, which cost more, pay from the other on.
constexpr double kExplicitMost = 2.5, kImplicitLeast = 4.0;
/// Steps after which the rate is looked at again where steps are shorter than this part of what it allows.
constexpr int kLookAtRate = 8;
constexpr double kFarFromIt = 0.5;

constexpr double kNoError = 1e-4;  // errors below count as this much: one lucky step says little about the next

// Nodes c, stages a, weights b (those of stage 7 too) and the differences e = b − b̂ of the pair.
constexpr double kC2 = 1.0 / 5, kC3 = 3.0 / 10, kC4 = 4.0 / 5, kC5 = 8.0 / 9;
constexpr double kA21 = 1.0 / 5;
constexpr double kA31 = 3.0 / 40, kA32 = 9.0 / 40;
constexpr double kA41 = 44.0 / 45, kA42 = -56.0 / 15, kA43 = 32.0 / 9;
constexpr double kA51 = 19372.0 / 6561, kA52 = -25360.0 / 2187, kA53 = 64448.0 / 6561, kA54 = -212.0 / 729;
constexpr double kA61 = 9017.0 / 3168, kA62 = -355.0 / 33, kA63 = 46732.0 / 5247, kA64 = 49.0 / 176,
                 kA65 = -5103.0 / 18656;
constexpr double kB1 = 35.0 / 384, kB3 = 500.0 / 1113, kB4 = 125.0 / 192, kB5 = -2187.0 / 6784, kB6 = 11.0 / 84;
constexpr double kE1 = 71.0 / 57600, kE3 = -71.0 / 16695, kE4 = 71.0 / 1920, kE5 = -17253.0 / 339200, kE6 = 22.0 / 525,
                 kE7 = -1.0 / 40;

}  // namespace

void DormandPrince::begin() {
  dense::ensure(storage_, 6 * static_cast<std::size_t>(n_));
  tried_step_ = 0.0;
  error_before_ = kNoError;
  rate_ = seen_rate_ = -1.0;
  if (system().stiff_part() != nullptr) implicit_.reserve(n_);
}

double DormandPrince::quickest_rate(double h) {
  tried_here_ = !(seen_rate_ >= 0.0 && std::abs(h) * seen_rate_ < kFarFromIt * kExplicitMost);
  if (!tried_here_) return seen_rate_;
  if (rate_ >= 0.0) return rate_;
  StiffPart* const part = system().stiff_part();
  const double rate = part != nullptr ? part->quickest_rate(time_, y_.data()) : 0.0;
  rate_ = std::isfinite(rate) ? rate : 0.0;
  return rate_;
}

double DormandPrince::try_step(double h) {
  tried_rate_ = quickest_rate(h);
  tried_step_ = h;
  error_ = passed_over() ? try_implicit(h) : try_explicit(h);
  reference_error_ = error_before_;
  return error_;
}

bool DormandPrince::passed_over() const {
  return std::abs(tried_step_) * tried_rate_ > kExplicitMost;
}

double DormandPrince::try_implicit(double h) {
  const double error = implicit_.take({system(), n_, time_, y_.data(), slope_.data(), inverse_scale_.data()}, h,
                                      trial_y_.data(), trial_slope_.data());
  count_evaluations(implicit_.evaluations());
  return error;
}

double DormandPrince::try_explicit(double h) {
  const int n = n_;
  const double t = time_;
  const double* const y = y_.data();
  const double* const k1 = slope_.data();
  double* const __restrict k2 = storage_.data();
  double* const __restrict k3 = k2 + n;
  double* const __restrict k4 = k3 + n;
  double* const __restrict k5 = k4 + n;
  double* const __restrict k6 = k5 + n;
  double* const __restrict stage = k6 + n;
  double* const __restrict result = trial_y_.data();
  double* const __restrict k7 = trial_slope_.data();

  for (int i = 0; i < n; ++i) stage[i] = y[i] + h * (kA21 * k1[i]);
  evaluate(t + kC2 * h, stage, k2);
  for (int i = 0; i < n; ++i) stage[i] = y[i] + h * (kA31 * k1[i] + kA32 * k2[i]);
  evaluate(t + kC3 * h, stage, k3);
  for (int i = 0; i < n; ++i) stage[i] = y[i] + h * (kA41 * k1[i] + kA42 * k2[i] + kA43 * k3[i]);
  evaluate(t + kC4 * h, stage, k4);
  for (int i = 0; i < n; ++i) stage[i] = y[i] + h * (kA51 * k1[i] + kA52 * k2[i] + kA53 * k3[i] + kA54 * k4[i]);
  evaluate(t + kC5 * h, stage, k5);
  for (int i = 0; i < n; ++i)
    stage[i] = y[i] + h * (kA61 * k1[i] + kA62 * k2[i] + kA63 * k3[i] + kA64 * k4[i] + kA65 * k5[i]);
  evaluate(trial_time_, stage, k6);
  for (int i = 0; i < n; ++i)
    result[i] = y[i] + h * (kB1 * k1[i] + kB3 * k3[i] + kB4 * k4[i] + kB5 * k5[i] + kB6 * k6[i]);
  evaluate(trial_time_, result, k7);

  const auto error = [=](int i) {
    return kE1 * k1[i] + kE3 * k3[i] + kE4 * k4[i] + kE5 * k5[i] + kE6 * k6[i] + kE7 * k7[i];
  };
  return std::abs(h) * relative_error(error, inverse_scale_.data(), n);
}

void DormandPrince::keep() {
  error_before_ = std::max(error_, kNoError);
  if (tried_here_) {
    seen_rate_ = tried_rate_;
    steps_since_seen_ = 0;
  } else if (++steps_since_seen_ == kLookAtRate) {
    seen_rate_ = -1.0;
  }
  rate_ = -1.0;
}

double DormandPrince::affordable(double h) const {
  const double times = std::abs(h) * tried_rate_;
  return times > kExplicitMost && times < kImplicitLeast ? h * (kExplicitMost / times) : h;
}

double DormandPrince::proposed_step() const {
  if (tried_step_ == 0.0) return first_step(5);
  constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 10.0;
  constexpr double kIntegral = 0.04, kProportional = 0.2 - 0.75 * kIntegral;
  if (!std::isfinite(error_)) return affordable(tried_step_ * kLeast);
  if (error_ == 0.0) return affordable(tried_step_ * kMost);
  const double factor = kSafety * std::pow(error_, -kProportional);
  if (error_ > 1.0) return affordable(tried_step_ * std::clamp(factor, kLeast, kSafety));
  return affordable(tried_step_ * std::clamp(factor * std::pow(reference_error_, kIntegral), kLeast, kMost));
}

void DormandPrince::transfer_history(Archive& archive) {
  archive(tried_step_, error_, error_before_, reference_error_, rate_, seen_rate_, steps_since_seen_, tried_rate_,
          tried_here_, implicit_, storage_);
}

}  // namespace carom
