#pragma once
/// A convex shape at its place, as the general distance needs it (convex_distance.h): its core, which is the shape less
/// the radius that is added all around (a sphere is a point and a capsule a segment, each with a radius), the farthest
/// point of the core in a direction, the second derivative of its support function h, the directions in which h has a
/// kink, and the feature of the core that lies farthest.
///
/// All of that is in one common frame with the axes of the world and an origin near both shapes.

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "carom/geometry/convex/outline.h"
#include "carom/geometry/shape.h"

namespace carom {

/// Directions u near a given one in which ∇h jumps: isolated ones, the outward normals of flat faces, and circles
/// { axis·u = height }, the normals of edges and of straight side lines.
struct Kinks {
  static constexpr int kMost = 12;
  struct Circle {
    Eigen::Vector3d axis;  ///< unit
    double height;
  };
  std::array<Eigen::Vector3d, kMost> faces;
  int face_count = 0;
  std::array<Circle, kMost> circles;
  int circle_count = 0;
};

/// What of a shape lies farthest in a direction: an outline, or a disc or half a disc with an octagon in its place.
struct FlatFeature {
  Outline outline;
  bool round = false;                                ///< a disc or the half of one
  bool half = false;                                 ///< { (x − centre)·cut ≤ 0 } of the disc
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of the disc
  Eigen::Vector3d cut = Eigen::Vector3d::Zero();     ///< unit
  double radius = 0.0;                               ///< of the disc
};

class PlacedConvex {
 public:
  /// A bounded convex shape; not a half-space, bore or shell. The shape must outlive this.
  PlacedConvex(const Shape& shape, const Pose& pose, const Eigen::Vector3d& origin_of_frame);

  /// Added all around the core [m].
  [[nodiscard]] double radius() const { return radius_; }
  /// Whether the core has vertices, edges and flat faces only.
  [[nodiscard]] bool is_polyhedral() const { return polyhedral_; }
  /// Of the core, about its frame's origin.
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] const Eigen::Vector3d& position() const { return position_; }

  [[nodiscard]] Eigen::Vector3d to_local(const Eigen::Vector3d& direction) const {
    return rotation_.transpose() * direction;
  }
  [[nodiscard]] Eigen::Vector3d to_world(const Eigen::Vector3d& direction) const { return rotation_ * direction; }
  /// The vertex, or the first one where the shape has no such vertex.
  [[nodiscard]] int valid_vertex(int vertex) const;

  /// The farthest point of the core along u. `vertex` says where the search over a polyhedron starts, and is the vertex
  /// that was found.
  [[nodiscard]] Eigen::Vector3d farthest(const Eigen::Vector3d& u, int& vertex) const {
    return position_ + rotation_ * farthest_local(rotation_.transpose() * u, vertex);
  }
  /// ∂²h/∂u² of the core at the unit vector u, off the kinks.
  [[nodiscard]] Eigen::Matrix3d second_derivative(const Eigen::Vector3d& u) const;
  /// The kinks within `angle` [rad] of the unit vector u whose features meet in `vertex`, the farthest one along u.
  [[nodiscard]] Kinks kinks(const Eigen::Vector3d& u, int vertex, double angle) const;
  /// The points of the core that are less than `tolerance` behind the farthest one along the unit vector u.
  [[nodiscard]] FlatFeature feature(const Eigen::Vector3d& u, int vertex, double tolerance) const;

 private:
  [[nodiscard]] Eigen::Vector3d farthest_local(const Eigen::Vector3d& u, int& vertex) const;
  [[nodiscard]] FlatFeature local_feature(const Eigen::Vector3d& u, int vertex, double tolerance) const;

  const Shape* shape_;
  ShapeKind kind_;
  Eigen::Matrix3d rotation_;
  Eigen::Vector3d position_;
  double radius_ = 0.0;
  double size_;
  bool polyhedral_;
};

}  // namespace carom
