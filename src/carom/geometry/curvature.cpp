#include "carom/geometry/curvature.h"

#include <cmath>

#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What counts as being on an edge, relative to the size of the shape.
constexpr double kEdge = 1e-9;

struct TangentPlane {
  Vector3d first;
  Vector3d second;
};

TangentPlane tangent_plane(const Vector3d& normal) {
  const Vector3d first = normal.unitOrthogonal();
  return {first, normal.cross(first)};
}

/// Eigenvalues and eigenvectors of a symmetric tensor on the tangent plane.
SurfaceCurvature principal(const Matrix3d& tensor, const Vector3d& normal) {
  const TangentPlane plane = tangent_plane(normal);
  const double a = plane.first.dot(tensor * plane.first);
  const double b = plane.first.dot(tensor * plane.second);
  const double c = plane.second.dot(tensor * plane.second);
  const double mean = 0.5 * (a + c);
  const double half_difference = 0.5 * (a - c);
  const double radius = std::hypot(half_difference, b);
  const double angle = 0.5 * std::atan2(b, half_difference);  // of the direction of the larger eigenvalue
  const Vector3d larger = std::cos(angle) * plane.first + std::sin(angle) * plane.second;
  return {mean - radius, mean + radius, larger.cross(normal), larger};
}

SurfaceCurvature equal_curvatures(double curvature, const Vector3d& normal) {
  const TangentPlane plane = tangent_plane(normal);
  return {curvature, curvature, plane.first, plane.second};
}

SurfaceCurvature flat(const Vector3d& normal) {
  return equal_curvatures(0.0, normal);
}

/// The direction of a point from the centre, and z at the centre itself.
Vector3d radial(const Vector3d& point) {
  const double length = point.norm();
  return length > 0.0 ? Vector3d(point / length) : Vector3d::UnitZ();
}

/// The round side of a cylinder or bore.
SurfaceCurvature round_side(double curvature, const Vector3d& point) {
  const Vector3d normal = radial(Vector3d(point.x(), point.y(), 0.0));
  const Vector3d around = Vector3d::UnitZ().cross(normal).normalized();
  if (curvature < 0.0) return {curvature, 0.0, around, Vector3d::UnitZ()};
  return {0.0, curvature, Vector3d::UnitZ(), around};
}

std::optional<SurfaceCurvature> curvature_of(const Sphere& sphere, const Vector3d& point) {
  return equal_curvatures(1.0 / sphere.radius, radial(point));
}

std::optional<SurfaceCurvature> curvature_of(const Ellipsoid& ellipsoid, const Vector3d& point) {
  const Vector3d weight = ellipsoid.semi_axes.cwiseAbs2().cwiseInverse();  // Q = Σ weight_i x_i² − 1
  const Vector3d gradient = weight.cwiseProduct(point);
  const double length = gradient.norm();
  if (!(length > 0.0)) return std::nullopt;
  const Vector3d normal = gradient / length;
  return principal(Matrix3d(weight.asDiagonal()) / length, normal);
}

std::optional<SurfaceCurvature> curvature_of(const Box& box, const Vector3d& point) {
  const double tolerance = kEdge * box.half_sizes.maxCoeff();
  int faces = 0;
  Vector3d normal = Vector3d::UnitZ();
  for (int i = 0; i < 3; ++i) {
    if (std::abs(point[i]) < box.half_sizes[i] - tolerance) continue;
    ++faces;
    normal = Vector3d::Unit(i);
  }
  if (faces > 1) return std::nullopt;
  return flat(normal);
}

std::optional<SurfaceCurvature> curvature_of(const Cylinder& cylinder, const Vector3d& point) {
  const double tolerance = kEdge * std::max(cylinder.radius, cylinder.half_length);
  const bool at_cap = std::abs(point.z()) >= cylinder.half_length - tolerance;
  const bool at_side = std::hypot(point.x(), point.y()) >= cylinder.radius - tolerance;
  if (at_cap && at_side) return std::nullopt;
  return at_cap ? flat(Vector3d::UnitZ()) : round_side(1.0 / cylinder.radius, point);
}

std::optional<SurfaceCurvature> curvature_of(const Prism& prism, const Vector3d& point) {
  double size = prism.half_length;
  for (int i = 0; i < 3; ++i) size = std::max(size, (prism.vertices[(i + 1) % 3] - prism.vertices[i]).norm());
  const double tolerance = kEdge * size;
  int faces = 0;
  Vector3d normal = Vector3d::UnitZ();
  if (std::abs(point.z()) >= prism.half_length - tolerance) ++faces;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector2d edge = (prism.vertices[(i + 1) % 3] - prism.vertices[i]).normalized();
    const Eigen::Vector2d across(edge.y(), -edge.x());
    if (std::abs(across.dot(point.head<2>() - prism.vertices[i])) > tolerance) continue;
    ++faces;
    normal = Vector3d(across.x(), across.y(), 0.0);
  }
  if (faces > 1) return std::nullopt;
  return flat(normal);
}

