#include "carom/geometry/touched_feature.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using FeatureKind = TouchedFeature::Kind;

constexpr double kAligned = 1e-6;    // [rad]
constexpr double kOnFeature = 1e-7;  // of the size: how far a point may be off its edge
constexpr double kAtVertex = 1e-9;   // of the size

bool is_along(const Vector3d& normal, const Vector3d& direction) {
  return normal.dot(direction) > 0.0 && normal.cross(direction).norm() <= kAligned;
}

TouchedFeature a_face(const Vector3d& normal, bool at_vertex) {
  return {FeatureKind::face, normal, at_vertex, false};
}
TouchedFeature an_edge(const Vector3d& direction, bool at_vertex, bool sharp) {
  return {FeatureKind::edge, direction, at_vertex, sharp};
}
TouchedFeature a_vertex() {
  return {FeatureKind::vertex, Vector3d::Zero(), true, false};
}
TouchedFeature round_place() {
  return {};
}

/// The feature of one kind of shape at a point with a normal.
struct Recogniser {
  const Vector3d& point;
  const Vector3d& normal;

  [[nodiscard]] bool near(double x, double y, double room) const { return std::abs(x - y) <= room; }

  TouchedFeature operator()(const Sphere&) const { return round_place(); }
  TouchedFeature operator()(const Ellipsoid&) const { return round_place(); }
  TouchedFeature operator()(const Bore&) const { return round_place(); }
  TouchedFeature operator()(const Shell&) const { return round_place(); }
  TouchedFeature operator()(const HalfSpace&) const { return a_face(Vector3d::UnitZ(), false); }

  TouchedFeature operator()(const Box& box) const {
    const double size = box.half_sizes.maxCoeff();
    const Vector3d off = (point.cwiseAbs() - box.half_sizes).cwiseAbs();
    const bool at_vertex = off.maxCoeff() <= kAtVertex * size;
    for (int k = 0; k < 3; ++k) {
      const Vector3d face = std::copysign(1.0, normal[k]) * Vector3d::Unit(k);
      if (is_along(normal, face)) return a_face(face, at_vertex);
    }
    for (int k = 0; k < 3; ++k) {
      const bool on_edge = std::max(off[(k + 1) % 3], off[(k + 2) % 3]) <= kOnFeature * size;
      if (on_edge && std::abs(normal[k]) <= kAligned) return an_edge(Vector3d::Unit(k), at_vertex, true);
    }
    return a_vertex();
  }

  TouchedFeature operator()(const Cylinder& /*cylinder*/) const {
    const Vector3d end = std::copysign(1.0, normal.z()) * Vector3d::UnitZ();
    if (is_along(normal, end)) return a_face(end, false);
    if (std::abs(normal.z()) <= kAligned) return an_edge(Vector3d::UnitZ(), false, false);
    return round_place();
  }

