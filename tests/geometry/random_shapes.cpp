#include "geometry/random_shapes.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "carom/geometry/polyhedron.h"

namespace carom::test {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double random_size(Random& random) {
  return 0.1 * std::pow(30.0, random.uniform());
}

Vector3d random_sizes(Random& random) {
  const double x = random_size(random);
  const double y = random_size(random);
  return {x, y, random_size(random)};
}

Prism random_prism(Random& random) {
  for (;;) {
    Prism prism;
    for (Vector2d& vertex : prism.vertices) {
      vertex.x() = random.uniform(-2.0, 2.0);
      vertex.y() = random.uniform(-2.0, 2.0);
    }
    prism.half_length = random_size(random);
    const Vector2d side = prism.vertices[1] - prism.vertices[0];
    const Vector2d other = prism.vertices[2] - prism.vertices[0];
    if (std::abs(side.x() * other.y() - side.y() * other.x()) > 0.1) return prism;
  }
}

struct Residual {
  const Vector3d& x;

  double operator()(const Sphere& sphere) const { return x.norm() - sphere.radius; }
  double operator()(const Ellipsoid& ellipsoid) const {
    const Vector3d scaled = x.cwiseQuotient(ellipsoid.semi_axes);
    return (scaled.norm() - 1.0) * scaled.norm() / scaled.cwiseQuotient(ellipsoid.semi_axes).norm();
  }
  double operator()(const Box& box) const { return (x.cwiseAbs() - box.half_sizes).maxCoeff(); }
  double operator()(const Cylinder& cylinder) const {
    return std::max(x.head<2>().norm() - cylinder.radius, std::abs(x.z()) - cylinder.half_length);
  }
  double operator()(const Prism& prism) const {
    double result = std::abs(x.z()) - prism.half_length;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector2d& start = prism.vertices[i];
      const Vector2d& end = prism.vertices[(i + 1) % 3];
      const Vector2d& opposite = prism.vertices[(i + 2) % 3];
      Vector2d outwards = Vector2d(end.y() - start.y(), start.x() - end.x()).normalized();
      if (outwards.dot(opposite - start) > 0.0) outwards = -outwards;
      result = std::max(result, outwards.dot(x.head<2>() - start));
    }
    return result;
  }
  double operator()(const HalfSpace&) const { return x.z(); }
  double operator()(const Bore& bore) const {
    return std::max(bore.radius - x.head<2>().norm(), std::abs(x.z()) - bore.half_length);
  }
  double operator()(const Shell& shell) const { return shell.radius - x.norm(); }
  double operator()(const Capsule& capsule) const {
    const double along = std::clamp(x.z(), -capsule.half_length, capsule.half_length);
    return (x - along * Vector3d::UnitZ()).norm() - capsule.radius;
  }
  double operator()(const Cone& cone) const {
    const double side = cone.height * x.head<2>().norm() + cone.radius * (x.z() - cone.height);
    return std::max(-x.z(), side / std::hypot(cone.radius, cone.height));
  }
  double operator()(const HalfCylinder& half) const {
    return std::max({x.head<2>().norm() - half.radius, x.y(), std::abs(x.z()) - half.half_length});
  }
  double operator()(const Rod& rod) const {
    const double along = std::clamp(x.z(), -rod.half_length, rod.half_length);
    return (x - along * Vector3d::UnitZ()).norm();
  }
  double operator()(const Convex& convex) const {
    double result = -std::numeric_limits<double>::infinity();
    for (const Polyhedron::Face& face : convex.polyhedron->faces())
      result = std::max(result, face.normal.dot(x) - face.offset);
    return result;
  }
};

struct Size {
  double operator()(const HalfSpace&) const { return 1.0; }
  double operator()(const Bore& bore) const { return std::hypot(bore.radius, bore.half_length); }
  double operator()(const Shell& shell) const { return shell.radius; }
  template <class Solid>
  double operator()(const Solid& solid) const {
    return bounding_radius(solid);
  }
};

}  // namespace

