#include "carom/geometry/mass_properties.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/geometry/polyhedron.h"
#include "carom/geometry/principal_axes.h"

namespace carom {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;

MassProperties centred(double volume, const Vector3d& covariance) {
  return {.volume = volume,
          .centroid = Vector3d::Zero(),
          .inertia_per_mass = {covariance.y() + covariance.z(), covariance.z() + covariance.x(),
                               covariance.x() + covariance.y()},
          .principal_axes = Quaterniond::Identity()};
}

MassProperties of_prism(const Prism& prism) {
  const auto& [a, b, c] = prism.vertices;
  const Vector2d side = b - a;
  const Vector2d other = c - a;
  const double area = 0.5 * std::abs(side.x() * other.y() - side.y() * other.x());
  const Vector2d centroid = a + (side + other) / 3.0;
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (const Vector2d& vertex : prism.vertices) {
    const Vector2d v = vertex - centroid;
    xx += v.x() * v.x() / 12.0;
    yy += v.y() * v.y() / 12.0;
    xy += v.x() * v.y() / 12.0;
  }
  // Principal axes of the symmetric 2×2 matrix: turned by ½ atan2(2xy, xx − yy), eigenvalues mean ± radius.
  const double mean = 0.5 * (xx + yy);
  const double radius = std::hypot(0.5 * (xx - yy), xy);
  const double angle = 0.5 * std::atan2(2.0 * xy, xx - yy);
  MassProperties result = centred(2.0 * area * prism.half_length,
                                  {mean + radius, mean - radius, prism.half_length * prism.half_length / 3.0});
  result.centroid = {centroid.x(), centroid.y(), 0.0};
  result.principal_axes = Quaterniond(std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle));
  return result;
}

MassProperties about(const Vector3d& centroid, MassProperties properties) {
  properties.centroid = centroid;
  return properties;
}

MassProperties of_capsule(const Capsule& capsule) {
  const double r = capsule.radius;
  const double h = capsule.half_length;
  const double middle = 2.0 * std::numbers::pi * r * r * h;
  const double volume = middle + 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double c = middle / volume;
  const double s = 1.0 - c;
  const double across = c * r * r / 4.0 + s * r * r / 5.0;
  return centred(volume, {across, across, c * h * h / 3.0 + s * (r * r / 5.0 + 0.75 * h * r + h * h)});
}

MassProperties of_half_cylinder(const HalfCylinder& half) {
  const double r = half.radius;
  const double depth = 4.0 * r / (3.0 * std::numbers::pi);
  return about({0.0, -depth, 0.0},
               centred(std::numbers::pi * r * r * half.half_length,
                       {r * r / 4.0, r * r / 4.0 - depth * depth, half.half_length * half.half_length / 3.0}));
}

/// The radius of a rod as a part of its half length, for the moment about its axis and for nothing else.
constexpr double kWire = 1e-3;

MassProperties of_rod(const Rod& rod) {
  const double square = rod.half_length * rod.half_length;
  MassProperties result = centred(0.0, {0.0, 0.0, square / 3.0});
  result.inertia_per_mass.z() = 0.5 * kWire * kWire * square;
  return result;
}

MassProperties of_polyhedron(const Polyhedron& polyhedron) {
  const Eigen::Matrix3d& covariance = polyhedron.covariance();
  const PrincipalAxes axes = principal_axes(covariance.trace() * Eigen::Matrix3d::Identity() - covariance);
  return {.volume = polyhedron.volume(),
          .centroid = polyhedron.centroid(),
          .inertia_per_mass = axes.values,
          .principal_axes = axes.turn};
}

struct Properties {
  MassProperties operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    return centred(4.0 / 3.0 * std::numbers::pi * r * r * r, Vector3d::Constant(r * r / 5.0));
  }
  MassProperties operator()(const Ellipsoid& ellipsoid) const {
    const Vector3d& a = ellipsoid.semi_axes;
    return centred(4.0 / 3.0 * std::numbers::pi * a.prod(), a.cwiseAbs2() / 5.0);
  }
  MassProperties operator()(const Box& box) const {
    return centred(8.0 * box.half_sizes.prod(), box.half_sizes.cwiseAbs2() / 3.0);
  }
  MassProperties operator()(const Cylinder& cylinder) const {
    const double square = cylinder.radius * cylinder.radius;
    return centred(2.0 * std::numbers::pi * square * cylinder.half_length,
                   {square / 4.0, square / 4.0, cylinder.half_length * cylinder.half_length / 3.0});
  }
  MassProperties operator()(const Prism& prism) const { return of_prism(prism); }
  MassProperties operator()(const Capsule& capsule) const { return of_capsule(capsule); }
  MassProperties operator()(const Cone& cone) const {
    const double square = cone.radius * cone.radius;
    const double across = 3.0 * square / 20.0;
    return about({0.0, 0.0, cone.height / 4.0}, centred(std::numbers::pi * square * cone.height / 3.0,
                                                        {across, across, 3.0 * cone.height * cone.height / 80.0}));
  }
  MassProperties operator()(const HalfCylinder& half) const { return of_half_cylinder(half); }
  MassProperties operator()(const Rod& rod) const { return of_rod(rod); }
  MassProperties operator()(const Convex& convex) const { return of_polyhedron(*convex.polyhedron); }
  template <class Obstacle>
  MassProperties operator()(const Obstacle& obstacle) const {
    throw InputError(
        Kind::unsupported, "shape",
        fmt::format("a {} is unbounded and has no mass; it can be an obstacle only", shape_name(Shape(obstacle))));
  }
};

}  // namespace

MassProperties mass_properties(const Shape& shape) {
  return std::visit(Properties{}, shape);
}

Prism about_centroid(const Prism& prism) {
  const Vector2d centroid = of_prism(prism).centroid.head<2>();
  Prism result = prism;
  for (Vector2d& vertex : result.vertices) vertex -= centroid;
  return result;
}

}  // namespace carom
