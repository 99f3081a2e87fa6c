#pragma once
/// The points of a convex body that can be farthest from the middle of a hollow: from a point (shell) or from the axis
/// z (bore). The distance from there is a convex function, so it is largest at vertices, on rims, or where a smooth
/// surface looks straight away from the middle.
///
/// On a circle c + r (cos θ e₁ + sin θ e₂) the square of the distance is a trigonometric polynomial of degree two, with
/// at most two maxima. On an ellipsoid with the half axes s_i the farthest point from a point seen at −c_i is
/// w_i = c_i s_i²/(μ − s_i²) with the largest root μ of Σ c_i² s_i²/(μ − s_i²)² = 1 (Lagrange); from an axis the same
/// holds for the ellipse that is its image along the axis.

#include <Eigen/Core>
#include <array>
#include <span>

#include "carom/geometry/shape.h"

namespace carom {

/// What the distance is measured from: the origin or the axis z.
enum class HollowMiddle { point, axis };

/// The far points of the shape's core (a capsule is its segment, a sphere its centre), in the hollow's frame, in a
/// fixed order; `pose` is that of the shape in the hollow's frame.
class FarPoints {
 public:
  FarPoints(const Shape& shape, const Pose& pose, HollowMiddle middle);

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int i = 0; i < count_; ++i) visit(few_[static_cast<std::size_t>(i)]);
    for (const Eigen::Vector3d& vertex : vertices_) visit(Eigen::Vector3d(pose_.to_world(vertex)));
  }
  /// Added around the core [m].
  [[nodiscard]] double radius() const { return radius_; }

 private:
  struct Circle {
    double radius, height;
    double from, to;  // [rad]
  };
  void add(const Eigen::Vector3d& point);
  void add_circle(const Circle& circle);
  void add_ellipsoid(const Ellipsoid& ellipsoid);

  Pose pose_;
  HollowMiddle middle_;
  std::array<Eigen::Vector3d, 16> few_;
  int count_ = 0;
  std::span<const Eigen::Vector3d> vertices_;  // of a polyhedron, in its frame
  double radius_ = 0.0;
};

}  // namespace carom
