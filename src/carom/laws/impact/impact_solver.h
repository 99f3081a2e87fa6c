#pragma once
/// Solves impact problems: prepare, resolve by a law, audit.
///
/// One solver per thread; it owns the scratch memory of all laws and allocates only when a problem is larger than any
/// before. `outcome` may be reused likewise. A copy has memory of its own.

#include <memory>

#include "carom/laws/impact/registry.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom {

struct OutcomeChoices;

class ImpactSolver {
 public:
  ImpactSolver();
  ImpactSolver(const ImpactSolver& other);
  ImpactSolver& operator=(const ImpactSolver& other);
  ImpactSolver(ImpactSolver&&) noexcept;
  ImpactSolver& operator=(ImpactSolver&&) noexcept;
  ~ImpactSolver();

  /// Throws InputError for a problem that is not well posed (impact_problem.h); everything that the mathematics does
  /// is in the outcome.
  void solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome);

  /// The same with a choice among several solutions of the law's conditions (coupled_friction.h).
  void solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome, OutcomeChoices& choices);

  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const ImpactLaw& law = default_impact_law()) {
    ImpactOutcome outcome;
    solve(problem, law, outcome);
    return outcome;
  }

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace carom
