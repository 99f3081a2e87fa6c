#pragma once
/// Limit analysis of planar structures of rigid blocks, as a linear programme.
///
/// Blocks under their weight touch at points, with a normal force n ≥ 0 and a friction force |t| ≤ μ n. They can be at
/// rest if and only if some such forces balance every block (two forces, one moment each); Heyman, The stone skeleton,
/// 1966. The force at a point is a₁ (n̂ + μ t̂) + a₂ (n̂ − μ t̂) with a₁, a₂ ≥ 0, so that this is the question whether the
/// equations A x = b have a solution x ≥ 0. Asked as nonnegative least squares (Lawson & Hanson, Solving least squares
/// problems, 1974), which also works where many solutions are all but degenerate.

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

namespace carom::test {

struct Block {
  Eigen::Vector2d centre;  ///< of mass [m]
  double weight = 1.0;     ///< [N], along −y
};

struct BlockContact {
  int upper = 0;   ///< the block that is pushed along the normal
  int lower = -1;  ///< … from this one; −1: from the ground
  Eigen::Vector2d point = Eigen::Vector2d::Zero();
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();
  double friction = 0.0;
};

/// Whether some x ≥ 0 solves A x = b: the least |A x − b| over x ≥ 0 is below `tolerance` of |b|.
inline bool has_nonnegative_solution(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right,
                                     double tolerance = 1e-8) {
  const Eigen::Index columns = matrix.cols();
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(columns);
  std::vector<Eigen::Index> positive;
  // The least squares over the columns that are positive.
  const auto least_squares = [&] {
    Eigen::MatrixXd chosen(matrix.rows(), static_cast<Eigen::Index>(positive.size()));
    for (std::size_t k = 0; k < positive.size(); ++k)
      chosen.col(static_cast<Eigen::Index>(k)) = matrix.col(positive[k]);
    return Eigen::VectorXd(chosen.colPivHouseholderQr().solve(right));
  };
  for (Eigen::Index round = 0; round < 20 * columns; ++round) {
    const Eigen::VectorXd missing = right - matrix * solution;
    if (missing.norm() <= tolerance * right.norm()) return true;
    Eigen::VectorXd gain = matrix.transpose() * missing;
    for (const Eigen::Index column : positive) gain[column] = 0.0;
    Eigen::Index best = 0;
    // No column points to what is missing: the missing part separates b from the cone of the columns.
    if (gain.maxCoeff(&best) <= 1e-12 * missing.norm()) return false;
    positive.push_back(best);
    for (;;) {
      const Eigen::VectorXd wanted = least_squares();
      double step = 1.0;
      for (std::size_t k = 0; k < positive.size(); ++k) {
        const double from = solution[positive[k]], to = wanted[static_cast<Eigen::Index>(k)];
        if (to <= 0.0 && from > to) step = std::min(step, from / (from - to));
      }
      for (std::size_t k = 0; k < positive.size(); ++k)
        solution[positive[k]] += step * (wanted[static_cast<Eigen::Index>(k)] - solution[positive[k]]);
      if (step == 1.0) break;
      std::erase_if(positive, [&](Eigen::Index column) { return solution[column] <= 1e-14 * solution.maxCoeff(); });
      for (Eigen::Index column = 0; column < columns; ++column)
        if (std::find(positive.begin(), positive.end(), column) == positive.end()) solution[column] = 0.0;
    }
  }
  return false;
}

/// Whether the blocks can be at rest.
inline bool can_rest(const std::vector<Block>& blocks, const std::vector<BlockContact>& contacts) {
  const auto equations = static_cast<Eigen::Index>(3 * blocks.size());
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(equations, static_cast<Eigen::Index>(2 * contacts.size()));
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(equations);
  for (std::size_t k = 0; k < blocks.size(); ++k) weights[static_cast<Eigen::Index>(3 * k + 1)] = blocks[k].weight;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const BlockContact& contact = contacts[k];
    const Eigen::Vector2d tangent(contact.normal.y(), -contact.normal.x());
    for (const int side : {0, 1}) {
      const Eigen::Vector2d edge = contact.normal + (side == 0 ? 1.0 : -1.0) * contact.friction * tangent;
      const auto column = static_cast<Eigen::Index>(2 * k + static_cast<std::size_t>(side));
      const auto push = [&](int block, double sign) {
        if (block < 0) return;
        const Eigen::Vector2d arm = contact.point - blocks[static_cast<std::size_t>(block)].centre;
        forces.block<3, 1>(3 * block, column) +=
            sign * Eigen::Vector3d(edge.x(), edge.y(), arm.x() * edge.y() - arm.y() * edge.x());
      };
      push(contact.upper, 1.0);
      push(contact.lower, -1.0);
    }
  }
  return has_nonnegative_solution(forces, weights);
}

}  // namespace carom::test
