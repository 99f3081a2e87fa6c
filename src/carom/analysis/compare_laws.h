#pragma once
/// One impact problem through several laws, each outcome audited alike: which laws agree, which create energy, which
/// leave something approaching.

#include <span>
#include <vector>

#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom {

/// How much an audit costs: `basic` looks at the outcome; `full` also solves the problem again with the contacts in
/// another order and with inputs moved by a few ulp (full_audit.h).
enum class AuditDepth { basic, full };

/// The outcome of one law with its audit and, where the law allows several, all that were found (all_outcomes.h; the
/// full audit also searches where they cannot be enumerated). Throws InputError for a problem that is not well posed.
ImpactOutcome solve_audited(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law,
                            AuditDepth depth = AuditDepth::basic);

/// The laws that answer a problem of that many contacts.
std::vector<const ImpactLaw*> laws_that_answer(const ImpactProblem& problem);

/// The outcomes in the order of `laws`; a law that knows no friction takes contacts with friction as smooth. A law
/// whose mathematics does not finish has an outcome too (its `stop` says so); throws InputError for a problem that is
/// not well posed, whatever the law.
std::vector<ImpactOutcome> compare_laws(const ImpactProblem& problem, std::span<const ImpactLaw* const> laws,
                                        AuditDepth depth = AuditDepth::basic);

}  // namespace carom
