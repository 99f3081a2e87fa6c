#include "carom/numerics/cone_proximal.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {

/// R falls from the first to the last of these, by this factor.
constexpr double kFirstRegularisation = 1.0;
constexpr double kLastRegularisation = 1e-6;
constexpr double kRegularisationFactor = 0.2;
/// Proximal points about the last answer; each makes an error smaller by R over the least eigenvalue of the problem.
constexpr int kMostCentres = 40;
/// From an answer that is near already: R at first, centres, and how many of them may not be reached.
constexpr double kNearRegularisation = 1e-3;
constexpr int kMostImprovements = 12, kMostFailures = 2;
constexpr int kMostShifts = 10;
/// Pairs of shifts that are remembered.
constexpr int kHistory = 6;
/// A change of shifts by this much more than the least so far: they do not converge.
constexpr double kAstray = 3.0;
constexpr int kSingleSteps = 8;
/// After so many centres extrapolation has not helped.
constexpr int kExtrapolatedCentres = 14;
/// Residuals up to this tell the modes, and with them whether impulses are unique.
constexpr double kGoodEnoughToJudge = 1e-9;
/// Proximal points on the way from zero to the least solution.
constexpr int kLeastTurns = 4;
/// The search ends at this part of the scale, and what it has reached is good enough below kConeResidual.
constexpr double kConeFinished = 1e-13;
/// Weights are not spread further than this.
constexpr double kLeastWeight = 1e-3;
/// A pivot below this part of its diagonal entry: the impulses are not unique.
constexpr double kDependentRows = 1e-10;

}  // namespace

/// Takes the speeds of slip of the present answer; returns the largest change.
double ConeProximal::shift_normals() {
  const ConeSystem& system = *system_;
  double most = 0.0;
  for (int i = 0; i < system.contacts(); ++i) {
    const ConeContact& contact = system.contact(i);
    if (contact.tangents == 0 || contact.friction == 0.0) continue;
    const int f = system.first_row(i);
    double slip[2] = {0.0, 0.0};
    for (int k = 0; k < contact.tangents; ++k) slip[k] = image_[f + 1 + k] + system.offset()[f + 1 + k];
    const double next = contact.friction * tangential_length(slip, contact.tangents);
    most = std::max(most, std::abs(next - shift_[i]));
    shift_[i] = next;
  }
  return most;
}

void ConeProximal::forget_shifts() {
  pairs_ = 0;
  single_steps_ = 0;
  least_change_ = HUGE_VAL;
}

/// The shifts s that were asked for have led to others g(s). Goes on to where a straight map through the last of these
/// pairs would stand still (Anderson 1965); where that has led astray, back to the best s and on by single steps.
void ConeProximal::improve_shifts() {
  const auto m = static_cast<int>(shift_.size());
  std::copy_n(shift_.begin(), m, asked_shift_.begin());
  const double change = shift_normals();
  if (change > kAstray * least_change_) {
    std::copy_n(best_shift_.begin(), m, shift_.begin());
    pairs_ = 0;
    least_change_ = HUGE_VAL;
    single_steps_ = kSingleSteps;
    return;
  }
  if (change < least_change_) {
    least_change_ = change;
    std::copy_n(shift_.begin(), m, best_shift_.begin());
  }
  const auto pair = [&](int k) { return history_.data() + static_cast<std::ptrdiff_t>(2 * (k % kHistory)) * m; };
  double* own = pair(pairs_);
  for (int i = 0; i < m; ++i) {
    own[i] = shift_[i] - asked_shift_[i];  // g(s) − s
    own[m + i] = shift_[i];
  }
  ++pairs_;
  const int depth = std::min(pairs_, kHistory) - 1;
  if (depth == 0 || single_steps_-- > 0) return;
  // The least of |f − Σ c (f − f_k)| over the earlier pairs.
  double gram[kHistory * kHistory], right[kHistory], diagonal[kHistory];
  for (int a = 0; a < depth; ++a) {
    const double* before = pair(pairs_ - 2 - a);
    right[a] = 0.0;
    for (int i = 0; i < m; ++i) right[a] += own[i] * (own[i] - before[i]);
    for (int b = 0; b <= a; ++b) {
      const double* other = pair(pairs_ - 2 - b);
      double sum = 0.0;
      for (int i = 0; i < m; ++i) sum += (own[i] - before[i]) * (own[i] - other[i]);
      gram[a * depth + b] = sum * (a == b ? 1.0 + 1e-10 : 1.0);
    }
  }
  if (dense::cholesky(gram, diagonal, depth, 1e-14) >= 0) return;
  dense::solve_lower(gram, diagonal, right, depth);
  dense::solve_lower_transposed(gram, diagonal, right, depth);
  for (int a = 0; a < depth; ++a) {
    const double* before = pair(pairs_ - 2 - a);
    for (int i = 0; i < m; ++i) shift_[i] -= right[a] * (own[m + i] - before[m + i]);
  }
  for (double& shift : shift_) shift = std::max(shift, 0.0);
}

