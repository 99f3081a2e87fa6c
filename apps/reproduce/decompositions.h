#pragma once
/// Decompositions of dense matrices, compiled once for the chapters and the tests: each takes seconds to compile.

#include <Eigen/Core>

namespace carom {

/// How many rows are independent (LU with full pivoting).
int matrix_rank(const Eigen::MatrixXd& matrix);

/// x with A x = b for a square regular A.
Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right_side);

/// The least x among those of least |A x − b|; singular values below `threshold` of the largest count as zero.
Eigen::MatrixXd solve_least_squares(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right_side,
                                    double threshold = 1e-15);

/// A basis of {x : A x = 0}, one vector per column (a zero column where there is only x = 0).
Eigen::MatrixXd null_space(const Eigen::MatrixXd& matrix, double threshold);

/// Descending.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

/// The orthogonal factor of A = Q R.
Eigen::MatrixXd orthogonal_factor(const Eigen::MatrixXd& matrix);

}  // namespace carom
