#include "carom/geometry/convex/placed_convex.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

double sign_of(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

/// R u/|u| in the plane; the middle where u has no direction there.
Vector2d on_circle(const Vector3d& u, double radius) {
  const double across = std::sqrt(u.x() * u.x() + u.y() * u.y());
  return across > 0.0 ? Vector2d(radius / across * u.head<2>()) : Vector2d(Vector2d::Zero());
}

/// R/ρ t tᵀ of a circle about z, t the direction around.
Matrix3d circle_curvature(const Vector3d& u, double radius) {
  const double square = u.x() * u.x() + u.y() * u.y();
  const Vector3d around(-u.y(), u.x(), 0.0);
  return radius / (square * std::sqrt(square)) * around * around.transpose();
}

/// Collects the kinks near a direction, in the shape's frame.
struct Collector {
  const Vector3d& u;
  const Matrix3d& rotation;
  double cosine, sine;
  Kinks kinks;

  void face(const Vector3d& normal) {
    if (u.dot(normal) < cosine || kinks.face_count == Kinks::kMost) return;
    kinks.faces[static_cast<std::size_t>(kinks.face_count++)] = rotation * normal;
  }
  void circle(const Vector3d& axis, double height) {
    if (std::abs(u.dot(axis) - height) > sine || kinks.circle_count == Kinks::kMost) return;
    kinks.circles[static_cast<std::size_t>(kinks.circle_count++)] = {rotation * axis, height};
  }
};

/// The farthest of a prism's three sides' vertices along u.
std::size_t farthest_of(const Prism& prism, const Vector3d& u) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (u.head<2>().dot(prism.vertices[k]) > u.head<2>().dot(prism.vertices[best])) best = k;
  return best;
}

}  // namespace

PlacedConvex::PlacedConvex(const Shape& shape, const Pose& pose, const Vector3d& origin_of_frame)
    : shape_(&shape),
      kind_(shape_kind(shape)),
      rotation_(pose.rotation()),
      position_(pose.position - origin_of_frame),
      size_(bounding_radius(shape)) {
  if (kind_ == ShapeKind::sphere) radius_ = std::get<Sphere>(shape).radius;
  if (kind_ == ShapeKind::capsule) radius_ = std::get<Capsule>(shape).radius;
  size_ -= radius_;
  polyhedral_ = kind_ != ShapeKind::ellipsoid && kind_ != ShapeKind::cylinder && kind_ != ShapeKind::cone &&
                kind_ != ShapeKind::half_cylinder;
}

Vector3d PlacedConvex::farthest_local(const Vector3d& u, int& vertex) const {
  switch (kind_) {
    case ShapeKind::convex: {
      const Polyhedron& body = *std::get_if<Convex>(shape_)->polyhedron;
      vertex = body.farthest_vertex(u, vertex);
      return body.vertices()[static_cast<std::size_t>(vertex)];
    }
    case ShapeKind::box: {
      const Vector3d& h = std::get_if<Box>(shape_)->half_sizes;
      return {sign_of(u.x()) * h.x(), sign_of(u.y()) * h.y(), sign_of(u.z()) * h.z()};
    }
    case ShapeKind::prism: {
      const Prism& prism = *std::get_if<Prism>(shape_);
      const Vector2d& v = prism.vertices[farthest_of(prism, u)];
      return {v.x(), v.y(), sign_of(u.z()) * prism.half_length};
    }
    case ShapeKind::rod: return {0.0, 0.0, sign_of(u.z()) * std::get_if<Rod>(shape_)->half_length};
    case ShapeKind::capsule: return {0.0, 0.0, sign_of(u.z()) * std::get_if<Capsule>(shape_)->half_length};
    case ShapeKind::ellipsoid: {
      const Vector3d& s = std::get_if<Ellipsoid>(shape_)->semi_axes;
      const Vector3d scaled = s.cwiseProduct(u);
      return s.cwiseProduct(scaled / scaled.norm());
    }
    case ShapeKind::cylinder: {
      const Cylinder& cylinder = *std::get_if<Cylinder>(shape_);
      const Vector2d rim = on_circle(u, cylinder.radius);
      return {rim.x(), rim.y(), sign_of(u.z()) * cylinder.half_length};
    }
    case ShapeKind::cone: {
      const Cone& cone = *std::get_if<Cone>(shape_);
      if (cone.height * u.z() >= cone.radius * u.head<2>().norm()) return {0.0, 0.0, cone.height};
      const Vector2d rim = on_circle(u, cone.radius);
      return {rim.x(), rim.y(), 0.0};
    }
    case ShapeKind::half_cylinder: {
      const HalfCylinder& half = *std::get_if<HalfCylinder>(shape_);
      const Vector2d across = u.y() <= 0.0 ? on_circle(u, half.radius) : Vector2d(sign_of(u.x()) * half.radius, 0.0);
      return {across.x(), across.y(), sign_of(u.z()) * half.half_length};
    }
    default: return Vector3d::Zero();  // the core of a sphere
  }
}

