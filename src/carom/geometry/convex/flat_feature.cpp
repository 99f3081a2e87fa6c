/// The feature of a shape that lies farthest in a direction: a vertex, an edge or a side line, a face.
///
/// A disc is replaced by a regular octagon whose corners are points of the rim: it holds what a disc of 0.92 radii
/// holds in every direction. It is fixed in the body where the disc lies flat; where it leans, one corner is the point
/// that lies farthest. Half a disc is replaced by half an octagon that is fixed in the body.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/convex/placed_convex.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kOctagon = 8;
/// A disc leans whose axis is off the direction by more than this [rad].
constexpr double kLeans = 1e-9;

FlatFeature one_point(const Vector3d& point) {
  FlatFeature feature;
  feature.outline.add(point);
  return feature;
}

/// A point where the ends coincide (a capsule without a length is a sphere).
FlatFeature segment(const Vector3d& from, const Vector3d& to) {
  FlatFeature feature = one_point(from);
  if (from != to) feature.outline.add(to);
  return feature;
}

/// Rim points k = first … last at multiples of 45° from an angle on.
FlatFeature disc(double radius, double height, int first, int last, double from = 0.0) {
  FlatFeature feature;
  for (int k = first; k <= last; ++k) {
    const double angle = from + 2.0 * std::numbers::pi * k / kOctagon;
    feature.outline.add({radius * std::cos(angle), radius * std::sin(angle), height});
  }
  feature.round = true;
  feature.centre = {0.0, 0.0, height};
  feature.radius = radius;
  return feature;
}

/// The angle of the farthest point of a rim; 0 where it is not told from the others.
double lean(const Vector3d& u) {
  return u.head<2>().norm() > kLeans ? std::atan2(u.y(), u.x()) : 0.0;
}

/// The corners of a polygon that are within the tolerance of the farthest.
struct Chosen {
  const Vector3d& u;
  double least;  // of u·x
  FlatFeature best;

  template <class Corner>
  void consider(int corners, const Corner& corner) {
    FlatFeature found;
    const int stride = 1 + (corners - 1) / Outline::kMostCorners;
    for (int k = 0; k < corners; k += stride) {
      const Vector3d x = corner(k);
      if (u.dot(x) >= least) found.outline.add(x);
    }
    if (found.outline.count > best.outline.count) best = found;
  }
};

FlatFeature feature_of(const Polyhedron& body, const Vector3d& u, int vertex, double tolerance) {
  const auto position = [&](int v) -> const Vector3d& { return body.vertices()[static_cast<std::size_t>(v)]; };
  Chosen chosen{u, u.dot(position(vertex)) - tolerance, one_point(position(vertex))};
  int ends = 0, end = vertex;
  for (const int other : body.neighbours(vertex)) {
    if (u.dot(position(other)) < chosen.least) continue;
    ++ends;
    end = other;
  }
  if (ends == 0) return chosen.best;
  if (ends == 1) return segment(position(std::min(vertex, end)), position(std::max(vertex, end)));
  for (const int f : body.faces_at(vertex)) {
    const std::span<const int> corners = body.corners(f);
    chosen.consider(static_cast<int>(corners.size()),
                    [&](int k) { return position(corners[static_cast<std::size_t>(k)]); });
  }
  return chosen.best;
}

/// The corners are in an order that is fixed in the box, whichever of them is the farthest.
FlatFeature feature_of(const Box& box, const Vector3d& u, double tolerance) {
  const Vector3d fall = 2.0 * u.cwiseAbs().cwiseProduct(box.half_sizes);
  const Vector3d farthest = (u.array() < 0.0).select(-box.half_sizes, box.half_sizes);
  int steepest = 0;
  fall.maxCoeff(&steepest);
  const int i = std::min((steepest + 1) % 3, (steepest + 2) % 3);
  const int j = std::max((steepest + 1) % 3, (steepest + 2) % 3);
  FlatFeature feature;
  for (const auto& [turn_i, turn_j] :
       {std::pair(-1.0, -1.0), std::pair(1.0, -1.0), std::pair(1.0, 1.0), std::pair(-1.0, 1.0)}) {
    Vector3d corner = farthest;
    corner[i] = turn_i * box.half_sizes[i];
    corner[j] = turn_j * box.half_sizes[j];
    const double below = (corner[i] != farthest[i] ? fall[i] : 0.0) + (corner[j] != farthest[j] ? fall[j] : 0.0);
    if (below <= tolerance) feature.outline.add(corner);
  }
  return feature;
}

