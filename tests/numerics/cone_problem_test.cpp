/// The cone problem: random problems by residual and against the enumeration of all modes, closed forms, redundancy.

#include "carom/numerics/cone_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/base/random.h"
#include "carom/numerics/dense.h"
#include "support/property_cases.h"

namespace carom {
namespace {

/// A problem S = HHᵀ, b = Hv with random rows, and its answer.
struct ConeCase {
  std::vector<double> matrix, offset, q, u;
  std::vector<ConeContact> contacts;
  std::vector<ConeMode> modes;
  ConeResult result;
  double accuracy = 0.0;

  [[nodiscard]] int rows() const { return static_cast<int>(offset.size()); }
  [[nodiscard]] ConeData data() const { return {matrix.data(), offset.data(), contacts, 1.0, accuracy}; }
  void solve(ConeSolver& solver) {
    q.resize(offset.size());
    u.resize(offset.size());
    modes.resize(contacts.size());
    result = solver.solve(data(), q.data(), u.data(), modes.data());
  }
};

ConeCase random_case(Random& random, int contacts, int tangents, int freedom) {
  ConeCase made;
  const int n = contacts * (1 + tangents);
  std::vector<double> rows(static_cast<std::size_t>(n * freedom));
  std::vector<double> velocity(static_cast<std::size_t>(freedom));
  for (double& x : rows) x = random.uniform(-1.0, 1.0);
  for (double& x : velocity) x = random.uniform(-1.0, 1.0);
  made.matrix.resize(static_cast<std::size_t>(n * n));
  made.offset.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    made.offset[i] = dense::dot(&rows[i * freedom], velocity.data(), freedom);
    for (int j = 0; j < n; ++j) made.matrix[i * n + j] = dense::dot(&rows[i * freedom], &rows[j * freedom], freedom);
  }
  for (int i = 0; i < contacts; ++i)
    made.contacts.push_back({.tangents = tangents, .friction = random.uniform(0.0, 1.5)});
  return made;
}

/// A contact of unit inertances with the given coupling, planar.
ConeCase planar_contact(double coupling, double rate, double slip, double friction) {
  ConeCase made;
  made.matrix = {1.0, coupling, coupling, 1.0};
  made.offset = {rate, slip};
  made.contacts = {{.tangents = 1, .friction = friction}};
  return made;
}

TEST(ConeProblem, RandomProblemsOfFullRankAreAllSolved) {
  Random random(1);
  ConeSolver solver;
  for (int k = 0; k < test::property_cases(2000); ++k) {
    const int contacts = random.integer(1, 6);
    const int tangents = random.integer(0, 2);
    ConeCase one = random_case(random, contacts, tangents, contacts * (1 + tangents) + 2);
    one.solve(solver);
    ASSERT_EQ(one.result.status, ConeStatus::solved) << k;
    EXPECT_LE(one.result.residual, 1e-11) << k;
    EXPECT_LE(natural_residual(one.data(), one.q.data(), one.u.data()), 1e-11) << k;
    int f = 0;
    for (const ConeContact& contact : one.contacts) {
      double friction = 0.0;
      for (int t = 1; t <= tangents; ++t) friction = std::hypot(friction, one.q[f + t]);
      EXPECT_GE(one.q[f], 0.0);
      EXPECT_LE(friction, contact.friction * one.q[f] * (1.0 + 1e-15));
      f += 1 + tangents;
    }
  }
}

TEST(ConeProblem, WithoutSlipItIsSolvedToo) {
  Random random(2);
  ConeSolver solver;
  int failed = 0;
  const int cases = test::property_cases(1000);
  for (int k = 0; k < cases; ++k) {
    const int contacts = random.integer(1, 5);
    const int tangents = random.integer(1, 2);
    ConeCase one = random_case(random, contacts, tangents, contacts * (1 + tangents) + 2);
    for (ConeContact& contact : one.contacts)
      if (random.uniform() < 0.6) contact.friction = kNoSlip;
    one.solve(solver);
    if (one.result.status != ConeStatus::solved) {
      ++failed;
      continue;
    }
    EXPECT_LE(one.result.residual, 1e-11) << k;
    for (int i = 0; i < contacts; ++i) EXPECT_GE(one.q[i * (1 + tangents)], 0.0);
  }
  EXPECT_LE(failed, cases / 200);
}

TEST(ConeProblem, TheSolutionIsAmongThoseOfAllModes) {
  Random random(3);
  ConeSolver solver;
  int several = 0;
  for (int k = 0; k < test::property_cases(500); ++k) {
    const int contacts = random.integer(1, 4);
    ConeCase one = random_case(random, contacts, 1, 2 * contacts + 1);
    if (k % 3 == 0)
      for (ConeContact& contact : one.contacts) contact.least = random.uniform(0.0, 0.3);
    one.solve(solver);
    ASSERT_EQ(one.result.status, ConeStatus::solved) << k;
    const int count = solver.enumerate(one.data());
    several += count > 1 ? 1 : 0;
    double nearest = HUGE_VAL;
    for (int s = 0; s < count; ++s) {
      double distance = 0.0;
      for (int i = 0; i < one.rows(); ++i) distance = std::max(distance, std::abs(solver.solution(s)[i] - one.q[i]));
      nearest = std::min(nearest, distance);
    }
    EXPECT_LE(nearest, 1e-8) << k;
  }
  if (test::property_cases(500) == 500) {
    EXPECT_GT(several, 0);
  }
}

TEST(ConeProblem, OnePlanarContactHasTheClosedForm) {
  ConeSolver solver;
  ConeCase stick = planar_contact(0.2, -1.0, 0.1, 0.8);
  stick.solve(solver);
  EXPECT_EQ(stick.modes[0], ConeMode::stick);
  EXPECT_NEAR(stick.q[0], (1.0 + 0.2 * 0.1) / 0.96, 1e-15);
  ConeCase slip = planar_contact(0.2, -1.0, 3.0, 0.5);
  slip.solve(solver);
  EXPECT_EQ(slip.modes[0], ConeMode::slip);
  EXPECT_NEAR(slip.q[0], 1.0 / 0.9, 1e-15);
  EXPECT_NEAR(slip.q[1], -0.5 / 0.9, 1e-15);
  ConeCase open = planar_contact(0.2, 1.0, 3.0, 0.5);
  open.solve(solver);
  EXPECT_EQ(open.modes[0], ConeMode::open);
  EXPECT_EQ(open.q, (std::vector<double>{0.0, 0.0}));
}

TEST(ConeProblem, PainlevesRodHasNoneOrTwoAnswersWhenItsSlipIsGiven) {
  // Sliding inertance 1 − μ·0.9 < 0 for ê = +1: b < 0 has no answer, b > 0 two.
  const double direction = 1.0;
  ConeSolver solver;
  ConeCase inconsistent = planar_contact(0.9, -1.0, 0.0, 1.5);
  inconsistent.contacts[0].direction = &direction;
  inconsistent.solve(solver);
  EXPECT_EQ(inconsistent.result.status, ConeStatus::infeasible);
  EXPECT_EQ(solver.enumerate(inconsistent.data()), 0);
  ConeCase indeterminate = planar_contact(0.9, 1.0, 0.0, 1.5);
  indeterminate.contacts[0].direction = &direction;
  EXPECT_EQ(solver.enumerate(indeterminate.data()), 2);
}

TEST(ConeProblem, WhereSlipCannotBeStoppedWithoutAPullTheLimitOfLargeFrictionHolds) {
  ConeSolver solver;
  ConeCase limit = planar_contact(0.9, -0.5, -1.0, kNoSlip);
  limit.solve(solver);
  ASSERT_EQ(limit.result.status, ConeStatus::solved);
  EXPECT_EQ(limit.q[0], 0.0);
  EXPECT_NEAR(limit.q[1], 0.5 / 0.9, 1e-15);
  ConeCase large = planar_contact(0.9, -0.5, -1.0, 1e6);
  large.solve(solver);
  EXPECT_NEAR(large.q[1], limit.q[1], 1e-5);
}

TEST(ConeProblem, RedundantContactsShareByStiffness) {
  // Three contacts on one normal and tangent, pressed with 1 and pushed along with 0.3: all stick.
  ConeCase one;
  const int n = 6;
  one.matrix.assign(36, 0.0);
  one.offset.assign(6, 0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) one.matrix[2 * i * n + 2 * j] = one.matrix[(2 * i + 1) * n + 2 * j + 1] = 1.0;
  for (int i = 0; i < 3; ++i) {
    one.offset[2 * i] = -1.0;
    one.offset[2 * i + 1] = -0.3;
    one.contacts.push_back({.tangents = 1, .friction = 0.5, .stiffness = 1.0 + i});
  }
  ConeSolver solver;
  one.solve(solver);
  ASSERT_EQ(one.result.status, ConeStatus::solved);
  EXPECT_FALSE(one.result.impulses_unique);
  EXPECT_TRUE(one.result.velocities_unique);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.q[2 * i], (1.0 + i) / 6.0, 1e-12);
    EXPECT_NEAR(one.q[2 * i + 1], 0.3 * (1.0 + i) / 6.0, 1e-12);
  }
}

