#pragma once
/// The corner rule in the paper's two other sets of coordinates. Same zones, thresholds and stops as in (ẋ, ẏ); they
/// serve as checks of it and of one another. Input is valid (`check`).

#include <vector>

#include "carom/laws/corner/disk_in_corner.h"
#include "carom/laws/corner/iteration.h"

namespace carom::corner {

/// The direction φ of the velocity, ε = 1. Equations (5), with the endpoints of (5b) as in (5a, 5d) and φ in (−π, π]:
///     Z1: φ' = 2α − φ     Z2: φ' = −2α − φ
///     Z12: cos φ', sin φ' from (5d).
SlopeOutcome iterate_phi(const CornerProblem& problem, std::vector<TraceEntry>* trace);

/// (ξ̇, η̇). With β = cos 2α = (1−k²)/(1+k²), equations (7) and (15):
///     Z1: ξ̇' = ξ̇ + (1+ε)βη̇, η̇' = −εη̇     Z2: η̇' = η̇ + (1+ε)βξ̇, ξ̇' = −εξ̇
///     Z12: λ = (1+ε)(ξ̇²+η̇²)/(ξ̇²+η̇²−2βξ̇η̇), ξ̇' = ξ̇ − λ(ξ̇−βη̇), η̇' = η̇ − λ(η̇−βξ̇)
/// The differences with β are formed with 1−β = 2k²/(1+k²), which keeps their digits in narrow corners.
SlopeOutcome iterate_xi_eta(const CornerProblem& problem, std::vector<TraceEntry>* trace);

}  // namespace carom::corner
