#pragma once
/// Random shapes and poses for property tests, and an independent test of whether a point is on a surface.

#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/geometry/pair_table.h"
#include "support/property_cases.h"

namespace carom::test {

/// Uniform on the unit sphere.
inline Eigen::Vector3d random_direction(Random& random) {
  const double z = random.uniform(-1.0, 1.0);
  const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double radius = std::sqrt(1.0 - z * z);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

/// Uniform over all rotations (Shoemake 1992).
inline Eigen::Quaterniond random_rotation(Random& random) {
  const double u = random.uniform();
  const double first = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double second = random.uniform(0.0, 2.0 * std::numbers::pi);
  return Eigen::Quaterniond(std::sqrt(u) * std::cos(second), std::sqrt(1.0 - u) * std::sin(first),
                            std::sqrt(1.0 - u) * std::cos(first), std::sqrt(u) * std::sin(second))
      .normalized();
}

/// Sizes between 0.1 and 3, evenly over their logarithms.
Shape random_shape(ShapeKind kind, Random& random);

/// The hull of so many random points of a sphere about the origin.
Convex random_polyhedron(int vertices, double radius, Random& random);

/// A length that tells how large the shape is; 1 for a half-space.
double size_of(const Shape& shape);

struct Case {
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;
  double scale;  ///< the lengths whose round-off is in the answer
};

/// Two shapes near each other, apart in some cases and overlapping in others.
Case random_case(const PairFunction& pair, Random& random);

/// Distance of a point from the surface, to first order near it; in the shape's frame and from its implicit equation.
double surface_residual(const Shape& shape, const Eigen::Vector3d& point);

inline Proximity proximity(const Case& test) {
  return carom::proximity(test.a, test.pose_a, test.b, test.pose_b);
}

}  // namespace carom::test
