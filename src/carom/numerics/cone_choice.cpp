/// Where a cone problem has a continuum of solutions: how many there are, and the one of least Σ|q|²/K.
///
/// With the states of the contacts fixed the solutions are the points of an affine space A (the equations) that lie in
/// the product C of convex sets (the cones, or a ray for a contact that slips). The nearest one to zero in the norm
/// weighted by 1/K is found by Dykstra's alternating projections, which end at once where the nearest point of A lies
/// in C, as it mostly does. Source: Boyle & Dykstra 1986.

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/numerics/cone_system.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;

namespace {

using Form = ConeState::Tangential;

constexpr int kDykstraSteps = 4000;
/// What counts as no difference of velocities, as a part of the scale.
constexpr double kSameVelocity = 1e-9;

/// The nearest point to (p, π) with |π| ≤ μp.
void project_on_cone(double mu, int tangents, double* x) {
  const double norm = tangents == 2 ? std::hypot(x[1], x[2]) : std::abs(x[1]);
  if (norm <= mu * x[0]) return;
  if (mu * norm <= -x[0]) {
    std::fill_n(x, tangents + 1, 0.0);
    return;
  }
  const double p = (x[0] + mu * norm) / (1.0 + mu * mu);
  for (int k = 1; k <= tangents; ++k) x[k] *= mu * p / norm;
  x[0] = p;
}

}  // namespace

void ConeSystem::orthonormal_null_space() {
  // In coordinates y = weight·q, in which the norm is Euclidean; Gram–Schmidt twice.
  const int n = rows_;
  int kept = 0;
  for (int k = 0; k < equations_.nullity(); ++k) {
    double* z = null_.data() + static_cast<std::ptrdiff_t>(kept) * n;
    equations_.null_vector(k, z);
    for (int i = 0; i < n; ++i) z[i] *= weight_[i];
    for (int pass = 0; pass < 2; ++pass)
      for (int a = 0; a < kept; ++a) {
        const double* other = null_.data() + static_cast<std::ptrdiff_t>(a) * n;
        dense::add_scaled(-dot(other, z, n), other, z, n);
      }
    const double norm = std::sqrt(dot(z, z, n));
    for (int i = 0; i < n; ++i) z[i] /= norm;
    ++kept;
  }
}

void ConeSystem::project_on_equations(double* x) {
  const int n = rows_;
  double* y = trial_.data();
  for (int i = 0; i < n; ++i) y[i] = (x[i] - particular_[i]) * weight_[i];
  std::copy_n(particular_.data(), n, x);
  for (int k = 0; k < equations_.nullity(); ++k) {
    const double* z = null_.data() + static_cast<std::ptrdiff_t>(k) * n;
    const double along = dot(z, y, n);
    for (int i = 0; i < n; ++i) x[i] += along * z[i] / weight_[i];
  }
}

void ConeSystem::project_on_cones(double* x) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const ConeContact& contact = blocks_[i].contact;
    const ConeState& state = states_[i];
    double* q = x + blocks_[i].first;
    const int t = contact.tangents;
    if (state.tangential == Form::slip || state.tangential == Form::given) {
      double along = q[0];
      for (int k = 0; k < t; ++k)
        along += contact.friction * q[1 + k] * (state.tangential == Form::slip ? state.rim[k] : -contact.direction[k]);
      along /= 1.0 + contact.friction * contact.friction;
      q[0] = state.closed ? std::max(contact.least, along) : contact.least;
      for (int k = 0; k < t; ++k)
        q[1 + k] = contact.friction * q[0] * (state.tangential == Form::slip ? state.rim[k] : -contact.direction[k]);
      continue;
    }
    if (state.tangential == Form::none) std::fill_n(q + 1, t, 0.0);
    if (state.tangential == Form::limit) q[0] = 0.0;
    if (state.tangential == Form::stick && contact.friction != kNoSlip && state.closed)
      project_on_cone(contact.friction, t, q);
    if (!state.closed || q[0] < contact.least) {
      q[0] = contact.least;
      if (state.tangential == Form::stick && contact.friction != kNoSlip) {
        const double norm = t == 2 ? std::hypot(q[1], q[2]) : std::abs(q[1]);
        const double radius = contact.friction * q[0];
        for (int k = 1; norm > radius && k <= t; ++k) q[k] *= radius / norm;
      }
    }
  }
}

