#include "carom/numerics/cone_system.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;
using Tangential = ConeState::Tangential;

namespace {

/// Newton's method need not go on below this part of the scale.
constexpr double kExact = 1e-14;
/// A tangential inertance below this part of the normal one counts as none.
constexpr double kNoInertance = 1e-14;

double length(const double* x, int count) {
  return count == 2 ? std::hypot(x[0], x[1]) : count == 1 ? std::abs(x[0]) : 0.0;
}

double largest_eigenvalue(const double* s, int n, int first, int tangents) {
  if (tangents == 0) return 0.0;
  const double a = s[(first + 1) * n + first + 1];
  if (tangents == 1) return a;
  const double b = s[(first + 1) * n + first + 2];
  const double d = s[(first + 2) * n + first + 2];
  return 0.5 * (a + d) + std::hypot(0.5 * (a - d), b);
}

/// |q − P(q − u)| of one contact with normal inertance a and tangential inertance c, in units of u.
double contact_residual(const ConeContact& contact, double a, double c, const double* q, const double* u) {
  const int t = contact.tangents;
  const double normal = std::abs(std::min(a * (q[0] - contact.least), u[0]));
  if (t == 0) return normal;
  const double mu = contact.friction;
  double off[2] = {0.0, 0.0};
  if (mu == 0.0) return std::max(normal, c * length(q + 1, t));
  if (contact.direction != nullptr) {
    for (int k = 0; k < t; ++k) off[k] = q[1 + k] + mu * q[0] * contact.direction[k];
    return std::max(normal, c * length(off, t));
  }
  if (mu == kNoSlip) {
    const double stick = std::max(normal, length(u + 1, t));
    if (contact.least > 0.0) return stick;
    const double slip = length(u + 1, t);
    const double impulse = length(q + 1, t);
    for (int k = 0; k < t; ++k) off[k] = q[1 + k] + (slip > 0.0 ? impulse * u[1 + k] / slip : 0.0);
    const double limit = std::min(c * impulse, std::max(std::abs(u[0]), c * length(off, t)));
    return std::min(stick, std::max({a * std::abs(q[0]), -u[0], limit}));
  }
  double z[2] = {0.0, 0.0};
  for (int k = 0; k < t; ++k) z[k] = q[1 + k] - u[1 + k] / c;
  const double norm = length(z, t);
  const double radius = mu * std::max(q[0], 0.0);
  const double factor = norm > radius ? radius / norm : 1.0;
  for (int k = 0; k < t; ++k) off[k] = q[1 + k] - factor * z[k];
  return std::max(normal, c * length(off, t));
}

}  // namespace

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
    const double norm = length(z, t);
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
    const double norm = length(z, t);
    if (norm <= contact.friction * (state.closed ? std::max(q[f], 0.0) : contact.least)) continue;
    state.tangential = Tangential::slip;
    for (int k = 0; k < t; ++k) state.rim[k] = z[k] / norm;
  }
}

void ConeSystem::recognise_limits(const double* q) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (!block.no_slip || states_[i].closed || block.contact.least > 0.0) continue;
    if (length(q + block.first + 1, block.contact.tangents) > 0.0)
      states_[i] = {.closed = true, .tangential = Tangential::limit};
  }
}

