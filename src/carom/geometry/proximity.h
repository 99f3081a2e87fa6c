#pragma once
/// How two shapes stand to each other: signed distance, normal, witness points; and all points of a face or an edge
/// that touches.
///
/// The signed distance of the convex sets A and B (and of a ball A and any set B) is
///   d = max over unit n of ( −h_A(−n) − h_B(n) ),   h_K(n) = max over x in K of n·x;
/// where they are apart that is their distance, where they overlap minus the shortest translation that parts them. The
/// maximiser n is the normal, and d changes with a's position x_a as ∂d/∂x_a = n. Where it is not unique (a centre at
/// the same distance from several faces, on an axis, in the middle) every pair makes a fixed choice, stated at its
/// function (pairs/pairs.h), so that the same input gives the same answer.

#include <Eigen/Core>
#include <array>

#include "carom/base/assert.h"

namespace carom {

/// The nearest points of a and b, in world coordinates: point_a = point_b + distance · normal.
struct Proximity {
  double distance;          ///< [m]; negative: overlap
  Eigen::Vector3d normal;   ///< unit, from b to a
  Eigen::Vector3d point_a;  ///< on the surface of a [m]
  Eigen::Vector3d point_b;  ///< on the surface of b [m]
  /// The certificate of an iteration [m]: |point_a − point_b − distance · normal|, which is how far it is from optimal,
  /// or what is left between the lower and the upper bound of the distance where that is more; 0 where the pair has a
  /// closed form.
  double residual = 0.0;
};

/// Where the search for the nearest points of one pair ended, so that the next one starts there: kept by the caller,
/// one for each pair that it asks for again and again. It changes the way to the answer and not the answer (beyond
/// round-off); one that belongs to another pair costs time only.
struct ProximityHint {
  enum class Kind { none, search, points, line_a, line_b, face_a, face_b, edges };
  Kind kind = Kind::none;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< in the frame of b
  Eigen::Vector3d of_a = Eigen::Vector3d::Zero();    ///< normal of a face or direction of an edge, in the frame of a
  Eigen::Vector3d of_b = Eigen::Vector3d::Zero();    ///< the same of b
  int vertex_a = 0, vertex_b = 0;                    ///< of polyhedra: the nearest ones
};

/// The normal, from b to a, of shapes that touched or pressed on each other a moment ago.
struct KnownNormal {
  Eigen::Vector3d normal;
  double depth = 0.0;  ///< overlap up to which the points nearest near there are taken without proof [m]
};

/// One touching point: point_a = point_b + distance · normal.
struct TouchingPoint {
  double distance;
  Eigen::Vector3d point_a;
  Eigen::Vector3d point_b;
  Eigen::Vector3d normal;
};

/// All touching points of a pair. Convex shapes have one normal; inside a bore or a shell every point has its own, and
/// that of the pair is the one of its nearest points. No memory is allocated.
class TouchingPoints {
 public:
  /// Enough for two rectangles clipped against each other (8) and for a cylinder's rim and other end (9).
  static constexpr int kCapacity = 12;

  explicit TouchingPoints(const Eigen::Vector3d& normal) : normal_(normal) {}
  explicit TouchingPoints(const Proximity& nearest) : normal_(nearest.normal) {
    add(nearest.distance, nearest.point_a, nearest.point_b);
  }

  void add(double distance, const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b) {
    add({distance, point_a, point_b, normal_});
  }
  void add(const TouchingPoint& point) {
    CAROM_ASSERT(count_ < kCapacity);
    points_[static_cast<std::size_t>(count_++)] = point;
  }
  [[nodiscard]] const Eigen::Vector3d& normal() const { return normal_; }
  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] const TouchingPoint& operator[](int i) const { return points_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const TouchingPoint* begin() const { return points_.data(); }
  [[nodiscard]] const TouchingPoint* end() const { return points_.data() + count_; }

  /// The same points with a and b exchanged.
  [[nodiscard]] TouchingPoints exchanged() const {
    TouchingPoints result(Eigen::Vector3d(-normal_));
    for (const TouchingPoint& point : *this) result.add({point.distance, point.point_b, point.point_a, -point.normal});
    return result;
  }

 private:
  Eigen::Vector3d normal_;
  int count_ = 0;
  std::array<TouchingPoint, kCapacity> points_;
};

/// The same answer with a and b exchanged.
inline Proximity exchanged(const Proximity& nearest) {
  return {.distance = nearest.distance,
          .normal = -nearest.normal,
          .point_a = nearest.point_b,
          .point_b = nearest.point_a,
          .residual = nearest.residual};
}

}  // namespace carom
