#include "carom/geometry/support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/assert.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Vector2d;
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

/// |x + change| − |x|.
double length_growth(double x, double change) {
  const double along = x < 0.0 ? -change : change;
  return std::max(along, -along - 2.0 * std::abs(x));
}
template <class Vector>
double length_growth(const Vector& x, const Vector& change) {
  const double both = x.norm() + (x + change).norm();
  return both > 0.0 ? change.dot(2.0 * x + change) / both : 0.0;
}

double growth_of(const Sphere& s, const Vector3d& u, const Vector3d& change) {
  return s.radius * length_growth(u, change);
}
double growth_of(const Ellipsoid& e, const Vector3d& u, const Vector3d& change) {
  return length_growth(Vector3d(e.semi_axes.cwiseProduct(u)), Vector3d(e.semi_axes.cwiseProduct(change)));
}
double growth_of(const Box& b, const Vector3d& u, const Vector3d& change) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += b.half_sizes[k] * length_growth(u[k], change[k]);
  return sum;
}
double across_growth(const Vector3d& u, const Vector3d& change) {
  return length_growth(Vector2d(u.head<2>()), Vector2d(change.head<2>()));
}
double growth_of(const Cylinder& c, const Vector3d& u, const Vector3d& change) {
  return c.radius * across_growth(u, change) + c.half_length * length_growth(u.z(), change.z());
}
double growth_of(const Prism& p, const Vector3d& u, const Vector3d& change) {
  const Vector2d* first = &p.vertices[0];
  for (const Vector2d& v : p.vertices)
    if (u.head<2>().dot(v - *first) > 0.0) first = &v;
  double most = -std::numeric_limits<double>::infinity();
  for (const Vector2d& v : p.vertices) most = std::max(most, u.head<2>().dot(v - *first) + change.head<2>().dot(v));
  return most + p.half_length * length_growth(u.z(), change.z());
}
double growth_of(const Capsule& c, const Vector3d& u, const Vector3d& change) {
  return c.radius * length_growth(u, change) + c.half_length * length_growth(u.z(), change.z());
}
double growth_of(const Cone& c, const Vector3d& u, const Vector3d& change) {
  const double rim = c.radius * std::hypot(u.x(), u.y()), tip = c.height * u.z(), most = std::max(rim, tip);
  return std::max((rim - most) + c.radius * across_growth(u, change), (tip - most) + c.height * change.z());
}
/// The half disc y ≤ 0 has the support hypot(x, min(y, 0)).
double growth_of(const HalfCylinder& c, const Vector3d& u, const Vector3d& change) {
  const Vector2d low(u.x(), std::min(u.y(), 0.0));
  const double sinks = u.y() > 0.0 ? std::min(u.y() + change.y(), 0.0) : std::min(change.y(), -u.y());
  return c.radius * length_growth(low, Vector2d(change.x(), sinks)) + c.half_length * length_growth(u.z(), change.z());
}
double growth_of(const Rod& r, const Vector3d& u, const Vector3d& change) {
  return r.half_length * length_growth(u.z(), change.z());
}
double growth_of(const Convex& c, const Vector3d& u, const Vector3d& change) {
  const Polyhedron& body = *c.polyhedron;
  const auto vertex = [&](int index) -> const Vector3d& { return body.vertices()[static_cast<std::size_t>(index)]; };
  int best = body.farthest_vertex(u);
  const Vector3d& first = vertex(best);
  double most = change.dot(first);
  for (bool better = true; better;) {
    better = false;
    for (const int other : body.neighbours(best)) {
      const double value = u.dot(vertex(other) - first) + change.dot(vertex(other));
      if (!(value > most)) continue;
      most = value;
      best = other;
      better = true;
    }
  }
  return most;
}
template <class Unbounded>
double growth_of(const Unbounded& /*shape*/, const Vector3d& /*u*/, const Vector3d& /*change*/) {
  CAROM_ASSERT(false);
  return 0.0;
}

}  // namespace

double support_growth(const Shape& shape, const Vector3d& u, const Vector3d& change) {
  return std::visit([&](const auto& typed) { return growth_of(typed, u, change); }, shape);
}

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
