#include "carom/contact/shape_support.h"

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"

namespace carom::contact {

namespace {

double of(const Sphere& s, const Vector3d& u) {
  return s.radius * u.norm();
}
double of(const Ellipsoid& e, const Vector3d& u) {
  return e.semi_axes.cwiseProduct(u).norm();
}
double of(const Box& b, const Vector3d& u) {
  return b.half_sizes.dot(u.cwiseAbs());
}
double of(const Cylinder& c, const Vector3d& u) {
  return c.radius * std::hypot(u.x(), u.y()) + c.half_length * std::abs(u.z());
}
double of(const Prism& p, const Vector3d& u) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Eigen::Vector2d& v : p.vertices) highest = std::max(highest, u.x() * v.x() + u.y() * v.y());
  return highest + p.half_length * std::abs(u.z());
}
template <class Unbounded>
double of(const Unbounded& /*shape*/, const Vector3d& /*u*/) {
  CAROM_ASSERT(false);
  return 0.0;
}

}  // namespace

double support(const Shape& shape, const Vector3d& u) {
  return std::visit([&](const auto& typed) { return of(typed, u); }, shape);
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
  }
  return vertices;
}

SupportBound::SupportBound(const Shape& shape, const TurningDirection& seen) : shape_(&shape), seen_(seen) {
  const double w2 = seen.max_spin * seen.max_spin;
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
    value_ = sphere->radius;
  } else if (const Ellipsoid* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    const Vector3d square = ellipsoid->semi_axes.cwiseAbs2();
    value_ = support(shape, seen.direction);
    rate_ = square.cwiseProduct(seen.direction).dot(seen.direction_rate) / value_;
    const double longest = ellipsoid->semi_axes.maxCoeff();
    const double shortest = ellipsoid->semi_axes.minCoeff();
    curvature_ = w2 * (longest * longest - shortest * shortest) / shortest + seen.max_spin_rate * (longest - shortest);
  } else {
    smooth_ = false;
    value_ = support(shape, seen.direction);
    curvature_ = (w2 + seen.max_spin_rate) * bounding_radius(shape);
  }
}

}  // namespace carom::contact
