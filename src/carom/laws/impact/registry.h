#pragma once
/// The impact laws by name. From a law's line here follow its name on the command line, the check of its options, its
/// row in the documentation, its contract test and its benchmark.

#include <span>
#include <string_view>

#include "carom/laws/impact/impact_law.h"
#include "carom/mechanics/impact_problem.h"

namespace carom {

extern const ImpactLaw kCompliantLaw;
extern const ImpactLaw kGeometricLaw;
extern const ImpactLaw kIncrementalLaw;
extern const ImpactLaw kNewtonLaw;
extern const ImpactLaw kPoissonLaw;
extern const ImpactLaw kRoughLaw;
extern const ImpactLaw kSequentialLaw;
extern const ImpactLaw kSuperpositionLaw;

/// Every law, the default first; those that a program has added at the end.
std::span<const ImpactLaw* const> impact_laws();

/// Makes a law of one's own known by its name, in scenes as well; it lives as long as the program. Throws InputError
/// (duplicate_name).
void add_impact_law(const ImpactLaw& law);

/// The law of that name. Throws InputError (unknown-name) with the nearest known one.
const ImpactLaw& impact_law(std::string_view name);

/// The law of a problem that names none: `compliant`.
const ImpactLaw& default_impact_law();

/// The law of an impact with rough contacts among the closed ones: the chosen one where it uses tangents, else `rough`.
const ImpactLaw& law_for_rough_contacts(const ImpactLaw& chosen);

/// The law of an impact of this many contacts: the chosen one, or the default where that answers a single contact only.
const ImpactLaw& law_for_contacts(const ImpactLaw& chosen, int contacts);

/// Whether the law answers this problem as it stands. Throws InputError (unsupported): friction under a law that has
/// none, with the laws that do; several contacts under a law for one.
void check_law(const ImpactProblem& problem, const ImpactLaw& law);

/// Checks the options of single laws: known to some law, in range. Throws InputError.
void validate_law_options(const ImpactOptions& options);

}  // namespace carom
