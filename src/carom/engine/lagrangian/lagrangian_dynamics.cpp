#include "carom/engine/lagrangian/lagrangian_dynamics.h"

#include <algorithm>
#include <cmath>

namespace carom::lagrangian {

LagrangianDynamics::LagrangianDynamics(const LagrangianSystem& system)
    : system_(system),
      nq_(system.coordinate_count()),
      nv_(system.speed_count()),
      k_(system.constraint_count()),
      m_(system.contact_count()),
      force_(nv_),
      rates_(nq_),
      gaps_(m_),
      gap_rates_(m_),
      gap_accelerations_(m_),
      gap_bias_(m_),
      lengths_(m_),
      metric_(nv_, nv_),
      factor_(nv_, nv_),
      constraint_rows_(k_, nv_),
      gap_rows_(m_, nv_),
      inverse_diagonal_(nv_),
      constraint_bias_(k_) {
  for (int i = 0; i < m_; ++i) tangents_of_.push_back(system.tangent_count(i));
  for (int i = 0; i < m_; ++i) friction_.push_back(tangents_of_[i] > 0 ? system.friction(i) : Coulomb{});
  slip_.assign(tangents_of_.size(), Slip{});
}

void LagrangianDynamics::metric(const Vector& q, Matrix& G) const {
  G.setZero(nv_, nv_);
  system_.metric(q, G);
}

void LagrangianDynamics::constraint_rows(const Vector& q, Matrix& A) const {
  A.setZero(k_, nv_);
  if (k_ > 0) system_.constraint_rows(q, A);
}

void LagrangianDynamics::tangent_rows(const Vector& q, ContactIndex contact, Matrix& T) const {
  T.setZero(tangents_of_[contact], nv_);
  if (T.rows() > 0) system_.tangent_rows(q, contact, T);
}

const Vector& LagrangianDynamics::coordinate_rates(const Vector& q, const Vector& v) {
  rates_.setZero();
  system_.coordinate_rates(q, v, rates_);
  return rates_;
}

const Vector& LagrangianDynamics::gaps(const Vector& q) {
  gaps_.setZero();
  if (m_ > 0) system_.gaps(q, gaps_);
  return gaps_;
}

const Vector& LagrangianDynamics::gap_rates(const Vector& q, const Vector& v) {
  gap_rows_.setZero();
  if (m_ > 0) system_.gap_rows(q, gap_rows_);
  gap_rates_.noalias() = gap_rows_ * v;
  return gap_rates_;
}

double LagrangianDynamics::kinetic_energy(const Vector& q, const Vector& v) const {
  Matrix G;
  metric(q, G);
  return 0.5 * v.dot(G * v);
}

const Vector& LagrangianDynamics::row_lengths(const Vector& q) {
  gap_rows_.setZero();
  if (m_ > 0) system_.gap_rows(q, gap_rows_);
  metric(q, factor_);
  lengths_.setZero();
  if (dense::cholesky(factor_.data(), inverse_diagonal_.data(), nv_, 1e-15) >= 0) return lengths_;
  for (int i = 0; i < m_; ++i) {
    whitened_ = gap_rows_.row(i);
    dense::solve_lower(factor_.data(), inverse_diagonal_.data(), whitened_.data(), nv_);
    lengths_[i] = whitened_.norm();
  }
  return lengths_;
}

void LagrangianDynamics::bilateral_rows(const Vector& q, std::span<const ContactIndex> held) {
  int count = k_ + static_cast<int>(held.size());
  for (const ContactIndex i : held) count += sticks(i) ? tangents_of_[i] : 0;
  bilateral_.resize(count, nv_);
  constraint_rows(q, constraint_rows_);
  bilateral_.topRows(k_) = constraint_rows_;
  if (held.empty()) return;
  gap_rows_.setZero();
  system_.gap_rows(q, gap_rows_);
  int row = k_;
  for (const ContactIndex i : held) bilateral_.row(row++) = gap_rows_.row(i);
  for (const ContactIndex i : held) {
    if (!sticks(i)) continue;
    tangent_rows(q, i, one_tangent_);
    for (int j = 0; j < one_tangent_.rows(); ++j) bilateral_.row(row++) = one_tangent_.row(j);
  }
}

std::array<double, 2> LagrangianDynamics::slip_rate(const Vector& q, const Vector& v, ContactIndex contact) {
  std::array<double, 2> rate{};
  tangent_rows(q, contact, one_tangent_);
  for (int k = 0; k < std::min<int>(2, static_cast<int>(one_tangent_.rows())); ++k)
    rate[static_cast<std::size_t>(k)] = one_tangent_.row(k).dot(v);
  return rate;
}

/// Along the slip; that of the start of the step where there is none yet, and a slip that has crossed zero goes on as
/// if it had not, so that the slopes stay smooth until the end of the slip is found.
std::array<double, 2> LagrangianDynamics::direction(const Vector& q, const Vector& v, ContactIndex contact) {
  const double* kept = slip_[contact].direction;
  if (tangents_of_[contact] == 1) return {kept[0], 0.0};
  const std::array<double, 2> rate = slip_rate(q, v, contact);
  const double speed = std::hypot(rate[0], rate[1]);
  if (!(speed > 0.0)) return {kept[0], kept[1]};
  const double sign = rate[0] * kept[0] + rate[1] * kept[1] < 0.0 ? -1.0 : 1.0;
  return {sign * rate[0] / speed, sign * rate[1] / speed};
}

/// What the forces of held contacts push along; false where it is the rows themselves.
bool LagrangianDynamics::friction_columns(const Vector& q, const Vector& v, std::span<const ContactIndex> held) {
  if (std::none_of(held.begin(), held.end(), [&](ContactIndex i) { return slides_against_friction(i); })) return false;
  columns_ = bilateral_;
  int row = k_;
  for (const ContactIndex i : held) {
    if (slides_against_friction(i)) {
      const std::array<double, 2> along = direction(q, v, i);
      tangent_rows(q, i, one_tangent_);
      for (int k = 0; k < one_tangent_.rows(); ++k)
        columns_.row(row) -= friction_[i].kinetic_friction * along[static_cast<std::size_t>(k)] * one_tangent_.row(k);
    }
    ++row;
  }
  return true;
}

void LagrangianDynamics::tangent_bias(const Vector& q, const Vector& v, ContactIndex contact, Vector& bias) {
  bias.setZero(tangents_of_[contact]);
  difference_bias(
      system_, q, v,
      [&](const Vector& at, Vector& out) {
        tangent_rows(at, contact, one_tangent_);
        out.noalias() = one_tangent_ * v;
      },
      bias);
}

void LagrangianDynamics::bilateral_bias(const Vector& q, const Vector& v, std::span<const ContactIndex> held) {
  bilateral_bias_.resize(bilateral_.rows());
  if (k_ > 0) {
    constraint_bias_.setZero();
    system_.constraint_bias(q, v, constraint_bias_);
    bilateral_bias_.head(k_) = constraint_bias_;
  }
  if (held.empty()) return;
  gap_bias_.setZero();
  system_.gap_bias(q, v, gap_bias_);
  int row = k_;
  for (const ContactIndex i : held) bilateral_bias_[row++] = gap_bias_[i];
  for (const ContactIndex i : held) {
    if (!sticks(i)) continue;
    tangent_bias(q, v, i, one_bias_);
    for (const double value : one_bias_) bilateral_bias_[row++] = value;
  }
}

AccelerationStatus LagrangianDynamics::accelerate(double time, const Vector& q, const Vector& v,
                                                  std::span<const ContactIndex> held,
                                                  std::span<const ContactIndex> touching) {
  metric(q, metric_);
  force_.setZero();
  system_.force(time, q, v, force_);
  bilateral_rows(q, held);
  bilateral_bias(q, v, held);
  const auto count = static_cast<Eigen::Index>(touching.size());
  normals_.resize(count, nv_);
  normal_bias_.resize(count);
  tangent_contact_.clear();
  contact_friction_.assign(touching.size(), {});
  tangents_.resize(0, nv_);
  if (!touching.empty()) {
    gap_rows_.setZero();
    system_.gap_rows(q, gap_rows_);
    gap_bias_.setZero();
    system_.gap_bias(q, v, gap_bias_);
    for (int j = 0; j < count; ++j) {
      const ContactIndex contact = touching[static_cast<std::size_t>(j)];
      normals_.row(j) = gap_rows_.row(contact);
      normal_bias_[j] = gap_bias_[contact];
      if (!rough(contact)) continue;
      if (has_limit(contact)) {
        ContactFriction& friction = contact_friction_[static_cast<std::size_t>(j)];
        const Slip& slip = slip_[contact];
        friction = {friction_[contact].static_friction,
                    friction_[contact].kinetic_friction,
                    slip.slides,
                    {slip.direction[0], slip.direction[1]},
                    slip.lets_go};
      }
      tangent_bias(q, v, contact, one_bias_);
      tangent_rows(q, contact, one_tangent_);
      const Eigen::Index before = tangents_.rows();
      tangents_.conservativeResize(before + one_tangent_.rows(), nv_);
      tangent_bias_.conservativeResize(tangents_.rows());
      tangents_.bottomRows(one_tangent_.rows()) = one_tangent_;
      tangent_bias_.tail(one_bias_.size()) = one_bias_;
      tangent_contact_.resize(static_cast<std::size_t>(tangents_.rows()), j);
    }
  }
  AccelerationProblem problem;
  problem.n = nv_;
  problem.metric = metric_.data();
  problem.force = force_.data();
  problem.constraints = static_cast<int>(bilateral_.rows());
  problem.constraint_rows = bilateral_.data();
  problem.constraint_bias = bilateral_bias_.data();
  problem.contacts = static_cast<int>(count);
  problem.normal_rows = normals_.data();
  problem.normal_bias = normal_bias_.data();
  problem.tangents = static_cast<int>(tangents_.rows());
  problem.tangent_rows = tangents_.data();
  problem.tangent_bias = tangent_bias_.data();
  problem.tangent_contact = tangent_contact_.data();
  problem.friction = contact_friction_.data();
  friction_power_ = 0.0;
  if (!touching.empty() || !friction_columns(q, v, held)) return dynamics_.solve(problem);
  problem.constraint_columns = columns_.data();
  const AccelerationStatus status = dynamics_.solve(problem);
  int row = k_;
  for (const ContactIndex i : held) {
    const double force = dynamics_.constraint_force()[static_cast<std::size_t>(row++)];
    if (!slides_against_friction(i)) continue;
    const std::array<double, 2> along = direction(q, v, i), rate = slip_rate(q, v, i);
    friction_power_ += friction_[i].kinetic_friction * force * (along[0] * rate[0] + along[1] * rate[1]);
  }
  return status;
}

const Vector& LagrangianDynamics::gap_accelerations(const Vector& q, const Vector& v) {
  if (m_ == 0) return gap_accelerations_;
  gap_rows_.setZero();
  system_.gap_rows(q, gap_rows_);
  gap_bias_.setZero();
  system_.gap_bias(q, v, gap_bias_);
  const Eigen::Map<const Vector> acceleration(dynamics_.acceleration().data(), nv_);
  gap_accelerations_.noalias() = gap_rows_ * acceleration;
  gap_accelerations_ += gap_bias_;
  return gap_accelerations_;
}

void LagrangianDynamics::bilateral_values(const Vector& q, std::span<const ContactIndex> held) {
  values_.setZero(bilateral_.rows());
  holonomic_.assign(static_cast<std::size_t>(bilateral_.rows()), 0);
  if (k_ > 0) {
    constraint_bias_.setZero();
    if (system_.constraint_values(q, constraint_bias_)) {
      values_.head(k_) = constraint_bias_;
      std::fill_n(holonomic_.begin(), k_, char{1});
    }
  }
  const Vector& g = gaps(q);
  int row = k_;
  for (const ContactIndex i : held) {
    holonomic_[static_cast<std::size_t>(row)] = 1;
    values_[row++] = g[i];
  }
}

void LagrangianDynamics::whiten_bilateral(const Vector& q) {
  metric(q, factor_);
  dense::cholesky(factor_.data(), inverse_diagonal_.data(), nv_, 0.0);
  for (int i = 0; i < bilateral_.rows(); ++i)
    dense::solve_lower(factor_.data(), inverse_diagonal_.data(), bilateral_.row(i).data(), nv_);
}

LagrangianDynamics::Drift LagrangianDynamics::drift(const Vector& q, const Vector& v,
                                                    std::span<const ContactIndex> held) {
  Drift drift;
  bilateral_rows(q, held);
  if (bilateral_.rows() == 0) return drift;
  bilateral_values(q, held);
  drift.position = values_.cwiseAbs().maxCoeff() / system_.size();
  normal_bias_.noalias() = bilateral_ * v;  // the rates
  const double speed = std::sqrt(2.0 * kinetic_energy(q, v));
  whiten_bilateral(q);
  for (int i = 0; i < bilateral_.rows(); ++i) {
    const double most = bilateral_.row(i).norm() * speed;
    if (most > 0.0) drift.rate = std::max(drift.rate, std::abs(normal_bias_[i]) / most);
  }
  return drift;
}

void LagrangianDynamics::project(Vector& q, Vector& v, std::span<const ContactIndex> held) {
  for (int i = 0; i < 4; ++i) {
    bilateral_rows(q, held);
    if (bilateral_.rows() == 0) return;
    bilateral_values(q, held);
    if (values_.cwiseAbs().maxCoeff() <= 1e-16 * system_.size()) break;
    whiten_bilateral(q);
    // Only rows that have a value; the others must not hold the way back up.
    int count = 0;
    for (int r = 0; r < bilateral_.rows(); ++r) {
      if (!holonomic_[static_cast<std::size_t>(r)]) continue;
      const double length = bilateral_.row(r).norm();
      if (!(length > 0.0)) continue;
      bilateral_.row(count) = Eigen::RowVectorXd(bilateral_.row(r) / length);
      values_[count++] = -values_[r] / length;
    }
    row_space_.compute(bilateral_.data(), count, nv_);
    whitened_.setZero(nv_);
    row_space_.solve_rows(values_.data(), whitened_.data());
    dense::solve_lower_transposed(factor_.data(), inverse_diagonal_.data(), whitened_.data(), nv_);
    q += coordinate_rates(q, whitened_);
  }
  bilateral_rows(q, held);
  whiten_bilateral(q);
  for (int r = 0; r < bilateral_.rows(); ++r) {
    const double length = bilateral_.row(r).norm();
    if (length > 0.0) bilateral_.row(r) /= length;
  }
  row_space_.compute(bilateral_.data(), static_cast<int>(bilateral_.rows()), nv_);
  whitened_.resize(nv_);
  dense::multiply_lower_transposed(factor_.data(), v.data(), whitened_.data(), nv_);
  row_space_.remove_component(whitened_.data());
  dense::solve_lower_transposed(factor_.data(), inverse_diagonal_.data(), whitened_.data(), nv_);
  v = whitened_;
}

}  // namespace carom::lagrangian