TEST(ConeProblem, TheLeastForceIsTakenInsideTheCones) {
  // Two contacts share one tangent; the second is pressed little, so that it can hold little.
  ConeCase one;
  one.matrix = {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1};
  one.offset = {-1.0, -0.5, -0.1, -0.5};
  for (int i = 0; i < 2; ++i) one.contacts.push_back({.tangents = 1, .friction = 0.6});
  ConeSolver solver;
  one.solve(solver);
  ASSERT_EQ(one.result.status, ConeStatus::solved);
  EXPECT_NEAR(one.q[3], 0.06, 1e-9);
  EXPECT_NEAR(one.q[1], 0.44, 1e-9);
  EXPECT_LE(one.result.residual, 1e-12);
}

TEST(ConeProblem, UnitsDoNotMatter) {
  Random random(5);
  ConeSolver solver;
  for (int k = 0; k < 100; ++k) {
    ConeCase one = random_case(random, 2, 2, 8);
    ConeCase other = one;
    for (double& x : other.matrix) x *= 1e6;
    one.solve(solver);
    other.solve(solver);
    for (int i = 0; i < one.rows(); ++i) EXPECT_NEAR(other.q[i] * 1e6, one.q[i], 1e-9);
  }
}

/// A stack of unit cubes of mass 1, four corner contacts each, all moving with `velocity` (three numbers).
ConeCase stack_of_cubes(int count, double friction, const double* velocity) {
  ConeCase made;
  const int freedom = 6 * count;
  std::vector<double> rows;
  for (int body = 0; body < count; ++body)
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) {
        made.contacts.push_back({.tangents = 2, .friction = friction});
        // Rows n, t₁, t₂ = z, x, y: velocity part d, spin part (r × d)/√J with J = 1/6.
        const double turn = std::sqrt(6.0);
        const auto add = [&](const double(&d)[3]) {
          std::vector<double> row(static_cast<std::size_t>(freedom), 0.0);
          for (int side = 0; side < 2; ++side) {
            const int b = body - side;
            if (b < 0) continue;
            const double sign = side == 0 ? 1.0 : -1.0;
            const double r[3] = {x, y, side == 0 ? -0.5 : 0.5};
            for (int k = 0; k < 3; ++k) {
              row[static_cast<std::size_t>(6 * b + k)] = sign * d[k];
              row[static_cast<std::size_t>(6 * b + 3 + k)] =
                  sign * turn * (r[(k + 1) % 3] * d[(k + 2) % 3] - r[(k + 2) % 3] * d[(k + 1) % 3]);
            }
          }
          double rate = 0.0;
          for (int b = 0; b < count; ++b)
            for (int k = 0; k < 3; ++k) rate += row[static_cast<std::size_t>(6 * b + k)] * velocity[k];
          made.offset.push_back(rate);
          rows.insert(rows.end(), row.begin(), row.end());
        };
        add({0.0, 0.0, 1.0});
        add({1.0, 0.0, 0.0});
        add({0.0, 1.0, 0.0});
      }
  const int n = made.rows();
  made.matrix.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      made.matrix[static_cast<std::size_t>(i * n + j)] = dense::dot(
          &rows[static_cast<std::size_t>(i * freedom)], &rows[static_cast<std::size_t>(j * freedom)], freedom);
  return made;
}

