/// The chapter on collisions in nonholonomic systems, and its misprints by Newton's and Euler's equations.

#include <gtest/gtest.h>

#include "carom/base/error.h"
#include "reproduce/chapters/papers.h"
#include "reproduce/decompositions.h"
#include "reproduce/rough_impulses.h"
#include "support/property_cases.h"

namespace carom::reproduce {
namespace {

using Eigen::Vector3d;
using test::strike_by_impulses;

TEST(NonholonomicCollisions, EveryItemStandsAsReported) {
  int steps = 0;
  const Chapter chapter = nonholonomic_collisions([&steps](std::string_view) { ++steps; });
  test::expect_sound(chapter);
  EXPECT_GT(steps, 0);
  EXPECT_EQ(test::corrected_places(chapter),
            (std::vector<std::string>{"§1, definition of B", "§3.1, proof of Theorem 3.1", "§3.2, proof of Theorem 3.2",
                                      "§3.2, the matrix called A", "§3.2, meaning of the superscripts", "§2.3"}));
}

/// The velocity of a rolling ball in the paper's five speeds, and back.
Vector five(const Vector& velocity) {
  return Vector{{velocity[0], velocity[1], velocity[3], velocity[4], velocity[5]}};
}

Vector random_rolling(Random& random, const RoughBall& ball) {
  return rolling_velocity(ball, -random.uniform(0.1, 2.0), random.uniform(-2.0, 2.0), random.uniform(-5.0, 5.0));
}

std::vector<Vector3d> floor_and_wall(const RoughBall& ball) {
  return {Vector3d(0.0, 0.0, -ball.radius), Vector3d(-ball.radius, 0.0, 0.0)};
}

TEST(NonholonomicCollisions, TheWallMatrixHoldsAfterItsCorrectionOnly) {
  Random random(21);
  for (int i = 0; i < test::property_cases(200); ++i) {
    const RoughBall ball = random_ball(random);
    const Vector before = random_rolling(random, ball);
    // The floor's point is at rest before and after, whatever μ.
    const Vector after = strike_by_impulses(ball, before, floor_and_wall(ball), 1.0).after;
    const Matrix one = Matrix::Identity(5, 5);
    const Matrix printed = wall_projector(ball, Print::printed), corrected = wall_projector(ball, Print::corrected);
    EXPECT_LT(largest_difference((one - 2.0 * corrected) * five(before), five(after)), 1e-12);
    EXPECT_LT(largest_difference(corrected * corrected, corrected), 1e-13);
    // Where 2J̃ happens to be 1 in the units chosen, the misprint cannot be seen.
    if (std::abs(2.0 * ball.about_midway() - 1.0) < 0.1) continue;
    EXPECT_GT(largest_difference((one - 2.0 * printed) * five(before), five(after)), 1e-3);
    EXPECT_GT(largest_difference(printed * printed, printed), 1e-3);
  }
}

TEST(NonholonomicCollisions, TheFloorMatrixHoldsAfterItsCorrectionOnly) {
  Random random(22);
  for (int i = 0; i < test::property_cases(200); ++i) {
    const RoughBall ball = random_ball(random);
    const Vector before = test::random_throw(random);
    const Vector after = strike_by_impulses(ball, before, {Vector3d(0.0, 0.0, -ball.radius)}, 1.0).after;
    const Matrix one = Matrix::Identity(6, 6);
    const Matrix printed = floor_projector(ball, Print::printed), corrected = floor_projector(ball, Print::corrected);
    EXPECT_LT(largest_difference((one - 2.0 * corrected) * before, after), 1e-12);
    EXPECT_LT(largest_difference(corrected * corrected, corrected), 1e-13);
    if (std::abs(ball.about_contact() - 1.0) < 0.1) continue;
    EXPECT_GT(largest_difference((one - 2.0 * printed) * before, after), 1e-3);
    EXPECT_GT(largest_difference(printed * printed, printed), 1e-3);
  }
}

TEST(NonholonomicCollisions, TheTheoremsFollowFromNewtonAndEulerForEveryRestitution) {
  Random random(23);
  for (int i = 0; i < test::property_cases(200); ++i) {
    const RoughBall ball = random_ball(random);
    const double mu = random.uniform();
    const Vector thrown = test::random_throw(random);
    EXPECT_LT(largest_difference(strike_by_impulses(ball, thrown, {Vector3d(0.0, 0.0, -ball.radius)}, mu).after,
                                 floor_theorem(ball, thrown, mu)),
              1e-12);
    const Vector rolling = random_rolling(random, ball);
    EXPECT_LT(largest_difference(strike_by_impulses(ball, rolling, floor_and_wall(ball), mu).after,
                                 wall_theorem(ball, rolling, mu)),
              1e-12);
  }
}

TEST(NonholonomicCollisions, AFloorThatDoesNotPullNeedsFrictionAboveItsPressure) {
  Random random(24);
  for (int i = 0; i < test::property_cases(50); ++i) {
    const RoughBall ball = random_ball(random);
    const Vector before = random_rolling(random, ball);
    const test::Struck struck_ball = strike_by_impulses(ball, before, floor_and_wall(ball), 1.0);
    ASSERT_EQ(struck_ball.free.cols(), 1);
    const double excess = 2.0 * ball.inertia * std::abs(before[0]) / (ball.radius * ball.radius);
    for (int s = -50; s <= 50; ++s) {
      const Eigen::VectorXd impulse = struck_ball.impulse + s * struck_ball.free.col(0);
      // Pushing, the floor drags the ball towards the wall by more than it presses.
      EXPECT_NEAR(-impulse[0], impulse[2] + excess, 1e-9 * (1.0 + std::abs(impulse[0])));
    }
    EXPECT_NE(struck_ball.free(2, 0), 0.0);  // the pressure is what is free
  }
}

TEST(NonholonomicCollisions, TheRowsOfTheFloorAreNotConstraintsOfTheFlight) {
  const RoughBall ball;
  ImpactProblem problem = thrown_to_the_floor(ball, Vector{{0.3, -0.2, -1.0, 0.4, 0.1, 0.7}}, 1.0);
  EXPECT_NO_THROW((void)struck(problem));
  problem.persistent = floor_rows(ball);
  EXPECT_THROW((void)struck(problem), InputError);
}

TEST(NonholonomicCollisions, ThePendulumIsOnItsWayDownBeforeItHits) {
  const RoughBall ball;
  const Vector minus{{-1.0, 0.0, -2.0, 0.0, ball.radius * ball.mass / ball.inertia, 0.0}};
  const Vector plus = strike_by_impulses(ball, minus, {Vector3d(0.0, 0.0, -ball.radius)}, 1.0).after;
  EXPECT_LT(largest_difference(plus, -minus), 1e-14);
  EXPECT_EQ(struck(thrown_to_the_floor(ball, minus, 1.0)).steps, 1);
  EXPECT_EQ(struck(thrown_to_the_floor(ball, plus, 1.0)).steps, 0);  // as the text of §3.2 labels them
}

TEST(NonholonomicCollisions, AVelocityAcrossKerBCanLieAlongTheFloor) {
  // W is spanned by G⁻¹Bᵀ; its first column moves along the floor and slips.
  const RoughBall ball;
  const Matrix rows = floor_rows(ball);
  const Vector across = solve_regular(ball.metric(), rows.row(0).transpose());
  EXPECT_EQ(across[2], 0.0);
  EXPECT_GT((rows * across).norm(), 0.1);
  // With one row it cannot: the normal's own direction approaches.
  const Vector normal = solve_regular(ball.metric(), rows.row(2).transpose());
  EXPECT_GT(std::abs(normal[2]), 0.1);
}

}  // namespace
}  // namespace carom::reproduce
