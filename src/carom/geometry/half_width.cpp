#include "carom/geometry/half_width.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct HalfWidth {
  double operator()(const Sphere& sphere) const { return sphere.radius; }
  double operator()(const Ellipsoid& ellipsoid) const { return ellipsoid.semi_axes.minCoeff(); }
  double operator()(const Box& box) const { return box.half_sizes.minCoeff(); }
  double operator()(const Cylinder& cylinder) const { return std::min(cylinder.radius, cylinder.half_length); }
  double operator()(const Prism& prism) const {
    const auto& [a, b, c] = prism.vertices;
    const Eigen::Vector2d first = b - a, second = c - a;
    const double area = std::abs(first.x() * second.y() - first.y() * second.x());  // twice that of the triangle
    return std::min(0.5 * area / std::max({first.norm(), second.norm(), (c - b).norm()}), prism.half_length);
  }
  double operator()(const HalfSpace&) const { return kUnbounded; }
  double operator()(const Bore&) const { return kUnbounded; }
  double operator()(const Shell&) const { return kUnbounded; }
  double operator()(const Capsule& capsule) const { return capsule.radius; }
  double operator()(const Cone& cone) const {
    // Between two planes along the base, or along a line of the side and the rim opposite.
    const double across = 2.0 * cone.radius * cone.height / std::hypot(cone.radius, cone.height);
    return 0.5 * std::min(cone.height, across);
  }
  double operator()(const HalfCylinder& half) const { return std::min(0.5 * half.radius, half.half_length); }
  double operator()(const Rod& rod) const { return rod.half_length; }
  double operator()(const Convex& convex) const {
    double least = kUnbounded;
    for (const Polyhedron::Face& face : convex.polyhedron->faces()) {
      double deepest = face.offset;
      for (const Eigen::Vector3d& vertex : convex.polyhedron->vertices())
        deepest = std::min(deepest, face.normal.dot(vertex));
      least = std::min(least, 0.5 * (face.offset - deepest));
    }
    return least;
  }
};

}  // namespace

double half_width(const Shape& shape) {
  return std::visit(HalfWidth{}, shape);
}

}  // namespace carom
