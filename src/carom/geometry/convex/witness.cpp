#include <Eigen/Geometry>

#include "carom/geometry/convex/convex_gap.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double kSameHeight = 1e-12;  // of the scale: points of one feature
constexpr double kSlack = 1e-13;       // of the scale, across
constexpr int kMostProjections = 200;

/// The nearest point of an outline, seen along n.
Vector3d nearest_on(const Outline& outline, const Vector3d& n, const Vector3d& from) {
  if (outline.count == 1) return outline.at(0);
  const Vector3d middle = outline.middle();
  Vector3d best = from;
  double least = std::numeric_limits<double>::infinity();
  bool inside = outline.count > 2;
  const int sides = outline.count == 2 ? 1 : outline.count;
  for (int i = 0; i < sides; ++i) {
    const Vector3d& corner = outline.at(i);
    Vector3d along = outline.at(i + 1) - corner;
    along -= n.dot(along) * n;
    Vector3d arm = from - corner;
    arm -= n.dot(arm) * n;
    if (outline.count > 2) {
      Vector3d outwards = along.cross(n);
      if (outwards.dot(corner - middle) < 0.0) outwards = -outwards;
      if (outwards.dot(arm) <= 0.0) continue;
      inside = false;
    }
    const double square = along.squaredNorm();
    const double part = square > 0.0 ? std::clamp(along.dot(arm) / square, 0.0, 1.0) : 0.0;
    const double off = (arm - part * along).squaredNorm();
    if (off < least) {
      least = off;
      best = corner + part * (outline.at(i + 1) - corner);
    }
  }
  if (!inside) return best;
  return from - n.dot(from - outline.at(0)) * n;
}

/// Nearest points of two segments, seen along n.
struct SegmentPoints {
  Vector3d a, b;
};
SegmentPoints nearest_of(const Outline& first, const Outline& second, const Vector3d& n) {
  const auto across = [&](const Vector3d& x) { return Vector3d(x - n.dot(x) * n); };
  const Vector3d u = across(first.at(1) - first.at(0));
  const Vector3d v = across(second.at(1) - second.at(0));
  const Vector3d w = across(first.at(0) - second.at(0));
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm();
  const double determinant = u.cross(v).squaredNorm();
  const auto part = [](double above, double below) { return below > 0.0 ? std::clamp(above / below, 0.0, 1.0) : 0.0; };
  double s = part(uv * v.dot(w) - vv * u.dot(w), determinant);
  const double t = part(v.dot(w) + s * uv, vv);
  s = part(t * uv - u.dot(w), uu);
  return {first.at(0) + s * (first.at(1) - first.at(0)), second.at(0) + t * (second.at(1) - second.at(0))};
}

Vector3d nearest_on(const FlatFeature& feature, const Vector3d& n, const Vector3d& from) {
  if (!feature.round) return nearest_on(feature.outline, n, from);
  Vector3d arm = from - feature.centre;
  arm -= n.dot(arm) * n;
  if (feature.half) {
    // Of half a disc: on the straight side, or on the rim where that is no farther along the cut.
    const double beyond = feature.cut.dot(arm);
    if (beyond > 0.0) {
      arm -= beyond * feature.cut;
      const double length = arm.norm();
      return feature.centre + (length > feature.radius ? feature.radius / length : 1.0) * arm;
    }
  }
  const double length = arm.norm();
  return feature.centre + (length > feature.radius ? feature.radius / length : 1.0) * arm;
}

}  // namespace

// The middle of what the two features have in common; where that is nothing (or lies between the octagon and the disc
// in whose place it stands) the points to which projections in turn lead, which are the nearest ones of two convex sets
// (Cheney & Goldstein 1959).
Witness witness(const ConvexGap& gap, const ConvexGap::At& at, const ConvexGap::Vertices& vertices) {
  const Vector3d& n = at.normal;
  const double tolerance = kSameHeight * gap.scale;
  const FlatFeature feature_a = gap.a.feature(-n, vertices.a, tolerance);
  const FlatFeature feature_b = gap.b.feature(n, vertices.b, tolerance);
  const auto result = [&](const Vector3d& a, const Vector3d& b) {
    const Vector3d apart = a - b;
    return Witness{a, b, (apart - n.dot(apart) * n).norm()};
  };
  if (feature_a.outline.count == 1 && feature_b.outline.count == 1)
    return result(feature_a.outline.at(0), feature_b.outline.at(0));
  if (feature_a.outline.count > 1 && feature_b.outline.count > 1) {
    const CommonPart common = common_part(feature_a.outline, feature_b.outline, n, tolerance, kSlack * gap.scale);
    if (common.outline.count > 0) {
      const Vector3d middle = common.outline.middle();
      return common.of_first ? result(middle, middle - n.dot(middle - at.b) * n)
                             : result(middle - n.dot(middle - at.a) * n, middle);
    }
  }
  if (feature_a.outline.count == 2 && feature_b.outline.count == 2) {
    const SegmentPoints nearest = nearest_of(feature_a.outline, feature_b.outline, n);
    return result(nearest.a, nearest.b);
  }
  Vector3d a = feature_a.outline.middle();
  Vector3d b = nearest_on(feature_b, n, a);
  double before = std::numeric_limits<double>::infinity();
  for (int count = 0; count < kMostProjections; ++count) {
    a = nearest_on(feature_a, n, b);
    const double now = (a - b - n.dot(a - b) * n).squaredNorm();
    if (!(now < before)) break;
    before = now;
    b = nearest_on(feature_b, n, a);
  }
  return result(a, b);
}

}  // namespace carom
