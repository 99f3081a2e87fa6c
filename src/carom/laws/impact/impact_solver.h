#pragma once
/// Solves impact problems: prepare, resolve by a law, audit.
///
/// One solver per thread; it owns the scratch memory of all laws and allocates only when a problem is larger than any
/// before. `outcome` may be reused likewise.

#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/contact_space.h"
#include "carom/mechanics/impact_outcome.h"

namespace carom {

class ImpactSolver {
 public:
  /// Throws InputError for a problem that is not well posed (impact_problem.h); everything that the mathematics does
  /// is in the outcome.
  void solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome);

  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const ImpactLaw& law = default_impact_law()) {
    ImpactOutcome outcome;
    solve(problem, law, outcome);
    return outcome;
  }

 private:
  void write_velocity(const LawRun& run, const ImpactLaw& law, ImpactOutcome& outcome);

  ContactSpace space_;
  LawScratch scratch_;
  std::vector<double> impulse_, rate_, change_, tangential_, work_;
};

}  // namespace carom
