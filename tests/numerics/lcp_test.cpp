#include "carom/numerics/lcp.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/base/random.h"
#include "carom/numerics/lemke.h"
#include "reproduce/decompositions.h"

namespace carom {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// M = ŶŶᵀ of unit rows in `rank` dimensions: the shape of an inertance matrix.
Rows gram(Random& random, int m, int rank) {
  Rows y(m, rank);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < rank; ++j) y(i, j) = random.uniform(-1.0, 1.0);
    y.row(i).normalize();
  }
  Rows g = y * y.transpose();
  g.diagonal().setOnes();
  return g;
}

/// All complementary sets tried one by one; M must be positive definite.
Eigen::VectorXd by_enumeration(const Rows& matrix, const Eigen::VectorXd& q) {
  const int m = static_cast<int>(q.size());
  for (int set = 0; set < (1 << m); ++set) {
    std::vector<int> in;
    for (int i = 0; i < m; ++i)
      if (set & (1 << i)) in.push_back(i);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(m);
    if (!in.empty()) {
      const auto size = static_cast<Eigen::Index>(in.size());
      Eigen::MatrixXd block(size, size);
      Eigen::VectorXd rhs(size);
      for (Eigen::Index a = 0; a < size; ++a) {
        for (Eigen::Index b = 0; b < size; ++b) block(a, b) = matrix(in[a], in[b]);
        rhs[a] = -q[in[a]];
      }
      const Eigen::VectorXd solution = solve_regular(block, rhs);
      for (Eigen::Index a = 0; a < size; ++a) p[in[a]] = solution[a];
    }
    if (p.minCoeff() > -1e-12 && (matrix * p + q).minCoeff() > -1e-12) return p;
  }
  ADD_FAILURE() << "no complementary set fits";
  return Eigen::VectorXd::Zero(m);
}

TEST(Lcp, AgreesWithEnumerationOnDefiniteProblems) {
  LcpSolver solver;
  for (int seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const int m = random.integer(1, 7);
    const Rows matrix = gram(random, m, m + 2);
    Eigen::VectorXd q(m);
    for (double& value : q) value = random.uniform(-1.0, 1.0);
    Eigen::VectorXd p(m);
    ASSERT_EQ(solver.solve({matrix.data(), q.data(), m, 1.0}, p.data()), LcpStatus::solved) << seed;
    const Eigen::VectorXd expected = by_enumeration(matrix, q);
    ASSERT_LT((matrix * (p - expected)).norm(), 1e-9) << seed;
  }
}

TEST(Lcp, SolvesSingularAndDegenerateProblemsThatHaveASolution) {
  // q = −M x + s with x, s ≥ 0 complementary and many zeros in both: solvable by construction, degenerate, singular.
  LcpSolver solver;
  for (int seed = 0; seed < 5000; ++seed) {
    Random random(seed + 1000000);
    const int m = random.integer(2, 12);
    const Rows matrix = gram(random, m, random.integer(1, m));
    Eigen::VectorXd x = Eigen::VectorXd::Zero(m);
    Eigen::VectorXd s = Eigen::VectorXd::Zero(m);
    for (int i = 0; i < m; ++i) {
      const double choice = random.uniform();
      if (choice < 0.4) x[i] = random.uniform();
      if (choice > 0.7) s[i] = random.uniform();
    }
    const Eigen::VectorXd q = s - matrix * x;
    Eigen::VectorXd p(m);
    ASSERT_EQ(solver.solve({matrix.data(), q.data(), m, 1.0}, p.data()), LcpStatus::solved) << seed;
    ASSERT_LE(solver.residual(), 1e-9) << seed;
    ASSERT_GE(p.minCoeff(), 0.0);
    ASSERT_LT((matrix * (p - x)).norm(), 1e-6) << seed;  // M p is unique
  }
}

TEST(Lcp, ProvesThatAProblemHasNoSolution) {
  // u ≥ 0 with M u = 0 and q·u < 0: rows in a plane that surround the origin, q pointing inwards.
  LcpSolver solver;
  for (int seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const int m = random.integer(3, 8);
    Rows y(m, 2);
    for (int i = 0; i < m; ++i) {
      const double angle = 6.283185307179586 * (i + 0.4 * random.uniform()) / m;
      y.row(i) << std::cos(angle), std::sin(angle);
    }
    const Rows matrix = y * y.transpose();
    const Eigen::VectorXd q = Eigen::VectorXd::Constant(m, -random.uniform(0.1, 1.0));
    Eigen::VectorXd p(m);
    EXPECT_EQ(solver.solve({matrix.data(), q.data(), m, 1.0}, p.data()), LcpStatus::infeasible) << seed;
    EXPECT_EQ(p.norm(), 0.0);
  }
}

