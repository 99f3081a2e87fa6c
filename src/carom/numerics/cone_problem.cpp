#include "carom/numerics/cone_problem.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/numerics/dense.h"

namespace carom {

using dense::ensure;

namespace {

/// Sweeps before each attempt of Newton's method: most problems are done after the first.
constexpr int kSweeps[] = {6, 20, 60, 200, 600};
constexpr int kNewtonSteps = 12;
/// Facets of the cones for complementary pivoting; in the plane two are exact.
constexpr int kFacets[] = {8, 12, 24};
/// What stands for the friction of contacts that do not slip on the way to the limit.
constexpr double kLargeFrictions[] = {10.0, 100.0, 1e3, 1e4, 1e5, 1e6};
/// From this many rows on proximal points are the first method: sweeps do not come to the modes of so many contacts.
constexpr int kManyRows = 40;
/// Residuals, as parts of the scale, from which Newton's method is tried, and with which many contacts may stay.
constexpr double kNear = 1e-5;
constexpr double kGoodEnough = 1e-10;
/// A residual that is better than the answer of a method that has failed.
constexpr double kUseful = 1e-6;
/// From this many on they come before pivoting, below it after.
constexpr int kSeveralRows = 25;
/// Sweeps over many contacts, before and after proximal points.
constexpr int kFewSweeps = 200, kManySweeps = 600, kShortPatience = 30;
/// Pivoting on more rows than this would take too long.
constexpr int kMostPivotingRows = 90;

}  // namespace

ConeMode cone_mode(const ConeContact& contact, const double* q, const double* u, double tolerance) {
  double impulse = 0.0;
  double slip = 0.0;
  for (int k = 1; k <= contact.tangents; ++k) {
    impulse = std::hypot(impulse, q[k]);
    slip = std::hypot(slip, u[k]);
  }
  if (!(q[0] > 0.0) && !(impulse > 0.0)) return ConeMode::open;
  if (contact.tangents == 0 || contact.friction == 0.0 || contact.direction != nullptr) return ConeMode::slip;
  return slip > tolerance ? ConeMode::slip : ConeMode::stick;
}

bool ConeSolver::iterate(double* q, double* u) {
  for (const int sweeps : kSweeps) {
    for (int k = 0; k < sweeps; ++k) system_.sweep(q);
    if (system_.newton(q, u, kNewtonSteps, false)) return true;
  }
  return false;
}

bool ConeSolver::approach_no_slip(double* q, double* u) {
  // The path of solutions for growing μ leads to the modes: what still slips for the largest one slips in the limit.
  for (const double friction : kLargeFrictions) {
    system_.replace_no_slip(friction);
    const bool found = search(q, u, false);
    system_.identify(q, u);
    system_.replace_no_slip(kNoSlip);
    if (!found) continue;
    double* trial = ensure(limit_, 2 * system_.rows());
    std::copy_n(q, system_.rows(), trial);
    for (int i = 0; i < system_.contacts(); ++i) {
      ConeState& state = system_.states()[i];
      if (system_.contact(i).friction != kNoSlip || state.tangential != ConeState::Tangential::slip) continue;
      state.tangential = system_.contact(i).least > 0.0 ? ConeState::Tangential::stick : ConeState::Tangential::limit;
    }
    if (system_.newton(trial, trial + system_.rows(), kNewtonSteps, true)) {
      std::copy_n(trial, system_.rows(), q);
      std::copy_n(trial + system_.rows(), system_.rows(), u);
      return true;
    }
  }
  return false;
}

/// Extrapolated sweeps find the modes where plain ones do not come to them, and Newton's method gives the numbers.
bool ConeSolver::find_modes(const ConeData& problem, double* q, double* u) {
  const int n = system_.rows();
  sweeps_.prepare(problem);
  if (!sweeps_.solve(kConeResidual, kFewSweeps) && !(sweeps_.residual() <= kGoodEnough))
    sweeps_.solve(kGoodEnough, kManySweeps);
  const double reached = sweeps_.residual();
  double* trial = ensure(limit_, 2 * n);
  sweeps_.write(trial + n);
  system_.scale_impulses(trial + n, trial);
  system_.velocities(trial, trial + n);
  if (!(reached <= kNear)) return false;
  system_.identify(trial, trial + n);
  bool limits = false;
  for (int i = 0; i < system_.contacts(); ++i) {
    const ConeContact& contact = system_.contact(i);
    if (contact.tangents == 0 || contact.friction != kNoSlip || contact.least > 0.0) continue;
    const int f = system_.first_row(i);
    const double small = kNear * system_.scale();
    if (trial[f] > small || tangential_length(trial + f + 1, contact.tangents) <= small ||
        tangential_length(trial + n + f + 1, contact.tangents) <= small)
      continue;
    system_.states()[i] = {.closed = true, .tangential = ConeState::Tangential::limit};
    limits = true;
  }
  // Redundant contacts may leave no better than what velocities before the impact are consistent to.
  const bool found = system_.newton(trial, trial + n, kNewtonSteps, limits);
  if (!found && !(reached <= kGoodEnough)) return false;
  if (!found) {
    sweeps_.write(trial + n);
    system_.scale_impulses(trial + n, trial);
    system_.velocities(trial, trial + n);
  }
  std::copy_n(trial, n, q);
  std::copy_n(trial + n, n, u);
  return true;
}

bool ConeSolver::search(double* q, double* u, bool swept) {
  bool planar = true;
  bool free_directions = true;
  for (int i = 0; i < system_.contacts(); ++i) {
    planar = planar && (system_.contact(i).tangents < 2 || system_.contact(i).direction != nullptr);
    free_directions = free_directions && system_.contact(i).direction == nullptr;
  }
  // What proximal points have come near to, Newton's method on the natural map may reach; and with many contacts
  // round-off may leave no better than what they have come to.
  const auto find_least = [&] {
    if (!free_directions) return false;
    least_found_ = proximal_.solve(system_, q, u);
    if (least_found_ || !(proximal_.reached() <= kNear)) return least_found_;
    double* trial = ensure(limit_, 2 * system_.rows());
    std::copy_n(q, system_.rows(), trial);
    if (system_.newton(trial, trial + system_.rows(), kNewtonSteps, false)) {
      std::copy_n(trial, system_.rows(), q);
      std::copy_n(trial + system_.rows(), system_.rows(), u);
      return true;
    }
    return least_found_ = proximal_.reached() <= kGoodEnough;
  };
  const int rows = system_.rows();
  if (rows >= kManyRows ? find_least() || iterate(q, u) : !swept && iterate(q, u)) return true;
  if (rows < kManyRows && rows >= kSeveralRows && find_least()) return true;
  for (std::size_t k = 0; rows <= kMostPivotingRows && k < std::size(kFacets) && (k == 0 || !planar); ++k)
    if (pivot(planar ? 2 : kFacets[k], q, u)) return true;
  return rows < kSeveralRows && find_least();
}

/// To the accuracy that the problem asks for. Leaves the best that was found in any case.
bool ConeSolver::sweep_many(const ConeData& problem, const double* start, double* q, double* u) {
  sweeps_.prepare(problem);
  if (start != nullptr) sweeps_.read(start);
  const bool smooth_cones =
      std::none_of(problem.contacts.begin(), problem.contacts.end(), [](const ConeContact& contact) {
        return contact.tangents > 0 && (contact.friction == kNoSlip || contact.direction != nullptr);
      });
  // Where Newton's method can go on, sweeps that hardly improve are soon left.
  const int patience = smooth_cones ? kShortPatience : ExtrapolatedIteration::kPatience;
  bool found = sweeps_.solve(problem.accuracy, kFewSweeps, patience);
  if (!found && smooth_cones) {
    system_.prepare(problem);
    const int n = system_.rows();
    double* scaled = ensure(q_, n);
    double* rates = ensure(u_, n);
    sweeps_.write(q);
    system_.scale_impulses(q, scaled);
    found = proximal_.improve(system_, problem.accuracy, scaled, rates);
    if (proximal_.reached() < sweeps_.residual()) {
      system_.restore_impulses(scaled, q);
      sweeps_.read(q);
    }
  }
  found = found || sweeps_.solve(problem.accuracy, kManySweeps, patience);
  sweeps_.end_approaches(problem.accuracy, kManySweeps);
  sweeps_.write(q);
  sweeps_.write_velocities(u);
  return found;
}

bool ConeSolver::solve_exactly(const ConeData& problem, const double* start, double* q, ConeResult& result) {
  system_.prepare(problem);
  const int n = system_.rows();
  double* scaled = ensure(q_, n);
  double* rates = ensure(u_, n);
  std::fill_n(scaled, n, 0.0);
  if (start != nullptr) system_.scale_impulses(start, scaled);
  for (int i = 0; i < system_.contacts(); ++i) {
    double& p = scaled[system_.first_row(i)];
    p = std::max(p, system_.contact(i).least);
  }
  least_found_ = false;
  const bool many = n >= kManyRows;
  bool found = !many && (iterate(scaled, rates) || find_modes(problem, scaled, rates));
  // The path to the limit is a long one: where sweeps have come near, or an accuracy is enough, no more is to be
  // expected of it. Rows that all but depend on each other have answers there that are far larger than what they do.
  const bool enough = problem.accuracy > 0.0 || (!found && !many && sweeps_.residual() <= kUseful);
  if (!found && system_.has_no_slip()) {
    found = !enough && approach_no_slip(scaled, rates);
  } else if (!found) {
    found = search(scaled, rates, !many);
  }
  if (system_.has_no_slip() && !many) least_found_ = false;  // the limit is another answer
  if (!found && can_enumerate(problem)) {
    found = enumerate_states(scaled, rates);
    if (!found) result.status = ConeStatus::infeasible;
  }
  if (found) {
    result.status = ConeStatus::solved;
    system_.identify(scaled, rates);
    system_.recognise_limits(scaled);
    if (least_found_) {
      result.impulses_unique = proximal_.impulses_unique();
    } else {
      system_.choose_least(scaled, rates, result);
    }
    system_.round_into_cones(scaled);
  }
  system_.restore_impulses(scaled, q);
  // Where no method ends, what the sweeps have come to is worth more than where the last one was.
  if (!found && !many && sweeps_.residual() * system_.scale() < system_.residual(scaled, rates)) {
    sweeps_.end_approaches(kUseful, kManySweeps);
    sweeps_.write(q);
  }
  return found;
}

ConeResult ConeSolver::solve(const ConeData& problem, double* q, double* u, ConeMode* modes, const double* start) {
  ConeResult result;
  int n = 0;
  for (const ConeContact& contact : problem.contacts) n += 1 + contact.tangents;
  const bool swept = problem.accuracy > 0.0;
  if (swept && sweep_many(problem, start, q, u)) {
    result.status = ConeStatus::solved;
  } else if (!swept || n < kManyRows) {
    double* kept = ensure(kept_, n);
    std::copy_n(q, swept ? n : 0, kept);
    if (!solve_exactly(problem, start, q, result) && swept) std::copy_n(kept, n, q);
    for (int i = 0; i < n; ++i)
      u[i] = problem.offset[i] + dense::dot(problem.matrix + static_cast<std::ptrdiff_t>(i) * n, q, n);
  }
  double largest = problem.scale;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(problem.offset[i]));
  int first = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ConeContact& contact = problem.contacts[i];
    modes[i] = cone_mode(contact, q + first, u + first, std::max(1e-10, problem.accuracy) * largest);
    first += 1 + contact.tangents;
  }
  result.residual = natural_residual(problem, q, u);
  return result;
}

}  // namespace carom
