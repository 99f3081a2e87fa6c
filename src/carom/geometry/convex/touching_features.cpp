/// All touching points of two shapes that touch with faces, edges or lines.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/geometry/convex/convex_gap.h"
#include "carom/geometry/convex/deepest_corner.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double kSlackAcross = 1e-12;  // of the scale: a corner this far outside still counts as inside

/// The part of a segment over a disc, or over half of one, seen along n.
Outline chord(const Outline& segment, const FlatFeature& disc, const Vector3d& n) {
  const auto across = [&](const Vector3d& v) { return Vector3d(v - n.dot(v) * n); };
  const Vector3d along = segment.at(1) - segment.at(0);
  const Vector3d run = across(along), from = across(segment.at(0) - disc.centre);
  const double middle = -from.dot(run) / run.squaredNorm();
  const double room = disc.radius * disc.radius - (from + middle * run).squaredNorm();
  Outline result;
  if (!(room >= 0.0)) return result;
  const double half = std::sqrt(room / run.squaredNorm());
  double begin = std::max(0.0, middle - half), end = std::min(1.0, middle + half);
  if (disc.half) {
    const double beyond = disc.cut.dot(from), slope = disc.cut.dot(run);
    if (slope > 0.0) end = std::min(end, -beyond / slope);
    if (slope < 0.0) begin = std::max(begin, -beyond / slope);
    if (slope == 0.0 && beyond > 0.0) return result;
  }
  if (begin > end) return result;
  result.add(segment.at(0) + begin * along);
  if (end > begin) result.add(segment.at(0) + end * along);
  return result;
}

/// What two features have in common: of a disc and a line the whole chord, of others that of their outlines.
CommonPart common_of(const FlatFeature& a, const FlatFeature& b, const Vector3d& n, double tolerance, double slack) {
  if (a.round && b.outline.count == 2) return {chord(b.outline, a, n), false};
  if (b.round && a.outline.count == 2) return {chord(a.outline, b, n), true};
  return common_part(a.outline, b.outline, n, tolerance, slack);
}

/// The normal of the plane that a face lies in; n where it is none.
Vector3d normal_of(const PlacedConvex& shape, const FlatFeature& face, const Vector3d& n) {
  if (face.round) return shape.to_world(Vector3d::UnitZ());
  if (face.outline.count < 3) return n;
  return (face.outline.at(1) - face.outline.at(0)).cross(face.outline.at(2) - face.outline.at(0)).normalized();
}

}  // namespace

TouchingPoints touching_features(const ConvexGap& gap, const Proximity& nearest, double tolerance,
                                 const Vector3d& origin) {
  const Vector3d& n = nearest.normal;
  ConvexGap::Vertices vertices;
  const ConvexGap::At at = gap.at(n, vertices);
  const FlatFeature feature_a = gap.a.feature(-n, vertices.a, tolerance);
  const FlatFeature feature_b = gap.b.feature(n, vertices.b, tolerance);
  if (feature_a.outline.count == 1 || feature_b.outline.count == 1) return TouchingPoints(nearest);
  const CommonPart common = common_of(feature_a, feature_b, n, tolerance, kSlackAcross * gap.scale);
  if (common.outline.count <= 1) return TouchingPoints(nearest);
  Outline outline;
  for (int most = TouchingPoints::kCapacity; outline.count == 0 || outline.count > TouchingPoints::kCapacity; --most)
    outline = with_deepest_corner({with_fewer_corners(common.outline, most, n), common.of_first},
                                  {feature_a, normal_of(gap.a, feature_a, n)},
                                  {feature_b, normal_of(gap.b, feature_b, n)}, n);
  // Each point's partner is straight below or above it in the supporting plane of the other shape.
  TouchingPoints points(n);
  for (int i = 0; i < outline.count; ++i) {
    const Vector3d& corner = outline.at(i);
    const double height = common.of_first ? n.dot(corner - at.b) : n.dot(at.a - corner);
    const double distance = height - gap.a.radius() - gap.b.radius();
    const Vector3d on_a = origin + (common.of_first ? corner : Vector3d(corner + height * n)) - gap.a.radius() * n;
    points.add(distance, on_a, on_a - distance * n);
  }
  return points;
}

}  // namespace carom