void ConeProximal::prepare(const ConeSystem& system) {
  system_ = &system;
  rows_ = system.rows();
  const int m = system.contacts();
  find_neighbours();
  order_contacts();
  freedom_.assign(static_cast<std::size_t>(m), Freedom{});
  weight_.assign(static_cast<std::size_t>(m), 1.0);
  shift_.assign(static_cast<std::size_t>(m), 0.0);
  for (std::vector<double>* field : {&centre_, &x_, &image_, &y_, &projected_, &step_, &step_image_})
    field->assign(static_cast<std::size_t>(rows_), 0.0);
  ensure(trial_, 2 * rows_);
  ensure(kept_, 2 * rows_);
  ensure(kept_shift_, m);
  double heaviest = 0.0;
  for (int i = 0; i < m; ++i) heaviest = std::max(heaviest, weight_[i] = std::pow(system.choice_weight(i), 2));
  for (double& weight : weight_) weight = std::max(weight / heaviest, kLeastWeight);
  ensure(history_, 2 * kHistory, m);
}

/// The present point becomes the centre of the next, and the answer where its residual is the least so far.
void ConeProximal::take_centre(double& best, double* q, double* u) {
  put_into_cones(x_.data());
  multiply(x_.data(), image_.data());
  std::copy_n(x_.data(), rows_, centre_.data());
  system_->velocities(x_.data(), u);
  const double residual = system_->residual(x_.data(), u);
  if (!(residual < best)) return;
  best = residual;
  std::copy_n(x_.data(), rows_, q);
}

bool ConeProximal::improve(const ConeSystem& system, double accuracy, double* q, double* u) {
  prepare(system);
  std::copy_n(q, rows_, x_.data());
  double best = HUGE_VAL;
  take_centre(best, q, u);
  regularisation_ = kNearRegularisation;
  int failed = 0;
  for (int turn = 0; turn < kMostImprovements && failed < kMostFailures && best > kConeFinished * system.scale();
       ++turn) {
    if (follow_shifts()) {
      take_centre(best, q, u);
    } else {
      ++failed;
    }
    regularisation_ = std::max(kLastRegularisation, kRegularisationFactor * regularisation_);
  }
  system.velocities(q, u);
  reached_ = best / system.scale();
  return best <= accuracy * system.scale();
}

bool ConeProximal::solve(const ConeSystem& system, double* q, double* u) {
  prepare(system);
  shift_normals();
  asked_shift_ = best_shift_ = shift_;
  double best = HUGE_VAL;
  regularisation_ = kFirstRegularisation;
  for (int turn = 0; turn < kMostCentres && best > kConeFinished * system.scale(); ++turn) {
    const bool last = regularisation_ == kLastRegularisation;
    if (!last) forget_shifts();
    if (turn > kExtrapolatedCentres) single_steps_ = kMostShifts;
    for (int shift = 0; shift < kMostShifts && !follow_shifts(); ++shift) {
      minimise();
      improve_shifts();
    }
    take_centre(best, q, u);
    if (!last) regularisation_ = std::max(kLastRegularisation, kRegularisationFactor * regularisation_);
  }
  system.velocities(q, u);
  reached_ = best / system.scale();
  if (!(best <= kGoodEnoughToJudge * system.scale())) return false;
  multiply(q, image_.data());
  std::copy_n(q, rows_, centre_.data());
  std::copy_n(q, rows_, x_.data());
  shift_normals();
  project();
  unique_ = factorise(0.0, kDependentRows);
  if (!(best <= kConeResidual * system.scale())) return false;
  if (!unique_) choose_least(q, u);
  return true;
}

/// With the slips known the problem is convex, and the least of its solutions is the limit of proximal points about
/// zero.
void ConeProximal::choose_least(double* q, double* u) {
  std::fill_n(centre_.data(), rows_, 0.0);
  for (int turn = 0; turn < kLeastTurns; ++turn) {
    minimise();
    put_into_cones(x_.data());
    multiply(x_.data(), image_.data());
    std::copy_n(x_.data(), rows_, centre_.data());
  }
  system_->velocities(x_.data(), y_.data());
  if (!(system_->residual(x_.data(), y_.data()) <= kConeResidual * system_->scale())) return;
  std::copy_n(x_.data(), rows_, q);
  std::copy_n(y_.data(), rows_, u);
}

}  // namespace carom
