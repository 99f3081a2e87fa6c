#pragma once
/// The table of pairs: which two shapes can meet, and the function that says how they stand to each other.
///
/// One line of pair_table.cpp per pair, its function in pairs/<a>_<b>.cpp; the exchanged order follows from it. A pair
/// without a line is unsupported: `find_pair` answers nullptr, and the functions that need an answer throw.

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
