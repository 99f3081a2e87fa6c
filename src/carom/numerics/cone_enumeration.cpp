/// All solutions of a small planar cone problem: every combination of modes gives a linear system, and its solution is
/// one of the problem where the inequalities hold.
///
/// Where a combination has a continuum of solutions, the one of least Σ|q|²/K stands for them.

#include <algorithm>
#include <cmath>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/dense.h"

namespace carom {

namespace {

using Form = ConeState::Tangential;

/// Solutions whose velocities agree to this part of the scale are one.
constexpr double kSameSolution = 1e-9;
constexpr int kMostStates = 6;

/// The states that a contact may be in; returns how many.
int possible_states(const ConeContact& contact, ConeState* states) {
  int count = 0;
  const auto add = [&](bool closed, Form form, double rim) {
    states[count++] = {.closed = closed, .tangential = form, .rim = {rim, 0.0}};
  };
  if (contact.tangents == 0 || contact.friction == 0.0) {
    add(false, Form::none, 0.0);
    add(true, Form::none, 0.0);
    return count;
  }
  if (contact.direction != nullptr) {
    add(false, Form::given, 0.0);
    add(true, Form::given, 0.0);
    return count;
  }
  for (const bool closed : {false, true}) {
    if (!closed && contact.least == 0.0) {
      add(false, Form::none, 0.0);
      continue;
    }
    add(closed, Form::stick, 0.0);
    if (contact.friction == kNoSlip) {
      if (contact.least == 0.0) add(true, Form::limit, 0.0);
      continue;
    }
    add(closed, Form::slip, 1.0);
    add(closed, Form::slip, -1.0);
  }
  return count;
}

}  // namespace

bool ConeSolver::can_enumerate(const ConeData& problem) {
  if (problem.contacts.size() > kEnumerated) return false;
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [](const ConeContact& contact) {
    return contact.tangents < 2 || contact.friction == 0.0 || contact.direction != nullptr;
  });
}

bool ConeSolver::keep_solution(const double* q, const double* u) {
  const int n = system_.rows();
  for (int k = 0; k < count_; ++k) {
    double distance = 0.0;
    for (int i = 0; i < n; ++i)
      distance = std::max(distance, std::abs(u[i] - solution_velocities_[static_cast<std::size_t>(k * n + i)]));
    if (distance <= kSameSolution * system_.scale()) return false;
  }
  const auto size = static_cast<std::size_t>((count_ + 1) * n);
  dense::ensure(solutions_, size);
  dense::ensure(solution_velocities_, size);
  system_.restore_impulses(q, solutions_.data() + static_cast<std::ptrdiff_t>(count_) * n);
  std::copy_n(u, n, solution_velocities_.data() + static_cast<std::ptrdiff_t>(count_) * n);
  ++count_;
  return true;
}

bool ConeSolver::enumerate_states(double* q, double* u) {
  const int contacts = system_.contacts();
  const int n = system_.rows();
  count_ = 0;
  ConeState states[kEnumerated][kMostStates];
  int possible[kEnumerated];
  int chosen[kEnumerated] = {};
  for (int i = 0; i < contacts; ++i) possible[i] = possible_states(system_.contact(i), states[i]);
  double* trial = dense::ensure(pivot_offset_, 2 * n);
  double* rates = trial + n;
  bool found = false;
  for (bool more = true; more;) {
    for (int i = 0; i < contacts; ++i) system_.states()[i] = states[i][chosen[i]];
    std::fill_n(trial, n, 0.0);
    bool solved = system_.newton(trial, rates, 3, true);
    ConeResult uniqueness;
    if (!solved) solved = system_.choose_least(trial, rates, uniqueness);
    if (solved && keep_solution(trial, rates) && !found) {
      std::copy_n(trial, n, q);
      std::copy_n(rates, n, u);
      found = true;
    }
    int i = 0;
    while (i < contacts && ++chosen[i] == possible[i]) chosen[i++] = 0;
    more = i < contacts;
  }
  return found;
}

int ConeSolver::enumerate(const ConeData& problem) {
  system_.prepare(problem);
  const int n = system_.rows();
  enumerate_states(dense::ensure(q_, n), dense::ensure(u_, n));
  return count_;
}

}  // namespace carom
