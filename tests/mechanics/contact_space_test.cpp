#include "carom/mechanics/contact_space.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "reproduce/decompositions.h"
#include "support/random_problem.h"

namespace carom {
namespace {

/// W = G⁻¹ − G⁻¹Aᵀ(A G⁻¹ Aᵀ)⁺ A G⁻¹, straight from its definition.
Eigen::MatrixXd mobility(const ImpactProblem& problem) {
  const Eigen::Index n = problem.metric.rows();
  const Eigen::MatrixXd inverse = solve_regular(problem.metric, Eigen::MatrixXd::Identity(n, n));
  if (problem.persistent.rows() == 0) return inverse;
  const Eigen::MatrixXd a = problem.persistent;
  const Eigen::MatrixXd spread = a * inverse;
  return inverse - spread.transpose() * solve_least_squares(spread * a.transpose(), spread);
}

TEST(ContactSpace, ReproducesTheInertanceMatrix) {
  ContactSpace space;
  for (int seed = 0; seed < 500; ++seed) {
    const ImpactProblem problem = test::random_problem(seed);
    space.prepare(problem);
    const Eigen::MatrixXd w = mobility(problem);
    for (int a = 0; a < space.movable(); ++a)
      for (int b = 0; b < space.movable(); ++b) {
        const Vector& na = problem.contacts[space.contact(a)].normal;
        const Vector& nb = problem.contacts[space.contact(b)].normal;
        const double d = space.cosine_row(a)[b] * space.root_inertance(a) * space.root_inertance(b);
        const auto square = [&](const Vector& row) { return row.dot(solve_regular(problem.metric, row).col(0)); };
        const double scale = std::sqrt(square(na) * square(nb));
        ASSERT_NEAR(d, na.dot(w * nb), 1e-8 * scale) << "case " << seed;
      }
  }
}

TEST(ContactSpace, MovesTheVelocityByTheMobility) {
  ContactSpace space;
  for (int seed = 0; seed < 200; ++seed) {
    const ImpactProblem problem = test::random_problem(seed);
    space.prepare(problem);
    const Eigen::MatrixXd w = mobility(problem);
    const auto n = problem.velocity.size();
    for (int r = 0; r < space.movable(); ++r) {
      Vector after(n);
      space.move(space.unit_row(r), after.data());
      const Vector expected =
          problem.velocity + w * problem.contacts[space.contact(r)].normal / space.root_inertance(r);
      ASSERT_LT((after - expected).norm(), 1e-7 * (1.0 + expected.norm())) << "case " << seed;
    }
  }
}

TEST(ContactSpace, FindsTheImpulsesOfTheConstraints) {
  // G Δv = nᵀp + Aᵀλ must hold for the impulse of every single contact.
  ContactSpace space;
  int tried = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const ImpactProblem problem = test::random_problem(seed);
    if (problem.persistent.rows() == 0) continue;
    space.prepare(problem);
    const auto n = problem.velocity.size();
    for (int r = 0; r < space.movable(); ++r) {
      const Vector& normal = problem.contacts[space.contact(r)].normal;
      Vector push(n);
      space.whiten(normal.data(), push.data());
      Vector lambda(problem.persistent.rows());
      space.constraint_impulses(push.data(), lambda.data());
      Vector change(n);
      const Vector free = push;
      change = free;
      space.remove_constrained(change.data());
      Vector after(n);
      space.move(change.data(), after.data());
      const Vector balance =
          problem.metric * (after - problem.velocity) - normal - problem.persistent.transpose() * lambda;
      ASSERT_LT(balance.norm(), 1e-7 * (1.0 + normal.norm())) << "case " << seed;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace carom