FlatFeature feature_of(const Prism& prism, const Vector3d& u, double tolerance) {
  const auto corner = [&](int k, double z) {
    const Vector2d& v = prism.vertices[static_cast<std::size_t>(k % 3)];
    return Vector3d(v.x(), v.y(), z * prism.half_length);
  };
  const double up = u.z() < 0.0 ? -1.0 : 1.0;
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (u.dot(corner(k, up)) > u.dot(corner(best, up))) best = k;
  Chosen chosen{u, u.dot(corner(best, up)) - tolerance, one_point(corner(best, up))};
  chosen.consider(3, [&](int k) { return corner(k, up); });
  for (int side = 0; side < 3; ++side) {
    chosen.consider(4, [&](int k) { return corner(side + (k == 1 || k == 2 ? 1 : 0), k < 2 ? -1.0 : 1.0); });
  }
  return chosen.best;
}

FlatFeature feature_of(const Cylinder& cylinder, const Vector3d& u, const Vector3d& farthest, double tolerance) {
  if (2.0 * cylinder.radius * u.head<2>().norm() <= tolerance)
    return disc(cylinder.radius, farthest.z(), 0, kOctagon - 1, lean(u));
  if (2.0 * cylinder.half_length * std::abs(u.z()) <= tolerance)
    return segment({farthest.x(), farthest.y(), -cylinder.half_length},
                   {farthest.x(), farthest.y(), cylinder.half_length});
  return one_point(farthest);
}

FlatFeature feature_of(const Cone& cone, const Vector3d& u, const Vector3d& farthest, double tolerance) {
  const double across = u.head<2>().norm();
  if (2.0 * cone.radius * across <= tolerance && u.z() < 0.0) return disc(cone.radius, 0.0, 0, kOctagon - 1, lean(u));
  if (std::abs(cone.height * u.z() - cone.radius * across) <= tolerance && across > 0.0) {
    const Vector2d rim = cone.radius / across * u.head<2>();
    return segment({rim.x(), rim.y(), 0.0}, {0.0, 0.0, cone.height});
  }
  return one_point(farthest);
}

FlatFeature feature_of(const HalfCylinder& half, const Vector3d& u, const Vector3d& farthest, double tolerance) {
  const double r = half.radius;
  const double h = half.half_length;
  if (2.0 * r * u.head<2>().norm() <= tolerance) {
    FlatFeature feature = disc(r, farthest.z(), kOctagon / 2, kOctagon);
    feature.half = true;
    feature.cut = Vector3d::UnitY();
    return feature;
  }
  const double fall_x = 2.0 * r * std::abs(u.x());
  const double fall_z = 2.0 * h * std::abs(u.z());
  if (u.y() > 0.0 && fall_x + fall_z <= tolerance) {
    FlatFeature face = segment({-r, 0.0, -h}, {-r, 0.0, h});
    face.outline.add({r, 0.0, h});
    face.outline.add({r, 0.0, -h});
    return face;
  }
  if (fall_z <= tolerance) return segment({farthest.x(), farthest.y(), -h}, {farthest.x(), farthest.y(), h});
  if (u.y() > 0.0 && fall_x <= tolerance) return segment({-r, 0.0, farthest.z()}, {r, 0.0, farthest.z()});
  return one_point(farthest);
}

}  // namespace

FlatFeature PlacedConvex::local_feature(const Vector3d& u, int vertex, double tolerance) const {
  const Vector3d farthest = farthest_local(u, vertex);
  switch (kind_) {
    case ShapeKind::convex: return feature_of(*std::get<Convex>(*shape_).polyhedron, u, vertex, tolerance);
    case ShapeKind::box: return feature_of(std::get<Box>(*shape_), u, tolerance);
    case ShapeKind::prism: return feature_of(std::get<Prism>(*shape_), u, tolerance);
    case ShapeKind::cylinder: return feature_of(std::get<Cylinder>(*shape_), u, farthest, tolerance);
    case ShapeKind::cone: return feature_of(std::get<Cone>(*shape_), u, farthest, tolerance);
    case ShapeKind::half_cylinder: return feature_of(std::get<HalfCylinder>(*shape_), u, farthest, tolerance);
    case ShapeKind::rod:
    case ShapeKind::capsule:
      if (2.0 * std::abs(u.z() * farthest.z()) > tolerance) return one_point(farthest);
      return segment({0.0, 0.0, -std::abs(farthest.z())}, {0.0, 0.0, std::abs(farthest.z())});
    default: return one_point(farthest);
  }
}

FlatFeature PlacedConvex::feature(const Vector3d& u, int vertex, double tolerance) const {
  FlatFeature feature = local_feature(rotation_.transpose() * u, vertex, tolerance);
  for (int i = 0; i < feature.outline.count; ++i) {
    Vector3d& corner = feature.outline.corners[static_cast<std::size_t>(i)];
    corner = position_ + rotation_ * corner;
  }
  if (feature.round) {
    feature.centre = position_ + rotation_ * feature.centre;
    feature.cut = rotation_ * feature.cut;
  }
  return feature;
}

}  // namespace carom
