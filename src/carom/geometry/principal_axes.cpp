#include "carom/geometry/principal_axes.h"

#include <cmath>

namespace carom {

namespace {

/// Off-diagonal entries below this part of the largest entry are round-off.
constexpr double kNegligible = 1e-15;
/// Convergence is quadratic: five or six sweeps do, whatever the matrix.
constexpr int kMostSweeps = 30;

/// Makes the entry (p, q) zero by a rotation about the third axis and turns the axes likewise.
void rotate(Eigen::Matrix3d& matrix, Eigen::Matrix3d& axes, int p, int q) {
  const double theta = 0.5 * (matrix(q, q) - matrix(p, p)) / matrix(p, q);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0);
  const double s = t * c;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  turn(p, p) = turn(q, q) = c;
  turn(p, q) = s;
  turn(q, p) = -s;
  matrix = Eigen::Matrix3d(turn.transpose() * matrix * turn);
  matrix(p, q) = matrix(q, p) = 0.0;
  axes = Eigen::Matrix3d(axes * turn);
}

}  // namespace

PrincipalAxes principal_axes(const Eigen::Matrix3d& given) {
  Eigen::Matrix3d matrix = given.selfadjointView<Eigen::Upper>();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  const double negligible = kNegligible * matrix.cwiseAbs().maxCoeff();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool diagonal = true;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (!(std::abs(matrix(p, q)) > negligible)) continue;
        diagonal = false;
        rotate(matrix, axes, p, q);
      }
    }
    if (diagonal) break;
  }
  return {matrix.diagonal(), Eigen::Quaterniond(axes).normalized()};
}

}  // namespace carom
