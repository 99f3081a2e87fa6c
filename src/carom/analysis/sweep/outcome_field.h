#pragma once
/// A value of the result of an impact by the path that `carom impact --json` gives it: `steps`, `stop`, `velocity.1`,
/// `energy.change`, `impulses.0`, `gap_rates.after.floor`, `audit.min_impulse`, `slip.after.0.1`, `modes.floor`.
/// Entries of contacts by their number or name. Besides, `flags.energy-created` or `energy-created`: 1 where the audit
/// has that flag, else 0; `outcomes`: how many outcomes were found.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::sweep {

struct OutcomeField {
  /// NaN where there is none.
  std::function<double(const ImpactOutcome& outcome)> number;
  /// Where it is a word; else empty.
  std::function<std::string_view(const ImpactOutcome& outcome)> word;

  /// Where the results of ImpactBatch have it too.
  enum class Column { none, velocity, impulse, steps, stop };
  Column column = Column::none;
  std::size_t entry = 0;  ///< coordinate or contact

  [[nodiscard]] bool exists() const { return number || word; }
};

/// A field that does not exist where the outcomes of this problem have none of that path.
OutcomeField outcome_field(const ImpactProblem& problem, std::string_view path);

/// The paths that there are, for messages.
std::vector<std::string> outcome_paths(const ImpactProblem& problem);

}  // namespace carom::sweep