TEST(ConeProblem, CornersOfAStackThatFallsStraightShareItsMomentumEqually) {
  const double velocity[] = {0.0, 0.0, -1.0};
  ConeCase made = stack_of_cubes(6, 0.4, velocity);
  ConeSolver solver;
  made.solve(solver);
  ASSERT_EQ(made.result.status, ConeStatus::solved);
  EXPECT_FALSE(made.result.impulses_unique);
  for (int contact = 0; contact < 24; ++contact) {
    const double* q = made.q.data() + static_cast<std::ptrdiff_t>(3 * contact);
    EXPECT_NEAR(q[0], (6 - contact / 4) / 4.0, 1e-6) << contact;  // the least of all that hold
    EXPECT_NEAR(std::hypot(q[1], q[2]), 0.0, 1e-6) << contact;
  }
}

TEST(ConeProblem, AStackThatSlidesLosesTheSpeedThatItsWeightCanTakeAway) {
  // All cubes have the same speed, so that only the floor sees slip: it takes μ·6·1 of the momentum 6·v, without
  // tipping the stack where the push stays below its middle: the corners in front carry more.
  const double velocity[] = {1.0, 0.0, -1.0};
  ConeCase made = stack_of_cubes(4, 0.05, velocity);
  ConeSolver solver;
  made.solve(solver);
  ASSERT_EQ(made.result.status, ConeStatus::solved);
  double pressure = 0.0, friction = 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    pressure += made.q[static_cast<std::size_t>(3 * corner)];
    friction += made.q[static_cast<std::size_t>(3 * corner + 1)];
    EXPECT_EQ(made.modes[static_cast<std::size_t>(corner)], ConeMode::slip) << corner;
  }
  EXPECT_NEAR(pressure, 4.0, 1e-11);
  EXPECT_NEAR(friction, -0.05 * 4.0, 1e-11);
}