TEST(Lcp, TakesRoundOffForNoQuestion) {
  const Rows matrix = Rows::Ones(2, 2);
  const Eigen::VectorXd q{{-1e-17, 1e-17}};
  Eigen::VectorXd p(2);
  EXPECT_EQ(LcpSolver().solve({matrix.data(), q.data(), 2, 1.0}, p.data()), LcpStatus::solved);
  EXPECT_EQ(p.norm(), 0.0);
}

TEST(Lcp, LetsGoWhatIsAllButWedged) {
  // Two balls between walls that come closer, one of them higher by a small angle: contact of the two, walls, floors.
  LcpSolver solver;
  for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 2e-6}) {
    Rows rows = Rows::Zero(5, 4);  // in the velocities of the upper and of the lower ball
    const double c = std::cos(angle) * std::numbers::sqrt2 / 2, s = std::sin(angle) * std::numbers::sqrt2 / 2;
    rows.row(0) << c, s, -c, -s;
    rows(1, 0) = -1.0;
    rows(2, 2) = 1.0;
    rows(3, 1) = 1.0;
    rows(4, 3) = 1.0;
    const Eigen::Vector4d velocity(0.0, -0.033, 0.0, -0.038);
    const double closing = 1e-7;
    const Rows matrix = rows * rows.transpose();
    const Eigen::VectorXd q = (rows * velocity).array() - closing;
    Eigen::VectorXd p(5);
    ASSERT_EQ(solver.solve({matrix.data(), q.data(), 5, 0.1}, p.data()), LcpStatus::solved) << angle;
    // The walls push both, and one goes up over the other as fast as the angle wants, or as it stays on its floor.
    const Eigen::Vector4d after = velocity + rows.transpose() * p;
    EXPECT_NEAR(after[0], -closing, 2e-11) << angle;
    EXPECT_NEAR(after[2], closing, 2e-11) << angle;
    const double rising = std::max(closing, (closing + 2.0 * closing * c) / s + closing);
    EXPECT_NEAR(after[1], rising, 1e-10 / s) << angle;
    EXPECT_NEAR(after[3], closing, 2e-11) << angle;
  }
}

TEST(Lcp, AnswersSlowContactsAsItDoesFastOnes) {
  // By a power of two: every tolerance is relative, so not a bit may change.
  const double slow = std::ldexp(1.0, -40);
  LcpSolver solver;
  Lemke lemke;
  for (int seed = 0; seed < 2000; ++seed) {
    Random random(seed + 3000000);
    const int m = random.integer(2, 30);
    const Rows matrix = gram(random, m, random.integer(1, m));
    Eigen::VectorXd x(m);
    for (double& value : x) value = random.uniform(-1.0, 1.0);
    const Eigen::VectorXd q = matrix * x;
    const Eigen::VectorXd slow_q = slow * q;
    Eigen::VectorXd p(m), slow_p(m);
    const LcpStatus status = solver.solve({matrix.data(), q.data(), m, 1.0}, p.data());
    ASSERT_EQ(solver.solve({matrix.data(), slow_q.data(), m, slow}, slow_p.data()), status) << seed;
    ASSERT_EQ(slow_p, slow * p) << seed;
    const Lemke::End end = lemke.solve(matrix.data(), q.data(), m, 10000);
    const std::vector<double> solution = lemke.solution;
    ASSERT_EQ(lemke.solve(matrix.data(), slow_q.data(), m, 10000), end) << seed;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) ASSERT_EQ(lemke.solution[i], slow * solution[i]);
  }
}

/// Contacts with friction and rows of −1, 0 and 1, of which many depend on each other, as ConeSolver::pivot poses them.
struct Pyramids {
  Rows matrix;
  Eigen::VectorXd q;

  Pyramids(Random& random, double friction) {
    constexpr int kFacets = 8;
    const int contacts = random.integer(4, 16), freedom = random.integer(3, 12), each = kFacets + 2;
    Rows rows = Rows::Zero(contacts * each, freedom);
    matrix = Rows::Zero(contacts * each, contacts * each);
    for (int i = 0; i < contacts; ++i) {
      Rows contact(3, freedom);
      for (double& entry : contact.reshaped()) entry = random.integer(-1, 1);
      const int first = i * each, multiplier = first + each - 1;
      rows.row(first) = contact.row(0);
      for (int j = 0; j < kFacets; ++j) {
        const double angle = 2.0 * std::numbers::pi * j / kFacets;
        rows.row(first + 1 + j) = std::cos(angle) * contact.row(1) + std::sin(angle) * contact.row(2);
        matrix(first + 1 + j, multiplier) = 1.0;
        matrix(multiplier, first + 1 + j) = -1.0 / friction;
      }
      matrix(multiplier, first) = 1.0;
    }
    Eigen::VectorXd velocity(freedom);
    for (double& value : velocity) value = random.uniform(-1.0, 1.0);
    matrix += rows * rows.transpose();
    q = rows * velocity;
  }
};

