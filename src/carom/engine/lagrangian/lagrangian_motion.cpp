#include "carom/engine/lagrangian/lagrangian_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::lagrangian {

LagrangianMotion::LagrangianMotion(const LagrangianDynamics& dynamics, const LagrangianState& initial, double tolerance)
    : coordinates_(dynamics.coordinates()), speeds_(dynamics.speeds()) {
  const LagrangianSystem& system = dynamics.system();
  const auto n = static_cast<std::size_t>(coordinates_ + speeds_ + 2);
  collocation_.resize(static_cast<int>(n));
  collocation_.set_tolerance(tolerance);
  // Work is compared with the energies at the start.
  std::vector<double> scale(n, system.size());
  scale.back() =
      std::max(std::abs(dynamics.kinetic_energy(initial.q, initial.v)), std::abs(system.potential(initial.q)));
  if (!(scale.back() > std::numeric_limits<double>::min())) scale.back() = 1.0;
  scale[n - 2] = scale.back();
  collocation_.set_scale(scale.data());
  for (auto* each : {&begin_, &end_, &next_}) each->assign(n, 0.0);
}

void LagrangianMotion::pack(const SystemState& state) {
  std::copy(state.q.begin(), state.q.end(), begin_.begin());
  std::copy(state.v.begin(), state.v.end(), begin_.begin() + coordinates_);
  begin_[begin_.size() - 2] = state.friction;
  begin_.back() = state.work;
}

void LagrangianMotion::unpack(const double* y, Vector& q, Vector& v) const {
  q = Eigen::Map<const Vector>(y, coordinates_);
  v = Eigen::Map<const Vector>(y + coordinates_, speeds_);
}

CollocationResult LagrangianMotion::integrate(LagrangianDynamics& dynamics, const SystemState& from, double length) {
  pack(from);
  const auto f = [&](double time, const double* y, double* slope) {
    unpack(y, q_, v_);
    slopes(dynamics, from.held, time, slope);
  };
  return collocation_.step(f, from.time, begin_.data(), length, next_.data());
}

void LagrangianMotion::slopes(LagrangianDynamics& dynamics, std::span<const ContactIndex> held, double time,
                              double* slope) {
  if (dynamics.accelerate(time, q_, v_, held, {}) != AccelerationStatus::solved) {
    // The step fails, and a shorter one is tried.
    std::fill_n(slope, begin_.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  Eigen::Map<Vector>(slope, coordinates_) = dynamics.coordinate_rates(q_, v_);
  const auto acceleration = dynamics.answer().acceleration();
  std::copy(acceleration.begin(), acceleration.end(), slope + coordinates_);
  slope[coordinates_ + speeds_] = dynamics.friction_power();
  slope[coordinates_ + speeds_ + 1] = dynamics.system().power(time, q_, v_);
}

LagrangianMotion::Attempt LagrangianMotion::try_step(LagrangianDynamics& dynamics, const SystemState& from,
                                                     double length) {
  const CollocationResult taken = integrate(dynamics, from, length);
  const double factor = GaussCollocation::step_factor(taken);
  if (!taken.converged || taken.error > 1.0) return {false, factor};
  end_.swap(next_);
  const DensePolynomial whole = collocation_.dense().copied_to(coefficients_);
  start_ = whole.start;
  step_ = whole.step;
  return {true, factor};
}

bool LagrangianMotion::end_at(LagrangianDynamics& dynamics, const SystemState& from, double after) {
  if (!integrate(dynamics, from, after).converged) return false;
  end_.swap(next_);
  return true;
}

void LagrangianMotion::end_on_dense_output(double after) {
  const DensePolynomial motion = dense();
  motion.value(after / motion.step, 0, motion.n, end_.data());
}

void LagrangianMotion::read_after(double after, Vector& q, Vector& v) const {
  const DensePolynomial motion = dense();
  const double theta = after / motion.step;
  q.resize(coordinates_);
  v.resize(speeds_);
  motion.value(theta, 0, coordinates_, q.data());
  motion.value(theta, coordinates_, speeds_, v.data());
}

double LagrangianMotion::integral_at(double time, int from_end) const {
  const DensePolynomial motion = dense();
  double value = 0.0;
  motion.value(motion.position(time), motion.n - from_end, 1, &value);
  return value;
}

double LagrangianMotion::farthest_travel() const {
  const DensePolynomial motion = dense();
  double fastest = 0.0;
  for (int c = 0; c < coordinates_; ++c) fastest = std::max(fastest, motion.slope_bound(c, 1));
  return fastest * motion.step;
}

}  // namespace carom::lagrangian
