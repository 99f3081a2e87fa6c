#pragma once
/// Solids by their support functions, and how deep two of them are in each other: written for the check of records
/// alone, by another method than the geometry of the engines.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace carom::soak {

/// A convex solid about a point within, of a cone and a half cylinder their centroids: points Σ of a core (points of
/// a polytope, an ellipse, a disk) and a rounding.
struct Solid {
  enum class Kind { sphere, ellipsoid, box, cylinder, capsule, cone, half_cylinder, hull } kind = Kind::sphere;
  /// Semi-axes; half sizes; radius and half length, of a cone height, in x and z [m].
  Eigen::Vector3d sizes = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> corners;              ///< of a hull
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of its origin in the object's frame
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  /// The point farthest along a direction, in the object's frame.
  [[nodiscard]] Eigen::Vector3d support(const Eigen::Vector3d& direction) const;
  /// Half of its least width, roughly [m].
  [[nodiscard]] double size() const;
  [[nodiscard]] double reach() const;  ///< no point is farther from `offset` [m]
};

/// How far the centroid of a half disc is from its straight side.
double half_disc_centroid(double radius);

struct Placed {
  const Solid* solid;
  Eigen::Vector3d position;
  Eigen::Quaterniond orientation;

  [[nodiscard]] Eigen::Vector3d support(const Eigen::Vector3d& direction) const {
    return position + orientation * solid->support(orientation.conjugate() * direction);
  }
  [[nodiscard]] Eigen::Vector3d centre() const { return position + orientation * solid->offset; }
};

/// A lower bound of the signed distance: the width of the gap across the best separating direction that was found,
/// negative where none separates the two: then up to half too deep, as the direction is that of shrunk solids.
double gap(const Placed& a, const Placed& b);
/// Over the plane through `point`.
double gap_to_plane(const Placed& solid, const Eigen::Vector3d& normal, const Eigen::Vector3d& point);
/// Inside a hollow sphere, or, with an axis, inside a hollow cylinder about it.
double gap_inside(const Placed& solid, const Eigen::Vector3d& centre, double radius, const Eigen::Vector3d* axis);

}  // namespace carom::soak
