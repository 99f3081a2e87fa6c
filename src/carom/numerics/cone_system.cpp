#include "carom/numerics/cone_system.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;
using Tangential = ConeState::Tangential;

namespace {

/// A tangential inertance below this part of the normal one counts as none.
constexpr double kNoInertance = 1e-14;

double largest_eigenvalue(const double* s, int n, int first, int tangents) {
  if (tangents == 0) return 0.0;
  const double a = s[(first + 1) * n + first + 1];
  if (tangents == 1) return a;
  const double b = s[(first + 1) * n + first + 2];
  const double d = s[(first + 2) * n + first + 2];
  return 0.5 * (a + d) + std::hypot(0.5 * (a - d), b);
}

}  // namespace

double contact_residual(const ConeContact& contact, double a, double c, const double* q, const double* u) {
  const int t = contact.tangents;
  const double normal = std::abs(std::min(a * (q[0] - contact.least), u[0]));
  if (t == 0) return normal;
  const double mu = contact.friction;
  double off[2] = {0.0, 0.0};
  if (mu == 0.0) return std::max(normal, c * tangential_length(q + 1, t));
  if (contact.direction != nullptr) {
    for (int k = 0; k < t; ++k) off[k] = q[1 + k] + mu * q[0] * contact.direction[k];
    return std::max(normal, c * tangential_length(off, t));
  }
  if (mu == kNoSlip) {
    const double stick = std::max(normal, tangential_length(u + 1, t));
    if (contact.least > 0.0) return stick;
    const double slip = tangential_length(u + 1, t);
    const double impulse = tangential_length(q + 1, t);
    for (int k = 0; k < t; ++k) off[k] = q[1 + k] + (slip > 0.0 ? impulse * u[1 + k] / slip : 0.0);
    const double limit = std::min(c * impulse, std::max(std::abs(u[0]), c * tangential_length(off, t)));
    return std::min(stick, std::max({a * std::abs(q[0]), -u[0], limit}));
  }
  double z[2] = {0.0, 0.0};
  for (int k = 0; k < t; ++k) z[k] = q[1 + k] - u[1 + k] / c;
  const double norm = tangential_length(z, t);
  const double radius = mu * std::max(q[0], 0.0);
  const double factor = norm > radius ? radius / norm : 1.0;
  for (int k = 0; k < t; ++k) off[k] = q[1 + k] - factor * z[k];
  return std::max(normal, c * tangential_length(off, t));
}

double natural_residual(const ConeData& problem, const double* q, const double* u) {
  int n = 0;
  for (const ConeContact& contact : problem.contacts) n += 1 + contact.tangents;
  double worst = 0.0;
  int first = 0;
  for (const ConeContact& contact : problem.contacts) {
    const double normal = problem.matrix[first * n + first];
    const double a = normal > 0.0 ? normal : 1.0;
    const double largest = largest_eigenvalue(problem.matrix, n, first, contact.tangents);
    const double value = contact_residual(contact, a, largest > kNoInertance * a ? largest : a, q + first, u + first);
    if (!(value <= worst)) worst = value;  // NaN counts as the worst
    first += 1 + contact.tangents;
  }
  return worst;
}

void ConeSystem::prepare(const ConeData& problem) {
  blocks_.clear();
  rows_ = 0;
  has_no_slip_ = false;
  for (const ConeContact& contact : problem.contacts) {
    const bool no_slip = contact.tangents > 0 && contact.friction == kNoSlip;
    blocks_.push_back({contact, rows_, 1.0, 1.0, no_slip});
    has_no_slip_ = has_no_slip_ || no_slip;
    rows_ += 1 + contact.tangents;
  }
  const int n = rows_;
  states_.assign(blocks_.size(), ConeState{});
  for (std::vector<double>* field : {&matrix_, &jacobian_, &null_}) ensure(*field, n, n);
  for (std::vector<double>* field : {&offset_, &defect_, &step_, &best_, &weight_, &particular_, &correction_, &trial_})
    ensure(*field, n);
  for (Block& block : blocks_) {
    const double normal = problem.matrix[block.first * n + block.first];
    if (normal > 0.0) block.unit = 1.0 / std::sqrt(normal);
    block.contact.least /= block.unit;
    for (int k = 0; k <= block.contact.tangents; ++k) trial_[block.first + k] = block.unit;
  }
  scale_ = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) matrix_[i * n + j] = problem.matrix[i * n + j] * trial_[i] * trial_[j];
    offset_[i] = problem.offset[i] * trial_[i];
    scale_ = std::max({scale_, std::abs(offset_[i]), problem.scale * trial_[i]});
  }
  for (Block& block : blocks_) {
    const double c = largest_eigenvalue(matrix_.data(), n, block.first, block.contact.tangents);
    block.inertance = c > kNoInertance ? c : 1.0;
    for (int k = 0; k <= block.contact.tangents; ++k)
      weight_[block.first + k] = block.unit / std::sqrt(block.contact.stiffness);
  }
}

