#pragma once
/// The first impact of a scene under the compliant engine, in the form of an impact law's outcome, so that forces
/// and rigid laws stand side by side.
///
/// The engine runs from the start of the scene until contacts have closed and all have opened again. Its velocities
/// there, in the coordinates of the problem (EventEngine::first_impact: of each body v, and ω in the principal frame
/// unless it is a smooth ball), are v⁺; what else acted meanwhile (gravity) is in them. The impulse of a contact is the
/// integral of its normal force; contacts of the same two bodies share theirs equally.

#include <optional>
#include <string>

#include "carom/engine/smooth/smooth_options.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/state.h"

namespace carom {

/// Its name among the laws.
inline constexpr std::string_view kCompliantOutcome = "smooth";

struct CompliantImpact {
  std::optional<ImpactOutcome> outcome;
  std::string reason;  ///< why there is none, one sentence
};

/// `problem` is the first impact of the same model and state, its contacts named after the two that touch. There is no
/// outcome where the model lacks what the forces need (a stiffness, a law with losses), or where contacts never all
/// open within the duration.
CompliantImpact compliant_outcome(const Model& model, const State& initial, const SmoothOptions& options,
                                  const ImpactProblem& problem);

}  // namespace carom
