#pragma once
/// Shapes and where they are: plain values, each in a frame of its own, axis z where there is one.
///
/// Solid shapes (bodies and obstacles), all convex: sphere, ellipsoid, box, cylinder, prism, capsule, cone, half
/// cylinder, rod, convex polyhedron. Obstacles only: the half-space of a plane, the bore and the shell, which are
/// unbounded and are met from their free side. The names are those of the scene format. A shape is a value that anybody
/// may make; `validate` says whether it makes sense.

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace carom {

class Polyhedron;

/// { |x| ≤ radius }
struct Sphere {
  double radius;  ///< [m]
};

/// { Σ (x_i / semi_axes_i)² ≤ 1 }, axes in any order
struct Ellipsoid {
  Eigen::Vector3d semi_axes;  ///< [m]
};

/// { |x_i| ≤ half_sizes_i }
struct Box {
  Eigen::Vector3d half_sizes;  ///< [m]
};

/// { x² + y² ≤ radius², |z| ≤ half_length }
struct Cylinder {
  double radius;       ///< [m]
  double half_length;  ///< [m]
};

/// A triangle of the xy-plane, extruded to |z| ≤ half_length. The vertices may run either way round; the origin of the
/// frame is that of the vertices, wherever the centroid is (mass_properties.h).
struct Prism {
  std::array<Eigen::Vector2d, 3> vertices;  ///< [m]
  double half_length;                       ///< [m]
};

/// { z ≤ 0 }: the pose's third axis is the plane's normal and points to the free side, its position is on the plane.
struct HalfSpace {};

/// { x² + y² ≥ radius², |z| ≤ half_length }: a plate with a round hole, met from inside the hole. The rims of the hole
/// are edges.
struct Bore {
  double radius;       ///< [m]
  double half_length;  ///< [m]
};

/// { |x| ≥ radius }: the inside of a hollow sphere.
struct Shell {
  double radius;  ///< [m]
};

/// All points within `radius` of the segment { x = y = 0, |z| ≤ half_length }.
struct Capsule {
  double radius;       ///< [m]
  double half_length;  ///< of the segment: the caps reach radius further [m]
};

/// { x² + y² ≤ radius² (1 − z/height)², 0 ≤ z ≤ height }: the origin is the middle of the base, the apex is up.
struct Cone {
  double radius;  ///< of the base [m]
  double height;  ///< [m]
};

/// { x² + y² ≤ radius², y ≤ 0, |z| ≤ half_length }: the origin is the middle of the flat face.
struct HalfCylinder {
  double radius;       ///< [m]
  double half_length;  ///< [m]
};

/// The segment { x = y = 0, |z| ≤ half_length }, without thickness: it meets others with its ends and its line.
struct Rod {
  double half_length;  ///< [m]
};

/// A convex polyhedron with any number of corners. The frame is that of its vertices, wherever the centroid is.
struct Convex {
  std::shared_ptr<const Polyhedron> polyhedron;
};

using Shape = std::variant<Sphere, Ellipsoid, Box, Cylinder, Prism, HalfSpace, Bore, Shell, Capsule, Cone, HalfCylinder,
                           Rod, Convex>;

/// The alternatives of Shape, in its order.
enum class ShapeKind {
  sphere,
  ellipsoid,
  box,
  cylinder,
  prism,
  half_space,
  bore,
  shell,
  capsule,
  cone,
  half_cylinder,
  rod,
  convex
};
inline constexpr int kShapeKinds = static_cast<int>(std::variant_size_v<Shape>);

inline ShapeKind shape_kind(const Shape& shape) {
  return static_cast<ShapeKind>(shape.index());
}

/// The scene format's name: `sphere`, `ellipsoid`, `box`, `cylinder`, `prism`, `plane`, `bore`, `shell`,
/// `capsule`, `cone`, `half_cylinder`, `rod`, `convex`.
std::string_view shape_name(ShapeKind kind);
inline std::string_view shape_name(const Shape& shape) {
  return shape_name(shape_kind(shape));
}

/// Whether the shape can be a body: bounded. All but the rod have a volume.
bool is_solid(ShapeKind kind);

/// Throws an InputError unless all sizes are finite and positive and a prism's triangle has an area (at least 1e-12 of
/// the square of its longest side), and a convex shape has a polyhedron. `field` is the path of the shape in the input;
/// the error's field goes on from there, for instance `body.egg.shape.semi_axes.1`.
void validate(const Shape& shape, const std::string& field);

/// Radius of the smallest ball around the frame's origin that holds the shape; infinite for the unbounded ones.
double bounding_radius(const Shape& shape);

/// Where a frame is: x_world = position + orientation · x_local. The quaternion has unit length.
struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< local to world

  [[nodiscard]] Eigen::Matrix3d rotation() const { return orientation.toRotationMatrix(); }
  [[nodiscard]] Eigen::Vector3d to_world(const Eigen::Vector3d& local) const { return position + orientation * local; }
  [[nodiscard]] Eigen::Vector3d to_local(const Eigen::Vector3d& world) const {
    return orientation.conjugate() * (world - position);
  }
};

/// The pose of a half-space with this normal (unit length, to the free side) through this point.
Pose half_space_pose(const Eigen::Vector3d& normal, const Eigen::Vector3d& point);

/// The normal of a half-space: the third axis of its pose. Components at the round-off level of the quaternion are
/// zero, so that a plane along the axes has exactly their normal and nothing is pushed out of a straight line.
Eigen::Vector3d half_space_normal(const Pose& pose);

}  // namespace carom
