#pragma once
/// Volume, centroid and inertia of the solid shapes, homogeneous, per unit of mass.
///
/// With the covariance C = (1/V) ∫ (x−g)(x−g)ᵀ dV about the centroid g the inertia per mass is tr(C) 1 − C. Diagonal
/// entries of C: sphere r²/5, ellipsoid a_i²/5, box h_i²/3, cylinder (r²/4, r²/4, h²/3), half cylinder (r²/4,
/// r²/4 − (4r/3π)², h²/3) about (0, −4r/3π, 0), cone (3r²/20, 3r²/20, 3h²/80) about (0, 0, h/4). Capsule: the parts c
/// and s = 1 − c of its volume in the cylinder and in the caps give c r²/4 + s r²/5 across and c h²/3 + s (r²/5 + ¾ h r
/// + h²) along the axis. Prism: C = (1/12) Σ v_i v_iᵀ over the triangle's vertices measured from its centroid, and h²/3
/// along z; its principal axes are turned about z. Source: every book on mechanics; the triangle by integrating x xᵀ
/// over barycentric coordinates.
///
/// A thin rod has C = (0, 0, h²/3), and so no moment about its axis, which is no metric. All its points are on the
/// axis, so that no contact ever turns it about that; its moment there is taken to be that of a round wire with the
/// radius h/1000, ½ (h/1000)² per mass: 1.5e-6 of the others, far above what round-off could turn.

#include "carom/geometry/shape.h"

namespace carom {

struct MassProperties {
  double volume;             ///< [m³]; 0 for the rod
  Eigen::Vector3d centroid;  ///< in the shape's frame [m]
  /// Principal moments about the centroid per unit of mass [m²], in the order of the principal axes.
  Eigen::Vector3d inertia_per_mass;
  /// Turns the principal frame into the shape's frame; the identity but for the prism, where it is about z, and
  /// the convex polyhedron.
  Eigen::Quaterniond principal_axes;
};

/// Throws an InputError of kind `unsupported` for the shapes that are obstacles only.
MassProperties mass_properties(const Shape& shape);

/// The same prism with its vertices measured from the centroid: what a prism body is, whose position is its centroid.
Prism about_centroid(const Prism& prism);

}  // namespace carom
