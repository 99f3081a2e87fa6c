#pragma once
/// How everything stands to everything at the start of a run: which pairs can meet, how far apart they are, and whether
/// any two overlap.
///
/// The pairs that can meet are those of two bodies and those of a body and an obstacle. Whether a pair of shapes has a
/// distance at all is known by kinds alone (geometry/pair_table.h), so a model is refused as a whole before anything
/// moves.

#include <vector>

#include "carom/geometry/proximity.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom {

/// Overlap that a rigid engine takes for round-off, relative to the bounding radius of the smaller body.
inline constexpr double kRigidOverlap = 1e-9;

/// Overlap that a compliant engine takes for a static penetration, relative likewise.
inline constexpr double kCompliantOverlap = 0.01;

/// Most bodies for which all gaps are listed; their number grows as the square.
inline constexpr int kMostBodiesWithGaps = 200;

/// One pair of objects (numbered as in Model, a a body) and how they stand to each other.
struct InitialGap {
  int a = kNone;
  int b = kNone;
  Proximity nearest;
  int part_a = 0;  ///< on which the nearest points lie
  int part_b = 0;
};

/// Throws InputError `unsupported` at the shape of the later body (`body.egg.shape`) where two bodies, or a body and an
/// obstacle, have shapes whose distance is not known. Cost grows with the number of objects, not of pairs.
void require_supported_pairs(const Model& model);

/// All pairs that can meet: bodies in the model's order, each with the later bodies, then with the obstacles. Throws as
/// require_supported_pairs does. Quadratic: for scenes of up to kMostBodiesWithGaps.
std::vector<InitialGap> initial_gaps(const Model& model, const State& state);

/// Throws InputError `overlap` at the later body (`body.egg.position`), naming both, by how much and where, for two
/// objects that overlap by more than `tolerance` times the bounding radius of the smaller body. Of several pairs the
/// first in the order of initial_gaps is told (of the first hundred that are found). Bodies are sorted along the axis
/// of their widest spread and compared where their bounding balls meet; throws as require_supported_pairs does.
/// `out-of-range` where a joint is beyond a limit by more than that of its size.
void require_no_overlap(const Model& model, const State& state, double tolerance = kRigidOverlap);

/// All overlaps that require_no_overlap looks at, each as it would be thrown, in the order of initial_gaps; then
/// limits.
std::vector<InputError> overlaps(const Model& model, const State& state, double tolerance = kRigidOverlap);

}  // namespace carom
