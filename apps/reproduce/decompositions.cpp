#include "reproduce/decompositions.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace carom {

using Eigen::MatrixXd;

int matrix_rank(const MatrixXd& matrix) {
  return static_cast<int>(Eigen::FullPivLU<MatrixXd>(matrix).rank());
}

MatrixXd solve_regular(const MatrixXd& matrix, const MatrixXd& right_side) {
  return Eigen::FullPivLU<MatrixXd>(matrix).solve(right_side);
}

MatrixXd solve_least_squares(const MatrixXd& matrix, const MatrixXd& right_side, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(threshold);
  return decomposition.compute(matrix).solve(right_side);
}

MatrixXd null_space(const MatrixXd& matrix, double threshold) {
  Eigen::FullPivLU<MatrixXd> decomposition(matrix);
  decomposition.setThreshold(threshold);
  return decomposition.kernel();
}

Eigen::VectorXd singular_values(const MatrixXd& matrix) {
  return Eigen::JacobiSVD<MatrixXd>(matrix).singularValues();
}

MatrixXd orthogonal_factor(const MatrixXd& matrix) {
  return Eigen::HouseholderQR<MatrixXd>(matrix).householderQ();
}

}  // namespace carom
