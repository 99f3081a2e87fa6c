#pragma once
/// Principal axes of a symmetric 3×3 matrix, by Jacobi's rotations.
///
/// Each rotation makes one pair of off-diagonal entries zero; off-diagonal entries below the round-off of the whole are
/// zero from the start. So a diagonal matrix keeps its axes and their order, and small eigenvalues are as precise as
/// the matrix says them. Source: Golub & Van Loan, Matrix Computations, section 8.5.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace carom {

struct PrincipalAxes {
  Eigen::Vector3d values;   ///< eigenvalues, in the order of the axes
  Eigen::Quaterniond turn;  ///< turns the principal frame into that of the matrix
};

/// Of a symmetric matrix with finite entries; what is below the diagonal is not looked at.
PrincipalAxes principal_axes(const Eigen::Matrix3d& matrix);

}  // namespace carom
