#include "carom/geometry/support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/assert.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Vector3d;

double support_of(const Sphere& s, const Vector3d& u) {
  return s.radius * u.norm();
}
double support_of(const Ellipsoid& e, const Vector3d& u) {
  return e.semi_axes.cwiseProduct(u).norm();
}
double support_of(const Box& b, const Vector3d& u) {
  return b.half_sizes.dot(u.cwiseAbs());
}
double support_of(const Cylinder& c, const Vector3d& u) {
  return c.radius * std::hypot(u.x(), u.y()) + c.half_length * std::abs(u.z());
}
double support_of(const Prism& p, const Vector3d& u) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Eigen::Vector2d& v : p.vertices) highest = std::max(highest, u.x() * v.x() + u.y() * v.y());
  return highest + p.half_length * std::abs(u.z());
}
double support_of(const Capsule& c, const Vector3d& u) {
  return c.radius * u.norm() + c.half_length * std::abs(u.z());
}
double support_of(const Cone& c, const Vector3d& u) {
  return std::max(c.radius * std::hypot(u.x(), u.y()), c.height * u.z());
}
double support_of(const HalfCylinder& c, const Vector3d& u) {
  const double across = u.y() <= 0.0 ? std::hypot(u.x(), u.y()) : std::abs(u.x());
  return c.radius * across + c.half_length * std::abs(u.z());
}
double support_of(const Rod& r, const Vector3d& u) {
  return r.half_length * std::abs(u.z());
}
double support_of(const Convex& c, const Vector3d& u) {
  return u.dot(c.polyhedron->vertices()[static_cast<std::size_t>(c.polyhedron->farthest_vertex(u))]);
}
template <class Unbounded>
double support_of(const Unbounded& /*shape*/, const Vector3d& /*u*/) {
  CAROM_ASSERT(false);
  return 0.0;
}

}  // namespace

double support(const Shape& shape, const Vector3d& u) {
  return std::visit([&](const auto& typed) { return support_of(typed, u); }, shape);
}

std::vector<Vector3d> shape_vertices(const Shape& shape) {
  std::vector<Vector3d> vertices;
  if (const Box* box = std::get_if<Box>(&shape)) {
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0}) vertices.push_back(box->half_sizes.cwiseProduct(Vector3d(x, y, z)));
  } else if (const Prism* prism = std::get_if<Prism>(&shape)) {
    for (const Eigen::Vector2d& v : prism->vertices)
      for (const double z : {-1.0, 1.0}) vertices.emplace_back(v.x(), v.y(), z * prism->half_length);
  } else if (const Rod* rod = std::get_if<Rod>(&shape)) {
    for (const double z : {-1.0, 1.0}) vertices.emplace_back(0.0, 0.0, z * rod->half_length);
  } else if (const Convex* convex = std::get_if<Convex>(&shape)) {
    vertices.assign(convex->polyhedron->vertices().begin(), convex->polyhedron->vertices().end());
  }
  return vertices;
}

}  // namespace carom