TEST(Lemke, SeesWhenRoundOffLeadsItInACircle) {
  Lemke lemke;
  int circles = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Pyramids problem(random, 1000.0);
    const auto m = static_cast<int>(problem.q.size());
    const Lemke::End end = lemke.solve(problem.matrix.data(), problem.q.data(), m, 50L * m + 1000);
    ASSERT_NE(end, Lemke::End::pivot_limit) << seed;
    circles += end == Lemke::End::cycle;
  }
  EXPECT_GT(circles, 0);
}

TEST(Lcp, SolvesHundredsOfContacts) {
  Random random(4);
  const int m = 300;
  for (const int rank : {150, 400}) {
    const Rows matrix = gram(random, m, rank);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(m);
    for (int i = 0; i < m; i += 2) x[i] = random.uniform();
    const Eigen::VectorXd q = -matrix * x;
    Eigen::VectorXd p(m);
    LcpSolver solver;
    EXPECT_EQ(solver.solve({matrix.data(), q.data(), m, 1.0}, p.data()), LcpStatus::solved) << rank;
    EXPECT_LT((matrix * (p - x)).norm(), 1e-7) << rank;
  }
}

TEST(LeastImpulse, FindsTheLeastSolutionAndLeavesTheRatesAlone) {
  LcpSolver solver;
  LeastImpulse chooser;
  int not_unique = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    Random random(seed + 5);
    const int m = random.integer(2, 8);
    const Rows matrix = gram(random, m, random.integer(1, m));
    Eigen::VectorXd x = Eigen::VectorXd::Zero(m);
    for (double& value : x) value = random.uniform() < 0.6 ? random.uniform() : 0.0;
    Eigen::VectorXd q = -matrix * x;
    Eigen::VectorXd weight(m);
    for (double& value : weight) value = random.uniform(0.2, 3.0);
    Eigen::VectorXd p(m);
    ASSERT_EQ(solver.solve({matrix.data(), q.data(), m, 1.0}, p.data()), LcpStatus::solved);
    const Eigen::VectorXd first = p;
    if (chooser.choose({matrix.data(), q.data(), m, 1.0}, weight.data(), p.data()) ==
        LeastImpulse::Uniqueness::not_unique)
      ++not_unique;
    ASSERT_GE(p.minCoeff(), 0.0) << seed;
    ASSERT_LT((matrix * (p - first)).norm(), 1e-8) << seed;
    const auto cost = [&weight](const Eigen::VectorXd& v) { return v.cwiseProduct(v).dot(weight); };
    ASSERT_LE(cost(p), cost(first) + 1e-9) << seed;
    ASSERT_LE(cost(p), cost(x) + 1e-9) << seed;  // x is a solution too
  }
  EXPECT_GT(not_unique, 500);
}

TEST(LeastImpulse, CallsADefiniteProblemUnique) {
  Random random(1);
  const Rows matrix = gram(random, 4, 8);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(4, -1.0);
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(4);
  Eigen::VectorXd p(4);
  LcpSolver().solve({matrix.data(), q.data(), 4, 1.0}, p.data());
  EXPECT_EQ(LeastImpulse().choose({matrix.data(), q.data(), 4, 1.0}, weight.data(), p.data()),
            LeastImpulse::Uniqueness::unique);
}

TEST(LeastImpulse, KnowsThatOpposedContactsCanBeWedged) {
  // Two opposed walls at rest: any equal pair of impulses does nothing.
  const Rows matrix{{1.0, -1.0, 0.0}, {-1.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  const Eigen::VectorXd q{{0.0, 0.0, -1.0}};
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(3);
  Eigen::VectorXd p(3);
  LcpSolver().solve({matrix.data(), q.data(), 3, 1.0}, p.data());
  EXPECT_EQ(LeastImpulse().choose({matrix.data(), q.data(), 3, 1.0}, weight.data(), p.data()),
            LeastImpulse::Uniqueness::not_unique);
  EXPECT_NEAR(p[0], 0.0, 1e-15);
  EXPECT_NEAR(p[2], 1.0, 1e-15);
}

}  // namespace
}  // namespace carom
