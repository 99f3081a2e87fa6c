#pragma once
/// The signed distance of any two bounded convex shapes, with a certificate, and all their touching points.
///
/// The nearest points are searched by the algorithm of Gilbert, Johnson & Keerthi (1988) where the shapes are apart and
/// by a polytope that grows inside the difference of the two (van den Bergen 2001) where they overlap; from there the
/// normal is found to round-off (ascent.h). Where the answer is a normal n, s(n) bounds the distance from below; from
/// above it is bounded by the distance of the witness points, which is sharp where the shapes are apart or touch, and
/// by the polytope. What is between is the residual: at most 1e-14 of the sizes for polyhedra, 1e-11 for round shapes,
/// but for round ones that overlap so deeply and evenly that the polytope is full before, which the residual says.
/// Theory: docs/theory/convex-distance.md.

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

/// Where a whole face, edge or line is equally near: the middle of the part that both have in common.
Proximity convex_proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// The same, from where an earlier search ended; remembers where this one did.
Proximity convex_proximity(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ProximityHint& hint);

/// The nearest points near a normal that is known about, from b to a: of shapes that overlap by a little, or by up to
/// the depth given, there is no proof that no others are nearer. Where none are found near it, or they overlap by more,
/// the search is that from scratch.
Proximity convex_proximity_near(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                const KnownNormal& known);

/// The corners of the region in which the touching face, edge or line of a covers that of b, in the order of the one
/// that has fewer corners (of a where they are equal), which is fixed in that body. A disc on a face is an octagon,
/// which holds what a disc of 0.92 radii holds: fixed in its body where it lies flat, with a corner at the lowest point
/// where it leans, and that part has its deepest point among its corners (deepest_corner.h); a disc on a line has both
/// ends of the chord. A face with more corners than Outline::kMostCorners is one with every second, third … of them; of
/// a region with more than TouchingPoints::kCapacity corners those are left out that cut off the least area.
TouchingPoints convex_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                               double tolerance);

}  // namespace carom
