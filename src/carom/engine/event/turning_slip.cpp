#include "carom/engine/event/turning_slip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::event {

using Eigen::Vector3d;

namespace {

constexpr double kLeastRatio = 1.001;
constexpr double kLargestRatio = 1e6;

}  // namespace

bool TurningSlip::covers(const Vector3d& acceleration, double resistance) {
  const double size = acceleration.norm();
  return resistance > kLeastRatio * size && resistance < kLargestRatio * size;
}

TurningSlip::TurningSlip(const Vector3d& velocity, const Vector3d& acceleration, double resistance)
    : along_(acceleration.normalized()), p_(resistance / acceleration.norm()), speed_(velocity.norm()) {
  const double forward = velocity.dot(along_);
  const Vector3d side = velocity - forward * along_;
  across_ = side.normalized();
  w_ = side.norm() / (speed_ + forward);  // tan(φ/2)
  if (forward < 0.0) w_ = (speed_ - forward) / side.norm();
  time_scale_ = speed_ / (acceleration.norm() * (1.0 + w_ * w_));
  duration_ = time_scale_ * (1.0 / (p_ - 1.0) + w_ * w_ / (p_ + 1.0));
}

TurningSlip::State TurningSlip::at(double time) const {
  const double w2 = w_ * w_, power = (p_ + 1.0) / (p_ - 1.0);
  const double left = std::max(duration_ - time, 0.0) / time_scale_;  // y/(p−1) + w² y^power/(p+1)
  double y = 1.0;
  for (int k = 0; k < 100 && y > 0.0; ++k) {
    const double more = w2 / (p_ + 1.0) * std::pow(y, power);
    const double step = (y / (p_ - 1.0) + more - left) / (1.0 / (p_ - 1.0) + power * more / y);
    y = std::clamp(y - step, 0.0, 1.0);
    if (std::abs(step) <= 1e-16 * y) break;
  }
  const double log_s = y > 0.0 ? std::log(y) / (p_ - 1.0) : -std::numeric_limits<double>::infinity();
  const double s = std::exp(log_s), scale = speed_ / (1.0 + w2);
  const auto rest = [&](double q) { return -std::expm1(q * log_s) / q; };  // (1 − s^q)/q
  State state;
  state.velocity = scale * y * ((1.0 - w2 * s * s) * along_ + 2.0 * w_ * s * across_);
  const double near = rest(2.0 * p_ - 2.0), far = w2 * w2 * rest(2.0 * p_ + 2.0);
  const double aside = 2.0 * w_ * (rest(2.0 * p_ - 1.0) + w2 * rest(2.0 * p_ + 1.0));
  state.way = scale * time_scale_ * ((near - far) * along_ + aside * across_);
  state.length = scale * time_scale_ * (near + 2.0 * w2 * rest(2.0 * p_) + far);
  return state;
}

}  // namespace carom::event