  TouchedFeature operator()(const Prism& prism) const {
    double size = prism.half_length;
    for (const Vector2d& v : prism.vertices) size = std::max(size, v.norm());
    const double room = kOnFeature * size;
    const auto& v = prism.vertices;
    const bool at_end = near(std::abs(point.z()), prism.half_length, room);
    bool at_corner = false;
    bool at_vertex = false;
    for (const Vector2d& corner : v) {
      at_corner = at_corner || (point.head<2>() - corner).norm() <= room;
      at_vertex = at_vertex || ((point.head<2>() - corner).norm() <= kAtVertex * size &&
                                near(std::abs(point.z()), prism.half_length, kAtVertex * size));
    }
    const Vector3d end = std::copysign(1.0, normal.z()) * Vector3d::UnitZ();
    if (is_along(normal, end)) return a_face(end, at_vertex);
    const double turn = (v[1] - v[0]).x() * (v[2] - v[0]).y() - (v[1] - v[0]).y() * (v[2] - v[0]).x();
    Vector3d along_end = Vector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector2d side = (v[(k + 1) % 3] - v[k]).normalized() * std::copysign(1.0, turn);
      const Vector3d outwards(side.y(), -side.x(), 0.0);
      if (is_along(normal, outwards)) return a_face(outwards, at_vertex);
      const bool on_side = std::abs(outwards.head<2>().dot(point.head<2>() - v[k])) <= room;
      const Vector3d along(side.x(), side.y(), 0.0);
      if (on_side && at_end && std::abs(normal.dot(along)) <= kAligned) along_end = along;
    }
    if (!along_end.isZero()) return an_edge(along_end, at_vertex, true);
    if (at_corner && std::abs(normal.z()) <= kAligned) return an_edge(Vector3d::UnitZ(), at_vertex, true);
    return a_vertex();
  }

  TouchedFeature operator()(const Capsule& capsule) const {
    const bool on_side = std::abs(point.z()) <= capsule.half_length + kOnFeature * capsule.half_length;
    if (on_side && std::abs(normal.z()) <= kAligned) return an_edge(Vector3d::UnitZ(), false, false);
    return round_place();
  }

  TouchedFeature operator()(const Cone& cone) const {
    if (is_along(normal, -Vector3d::UnitZ())) return a_face(-Vector3d::UnitZ(), false);
    const double size = std::max(cone.radius, cone.height);
    const double slant = std::hypot(cone.radius, cone.height);
    const bool at_apex = (point - Vector3d(0.0, 0.0, cone.height)).norm() <= kAtVertex * size;
    const double radial = std::hypot(normal.x(), normal.y());
    // The side's normal is (height, radius)/slant in the plane of the axis.
    const bool is_side =
        std::abs(normal.z() * cone.height - radial * cone.radius) <= kAligned * slant && normal.z() > 0.0;
    if (is_side && radial > 0.0) {
      const Vector2d out = normal.head<2>() / radial;
      return an_edge(Vector3d(-cone.radius * out.x(), -cone.radius * out.y(), cone.height) / slant, at_apex, false);
    }
    return at_apex ? a_vertex() : round_place();
  }

  TouchedFeature operator()(const HalfCylinder& half) const {
    const double size = std::max(half.radius, half.half_length);
    const double room = kOnFeature * size;
    const bool on_border = near(std::abs(point.x()), half.radius, room) && near(point.y(), 0.0, room);
    const bool at_end = near(std::abs(point.z()), half.half_length, room);
    const bool at_vertex = near(std::abs(point.x()), half.radius, kAtVertex * size) &&
                           near(point.y(), 0.0, kAtVertex * size) &&
                           near(std::abs(point.z()), half.half_length, kAtVertex * size);
    const Vector3d end = std::copysign(1.0, normal.z()) * Vector3d::UnitZ();
    if (is_along(normal, end)) return a_face(end, at_vertex);
    if (is_along(normal, Vector3d::UnitY())) return a_face(Vector3d::UnitY(), at_vertex);
    // No normal of the round side and its ends: the border of the flat face alone has such, also where bodies overlap
    // and the point is within.
    const bool sharp = normal.y() > kAligned;
    if (std::abs(normal.z()) <= kAligned)
      return an_edge(Vector3d::UnitZ(), at_vertex, sharp || (on_border && normal.y() > 0.0));
    const bool on_diameter = near(point.y(), 0.0, room) && at_end;
    if (on_diameter && std::abs(normal.x()) <= kAligned && normal.y() > 0.0)
      return an_edge(Vector3d::UnitX(), at_vertex, true);
    return sharp || (at_vertex && normal.y() >= 0.0) ? a_vertex() : round_place();
  }

  TouchedFeature operator()(const Rod&) const {
    if (std::abs(normal.z()) <= kAligned) {
      return an_edge(Vector3d::UnitZ(), false, true);
    }
    return a_vertex();
  }

  /// All features with this normal meet in the vertex that is farthest along it.
  TouchedFeature operator()(const Convex& convex) const {
    const Polyhedron& body = *convex.polyhedron;
    const int vertex = body.farthest_vertex(normal);
    const auto position = [&](int v) -> const Vector3d& { return body.vertices()[static_cast<std::size_t>(v)]; };
    const double size = body.bounding_radius();
    bool at_vertex = (point - position(vertex)).norm() <= kAtVertex * size;
    for (const int f : body.faces_at(vertex)) {
      const Vector3d& face = body.faces()[static_cast<std::size_t>(f)].normal;
      if (!is_along(normal, face)) continue;
      for (const int corner : body.corners(f))
        at_vertex = at_vertex || (point - position(corner)).norm() <= kAtVertex * size;
      return a_face(face, at_vertex);
    }
    for (const int other : body.neighbours(vertex)) {
      const Vector3d along = (position(other) - position(vertex)).normalized();
      if (std::abs(normal.dot(along)) > kAligned) continue;
      if (along.cross(point - position(vertex)).norm() > kOnFeature * size) continue;
      at_vertex = at_vertex || (point - position(other)).norm() <= kAtVertex * size;
      return an_edge(along, at_vertex, true);
    }
    return a_vertex();
  }
};

}  // namespace

TouchedFeature touched_feature(const Shape& shape, const Vector3d& point, const Vector3d& normal) {
  return std::visit(Recogniser{point, normal}, shape);
}

}  // namespace carom
