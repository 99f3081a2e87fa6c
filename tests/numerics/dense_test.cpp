#include "carom/numerics/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "carom/base/random.h"

namespace carom::dense {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows random_spd(Random& random, int n, double shift) {
  Rows a(n, n);
  for (double& value : a.reshaped()) value = random.uniform(-1.0, 1.0);
  return a * a.transpose() + shift * Rows::Identity(n, n);
}

TEST(Cholesky, SolvesDefiniteSystems) {
  Random random(1);
  for (int n = 1; n < 40; n += 3) {
    const Rows s = random_spd(random, n, 0.1);
    Rows l = s;
    Eigen::VectorXd inverse(n);
    ASSERT_EQ(cholesky(l.data(), inverse.data(), n, 1e-14), -1);
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1.0, 2.0);
    const Eigen::VectorXd b = s * x;
    Eigen::VectorXd y = b;
    solve_lower(l.data(), inverse.data(), y.data(), n);
    solve_lower_transposed(l.data(), inverse.data(), y.data(), n);
    EXPECT_LT((x - y).norm(), 1e-9);
    Eigen::VectorXd u(n);
    multiply_lower_transposed(l.data(), x.data(), u.data(), n);
    EXPECT_NEAR(u.squaredNorm(), x.dot(s * x), 1e-10 * u.squaredNorm());
  }
}

TEST(Cholesky, OfAProfileHasTheBitsOfTheWholeOne) {
  Random random(2);
  for (int n = 5; n < 60; n += 7) {
    Rows s = random_spd(random, n, 3.0 * n);
    std::vector<int> first(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      const int begin = std::max(0, i - 6 - i % 5);
      first[static_cast<std::size_t>(i)] = begin - begin % 4;
      for (int j = 0; j < begin; ++j) s(i, j) = s(j, i) = 0.0;
    }
    Rows whole = s, profile = s;
    Eigen::VectorXd inverse(n), other(n), x = Eigen::VectorXd::LinSpaced(n, -1.0, 2.0), y = x;
    ASSERT_EQ(cholesky(whole.data(), inverse.data(), n, 1e-14), -1);
    ASSERT_EQ(cholesky(profile.data(), other.data(), n, 1e-14, first.data()), -1);
    solve_lower(whole.data(), inverse.data(), x.data(), n);
    solve_lower_transposed(whole.data(), inverse.data(), x.data(), n);
    solve_lower(profile.data(), other.data(), y.data(), n, first.data());
    solve_lower_transposed(profile.data(), other.data(), y.data(), n, first.data());
    EXPECT_EQ(x, y);
  }
}

TEST(Cholesky, RefusesWhatIsNotDefinite) {
  Rows indefinite{{1.0, 2.0}, {2.0, 1.0}};
  Eigen::VectorXd inverse(2);
  EXPECT_EQ(cholesky(indefinite.data(), inverse.data(), 2, 1e-14), 1);
  Rows negative{{-1.0, 0.0}, {0.0, 1.0}};
  EXPECT_EQ(cholesky(negative.data(), inverse.data(), 2, 1e-14), 0);
  Rows not_a_number{{std::nan(""), 0.0}, {0.0, 1.0}};
  EXPECT_EQ(cholesky(not_a_number.data(), inverse.data(), 2, 1e-14), 0);
}

TEST(PivotedCholesky, FindsRankAndNullSpace) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const int n = random.integer(2, 10);
    const int rank = random.integer(1, n);
    Rows y(n, rank);
    for (double& value : y.reshaped()) value = random.uniform(-1.0, 1.0);
    for (int i = 0; i < n; ++i) y.row(i).normalize();
    const Rows s = y * y.transpose();
    PivotedCholesky factor;
    factor.compute(s.data(), n, 1e-13);
    ASSERT_EQ(factor.rank, rank) << seed;
    EXPECT_LT(factor.remainder, 1e-12);
    for (int j = 0; j < n - rank; ++j) {
      Eigen::VectorXd null(n);
      factor.null_vector(j, null.data());
      EXPECT_GT(null.norm(), 0.9);
      EXPECT_LT((s * null).norm(), 1e-9 * null.norm()) << seed;
    }
  }
}

TEST(PivotedCholesky, ShowsIndefinitenessInItsRemainder) {
  const Rows indefinite{{1.0, 2.0}, {2.0, 1.0}};
  PivotedCholesky factor;
  factor.compute(indefinite.data(), 2, 1e-13);
  EXPECT_GT(factor.remainder, 1.0);
}

}  // namespace
}  // namespace carom::dense
