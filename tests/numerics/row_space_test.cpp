#include "carom/numerics/row_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "reproduce/decompositions.h"

namespace carom {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows random_rows(Random& random, int count, int n, int rank) {
  Rows left(count, rank);
  Rows right(rank, n);
  for (double& value : left.reshaped()) value = random.uniform(-1.0, 1.0);
  for (double& value : right.reshaped()) value = random.uniform(-1.0, 1.0);
  Rows rows = left * right;
  for (int i = 0; i < count; ++i) rows.row(i).normalize();
  return rows;
}

TEST(RowSpace, FindsTheRankAndAnOrthonormalBasis) {
  for (int seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const int n = random.integer(1, 12);
    const int count = random.integer(1, 10);
    const int rank = random.integer(1, std::min(n, count));
    const Rows rows = random_rows(random, count, n, rank);
    RowSpace space;
    space.compute(rows.data(), count, n);
    ASSERT_EQ(space.rank(), rank) << seed;
    for (int a = 0; a < rank; ++a)
      for (int b = 0; b < rank; ++b) {
        const double product = Eigen::Map<const Eigen::VectorXd>(space.basis(a), n)
                                   .dot(Eigen::Map<const Eigen::VectorXd>(space.basis(b), n));
        ASSERT_NEAR(product, a == b ? 1.0 : 0.0, 1e-14) << seed;
      }
  }
}

TEST(RowSpace, GivesThePseudoinverseSolutions) {
  for (int seed = 0; seed < 500; ++seed) {
    Random random(seed + 7000);
    const int n = random.integer(1, 12);
    const int count = random.integer(1, 10);
    const Rows rows = random_rows(random, count, n, random.integer(1, std::min(n, count)));
    Eigen::VectorXd b(count);
    Eigen::VectorXd c(n);
    for (double& value : b) value = random.uniform(-1.0, 1.0);
    for (double& value : c) value = random.uniform(-1.0, 1.0);
    RowSpace space;
    space.compute(rows.data(), count, n);
    Eigen::VectorXd z(n);
    Eigen::VectorXd lambda(count);
    space.solve_rows(b.data(), z.data());
    space.solve_columns(c.data(), lambda.data());
    const Eigen::VectorXd expected_z = solve_least_squares(rows, b);
    const Eigen::VectorXd expected_lambda = solve_least_squares(rows.transpose(), c);
    ASSERT_LT((z - expected_z).norm(), 1e-8 * (1.0 + expected_z.norm())) << seed;
    ASSERT_LT((lambda - expected_lambda).norm(), 1e-8 * (1.0 + expected_lambda.norm())) << seed;
  }
}

TEST(RowSpace, KeepsItsAccuracyWhereNormalEquationsLoseEverything) {
  // Rows dependent to 1e-7: the projector onto their span must still be the whole plane, to 1e-9.
  const Rows rows{{1.0, 0.0, 0.0}, {1.0, 1e-7, 0.0}};
  RowSpace space;
  space.compute(rows.data(), 2, 3);
  EXPECT_EQ(space.rank(), 2);
  EXPECT_FALSE(space.doubtful());
  double x[] = {0.3, 0.7, 0.2};
  space.remove_component(x);
  EXPECT_NEAR(x[0], 0.0, 1e-15);
  EXPECT_NEAR(x[1], 0.0, 1e-9);
  EXPECT_NEAR(x[2], 0.2, 1e-15);
}

TEST(RowSpace, ReportsARankThatRoundOffDecides) {
  for (const double distance : {1e-12, 1e-10}) {
    const Rows rows{{1.0, 0.0}, {1.0, distance}};
    RowSpace space;
    space.compute(rows.data(), 2, 2);
    EXPECT_TRUE(space.doubtful()) << distance;
  }
  for (const double distance : {1e-17, 1e-6}) {
    const Rows rows{{1.0, 0.0}, {1.0, distance}};
    RowSpace space;
    space.compute(rows.data(), 2, 2);
    EXPECT_FALSE(space.doubtful()) << distance;
  }
}

TEST(RowSpace, AcceptsNoRowsAndZeroRows) {
  RowSpace space;
  space.compute(nullptr, 0, 4);
  EXPECT_EQ(space.rank(), 0);
  const Rows zero = Rows::Zero(2, 3);
  space.compute(zero.data(), 2, 3);
  EXPECT_EQ(space.rank(), 0);
  double x[] = {1.0, 2.0, 3.0};
  space.remove_component(x);
  EXPECT_EQ(x[1], 2.0);
}

}  // namespace
}  // namespace carom
