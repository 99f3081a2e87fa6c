#include "carom/geometry/pairs/direction_fan.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>

namespace carom {

namespace {

constexpr std::size_t kFanSize = 98;
using Fan = std::array<Eigen::Vector3d, kFanSize>;

Fan make_fan() {
  Fan fan;
  std::size_t count = 0;
  // From the axes (two zeros) to the corners, so that between equal values the plainest direction wins.
  for (int nonzero = 1; nonzero <= 3; ++nonzero) {
    for (int code = 0; code < 125; ++code) {
      const Eigen::Vector3i cell(2 - code / 25, 2 - code / 5 % 5, 2 - code % 5);
      const bool on_surface = cell.cwiseAbs().maxCoeff() == 2;
      if (on_surface && (cell.array() != 0).count() == nonzero) fan[count++] = cell.cast<double>().normalized();
    }
  }
  return fan;
}

}  // namespace

std::span<const Eigen::Vector3d> direction_fan() {
  static const Fan kFan = make_fan();
  return kFan;
}

Eigen::Matrix3d principal_square_root_inverse(const Eigen::Matrix3d& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix).operatorInverseSqrt();
}

}  // namespace carom
