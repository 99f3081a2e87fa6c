#pragma once
/// Of what two faces have in common, one of them a disc, the point at which they are nearest.
///
/// Two planes with the normals m that all but agree with n are at a distance which is linear across n, with the slope
///   ∇g = m_b/(m_b·n) − m_a/(m_a·n).
/// Over a convex set it is least at the point that lies farthest along e = −∇g/|∇g|: the end r e of a disc, a corner of
/// a polygon, or a place where the borders of the two cross. The octagon in whose place a disc stands
/// (flat_feature.cpp) lacks such places by up to 0.08 r|∇g|.

#include "carom/geometry/convex/placed_convex.h"

namespace carom {

/// What one of two shapes touches with, and the normal of its plane.
struct LeaningFace {
  const FlatFeature& feature;
  Eigen::Vector3d normal;
};

/// The outline of what a and b have in common, with that point as one of its corners where it lies beyond them. As it
/// is where neither face is a whole disc, and where they do not lean.
Outline with_deepest_corner(const CommonPart& common, const LeaningFace& a, const LeaningFace& b,
                            const Eigen::Vector3d& n);

}  // namespace carom
