#include "carom/geometry/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

constexpr std::array<std::string_view, kShapeKinds> kNames = {
    "sphere", "ellipsoid", "box",  "cylinder",      "prism", "plane", "bore",
    "shell",  "capsule",   "cone", "half_cylinder", "rod",   "convex"};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A triangle whose doubled area is below this part of its longest side squared is a line.
constexpr double kFlatTriangle = 1e-12;

void check_finite(double value, const std::string& field) {
  if (!std::isfinite(value)) throw InputError(Kind::not_finite, field, fmt::format("{} must be finite", field));
}

void check_size(double value, const std::string& field) {
  check_finite(value, field);
  if (value <= 0.0) throw InputError(Kind::out_of_range, field, fmt::format("{} is {}, must be > 0", field, value));
}

void check_sizes(const Eigen::Vector3d& values, const std::string& field) {
  for (int i = 0; i < 3; ++i) check_size(values[i], fmt::format("{}.{}", field, i));
}

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

struct Validator {
  const std::string& field;

  void operator()(const Sphere& sphere) const { check_size(sphere.radius, field + ".radius"); }
  void operator()(const Ellipsoid& ellipsoid) const { check_sizes(ellipsoid.semi_axes, field + ".semi_axes"); }
  void operator()(const Box& box) const { check_sizes(box.half_sizes, field + ".half_sizes"); }
  void operator()(const Cylinder& cylinder) const {
    check_size(cylinder.radius, field + ".radius");
    check_size(cylinder.half_length, field + ".half_length");
  }
  void operator()(const Prism& prism) const {
    for (std::size_t i = 0; i < 3; ++i) {
      for (int k = 0; k < 2; ++k) check_finite(prism.vertices[i][k], fmt::format("{}.vertices.{}.{}", field, i, k));
    }
    check_size(prism.half_length, field + ".half_length");
    const auto& [a, b, c] = prism.vertices;
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if (!(std::abs(cross(b - a, c - a)) > kFlatTriangle * longest)) {
      throw InputError(Kind::out_of_range, field + ".vertices",
                       fmt::format("{}.vertices lie on one line, must span a triangle", field));
    }
  }
  void operator()(const HalfSpace&) const {}
  void operator()(const Bore& bore) const {
    check_size(bore.radius, field + ".radius");
    check_size(bore.half_length, field + ".half_length");
  }
  void operator()(const Shell& shell) const { check_size(shell.radius, field + ".radius"); }
  void operator()(const Capsule& capsule) const {
    check_size(capsule.radius, field + ".radius");
    check_size(capsule.half_length, field + ".half_length");
  }
  void operator()(const Cone& cone) const {
    check_size(cone.radius, field + ".radius");
    check_size(cone.height, field + ".height");
  }
  void operator()(const HalfCylinder& half) const {
    check_size(half.radius, field + ".radius");
    check_size(half.half_length, field + ".half_length");
  }
  void operator()(const Rod& rod) const { check_size(rod.half_length, field + ".half_length"); }
  void operator()(const Convex& convex) const {
    // What is wrong with vertices is found where a Polyhedron is made of them.
    if (!convex.polyhedron) throw InputError(Kind::missing_field, field, fmt::format("{} has no polyhedron", field));
  }
};

struct BoundingRadius {
  double operator()(const Sphere& sphere) const { return sphere.radius; }
  double operator()(const Ellipsoid& ellipsoid) const { return ellipsoid.semi_axes.maxCoeff(); }
  double operator()(const Box& box) const { return box.half_sizes.norm(); }
  double operator()(const Cylinder& cylinder) const { return std::hypot(cylinder.radius, cylinder.half_length); }
  double operator()(const Prism& prism) const {
    const auto& [a, b, c] = prism.vertices;
    return std::hypot(std::max({a.norm(), b.norm(), c.norm()}), prism.half_length);
  }
  double operator()(const HalfSpace&) const { return kInfinity; }
  double operator()(const Bore&) const { return kInfinity; }
  double operator()(const Shell&) const { return kInfinity; }
  double operator()(const Capsule& capsule) const { return capsule.half_length + capsule.radius; }
  double operator()(const Cone& cone) const { return std::max(cone.radius, cone.height); }
  double operator()(const HalfCylinder& half) const { return std::hypot(half.radius, half.half_length); }
  double operator()(const Rod& rod) const { return rod.half_length; }
  double operator()(const Convex& convex) const { return convex.polyhedron->bounding_radius(); }
};

}  // namespace

std::string_view shape_name(ShapeKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_solid(ShapeKind kind) {
  return kind <= ShapeKind::prism || kind >= ShapeKind::capsule;
}

void validate(const Shape& shape, const std::string& field) {
  std::visit(Validator{field}, shape);
}

double bounding_radius(const Shape& shape) {
  return std::visit(BoundingRadius{}, shape);
}

// The shortest turn of z (or, below, of −z after half a turn about x) into the normal, which is well away from half a
// turn itself: q = (1 + z·n, z × n), normalised.
Pose half_space_pose(const Eigen::Vector3d& normal, const Eigen::Vector3d& point) {
  const double x = normal.x();
  const double y = normal.y();
  const double z = normal.z();
  const Eigen::Quaterniond turn =
      z >= 0.0 ? Eigen::Quaterniond(1.0 + z, -y, x, 0.0) : Eigen::Quaterniond(-y, 1.0 - z, 0.0, x);
  return {.position = point, .orientation = turn.normalized()};
}

Eigen::Vector3d half_space_normal(const Pose& pose) {
  constexpr double kQuaternionRoundoff = 1e-15;
  Eigen::Vector3d normal = pose.orientation * Eigen::Vector3d::UnitZ();
  for (int k = 0; k < 3; ++k)
    if (std::abs(normal[k]) <= kQuaternionRoundoff) normal[k] = 0.0;
  return normal.normalized();
}

}  // namespace carom
