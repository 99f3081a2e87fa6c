#pragma once
/// The table of pairs: which two shapes can meet, and the function that says how they stand to each other.
///
/// One line of pair_table.cpp per pair with a function of its own in pairs/<a>_<b>.cpp; the exchanged order follows
/// from it. Bounded convex shapes without such a line are met by the general method (convex/convex_distance.h), so that
/// every one of them meets every other, the half-space, the bore and the shell. The unbounded ones do not meet each
/// other: `find_pair` answers nullptr, and the functions that need an answer throw.

#include <span>

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

/// What is known of an ordered pair of kinds.
struct PairFunction {
  ShapeKind kind_a;
  ShapeKind kind_b;
  /// The arguments are of these kinds, in this order.
  Proximity (*proximity)(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);
  /// The same, for a caller that asks for one pair of bodies again and again: from where the last search ended. Pairs
  /// with a closed form take no notice of the hint.
  Proximity (*proximity_from)(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                              ProximityHint& hint);
  /// The same, for shapes that touched with this normal a moment ago, or all but did: the nearest points near there,
  /// which are the nearest of all unless the shapes overlap deeply. Those that are known to press into each other name
  /// a depth; up to it the points near the normal are taken even so, which keeps a contact in its place. Pairs with a
  /// closed form take no notice of it.
  Proximity (*proximity_near)(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                              const KnownNormal& known);
  /// All points whose distance is within `tolerance` [m] of the least one; a single point where the pair has no faces
  /// or edges in common.
  TouchingPoints (*touching)(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double tolerance);
};

/// Every supported ordered pair (both orders of each).
std::span<const PairFunction> all_pairs();

/// The function for this order of arguments; nullptr where the pair is unsupported.
const PairFunction* find_pair(ShapeKind kind_a, ShapeKind kind_b);

/// The nearest points of two shapes. Throws an InputError of kind `unsupported` that names both shapes.
Proximity proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// All touching points of two shapes, see PairFunction::touching. Throws as `proximity` does.
TouchingPoints touching_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                               double tolerance);

}  // namespace carom