std::optional<SurfaceCurvature> curvature_of(const HalfSpace&, const Vector3d&) {
  return flat(Vector3d::UnitZ());
}

std::optional<SurfaceCurvature> curvature_of(const Bore& bore, const Vector3d& point) {
  const double tolerance = kEdge * std::max(bore.radius, bore.half_length);
  if (std::abs(point.z()) >= bore.half_length - tolerance) return std::nullopt;
  return round_side(-1.0 / bore.radius, point);
}

std::optional<SurfaceCurvature> curvature_of(const Shell& shell, const Vector3d& point) {
  return equal_curvatures(-1.0 / shell.radius, radial(point));
}

std::optional<SurfaceCurvature> curvature_of(const Capsule& capsule, const Vector3d& point) {
  const double beyond = std::abs(point.z()) - capsule.half_length;
  if (beyond <= 0.0) return round_side(1.0 / capsule.radius, point);
  return equal_curvatures(1.0 / capsule.radius, radial({point.x(), point.y(), std::copysign(beyond, point.z())}));
}

/// Along a generator the side is straight; across it the normal, which leans by the half angle of the cone, turns once
/// around the circle through the point: κ = cos(half angle)/(distance from the axis).
std::optional<SurfaceCurvature> curvature_of(const Cone& cone, const Vector3d& point) {
  const double tolerance = kEdge * std::max(cone.radius, cone.height);
  const double slant = std::hypot(cone.radius, cone.height);
  const double from_axis = std::hypot(point.x(), point.y());
  const bool at_base = point.z() <= tolerance;
  const bool at_side = cone.height * from_axis + cone.radius * (point.z() - cone.height) >= -tolerance * slant;
  if (at_side && (at_base || from_axis <= tolerance)) return std::nullopt;
  if (at_base) return flat(Vector3d::UnitZ());
  const Vector3d outwards = radial({point.x(), point.y(), 0.0});
  const Vector3d generator = (cone.height * Vector3d::UnitZ() - cone.radius * outwards) / slant;
  const double curvature = cone.height / (slant * std::max(from_axis, tolerance));
  return SurfaceCurvature{0.0, curvature, generator, Vector3d::UnitZ().cross(outwards)};
}

std::optional<SurfaceCurvature> curvature_of(const HalfCylinder& half, const Vector3d& point) {
  const double tolerance = kEdge * std::max(half.radius, half.half_length);
  const bool at_cap = std::abs(point.z()) >= half.half_length - tolerance;
  const bool at_flat_face = point.y() >= -tolerance;
  const bool at_side = std::hypot(point.x(), point.y()) >= half.radius - tolerance;
  if (static_cast<int>(at_cap) + static_cast<int>(at_flat_face) + static_cast<int>(at_side) > 1) return std::nullopt;
  if (at_cap) return flat(Vector3d::UnitZ());
  return at_flat_face ? flat(Vector3d::UnitY()) : round_side(1.0 / half.radius, point);
}

std::optional<SurfaceCurvature> curvature_of(const Rod&, const Vector3d&) {
  return std::nullopt;
}

std::optional<SurfaceCurvature> curvature_of(const Convex& convex, const Vector3d& point) {
  const Polyhedron& polyhedron = *convex.polyhedron;
  const double tolerance = kEdge * polyhedron.bounding_radius();
  int faces = 0;
  Vector3d normal = Vector3d::UnitZ();
  for (const Polyhedron::Face& face : polyhedron.faces()) {
    if (face.normal.dot(point) < face.offset - tolerance) continue;
    ++faces;
    normal = face.normal;
  }
  if (faces > 1) return std::nullopt;
  return flat(normal);
}

Matrix3d tensor(const SurfaceCurvature& curvature) {
  return curvature.smaller * curvature.smaller_direction * curvature.smaller_direction.transpose() +
         curvature.larger * curvature.larger_direction * curvature.larger_direction.transpose();
}

}  // namespace

std::optional<SurfaceCurvature> local_curvature(const Shape& shape, const Vector3d& point) {
  return std::visit([&point](const auto& alternative) { return curvature_of(alternative, point); }, shape);
}

SurfaceCurvature rotated(const SurfaceCurvature& curvature, const Eigen::Quaterniond& rotation) {
  return {curvature.smaller, curvature.larger, rotation * curvature.smaller_direction,
          rotation * curvature.larger_direction};
}

RelativeCurvatures relative_curvatures(const SurfaceCurvature& a, const SurfaceCurvature& b, const Vector3d& normal) {
  const SurfaceCurvature sum = principal(tensor(a) + tensor(b), normal);
  return {sum.smaller, sum.larger};
}

}  // namespace carom