void ConeSystem::replace_no_slip(double friction) {
  for (Block& block : blocks_)
    if (block.no_slip) block.contact.friction = friction;
}

void ConeSystem::velocities(const double* q, double* u) const {
  for (int i = 0; i < rows_; ++i)
    u[i] = offset_[i] + dot(matrix_.data() + static_cast<std::ptrdiff_t>(i) * rows_, q, rows_);
}

double ConeSystem::residual(const double* q, const double* u) const {
  double worst = 0.0;
  for (const Block& block : blocks_) {
    const double value = contact_residual(block.contact, 1.0, block.inertance, q + block.first, u + block.first);
    if (!(value <= worst)) worst = value;
  }
  return worst;
}

void ConeSystem::scale_impulses(const double* q, double* scaled) const {
  for (const Block& block : blocks_)
    for (int k = 0; k <= block.contact.tangents; ++k) scaled[block.first + k] = q[block.first + k] / block.unit;
}

void ConeSystem::restore_impulses(const double* scaled, double* q) const {
  for (const Block& block : blocks_)
    for (int k = 0; k <= block.contact.tangents; ++k) q[block.first + k] = scaled[block.first + k] * block.unit;
}

void ConeSystem::sweep(double* q) const {
  Activity::tick();
  const auto rate = [&](int row) {
    return offset_[row] + dot(matrix_.data() + static_cast<std::ptrdiff_t>(row) * rows_, q, rows_);
  };
  for (const Block& block : blocks_) {
    const ConeContact& contact = block.contact;
    const int f = block.first;
    const int t = contact.tangents;
    const double mu = contact.friction;
    if (contact.direction != nullptr && t > 0) {
      // The rate follows p with the inertance of sliding; where friction drives the contact in there is no such answer.
      double sliding = matrix_[f * rows_ + f];
      for (int k = 0; k < t; ++k) sliding -= mu * contact.direction[k] * matrix_[f * rows_ + f + 1 + k];
      if (!(sliding > 0.0)) sliding = 1.0;
      q[f] = std::max(contact.least, q[f] - rate(f) / sliding);
      for (int k = 0; k < t; ++k) q[f + 1 + k] = -mu * q[f] * contact.direction[k];
      continue;
    }
    q[f] = std::max(contact.least, q[f] - rate(f));
    if (t == 0) continue;
    if (mu == 0.0 || q[f] <= 0.0) {
      std::fill_n(q + f + 1, t, 0.0);
      continue;
    }
    double z[2] = {0.0, 0.0};
    for (int k = 0; k < t; ++k) z[k] = q[f + 1 + k] - rate(f + 1 + k) / block.inertance;
    const double norm = tangential_length(z, t);
    const double factor = norm > mu * q[f] ? mu * q[f] / norm : 1.0;
    for (int k = 0; k < t; ++k) q[f + 1 + k] = factor * z[k];
  }
}

void ConeSystem::identify(const double* q, const double* u) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const ConeContact& contact = block.contact;
    ConeState& state = states_[i];
    const int f = block.first;
    const int t = contact.tangents;
    state.closed = q[f] - u[f] > contact.least;
    state.tangential = Tangential::none;
    if (t == 0 || contact.friction == 0.0) continue;
    if (contact.direction != nullptr) {
      state.tangential = Tangential::given;
      continue;
    }
    if (!state.closed && contact.least == 0.0) continue;
    state.tangential = Tangential::stick;
    if (contact.friction == kNoSlip) continue;
    double z[2] = {0.0, 0.0};
    for (int k = 0; k < t; ++k) z[k] = q[f + 1 + k] - u[f + 1 + k] / block.inertance;
    const double norm = tangential_length(z, t);
    if (norm <= contact.friction * (state.closed ? std::max(q[f], 0.0) : contact.least)) continue;
    state.tangential = Tangential::slip;
    for (int k = 0; k < t; ++k) state.rim[k] = z[k] / norm;
  }
}

void ConeSystem::recognise_limits(const double* q) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (!block.no_slip || states_[i].closed || block.contact.least > 0.0) continue;
    if (tangential_length(q + block.first + 1, block.contact.tangents) > 0.0)
      states_[i] = {.closed = true, .tangential = Tangential::limit};
  }
}

}  // namespace carom
