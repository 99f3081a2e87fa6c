#include "carom/numerics/stepper/adams.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/numerics/dense.h"
#include "carom/numerics/stepper/relative_error.h"

namespace carom {
namespace {

// |γ*_i|, the error constants of the Adams–Moulton formulas of equal steps.
constexpr double kMoultonError[] = {1.0,    0.5,     0.0833,  0.0417,  0.0264,  0.0188,  0.0143,
                                    0.0114, 0.00936, 0.00789, 0.00679, 0.00592, 0.00524, 0.00468};
constexpr double kAim = 0.5;  // the error that a step aims at, of the 1 that it may make

}  // namespace

void Adams::begin() {
  dense::ensure(storage_, static_cast<std::size_t>(n_) * (kMaxOrder + 4));
  order_ = 1;
  starting_ = true;
  equal_steps_ = 0;
  last_step_ = 0.0;
  tried_step_ = 0.0;
  prepared_order_ = 0;
  std::copy_n(slope_.data(), n_, difference(1));
  std::fill_n(difference(2), n_, 0.0);
}

void Adams::prepare(double h) {
  const int k = order_;
  tried_equal_steps_ = h == last_step_ ? equal_steps_ + 1 : 1;
  const bool all_equal = tried_equal_steps_ > k;
  if (all_equal && prepared_order_ == k && prepared_step_ == h) return;
  prepared_order_ = all_equal ? k : 0;
  prepared_step_ = h;

  double alpha[kMaxOrder + 2];
  tried_sums_[1] = h;
  beta_[1] = 1.0;
  alpha[1] = 1.0;
  sigma_[1] = 1.0;
  sigma_[2] = 1.0;
  for (int i = 2; i <= k; ++i) {
    tried_sums_[i] = step_sums_[i - 1] + h;
    beta_[i] = beta_[i - 1] * (tried_sums_[i - 1] / step_sums_[i - 1]);
    alpha[i] = h / tried_sums_[i];
    sigma_[i + 1] = i * alpha[i] * sigma_[i];
  }
  // g_i = c_{i,1} with c_{1,q} = 1/q, c_{2,q} = 1/(q(q+1)), c_{i,q} = c_{i−1,q} − α_{i−1} c_{i−1,q+1}.
  double c[kMaxOrder + 2];
  for (int q = 1; q <= k; ++q) c[q] = 1.0 / (q * (q + 1));
  g_[1] = 1.0;
  g_[2] = 0.5;
  for (int i = 3; i <= k + 1; ++i) {
    for (int q = 1; q <= k + 2 - i; ++q) c[q] -= alpha[i - 1] * c[q + 1];
    g_[i] = c[1];
  }
}

void Adams::predict(double h) {
  const int n = n_;
  const double* const y = y_.data();
  double* const __restrict slope = predicted_slope();
  double* const __restrict point = predicted_y();
  std::fill_n(slope, n, 0.0);
  std::fill_n(point, n, 0.0);
  for (int i = order_; i >= 1; --i) {  // from the smallest to the largest
    const double beta = beta_[i];
    const double weight = g_[i] * beta;
    const double* const phi = difference(i);
    for (int l = 0; l < n; ++l) {
      point[l] += weight * phi[l];
      slope[l] += beta * phi[l];
    }
  }
  for (int l = 0; l < n; ++l) point[l] = y[l] + h * point[l];
}

Adams::OrderErrors Adams::order_errors(double h) const {
  const int k = order_;
  const double size = std::abs(h);
  const double* const w = inverse_scale_.data();
  const double* const f = trial_slope_.data();
  const double* const f0 = predicted_slope();
  const double* const last = difference(k);
  const double beta = beta_[k];
  OrderErrors errors;
  errors.here = size * sigma_[k + 1] * kMoultonError[k] * relative_error([=](int l) { return f[l] - f0[l]; }, w, n_);
  if (k > 1)
    errors.below = size * sigma_[k] * kMoultonError[k - 1] *
                   relative_error([=](int l) { return f[l] - f0[l] + beta * last[l]; }, w, n_);
  if (k > 2) {
    const double* const last_but_one = difference(k - 1);
    const double beta_below = beta_[k - 1];
    const auto two_below = [=](int l) { return f[l] - f0[l] + beta * last[l] + beta_below * last_but_one[l]; };
    errors.two_below = size * sigma_[k - 1] * kMoultonError[k - 2] * relative_error(two_below, w, n_);
  }
  return errors;
}

double Adams::error_above(double h) const {
  const double* const f = trial_slope_.data();
  const double* const f0 = predicted_slope();
  const double* const next = difference(order_ + 1);
  return std::abs(h) * kMoultonError[order_ + 1] *
         relative_error([=](int l) { return f[l] - f0[l] - next[l]; }, inverse_scale_.data(), n_);
}

Adams::Plan Adams::plan_after_success(double h, const OrderErrors& errors) const {
  const int k = order_;
  const bool doubled = last_step_ == 0.0 || std::abs(h) >= 2.0 * std::abs(last_step_);
  const bool lower = errors.here > 0.0 && ((k > 2 && std::max(errors.below, errors.two_below) <= errors.here) ||
                                           (k == 2 && errors.below <= 0.5 * errors.here));
  Plan plan{.order = k, .step = h, .starting = starting_ && doubled && !lower && k < max_order_};
  double error = errors.here;
  if (plan.starting) {
    plan.order = k + 1;
    plan.step = 2.0 * h;
    return plan;
  }
  if (lower) {
    plan.order = k - 1;
    error = errors.below;
  } else if (errors.here > 0.0 && k < tried_equal_steps_) {
    const double above = error_above(h);
    if (k > 1 && errors.below <= std::min(errors.here, above)) {
      plan.order = k - 1;
      error = errors.below;
    } else if (k < max_order_ && above < (k > 1 ? 1.0 : 0.5) * errors.here) {
      plan.order = k + 1;
      error = above;
    }
  }
  if (error * std::ldexp(1.0, plan.order + 1) <= kAim)
    plan.step = 2.0 * h;
  else if (error > kAim)
    plan.step = h * std::clamp(std::pow(kAim / error, 1.0 / (plan.order + 1)), 0.5, 0.9);
  return plan;
}

double Adams::try_step(double h) {
  const int n = n_;
  const int k = order_;
  tried_step_ = h;
  prepare(h);
  predict(h);
  const double* const point = predicted_y();
  const double* const f0 = predicted_slope();
  double* const __restrict slope = trial_slope_.data();
  double* const __restrict result = trial_y_.data();
  evaluate(trial_time_, point, slope);
  const OrderErrors errors = order_errors(h);
  const double error = errors.here * std::abs((g_[k] - g_[k + 1]) / (sigma_[k + 1] * kMoultonError[k]));
  const double correction = h * g_[k + 1];
  for (int l = 0; l < n; ++l) result[l] = point[l] + correction * (slope[l] - f0[l]);
  evaluate(trial_time_, result, slope);

  const bool finite = std::isfinite(error) && all_finite(slope, n);
  if (finite && error <= 1.0) {
    plan_ = plan_after_success(h, errors);
    return error;
  }
  plan_ = {.order = k, .step = 0.1 * h, .starting = false};
  if (!finite) return std::numeric_limits<double>::infinity();
  plan_.step = h * std::clamp(std::pow(kAim / error, 1.0 / (k + 1)), 0.1, 0.7);
  return error;
}

void Adams::keep() {
  const int n = n_;
  const int k = order_;
  const double* const slope = trial_slope_.data();
  const double* const f0 = predicted_slope();
  double* const __restrict next = difference(k + 1);
  double* const __restrict after_next = difference(k + 2);
  for (int l = 0; l < n; ++l) {
    const double d = slope[l] - f0[l];
    after_next[l] = d - next[l];
    next[l] = d;
  }
  for (int i = k; i >= 1; --i) {
    const double beta = beta_[i];
    const double* const above = difference(i + 1);
    double* const __restrict phi = difference(i);
    for (int l = 0; l < n; ++l) phi[l] = beta * phi[l] + above[l];
  }
  std::copy_n(tried_sums_.begin() + 1, k, step_sums_.begin() + 1);
  equal_steps_ = std::min(tried_equal_steps_, kMaxOrder + 2);
  last_step_ = tried_step_;
  order_ = plan_.order;
  starting_ = plan_.starting;
}

double Adams::proposed_step() const {
  return tried_step_ == 0.0 ? 0.25 * first_step(1) : plan_.step;
}

void Adams::transfer_history(Archive& archive) {
  archive(order_, starting_, equal_steps_, last_step_, step_sums_, tried_step_, tried_equal_steps_, prepared_order_,
          prepared_step_, tried_sums_, beta_, g_, sigma_, plan_.order, plan_.step, plan_.starting, storage_);
}

}  // namespace carom
