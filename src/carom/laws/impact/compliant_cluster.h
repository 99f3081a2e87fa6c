#pragma once
/// One cluster of coupled contacts under the law `compliant`, in the units of its integration: speeds in the fastest
/// approach of the cluster, stiffness in the largest, time to match.

#include <span>

#include "carom/laws/impact/law_run.h"

namespace carom {

/// Smaller cosines are round-off: such contacts do not feel each other.
inline constexpr double kUncoupled = 1e-14;

struct CompliantOptions {
  double exponent = 1.5;     ///< η
  double tolerance = 5e-14;  ///< local error of a step, relative to the fastest approach
};

/// Integrates `members`, movable contacts of the run of which one approaches, to the end; adds the impulses to the run,
/// updates its rates and counts its steps.
Stop integrate_cluster(LawRun& run, std::span<const int> members, const CompliantOptions& options);

}  // namespace carom
