#pragma once
/// The outcome of an impact as Python sees it.

#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::python {

struct Outcome {
  std::string law;
  std::vector<int> tangents;  ///< rows of each contact
  ImpactOutcome value;        ///< its `law` is not used: a law may be gone

  Outcome() = default;
  Outcome(const ImpactProblem& problem, ImpactOutcome outcome);
  Outcome(std::vector<int> rows, ImpactOutcome outcome);
};

/// Names of the flags that are set.
py::tuple flag_names(const Flags& flags);

}  // namespace carom::python
