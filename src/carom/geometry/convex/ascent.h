#pragma once
/// From a direction near the normal of two convex shapes to the normal itself.
///
/// h is piecewise smooth, so the largest s(n) is attained at one of few places: at the normal of a face of A or B;
/// where the normals of an edge or side line of A (a circle on the sphere) cross those of B; on one such circle, where
/// s has no slope along it; or where s has no slope at all. The first two are closed forms, the others are found by
/// Newton's method with the second derivatives of h. Of these candidates the one with the largest s is taken, and again
/// from there until none is better. All of them are lower bounds of the distance, whichever is taken.

#include <optional>

#include "carom/geometry/convex/convex_gap.h"

namespace carom {

/// Where the best normal comes from: what a later search tries first.
struct NormalSource {
  enum class Kind {
    search,
    points,  ///< two vertices of polyhedra
    line_a,  ///< an edge or side line of a against a vertex or something round of b
    line_b,  ///< the same of b against a
    lines,   ///< lines of both that are not edges: the side of a cone
    face_a,
    face_b,
    edges
  };
  Kind kind = Kind::search;
  Eigen::Vector3d of_a = Eigen::Vector3d::Zero();  ///< outward normal of the face, or direction of the edge
  Eigen::Vector3d of_b = Eigen::Vector3d::Zero();
};

struct Ascent {
  ConvexGap::At at;
  ConvexGap::Vertices vertices;
  NormalSource source;
};

/// The best place that is found from `from`, kinks within `angle` [rad] of it considered.
Ascent ascend(const ConvexGap& gap, const Ascent& from, double angle);

/// The first place from which nothing near is better, in the order in which places are cheap to find: faces, crossings
/// of lines, lines, everything else. `exact`: how far its nearest points may be from lying above each other [m].
/// Nothing: there is none near `from`.
std::optional<Ascent> nearest_rest(const ConvexGap& gap, const Ascent& from, double angle, double exact);

/// The normal from the same source as before, near the direction of `near`, which is that of polyhedra where the source
/// is a line or two points.
Eigen::Vector3d normal_of(const NormalSource& source, const ConvexGap::At& near);

}  // namespace carom
