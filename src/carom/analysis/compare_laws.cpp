#include "carom/analysis/compare_laws.h"

#include "carom/laws/impact/full_audit.h"

namespace carom {

ImpactOutcome solve_audited(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law,
                            AuditDepth depth) {
  ImpactOutcome outcome = solver.solve(problem, law);
  if (depth == AuditDepth::full) measure_spreads(solver, problem, law, outcome);
  return outcome;
}

std::vector<ImpactOutcome> compare_laws(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws,
                                        AuditDepth depth) {
  ImpactSolver solver;
  std::vector<ImpactOutcome> outcomes;
  outcomes.reserve(laws.size());
  for (const ImpactLaw* law : laws) outcomes.push_back(solve_audited(solver, problem, *law, depth));
  return outcomes;
}

}  // namespace carom