void ConeSystem::round_into_cones(double* q) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const ConeContact& contact = blocks_[i].contact;
    const ConeState& state = states_[i];
    double* x = q + blocks_[i].first;
    if (!state.closed || state.tangential == Form::limit || x[0] < contact.least) x[0] = contact.least;
    if (contact.direction != nullptr) {
      for (int k = 0; k < contact.tangents; ++k) x[1 + k] = -contact.friction * x[0] * contact.direction[k];
      continue;
    }
    if (contact.friction == kNoSlip) {
      if (state.tangential == Form::none) std::fill_n(x + 1, contact.tangents, 0.0);
      continue;
    }
    double square = 0.0;
    for (int k = 1; k <= contact.tangents; ++k) square += x[k] * x[k];
    const double radius = contact.friction * x[0];
    const double norm = std::sqrt(square);
    for (int k = 1; norm > radius && k <= contact.tangents; ++k) x[k] *= radius / norm;
  }
}

void ConeSystem::judge_uniqueness(ConeResult& result) {
  result.impulses_unique = false;
  for (int k = 0; k < equations_.nullity(); ++k) {
    for (int i = 0; i < rows_; ++i) step_[i] = null_[k * rows_ + i] / weight_[i];
    const double size = std::sqrt(dot(step_.data(), step_.data(), rows_));
    for (int i = 0; i < rows_; ++i)
      if (std::abs(dot(matrix_.data() + static_cast<std::ptrdiff_t>(i) * rows_, step_.data(), rows_)) >
          kSameVelocity * size)
        result.velocities_unique = false;
  }
}

bool ConeSystem::choose_least(double* q, double* u, ConeResult& result) {
  const int n = rows_;
  // A contact that carries nothing and does not open might carry something: let it.
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    ConeState& state = states_[i];
    const int f = blocks_[i].first;
    const ConeContact& contact = blocks_[i].contact;
    if (state.closed || u[f] > kSameVelocity * scale_) continue;
    state.closed = true;
    if (contact.tangents == 0 || contact.friction == 0.0 || state.tangential != Form::none) continue;
    double slip = 0.0;
    for (int k = 1; k <= contact.tangents; ++k) slip = std::hypot(slip, u[f + k]);
    const bool sticks = contact.friction == kNoSlip || slip <= kSameVelocity * scale_;
    if (contact.friction == kNoSlip && slip > kSameVelocity * scale_) {
      state.closed = false;
      continue;
    }
    state.tangential = sticks ? Form::stick : Form::slip;
    for (int k = 0; !sticks && k < contact.tangents; ++k) state.rim[k] = -u[f + 1 + k] / slip;
  }
  linearise(q, u);
  for (int i = 0; i < n; ++i) defect_[i] = -defect_[i];
  equations_.compute(jacobian_.data(), n);
  if (equations_.nullity() == 0) return false;
  equations_.solve(defect_.data(), particular_.data());
  dense::add_scaled(1.0, q, particular_.data(), n);
  orthonormal_null_space();
  judge_uniqueness(result);

  std::vector<double>& moved = step_;
  double* x = best_.data();
  std::fill_n(x, n, 0.0);
  std::fill_n(correction_.data(), n, 0.0);
  project_on_equations(x);
  for (int step = 0; step < kDykstraSteps; ++step) {
    Activity::tick();
    for (int i = 0; i < n; ++i) moved[i] = x[i] + correction_[i];
    std::copy_n(moved.data(), n, defect_.data());
    project_on_cones(moved.data());
    double distance = 0.0;
    for (int i = 0; i < n; ++i) {
      correction_[i] = defect_[i] - moved[i];
      distance = std::max(distance, std::abs(moved[i] - x[i]));
    }
    if (distance <= 1e-15 * scale_) break;
    std::copy_n(moved.data(), n, x);
    project_on_equations(x);
  }
  velocities(x, step_.data());
  if (!(residual(x, step_.data()) <= kConeResidual * scale_)) return false;
  std::copy_n(x, n, q);
  std::copy_n(step_.data(), n, u);
  return true;
}

}  // namespace carom
