/// The equations of the contacts' supposed states, linearised, and Newton's method on them (Alart & Curnier 1991).

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/numerics/cone_system.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using Tangential = ConeState::Tangential;

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
            const double slip = std::max(tangential_length(u + f + 1, 2), 1e-300);
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
          const double turn = mu * std::max(q[f], 0.0) / std::max(tangential_length(z, 2), 1e-300);
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
    Activity::tick();
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
    if (step == limit || (now <= kConeExact * scale_ && !(keep_states && step == 0))) break;
    if (!keep_states) {
      identify(q, u);
    } else {
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (states_[i].tangential != Tangential::slip || blocks_[i].contact.tangents != 2) continue;
        const int f = blocks_[i].first;
        const double z[2] = {q[f + 1] - u[f + 1] / blocks_[i].inertance, q[f + 2] - u[f + 2] / blocks_[i].inertance};
        const double norm = tangential_length(z, 2);
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
