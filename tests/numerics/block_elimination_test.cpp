#include "carom/numerics/block_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "carom/base/random.h"
#include "support/property_cases.h"

namespace carom {
namespace {

/// A random sparse symmetric matrix AᵀA with unit diagonal, of blocks that share variables, and its elimination.
struct RandomBlocks {
  std::vector<int> rows, first;
  std::vector<std::pair<int, int>> links;
  Eigen::MatrixXd matrix;

  /// `variables` of each block: blocks that have one in common are linked. Rows are repeated where `dependent`.
  RandomBlocks(Random& random, int blocks, bool dependent) {
    std::vector<std::vector<int>> of_block;
    int count = 0;
    for (int b = 0; b < blocks; ++b) {
      rows.push_back(random.integer(1, 6));
      first.push_back(count);
      count += rows.back();
      of_block.push_back({b, random.integer(0, b)});
      if (random.uniform(0.0, 1.0) < 0.2) of_block.back().push_back(random.integer(0, blocks - 1));
    }
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(count, 6 * blocks);
    for (int b = 0; b < blocks; ++b) {
      for (int r = 0; r < rows[static_cast<std::size_t>(b)]; ++r)
        for (const int variable : of_block[static_cast<std::size_t>(b)])
          for (int k = 0; k < 6; ++k)
            a(first[static_cast<std::size_t>(b)] + r, 6 * variable + k) = random.uniform(-1, 1);
      for (int other = 0; other < b; ++other)
        for (const int x : of_block[static_cast<std::size_t>(b)])
          for (const int y : of_block[static_cast<std::size_t>(other)])
            if (x == y) links.emplace_back(other, b);
      if (dependent && rows[static_cast<std::size_t>(b)] > 1)
        a.row(first[static_cast<std::size_t>(b)] + 1) = a.row(first[static_cast<std::size_t>(b)]);
    }
    for (int r = 0; r < count; ++r) a.row(r).normalize();
    matrix = a * a.transpose();
  }

  void fill(BlockElimination& elimination) const {
    elimination.analyse(rows, links);
    elimination.clear();
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    for (int a = 0; a < static_cast<int>(rows.size()); ++a) {
      for (int b = 0; b <= a; ++b) {
        if (a != b && std::find(links.begin(), links.end(), std::pair(b, a)) == links.end()) continue;
        const BlockElimination::Place place = elimination.place(a, b);
        for (int r = 0; r < rows[at(a)]; ++r)
          for (int c = 0; c < rows[at(b)]; ++c)
            elimination.block(place.index)[at(place.flipped ? c : r)][at(place.flipped ? r : c)] =
                matrix(first[at(a)] + r, first[at(b)] + c);
      }
    }
  }

  [[nodiscard]] Eigen::VectorXd solved(const BlockElimination& elimination, const Eigen::VectorXd& right) const {
    std::vector<BlockElimination::Vector> x(rows.size());
    for (std::size_t b = 0; b < rows.size(); ++b)
      for (int r = 0; r < rows[b]; ++r) x[b][static_cast<std::size_t>(r)] = right[first[b] + r];
    elimination.solve(x);
    Eigen::VectorXd answer(right.size());
    for (std::size_t b = 0; b < rows.size(); ++b)
      for (int r = 0; r < rows[b]; ++r) answer[first[b] + r] = x[b][static_cast<std::size_t>(r)];
    return answer;
  }
};

TEST(BlockElimination, SolvesRandomSparseEquations) {
  Random random(3);
  for (int round = 0; round < test::property_cases(200); ++round) {
    const RandomBlocks blocks(random, random.integer(1, 12), false);
    const Eigen::VectorXd wanted = Eigen::VectorXd::Random(blocks.matrix.rows());
    BlockElimination elimination;
    blocks.fill(elimination);
    elimination.factor(1e-9);
    const Eigen::VectorXd answer = blocks.solved(elimination, blocks.matrix * wanted);
    EXPECT_LE((blocks.matrix * (answer - wanted)).norm(), 1e-8) << "round " << round;
  }
}

TEST(BlockElimination, LeavesOutRowsThatDependOnOthers) {
  Random random(4);
  for (int round = 0; round < test::property_cases(200); ++round) {
    const RandomBlocks blocks(random, random.integer(1, 12), true);
    const Eigen::VectorXd right = blocks.matrix * Eigen::VectorXd::Random(blocks.matrix.rows());
    BlockElimination elimination;
    blocks.fill(elimination);
    elimination.factor(1e-9);
    int repeated = 0;
    for (const int rows : blocks.rows) repeated += rows > 1 ? 1 : 0;
    EXPECT_LE(elimination.rank(), static_cast<int>(right.size()) - repeated);
    EXPECT_LE((blocks.matrix * blocks.solved(elimination, right) - right).norm(), 1e-7) << "round " << round;
  }
}

TEST(BlockElimination, DoesNotMindHowRowsAreScaled) {
  Random random(5);
  for (int round = 0; round < test::property_cases(100); ++round) {
    RandomBlocks blocks(random, random.integer(1, 12), round % 2 == 0);
    const Eigen::VectorXd right = blocks.matrix * Eigen::VectorXd::Random(blocks.matrix.rows());
    BlockElimination elimination, scaled;
    blocks.fill(elimination);
    elimination.factor(1e-9);
    const Eigen::VectorXd answer = blocks.solved(elimination, right);
    Eigen::VectorXd scale(right.size());
    for (double& one : scale) one = std::ldexp(1.0, random.integer(-20, 20));
    blocks.matrix = scale.asDiagonal() * blocks.matrix * scale.asDiagonal();
    blocks.fill(scaled);
    scaled.factor(1e-9);
    EXPECT_EQ(scaled.rank(), elimination.rank());
    EXPECT_EQ(scaled.least_pivot(), elimination.least_pivot());
    const Eigen::VectorXd other = blocks.solved(scaled, scale.cwiseProduct(right));
    EXPECT_EQ(scale.cwiseProduct(other), answer) << "round " << round;
  }
}

}  // namespace
}  // namespace carom