int PlacedConvex::valid_vertex(int vertex) const {
  const Convex* convex = std::get_if<Convex>(shape_);
  return convex != nullptr && vertex >= 0 && vertex < static_cast<int>(convex->polyhedron->vertices().size()) ? vertex
                                                                                                              : 0;
}

Matrix3d PlacedConvex::second_derivative(const Vector3d& u) const {
  const Vector3d local = rotation_.transpose() * u;
  Matrix3d curvature = Matrix3d::Zero();
  if (const Ellipsoid* ellipsoid = std::get_if<Ellipsoid>(shape_)) {
    const Vector3d& s = ellipsoid->semi_axes;
    const Vector3d scaled = s.cwiseProduct(local);
    const double h = scaled.norm();
    const Vector3d unit = scaled / h;
    curvature = s.asDiagonal() * (Matrix3d::Identity() - unit * unit.transpose()) * s.asDiagonal() / h;
  } else if (local.head<2>().squaredNorm() > 0.0) {
    if (const Cylinder* cylinder = std::get_if<Cylinder>(shape_)) {
      curvature = circle_curvature(local, cylinder->radius);
    } else if (const Cone* cone = std::get_if<Cone>(shape_)) {
      if (cone->height * local.z() < cone->radius * local.head<2>().norm())
        curvature = circle_curvature(local, cone->radius);
    } else if (const HalfCylinder* half = std::get_if<HalfCylinder>(shape_)) {
      if (local.y() < 0.0) curvature = circle_curvature(local, half->radius);
    }
  }
  return rotation_ * curvature * rotation_.transpose();
}

Kinks PlacedConvex::kinks(const Vector3d& u, int vertex, double angle) const {
  const Vector3d local = rotation_.transpose() * u;
  Collector near{local, rotation_, std::cos(angle), std::sin(angle), {}};
  const Vector3d end = sign_of(local.z()) * Vector3d::UnitZ();
  switch (kind_) {
    case ShapeKind::convex: {
      const Polyhedron& body = *std::get<Convex>(*shape_).polyhedron;
      for (const int f : body.faces_at(vertex)) near.face(body.faces()[static_cast<std::size_t>(f)].normal);
      for (const int e : body.edges_at(vertex)) near.circle(body.directions()[static_cast<std::size_t>(e)], 0.0);
      break;
    }
    case ShapeKind::box:
      for (int k = 0; k < 3; ++k) {
        near.face(sign_of(local[k]) * Vector3d::Unit(k));
        near.circle(Vector3d::Unit(k), 0.0);
      }
      break;
    case ShapeKind::prism: {
      const auto& v = std::get<Prism>(*shape_).vertices;
      const double turn = (v[1] - v[0]).x() * (v[2] - v[0]).y() - (v[1] - v[0]).y() * (v[2] - v[0]).x();
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector2d side = sign_of(turn) * (v[(k + 1) % 3] - v[k]).normalized();
        near.face({side.y(), -side.x(), 0.0});
        near.circle({side.x(), side.y(), 0.0}, 0.0);
      }
      near.face(end);
      near.circle(Vector3d::UnitZ(), 0.0);
      break;
    }
    case ShapeKind::rod:
    case ShapeKind::capsule: near.circle(Vector3d::UnitZ(), 0.0); break;
    case ShapeKind::cylinder:
      near.face(end);
      near.circle(Vector3d::UnitZ(), 0.0);
      break;
    case ShapeKind::cone: {
      const Cone& cone = std::get<Cone>(*shape_);
      near.face(-Vector3d::UnitZ());
      near.circle(Vector3d::UnitZ(), cone.radius / std::hypot(cone.radius, cone.height));
      break;
    }
    case ShapeKind::half_cylinder:
      near.face(end);
      near.face(Vector3d::UnitY());
      near.circle(Vector3d::UnitZ(), 0.0);
      if (local.y() > 0.0) near.circle(Vector3d::UnitX(), 0.0);
      break;
    default: break;
  }
  return near.kinks;
}

}  // namespace carom
