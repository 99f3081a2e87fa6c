#pragma once
/// Curvature of a shape at a point of its surface, and of two surfaces against each other where they touch.
///
/// Curvatures are positive where the solid bulges outwards (sphere: 1/radius) and negative where it is hollow (bore,
/// shell). With the outward unit normal n(x), continued off the surface, the curvature tensor is T = ∂n/∂x on the
/// tangent plane; its eigenvalues are the principal curvatures κ₁ ≤ κ₂, its eigenvectors their directions. For a
/// surface Q(x) = 0 it is T = P (∂²Q) P/|∂Q|, P = I − n nᵀ.
///
/// Near a common tangent plane two surfaces are apart by d(y) = d₀ + ½ yᵀ(T_a + T_b) y (Euler, Dupin): the eigenvalues
/// of T_a + T_b are all that Hertz's theory needs of the geometry (laws/normal_force/contact_stiffness.h). Source:
/// Johnson, Contact Mechanics, 1985, section 4.1.

#include <Eigen/Core>
#include <optional>

#include "carom/geometry/shape.h"

namespace carom {

/// Principal curvatures and directions. The directions have unit length and are orthogonal to each other and to the
/// normal; where the curvatures are equal they are any such two.
struct SurfaceCurvature {
  double smaller = 0.0;  ///< κ₁ [1/m]
  double larger = 0.0;   ///< κ₂ ≥ κ₁ [1/m]
  Eigen::Vector3d smaller_direction = Eigen::Vector3d::UnitX();
  Eigen::Vector3d larger_direction = Eigen::Vector3d::UnitY();
};

/// Curvature of the shape at a point of its surface, both in the shape's frame. The point may be off by round-off: of
/// an ellipsoid the similar one through the point is taken. None on an edge or at a vertex (box, prism, convex
/// polyhedron, rims of cylinder, bore, cone and half cylinder, apex of the cone, rod), which has no curvature: within
/// 1e-9 of the shape's size of two faces.
std::optional<SurfaceCurvature> local_curvature(const Shape& shape, const Eigen::Vector3d& point);

/// The same curvature with its directions turned by a rotation, for instance from the shape's frame to the world's.
SurfaceCurvature rotated(const SurfaceCurvature& curvature, const Eigen::Quaterniond& rotation);

/// Eigenvalues of T_a + T_b.
struct RelativeCurvatures {
  double smaller = 0.0;  ///< 1/R_y [1/m]; may be negative where a hollow is narrower than what lies in it
  double larger = 0.0;   ///< 1/R_x ≥ 1/R_y [1/m]
};

/// Relative curvatures of two surfaces that touch with the common normal `normal` (unit; its sign does not matter), the
/// directions of both in the same frame.
RelativeCurvatures relative_curvatures(const SurfaceCurvature& a, const SurfaceCurvature& b,
                                       const Eigen::Vector3d& normal);

}  // namespace carom
