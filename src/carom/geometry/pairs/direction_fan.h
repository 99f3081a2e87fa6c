#pragma once
/// A fixed fan of directions from which searches over the sphere start, and the scaling that spreads it evenly over an
/// ellipsoid's surface rather than over its normals.

#include <Eigen/Core>
#include <span>

namespace carom {

/// 98 directions: the points of a 5×5×5 cube's surface, in a fixed order, the six axes first.
std::span<const Eigen::Vector3d> direction_fan();

/// M^(−1/2) of a symmetric positive definite matrix.
Eigen::Matrix3d principal_square_root_inverse(const Eigen::Matrix3d& matrix);

}  // namespace carom
