/// The chapter on weak solutions, and its misprint and its quotations by independent calculation.

#include <gtest/gtest.h>

#include "reproduce/chapters/papers.h"
#include "reproduce/rough_impulses.h"
#include "support/property_cases.h"

namespace carom::reproduce {
namespace {

using Eigen::Vector3d;
using test::strike_by_impulses;

TEST(WeakSolutions, EveryItemStandsAsReported) {
  int steps = 0;
  const Chapter chapter = weak_solutions([&steps](std::string_view) { ++steps; });
  test::expect_sound(chapter);
  EXPECT_GT(steps, 0);
  EXPECT_EQ(test::corrected_places(chapter), std::vector<std::string>{"§5, proof of Theorem 5.1"});
}

TEST(WeakSolutions, TheFloorMatrixKeepsTheHypothesesAfterItsCorrectionOnly) {
  Random random(31);
  for (int i = 0; i < test::property_cases(200); ++i) {
    const RoughBall ball = random_ball(random);
    if (std::abs(ball.about_contact() - 1.0) < 0.1) continue;  // where the misprint cannot be seen
    const Matrix one = Matrix::Identity(6, 6), g = ball.metric(), rows = floor_rows(ball);
    const auto energy_kept = [&](const Matrix& p) {
      const Matrix r = one - 2.0 * p;
      return largest_difference(r.transpose() * g * r, g);
    };
    const Matrix printed = floor_projector(ball, Print::printed), corrected = floor_projector(ball, Print::corrected);
    EXPECT_LT(energy_kept(corrected), 1e-13);                      // Hypothesis 2
    EXPECT_LT(largest_difference(rows * corrected, rows), 1e-13);  // ker(I − P) is ker B
    EXPECT_GT(energy_kept(printed), 1e-3);
    EXPECT_GT(largest_difference(rows * printed, rows), 1e-3);
  }
}

TEST(WeakSolutions, AMisprintHidesWhereTheUnitsMakeItOne) {
  // J' = 1: printed and corrected are the same matrix, so an example with such numbers would have shown nothing.
  const RoughBall ball{.mass = 1.0, .inertia = 0.36, .radius = 0.8};
  ASSERT_NEAR(ball.about_contact(), 1.0, 1e-15);
  EXPECT_LT(largest_difference(floor_projector(ball, Print::printed), floor_projector(ball, Print::corrected)), 1e-15);
}

TEST(WeakSolutions, TheSuperballComesBackFromTheTableByNewtonAndEuler) {
  const auto back = [](double ratio) {
    RoughBall ball{.mass = 1.0, .inertia = ratio, .radius = 1.0};
    Vector velocity{{1.0, 0.0, -2.0, 0.0, 0.0, 0.0}};
    std::vector<double> speeds;
    for (const double side : {-1.0, 1.0, -1.0}) {
      velocity = strike_by_impulses(ball, velocity, {Vector3d(0.0, 0.0, side)}, 1.0).after;
      speeds.push_back(velocity[0]);
    }
    return speeds;
  };
  const std::vector<double> solid = back(0.4);
  EXPECT_NEAR(solid[0], 3.0 / 7.0, 1e-15);
  EXPECT_NEAR(solid[1], -31.0 / 49.0, 1e-15);
  EXPECT_NEAR(solid[2], -333.0 / 343.0, 1e-15);
  EXPECT_NEAR(back(1.0 / 3.0)[2], -1.0, 1e-15);
  // Nowhere else up to the hollow sphere, 2/3.
  for (int i = 1; i <= 200; ++i) {
    const double ratio = i / 300.0;
    if (std::abs(ratio - 1.0 / 3.0) > 1e-3) {
      EXPECT_GT(back(ratio)[2], -1.0 + 1e-6) << ratio;
    }
  }
}

TEST(WeakSolutions, TwoBouncesOnTheFloorGiveBackTheFirstVelocity) {
  Random random(32);
  for (int i = 0; i < test::property_cases(100); ++i) {
    const RoughBall ball = random_ball(random);
    const Vector first = test::random_throw(random);
    const std::vector<Vector3d> lowest{Vector3d(0.0, 0.0, -ball.radius)};
    Vector velocity = strike_by_impulses(ball, first, lowest, 1.0).after;
    velocity[2] = -velocity[2];  // up and down again
    velocity = strike_by_impulses(ball, velocity, lowest, 1.0).after;
    velocity[2] = -velocity[2];
    EXPECT_LT(largest_difference(velocity, first), 1e-12);
  }
}

TEST(WeakSolutions, RandomSystemsAreWellPosed) {
  Random random(33);
  for (int i = 0; i < test::property_cases(200); ++i) {
    const ImpactProblem problem = random_rough_problem(random);
    const Matrix rows = stacked_rows(problem), p = lemma_projector(problem.metric, rows);
    EXPECT_NEAR(p.trace(), static_cast<double>(rows.rows()), 1e-11);
    EXPECT_LT(problem.contacts[0].normal.dot(problem.velocity), 0.0);
    if (problem.persistent.rows() > 0) {
      EXPECT_LT((problem.persistent * problem.velocity).norm(), 1e-12);
    }
  }
}

TEST(WeakSolutions, TheEngineGivesTheTheoremAtEveryImpact) {
  // A throw across all axes.
  BallScene scene{.ball = {.mass = 0.1, .inertia = 1e-4, .radius = 0.05}, .duration = 3.0};
  scene.start.position = Vector3d(0.0, 0.0, 0.5);
  scene.start.velocity = Vector3d(0.7, -1.1, 0.4);
  scene.start.angular_velocity = Vector3d(5.0, 9.0, -4.0);
  const BallRun run = run_ball(scene);
  ASSERT_GE(run.impacts.size(), 4u);
  for (const BallImpact& impact : run.impacts)
    EXPECT_LT(largest_difference(impact.after, floor_theorem(scene.ball, impact.before, 1.0)), 1e-13);
}

}  // namespace
}  // namespace carom::reproduce