TEST(ConeProblem, RandomProblemsOfManyContactsAreSolvedToRoundOff) {
  Random random(77);
  ConeSolver solver;
  int unsolved = 0;
  const int cases = test::property_cases(40);
  for (int k = 0; k < cases; ++k) {
    ConeCase made = random_case(random, 20, 2, 100);
    made.solve(solver);
    if (made.result.status != ConeStatus::solved) {
      ++unsolved;
      continue;
    }
    EXPECT_LE(made.result.residual, 1e-11) << k;
    EXPECT_LE(natural_residual(made.data(), made.q.data(), made.u.data()), 1e-11) << k;
  }
  EXPECT_LE(unsolved, cases / 20);
}

TEST(ConeProblem, ToAGivenAccuracyAStackThatFallsStraightComesToRest) {
  const double velocity[] = {0.0, 0.0, -1.0};
  ConeCase made = stack_of_cubes(6, 0.4, velocity);
  made.accuracy = 1e-9;
  ConeSolver solver;
  made.solve(solver);
  ASSERT_EQ(made.result.status, ConeStatus::solved);
  for (const double rate : made.u) EXPECT_NEAR(rate, 0.0, 1e-9);
  for (int body = 0; body < 6; ++body) {
    double pressure = 0.0;
    for (int corner = 0; corner < 4; ++corner) pressure += made.q[static_cast<std::size_t>(3 * (4 * body + corner))];
    EXPECT_NEAR(pressure, 6 - body, 1e-7) << body;
  }
}