void ConeSystem::linearise(const double* q, const double* u) {
  const int n = rows_;
  double* j = jacobian_.data();
  std::fill_n(j, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  const auto copy_row = [&](int to, int from) { std::copy_n(matrix_.data() + from * n, n, j + to * n); };
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const ConeContact& contact = block.contact;
    ConeState& state = states_[i];
    const int f = block.first;
    const int t = contact.tangents;
    const double mu = contact.friction;
    if (state.closed && state.tangential != Tangential::limit) {
      copy_row(f, f);
      defect_[f] = u[f];
    } else {
      j[f * n + f] = 1.0;
      defect_[f] = q[f] - contact.least;
    }
    for (int k = 1; k <= t; ++k) {
      const int row = f + k;
      switch (state.tangential) {
        case Tangential::none:
          j[row * n + row] = 1.0;
          defect_[row] = q[row];
          break;
        case Tangential::stick:
          copy_row(row, row);
          defect_[row] = u[row];
          break;
        case Tangential::given:
          j[row * n + row] = 1.0;
          j[row * n + f] = mu * contact.direction[k - 1];
          defect_[row] = q[row] + mu * q[f] * contact.direction[k - 1];
          break;
        case Tangential::limit:
          if (k == 1) {
            copy_row(row, f);
            defect_[row] = u[f];
          } else {
            const double slip = std::max(length(u + f + 1, 2), 1e-300);
            for (int c = 0; c < n; ++c)
              j[row * n + c] = (q[f + 1] * matrix_[(f + 2) * n + c] - q[f + 2] * matrix_[(f + 1) * n + c]) / slip;
            j[row * n + f + 1] += u[f + 2] / slip;
            j[row * n + f + 2] -= u[f + 1] / slip;
            defect_[row] = (q[f + 1] * u[f + 2] - q[f + 2] * u[f + 1]) / slip;
          }
          break;
        case Tangential::slip: {
          j[row * n + row] = 1.0;
          j[row * n + f] = -mu * state.rim[k - 1];
          defect_[row] = q[row] - mu * q[f] * state.rim[k - 1];
          if (t == 1) break;
          // The rim direction turns with z = π − u_t/c.
          const double z[2] = {q[f + 1] - u[f + 1] / block.inertance, q[f + 2] - u[f + 2] / block.inertance};
          const double turn = mu * std::max(q[f], 0.0) / std::max(length(z, 2), 1e-300);
          for (int b = 1; b <= 2; ++b) {
            const double across = (b == k ? 1.0 : 0.0) - state.rim[k - 1] * state.rim[b - 1];
            j[row * n + f + b] -= turn * across;
            for (int c = 0; c < n; ++c) j[row * n + c] += turn * across * matrix_[(f + b) * n + c] / block.inertance;
          }
          break;
        }
      }
    }
  }
}

bool ConeSystem::newton(double* q, double* u, int limit, bool keep_states) {
  const int n = rows_;
  double best = HUGE_VAL;
  for (int step = 0; step <= limit; ++step) {
    velocities(q, u);
    const double now = residual(q, u);
    if (!std::isfinite(now)) break;
    // With fixed states the start counts for nothing: it may solve the problem, but not in these states.
    if (keep_states && step == 0) {
      std::copy_n(q, n, best_.data());
    } else if (now < best) {
      best = now;
      std::copy_n(q, n, best_.data());
    } else if (best <= kConeResidual * scale_) {
      break;  // round-off
    }
    if (step == limit || (now <= kExact * scale_ && !(keep_states && step == 0))) break;
    if (!keep_states) {
      identify(q, u);
    } else {
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (states_[i].tangential != Tangential::slip || blocks_[i].contact.tangents != 2) continue;
        const int f = blocks_[i].first;
        const double z[2] = {q[f + 1] - u[f + 1] / blocks_[i].inertance, q[f + 2] - u[f + 2] / blocks_[i].inertance};
        const double norm = length(z, 2);
        for (int k = 0; norm > 0.0 && k < 2; ++k) states_[i].rim[k] = z[k] / norm;
      }
    }
    linearise(q, u);
    for (int i = 0; i < n; ++i) defect_[i] = -defect_[i];
    equations_.compute(jacobian_.data(), n);
    equations_.solve(defect_.data(), step_.data());
    if (equations_.nullity() > 0) {
      orthonormal_null_space();
      for (int i = 0; i < n; ++i) step_[i] *= weight_[i];
      for (int k = 0; k < equations_.nullity(); ++k) {
        const double* z = null_.data() + static_cast<std::ptrdiff_t>(k) * n;
        dense::add_scaled(-dot(z, step_.data(), n), z, step_.data(), n);
      }
      for (int i = 0; i < n; ++i) step_[i] /= weight_[i];
    }
    dense::add_scaled(1.0, step_.data(), q, n);
  }
  std::copy_n(best_.data(), n, q);
  velocities(q, u);
  return best <= kConeResidual * scale_;
}

}  // namespace carom
