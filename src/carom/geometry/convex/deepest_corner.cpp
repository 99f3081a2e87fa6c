#include "carom/geometry/convex/deepest_corner.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace carom {

namespace {

using Eigen::Vector3d;

/// Planes that are off each other by less than this lie on each other, by more than that are none [rad].
constexpr double kLeaningPlane = 1e-9, kNoFace = 0.1;
/// A point that is farther by less than this part of the radius is as far; a corner that is nearer than that is moved
/// there.
constexpr double kAsFar = 1e-9, kNextTo = 1e-2;
/// Points that are outside by less than this part of the radius are inside.
constexpr double kOnBorder = 1e-12;

bool is_disc(const FlatFeature& feature) {
  return feature.round && !feature.half;
}

/// Two faces seen along n: all vectors are taken across it.
struct SeenAlong {
  const Vector3d& n;

  [[nodiscard]] Vector3d across(const Vector3d& v) const { return v - n.dot(v) * n; }

  [[nodiscard]] bool holds(const FlatFeature& face, const Vector3d& x, double slack) const {
    if (is_disc(face)) return across(x - face.centre).norm() <= face.radius + slack;
    const Vector3d middle = face.outline.middle();
    for (int i = 0; i < face.outline.count; ++i) {
      Vector3d outwards = (face.outline.at(i + 1) - face.outline.at(i)).cross(n).normalized();
      if (outwards.dot(face.outline.at(i) - middle) < 0.0) outwards = -outwards;
      if (outwards.dot(x - face.outline.at(i)) > slack) return false;
    }
    return true;
  }

  /// Where the rim of a disc crosses the border of the other one.
  template <class Visit>
  void crossings(const FlatFeature& disc, const FlatFeature& other, const Visit& visit) const {
    if (is_disc(other)) {
      const Vector3d apart = across(other.centre - disc.centre);
      const double distance = apart.norm();
      if (!(distance > 0.0)) return;
      const double along = 0.5 * (distance + (disc.radius - other.radius) * (disc.radius + other.radius) / distance);
      const double square = disc.radius * disc.radius - along * along;
      if (!(square >= 0.0)) return;
      const Vector3d u = apart / distance, v = n.cross(u);
      for (const double side : {-1.0, 1.0}) visit(Vector3d(disc.centre + along * u + side * std::sqrt(square) * v));
      return;
    }
    for (int i = 0; i < other.outline.count; ++i) {
      const Vector3d from = across(other.outline.at(i) - disc.centre);
      const Vector3d run = across(other.outline.at(i + 1) - other.outline.at(i));
      const double length = run.squaredNorm(), middle = -from.dot(run) / length;
      const double room = (disc.radius * disc.radius - (from + middle * run).squaredNorm()) / length;
      if (!(room >= 0.0)) continue;
      for (const double side : {-1.0, 1.0})
        visit(Vector3d(disc.centre + from + (middle + side * std::sqrt(room)) * run));
    }
  }

  /// The point of both that is farthest along e.
  [[nodiscard]] std::optional<Vector3d> farthest(const FlatFeature& a, const FlatFeature& b, const Vector3d& e) const {
    const double slack = kOnBorder * (is_disc(a) ? a.radius : b.radius);
    std::optional<Vector3d> best;
    const auto consider = [&](const Vector3d& x) {
      if ((!best || e.dot(x) > e.dot(*best)) && holds(a, x, slack) && holds(b, x, slack)) best = x;
    };
    for (const FlatFeature* face : {&a, &b}) {
      if (is_disc(*face)) {
        consider(face->centre + face->radius * e);
      } else {
        for (int i = 0; i < face->outline.count; ++i) consider(face->outline.at(i));
      }
    }
    if (is_disc(a)) {
      crossings(a, b, consider);
    } else {
      crossings(b, a, consider);
    }
    return best;
  }
};

/// With a new corner where it takes the least way round.
Outline with_corner(const Outline& outline, const Vector3d& corner, double next_to) {
  Outline result = outline;
  int nearest = 0, after = 0;
  double least = std::numeric_limits<double>::infinity(), detour = least;
  for (int i = 0; i < outline.count; ++i) {
    const double distance = (outline.at(i) - corner).norm();
    const double longer = distance + (outline.at(i + 1) - corner).norm() - (outline.at(i + 1) - outline.at(i)).norm();
    if (distance < least) nearest = i;
    least = std::min(least, distance);
    if (longer < detour) after = i;
    detour = std::min(detour, longer);
  }
  if (least < next_to) {
    result.corners[static_cast<std::size_t>(nearest)] = corner;
    return result;
  }
  result.count = 0;
  for (int i = 0; i < outline.count; ++i) {
    result.add(outline.at(i));
    if (i == after) result.add(corner);
  }
  return result;
}

}  // namespace

Outline with_deepest_corner(const CommonPart& common, const LeaningFace& a, const LeaningFace& b, const Vector3d& n) {
  const Outline& outline = common.outline;
  if (!is_disc(a.feature) && !is_disc(b.feature)) return outline;
  if (a.feature.half || b.feature.half || outline.count < 3) return outline;
  const Vector3d lean = a.normal / a.normal.dot(n) - b.normal / b.normal.dot(n);
  const double size = lean.norm();
  if (!(size > kLeaningPlane && size < kNoFace)) return outline;
  const SeenAlong seen{n};
  const Vector3d e = lean / size;
  const std::optional<Vector3d> deepest = seen.farthest(a.feature, b.feature, e);
  if (!deepest) return outline;
  const double radius = is_disc(a.feature) ? a.feature.radius : b.feature.radius;
  double farthest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < outline.count; ++i) farthest = std::max(farthest, e.dot(outline.at(i)));
  if (e.dot(*deepest) <= farthest + kAsFar * radius) return outline;
  const LeaningFace& owner = common.of_first ? a : b;
  const Vector3d anchor = is_disc(owner.feature) ? owner.feature.centre : owner.feature.outline.at(0);
  const Vector3d corner = *deepest + n * (owner.normal.dot(anchor - *deepest) / owner.normal.dot(n));
  return with_corner(outline, corner, kNextTo * radius);
}

}  // namespace carom