Shape random_shape(ShapeKind kind, Random& random) {
  const double size = random_size(random);
  switch (kind) {
    case ShapeKind::sphere: return Sphere{size};
    case ShapeKind::ellipsoid: return Ellipsoid{random_sizes(random)};
    case ShapeKind::box: return Box{random_sizes(random)};
    case ShapeKind::cylinder: return Cylinder{size, random_size(random)};
    case ShapeKind::prism: return random_prism(random);
    case ShapeKind::half_space: return HalfSpace{};
    case ShapeKind::bore: return Bore{size, random_size(random)};
    case ShapeKind::shell: return Shell{size};
    case ShapeKind::capsule: return Capsule{size, random_size(random)};
    case ShapeKind::cone: return Cone{size, random_size(random)};
    case ShapeKind::half_cylinder: return HalfCylinder{size, random_size(random)};
    case ShapeKind::rod: return Rod{size};
    case ShapeKind::convex: return random_polyhedron(4 + static_cast<int>(16.0 * random.uniform()), size, random);
  }
  std::abort();
}

Convex random_polyhedron(int vertices, double radius, Random& random) {
  std::vector<Vector3d> points;
  for (int i = 0; i < vertices; ++i) points.push_back(radius * random_direction(random));
  return {std::make_shared<Polyhedron>(points, "vertices")};
}

double size_of(const Shape& shape) {
  return std::visit(Size{}, shape);
}

namespace {

/// A body that fits into the hollow, near its wall or beyond it by a fiftieth, or sticking out of a bore.
Case inside_case(const PairFunction& pair, Random& random) {
  const bool hollow_first = !is_solid(pair.kind_a);
  const Shape body = random_shape(hollow_first ? pair.kind_b : pair.kind_a, random);
  const double radius = bounding_radius(body) * random.uniform(1.05, 3.0);
  const double half_length = radius * random.uniform(0.2, 3.0);
  const bool in_bore = pair.kind_a == ShapeKind::bore || pair.kind_b == ShapeKind::bore;
  const Shape hollow = in_bore ? Shape(Bore{radius, half_length}) : Shape(Shell{radius});
  const Pose pose_hollow{10.0 * random_direction(random) * random.uniform(), random_rotation(random)};
  Vector3d place = (radius - 0.9 * bounding_radius(body)) * random.uniform(0.0, 1.02) * random_direction(random);
  if (in_bore) place.z() = 1.5 * half_length * random.uniform(-1.0, 1.0);
  const Pose pose_body{pose_hollow.to_world(place), random_rotation(random)};
  const double scale = 10.0 + radius + half_length;
  if (hollow_first) return {hollow, pose_hollow, body, pose_body, scale};
  return {body, pose_body, hollow, pose_hollow, scale};
}

}  // namespace

Case random_case(const PairFunction& pair, Random& random) {
  const auto is_hollow = [](ShapeKind kind) { return kind == ShapeKind::bore || kind == ShapeKind::shell; };
  const bool ball = pair.kind_a == ShapeKind::sphere || pair.kind_b == ShapeKind::sphere;
  if ((is_hollow(pair.kind_a) || is_hollow(pair.kind_b)) && !ball) return inside_case(pair, random);
  Case result{random_shape(pair.kind_a, random), {}, random_shape(pair.kind_b, random), {}, 0.0};
  const double reach = size_of(result.a) + size_of(result.b);
  result.pose_b = {10.0 * random_direction(random) * random.uniform(), random_rotation(random)};
  result.pose_a = {result.pose_b.position + random.uniform(0.0, 1.3) * reach * random_direction(random),
                   random_rotation(random)};
  result.scale = reach + 10.0;
  return result;
}

double surface_residual(const Shape& shape, const Vector3d& point) {
  return std::visit(Residual{point}, shape);
}

}  // namespace carom::test