TEST(ConeProblem, ToAGivenAccuracyAStackThatSlidesLosesTheSpeedThatItsWeightCanTakeAway) {
  const double velocity[] = {1.0, 0.0, -1.0};
  ConeCase made = stack_of_cubes(4, 0.05, velocity);
  made.accuracy = 1e-9;
  ConeSolver solver;
  made.solve(solver);
  ASSERT_EQ(made.result.status, ConeStatus::solved);
  double pressure = 0.0, friction = 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    pressure += made.q[static_cast<std::size_t>(3 * corner)];
    friction += made.q[static_cast<std::size_t>(3 * corner + 1)];
  }
  EXPECT_NEAR(pressure, 4.0, 1e-7);
  EXPECT_NEAR(friction, -0.05 * 4.0, 1e-7);
}

TEST(ConeProblem, ToAGivenAccuracyTheLimitOfLargeFrictionHoldsToo) {
  ConeSolver solver;
  ConeCase limit = planar_contact(0.9, -0.5, -1.0, kNoSlip);
  limit.accuracy = 1e-10;
  limit.solve(solver);
  ASSERT_EQ(limit.result.status, ConeStatus::solved);
  EXPECT_NEAR(limit.q[0], 0.0, 1e-9);
  EXPECT_NEAR(limit.q[1], 0.5 / 0.9, 1e-9);
  ConeCase stuck = planar_contact(0.5, -1.0, 0.3, kNoSlip);  // S q = −b: q = (1.15, −0.8)/0.75
  stuck.accuracy = 1e-10;
  stuck.solve(solver);
  ASSERT_EQ(stuck.result.status, ConeStatus::solved);
  EXPECT_NEAR(stuck.q[0], 1.15 / 0.75, 1e-9);
  EXPECT_NEAR(stuck.q[1], -0.8 / 0.75, 1e-9);
}

TEST(ConeProblem, ToAGivenAccuracyNothingApproachesAndTheVelocitiesAreThoseOfTheExactAnswer) {
  // With little friction there is one answer, and rows of full rank have one q.
  Random random(5);
  ConeSolver solver;
  for (int k = 0; k < test::property_cases(100); ++k) {
    const int contacts = random.integer(2, 15);
    ConeCase made = random_case(random, contacts, 2, 4 * contacts + 2);
    for (ConeContact& contact : made.contacts) contact.friction *= 0.1;
    if (k % 2 == 0)
      for (ConeContact& contact : made.contacts) contact.least = random.uniform(0.0, 0.3);
    made.solve(solver);
    if (made.result.status != ConeStatus::solved) continue;
    ConeCase swept = made;
    swept.accuracy = 1e-9;
    swept.solve(solver);
    ASSERT_EQ(swept.result.status, ConeStatus::solved) << k;
    double scale = 1.0;
    for (const double rate : made.offset) scale = std::max(scale, std::abs(rate));
    for (int i = 0; i < made.rows(); ++i) EXPECT_NEAR(swept.u[i], made.u[i], 1e-6 * scale) << k;
    for (int i = 0; i < contacts; ++i) {
      const double* q = swept.q.data() + static_cast<std::ptrdiff_t>(3 * i);
      EXPECT_GE(swept.u[3 * i], -1e-12 * scale) << k;
      EXPECT_GE(q[0], made.contacts[i].least * (1.0 - 1e-15)) << k;
      EXPECT_LE(std::hypot(q[1], q[2]), made.contacts[i].friction * q[0] * (1.0 + 1e-12)) << k;
    }
  }
}

TEST(ConeProblem, ToAGivenAccuracyMostProblemsOfManyContactsWithoutSlipAreSolved) {
  Random random(6);
  ConeSolver solver;
  int failed = 0;
  constexpr int cases = 100;  // all of them always: a part of few would say nothing
  for (int k = 0; k < cases; ++k) {
    ConeCase made = random_case(random, random.integer(10, 30), 2, 100);
    made.accuracy = 1e-9;
    for (ConeContact& contact : made.contacts)
      if (random.uniform() < 0.6) contact.friction = kNoSlip;
    made.solve(solver);
    if (made.result.status != ConeStatus::solved) {
      ++failed;
      continue;
    }
    EXPECT_LE(made.result.residual, 1e-7) << k;
  }
  EXPECT_LE(failed, cases / 10);
}

}  // namespace
}  // namespace carom
