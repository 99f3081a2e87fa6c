#pragma once
/// Two placed convex shapes, and s(n) = min of n·(a − b) over the points a of A and b of B, both less their radii. The
/// signed distance is the largest s(n) over unit n, less the radii (proximity.h); every n gives a lower bound, every
/// pair of points the upper bound |a − b|.

#include <Eigen/Core>
#include <algorithm>

#include "carom/geometry/convex/placed_convex.h"
#include "carom/geometry/proximity.h"

namespace carom {

struct ConvexGap {
  PlacedConvex a;
  PlacedConvex b;
  double scale;  ///< the lengths whose round-off is in s

  ConvexGap(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b)
      : a(shape_a, pose_a, pose_b.position),
        b(shape_b, pose_b, pose_b.position),
        scale(a.position().norm() + a.size() + b.size()) {}

  [[nodiscard]] bool is_polyhedral() const { return a.is_polyhedral() && b.is_polyhedral(); }

  /// The points at which s(n) is attained. The vertices are where the next search starts.
  struct At {
    Eigen::Vector3d normal;
    Eigen::Vector3d a, b;
    double value;  ///< s(n)
  };
  struct Vertices {
    int a = 0, b = 0;
  };
  [[nodiscard]] At at(const Eigen::Vector3d& n, Vertices& vertices) const {
    At here;
    here.normal = n;
    here.a = a.farthest(-n, vertices.a);
    here.b = b.farthest(n, vertices.b);
    here.value = n.dot(here.a - here.b);
    return here;
  }
};

/// The nearest points of the features of A and B that lie in direction n, and how far they are apart across n. It is
/// zero where n is the normal of nearest points.
struct Witness {
  Eigen::Vector3d a, b;
  double mismatch;
};
Witness witness(const ConvexGap& gap, const ConvexGap::At& at, const ConvexGap::Vertices& vertices);

/// All touching points of two shapes whose nearest points are known (convex_touching). `origin` is that of the common
/// frame.
TouchingPoints touching_features(const ConvexGap& gap, const Proximity& nearest, double tolerance,
                                 const Eigen::Vector3d& origin);

/// What is above the value: the distance |a − b| of the witnesses is never below the signed distance.
inline double uncertainty(double value, double mismatch) {
  // √(s² + m²) − s without cancellation
  const double distance = std::hypot(value, mismatch);
  return value > 0.0 ? mismatch * mismatch / (distance + value) : distance - value;
}

}  // namespace carom
