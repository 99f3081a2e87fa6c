#include "carom/analysis/compare_laws.h"

#include "carom/laws/impact/all_outcomes.h"
#include "carom/laws/impact/full_audit.h"
#include "carom/laws/impact/registry.h"

namespace carom {

ImpactOutcome solve_audited(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law,
                            AuditDepth depth) {
  ImpactOutcome outcome = solver.solve(problem, law);
  if (depth == AuditDepth::full) measure_spreads(solver, problem, law, outcome);
  find_outcomes(solver, problem, law,
                depth == AuditDepth::full ? OutcomeSearch::several_starts : OutcomeSearch::enumerate, outcome);
  return outcome;
}

std::vector<const ImpactLaw*> laws_that_answer(const ImpactProblem& problem) {
  std::vector<const ImpactLaw*> laws;
  for (const ImpactLaw* law : impact_laws())
    if (!law->needs.single_contact || problem.contacts.size() <= 1) laws.push_back(law);
  return laws;
}

std::vector<ImpactOutcome> compare_laws(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws,
                                        AuditDepth depth) {
  ImpactSolver solver;
  std::vector<ImpactOutcome> outcomes;
  outcomes.reserve(laws.size());
  ImpactProblem smooth = problem;
  for (Contact& contact : smooth.contacts) contact.friction = 0.0;
  for (const ImpactLaw* law : laws)
    outcomes.push_back(solve_audited(solver, law->needs.friction ? problem : smooth, *law, depth));
  return outcomes;
}

}  // namespace carom
