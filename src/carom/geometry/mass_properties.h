#pragma once
/// Volume, centroid and inertia of the solid shapes, homogeneous, per unit of mass.
///
/// With the covariance C = (1/V) ∫ (x−g)(x−g)ᵀ dV about the centroid g the inertia per mass is tr(C) 1 − C. Diagonal
/// entries of C: sphere r²/5, ellipsoid a_i²/5, box h_i²/3, cylinder (r²/4, r²/4, h²/3). Prism: C = (1/12) Σ v_i v_iᵀ
/// over the triangle's vertices measured from its centroid, and h²/3 along z; its principal axes are turned about z.
/// Source: every book on mechanics; the triangle by integrating x xᵀ over barycentric coordinates.

#include "carom/geometry/shape.h"

namespace carom {

struct MassProperties {
  double volume;             ///< [m³]
  Eigen::Vector3d centroid;  ///< in the shape's frame [m]; zero but for the prism
  /// Principal moments about the centroid per unit of mass [m²], in the order of the principal axes.
  Eigen::Vector3d inertia_per_mass;
  /// Turns the principal frame into the shape's frame; the identity but for the prism, where it is about z.
  Eigen::Quaterniond principal_axes;
};

/// Throws an InputError of kind `unsupported` for the shapes that are obstacles only.
MassProperties mass_properties(const Shape& shape);

/// The same prism with its vertices measured from the centroid: what a prism body is, whose position is its centroid.
Prism about_centroid(const Prism& prism);

}  // namespace carom
