#pragma once
/// Where two bodies lie on each other with faces or lines: the corners of the region in which the face of one covers
/// that of the other, each by what crosses there.
///
/// Seen along the common normal the two faces are convex polygons. Each corner of their intersection is a vertex of one
/// over the face of the other or the crossing of two edges, which says how its gap changes as the bodies move. A vertex
/// that is outside the other polygon by no more than a margin counts as inside, on the plane of that face continued:
/// otherwise edges that lie along each other would cross anywhere. A line (side of a cylinder, cone or capsule, a rod)
/// is a polygon with two vertices; two lines along each other have the ends of what they share.
///
/// A face has the stiffness that it has on a plane: each vertex of the smaller of the two polygons has a share of one,
/// those of a disc two together. Where it is cut off its share goes to the corners of the cut, in equal parts; so the
/// shares add up to the same however the polygons lie.

#include <cstdint>
#include <vector>

#include "carom/base/index.h"
#include "carom/engine/smooth/facets.h"

namespace carom::smooth {

/// Margin of a vertex beside a face, of the size of the smaller body.
inline constexpr double kFaceMargin = 2e-3;
/// Sine of the angle up to which two lines lie along each other.
inline constexpr double kAlongEachOther = 0.02;

/// A Feature as one number; 0: the nearest points of the first parts.
using FeatureCode = std::int64_t;

/// What two objects touch with at one point: one part of each, and of these the vertices, edges or faces that Facets
/// numbers. On a plane of_b is the number of the vertex or rim of a.
struct Feature {
  enum class Kind { nearest, vertex_face, face_vertex, edge_edge, vertex_edge, edge_vertex };
  Kind kind = Kind::nearest;
  int of_a = 0, of_b = 0;
  int part_a = 0, part_b = 0;

  static constexpr FeatureCode kMost = 1 << 14;  ///< vertices, edges or faces of one part; parts of one object
  [[nodiscard]] FeatureCode code() const {
    return (((part_a * kMost + part_b) * 8 + static_cast<int>(kind)) * kMost + of_a) * kMost + of_b;
  }
  static Feature from(FeatureCode code) {
    const FeatureCode rest = code / (kMost * kMost);
    return {static_cast<Kind>(rest % 8), static_cast<int>(code / kMost % kMost), static_cast<int>(code % kMost),
            static_cast<int>(rest / 8 / kMost), static_cast<int>(rest / 8 % kMost)};
  }
  /// The nearest points of the same two parts.
  static FeatureCode parts_of(FeatureCode code) { return code - code % (8 * kMost * kMost); }
};

struct FaceCorner {
  Feature feature;
  double share = 1.0;
};

struct PlacedFacets {
  const Facets& facets;
  Pose pose;
};

/// The corners for the faces or lines of a and b that look at each other along `normal` (unit, from b to a), in order
/// round the region; none where they do not cover each other. `corners` is overwritten.
void find_corners(const PlacedFacets& a, const PlacedFacets& b, const Vector3d& normal,
                  std::vector<FaceCorner>& corners);

}  // namespace carom::smooth
