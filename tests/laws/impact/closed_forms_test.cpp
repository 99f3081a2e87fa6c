/// Outcomes that are known on paper.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/laws/impact/impact_solver.h"
#include "support/chain.h"
#include "support/laws_of_several_contacts.h"

namespace carom {
namespace {

using test::touching_chain;

ImpactOutcome solve(const ImpactProblem& problem, const ImpactLaw& law) {
  ImpactSolver solver;
  return solver.solve(problem, law);
}

void expect_velocity(const ImpactOutcome& outcome, std::initializer_list<double> expected, double tolerance) {
  ASSERT_EQ(outcome.velocity.size(), expected.size());
  std::size_t i = 0;
  for (const double value : expected) {
    EXPECT_NEAR(outcome.velocity[i], value, tolerance) << outcome.law << ", component " << i;
    ++i;
  }
}

TEST(Cradle, GeometricSendsOutAsManyBallsAsCameIn) {
  for (int k = 1; k <= 3; ++k) {
    ImpactProblem problem = touching_chain(5, 1.0);
    for (int i = 0; i < 5; ++i) problem.velocity[i] = i < k ? 1.0 : 0.0;
    const ImpactOutcome outcome = solve(problem, kGeometricLaw);
    EXPECT_EQ(outcome.steps, 4);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(outcome.velocity[i], i >= 5 - k ? 1.0 : 0.0, 1e-14);
  }
}

TEST(Cradle, EachLawGivesItsKnownAnswerForThreeBalls) {
  const ImpactProblem problem = touching_chain(3, 1.0);
  expect_velocity(solve(problem, kGeometricLaw), {0, 0, 1}, 1e-14);
  expect_velocity(solve(problem, kSequentialLaw), {0, 0, 1}, 1e-14);
  expect_velocity(solve(problem, kNewtonLaw), {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-14);
  expect_velocity(solve(problem, kPoissonLaw), {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-14);
  expect_velocity(solve(problem, kCompliantLaw), {-0.0709524, 0.0764030, 0.9945493}, 5e-8);
}

TEST(Cradle, CompliantGivesTheLinearAndTheInelasticReference) {
  ImpactProblem problem = touching_chain(3, 1.0);
  problem.options.by_law["exponent"] = 1.0;
  expect_velocity(solve(problem, kCompliantLaw), {-0.1302617, 0.1502296, 0.9800321}, 5e-8);
  expect_velocity(solve(touching_chain(3, 0.9), kCompliantLaw), {-0.008615, 0.104143, 0.904473}, 5e-7);
}

TEST(Cradle, CompliantLinearMatchesTheEigenmodes) {
  // Two springs of equal stiffness between three unit masses, both closed until the left one opens: while both are
  // closed x̃ = (x₁, x₂) obeys ẍ = −[[2,−1],[−1,2]]x with eigenvalues 1 and 3. Left opens when x₁ = 0; from then on only
  // the right spring acts, with frequency √2.
  const auto x1 = [](double t) { return 0.5 * (std::sin(t) + std::sin(std::sqrt(3.0) * t) / std::sqrt(3.0)); };
  const auto x2 = [](double t) { return 0.5 * (std::sin(t) - std::sin(std::sqrt(3.0) * t) / std::sqrt(3.0)); };
  double low = 1.0;
  double high = 3.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (x1(middle) > 0.0 ? low : high) = middle;
  }
  const double t = 0.5 * (low + high);
  const double rate1 = 0.5 * (std::cos(t) + std::cos(std::sqrt(3.0) * t));  // ẋ₁ = v₁ − v₂
  const double rate2 = 0.5 * (std::cos(t) - std::cos(std::sqrt(3.0) * t));  // ẋ₂ = v₂ − v₃
  // Momentum 1 = v₁ + v₂ + v₃.
  const double v2 = (1.0 - rate1 + rate2) / 3.0;
  const double v1 = v2 + rate1;
  const double v3 = v2 - rate2;
  // Right spring alone: the rate after it opens keeps the energy ½·½ẋ₂² + ½x₂².
  const double rate_end = -std::sqrt(rate2 * rate2 + 2.0 * x2(t) * x2(t));
  const double centre = 0.5 * (v2 + v3);
  ImpactProblem problem = touching_chain(3, 1.0);
  problem.options.by_law["exponent"] = 1.0;
  expect_velocity(solve(problem, kCompliantLaw), {v1, centre + 0.5 * rate_end, centre - 0.5 * rate_end}, 1e-11);
}

TEST(SharedBall, IsStruckFromBothSidesAtOnce) {
  ImpactProblem problem = touching_chain(3, 1.0);
  problem.velocity = Vector{{1.0, 0.0, -0.5}};
  expect_velocity(solve(problem, kGeometricLaw), {-2.0 / 3, 1.0 / 3, 5.0 / 6}, 1e-14);
  expect_velocity(solve(problem, kSequentialLaw), {-0.5, 0.0, 1.0}, 1e-14);
}

TEST(ThreePlaneCorner, ReversesTheVelocity) {
  for (const double e : {0.0, 0.3, 1.0})
    for (const ImpactLaw* law : test::laws_of_several_contacts()) {
      ImpactProblem problem;
      problem.metric = 2.5 * Matrix::Identity(3, 3);
      problem.velocity = Vector{{-0.3, -1.0, -0.2}};
      problem.restitution = e;
      for (int i = 0; i < 3; ++i) problem.contacts.push_back({.name = {}, .normal = Vector::Unit(3, i)});
      expect_velocity(solve(problem, *law), {0.3 * e, 1.0 * e, 0.2 * e}, 1e-14);
    }
}

/// A ball (mass m, moment J, radius r) with velocity and spin (v, ω), floor z = 0 below it.
struct Ball {
  double m = 1.7;
  double j = 0.036;
  double r = 0.23;
  [[nodiscard]] Matrix metric() const { return Vector{{m, m, m, j, j, j}}.asDiagonal(); }
};

TEST(RoughFloor, ThrowsTheBallBackAsInTheTheorem) {
  const Ball ball;
  const double j1 = ball.j + ball.m * ball.r * ball.r;
  const Vector v{{1.1, -0.4, -2.3, 3.0, -5.0, 7.0}};
  for (const double mu : {0.0, 0.4, 1.0}) {
    ImpactProblem problem;
    problem.metric = ball.metric();
    problem.velocity = v;
    problem.restitution = mu;
    problem.contacts.push_back({.name = "floor",
                                .normal = Vector::Unit(6, 2),
                                .tangents = Matrix{{1, 0, 0, 0, -ball.r, 0}, {0, 1, 0, ball.r, 0, 0}}});
    const double a = ball.m * ball.r * ball.r - mu * ball.j;
    const double b = (1 + mu) * ball.j * ball.r;
    const double c = (1 + mu) * ball.r * ball.m;
    const double d = ball.j - mu * ball.m * ball.r * ball.r;
    expect_velocity(solve(problem, kRoughLaw),
                    {(a * v[0] + b * v[4]) / j1, (a * v[1] - b * v[3]) / j1, -mu * v[2], (-c * v[1] + d * v[3]) / j1,
                     (c * v[0] + d * v[4]) / j1, v[5]},
                    1e-13);
  }
}

TEST(RoughWall, ReturnsTheRollingBallAndTheFloorMustPull) {
  // v₁…v₃, ω₁…ω₃; rolls on the floor (normal row first), meets a rough wall at x = r.
  const Ball ball{.m = 2.0, .j = 0.05, .r = 0.25};
  const double r = ball.r;
  const double v2 = 0.75;
  const double w3 = 2.0;
  const double j1 = ball.j + ball.m * r * r;
  const double j2 = ball.j + 0.5 * ball.m * r * r;
  for (const double mu : {0.0, 0.6, 1.0}) {
    ImpactProblem problem;
    problem.metric = ball.metric();
    problem.velocity = Vector{{-1.5, v2, 0.0, -v2 / r, -1.5 / r, w3}};
    problem.restitution = mu;
    problem.persistent = Matrix{{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, -r, 0}, {0, 1, 0, r, 0, 0}};
    problem.contacts.push_back(
        {.name = "wall", .normal = Vector::Unit(6, 0), .tangents = Matrix{{0, 1, 0, 0, 0, -r}, {0, 0, 1, 0, r, 0}}});
    problem.contacts.push_back({.name = "floor", .normal = Vector::Unit(6, 2)});
    const ImpactOutcome outcome = solve(problem, kRoughLaw);
    EXPECT_NEAR(outcome.velocity[0], 1.5 * mu, 1e-14);
    EXPECT_NEAR(outcome.velocity[1],
                (((1 - mu) * ball.j + ball.m * r * r) * v2 + (1 + mu) * ball.j * r * w3) / (2 * j2), 1e-14);
    EXPECT_NEAR(outcome.velocity[5],
                ((1 + mu) * j1 * v2 / r + ((1 - mu) * ball.j - mu * ball.m * r * r) * w3) / (2 * j2), 1e-13);
    EXPECT_LT(outcome.audit.constraint_residual, 1e-13);
    EXPECT_TRUE(outcome.audit.flags.has(Flag::contact_fixed_by_constraint));
    // v₁ and ω₂ turn round together, which the wall alone cannot do: floor and wall exchange a vertical impulse.
    EXPECT_TRUE(outcome.audit.flags.has(Flag::impulses_not_unique));
    EXPECT_TRUE(outcome.audit.flags.has(Flag::support_would_open));
    EXPECT_LT(outcome.audit.constraint_impulses[0], 0.0);
  }
}

TEST(NonholonomicPendulum, ReversesEverything) {
  const double m = 2.0;
  const double r = 0.5;
  const double j = 0.25;
  const double v = 1.25;
  const double u = 2.5;
  ImpactProblem problem;
  problem.metric = Vector{{m, m, m, j, j, j}}.asDiagonal();
  problem.velocity = Vector{{-v, 0.0, -u, 0.0, r * m * v / j, 0.0}};
  problem.contacts.push_back(
      {.name = "floor", .normal = Vector::Unit(6, 2), .tangents = Matrix{{1, 0, 0, 0, -r, 0}, {0, 1, 0, r, 0, 0}}});
  const ImpactOutcome outcome = solve(problem, kRoughLaw);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(outcome.velocity[i], -problem.velocity[i], 1e-14);
}

TEST(Superposition, ChangesEnergyByItsFormula) {
  for (const double rho : {-0.6, 0.0, 0.7}) {
    ImpactProblem problem;
    problem.metric = Matrix::Identity(2, 2);
    problem.velocity = Vector{{-1.0, 0.2}};
    problem.contacts.push_back({.name = {}, .normal = Vector{{1.0, 0.0}}, .restitution = 0.8});
    problem.contacts.push_back({.name = {}, .normal = Vector{{rho, -std::sqrt(1.0 - rho * rho)}}, .restitution = 0.5});
    const double g1 = problem.contacts[0].normal.dot(problem.velocity);
    const double g2 = problem.contacts[1].normal.dot(problem.velocity);
    if (g2 >= 0.0) continue;
    const double expected = -0.5 * ((1 - 0.64) * g1 * g1 + (1 - 0.25) * g2 * g2) + 1.8 * 1.5 * g1 * g2 * rho;
    const ImpactOutcome outcome = solve(problem, kSuperpositionLaw);
    EXPECT_NEAR(outcome.energy.change, expected, 1e-14);
    EXPECT_EQ(outcome.audit.flags.has(Flag::energy_created), expected > 1e-12);
  }
}

TEST(Superposition, GainsEnergyBeyondTheSharpBound) {
  // For ρ > 0 there is no gain for any approach iff (1−k)²/(1+k)² ≥ ρ²; at the worst approach (equal rates) the bound
  // is sharp.
  const double k = 0.5;
  const double bound = (1 - k) / (1 + k);
  for (const double rho : {bound - 0.01, bound + 0.01}) {
    ImpactProblem problem;
    problem.metric = Matrix::Identity(2, 2);
    problem.contacts.push_back({.name = {}, .normal = Vector{{1.0, 0.0}}});
    problem.contacts.push_back({.name = {}, .normal = Vector{{rho, std::sqrt(1.0 - rho * rho)}}});
    problem.velocity = -(problem.contacts[0].normal + problem.contacts[1].normal);
    problem.restitution = k;
    EXPECT_EQ(solve(problem, kSuperpositionLaw).audit.flags.has(Flag::energy_created), rho > bound);
  }
}

TEST(Superposition, AverageDissipatesAndRepeatSeparates) {
  ImpactProblem problem = touching_chain(4, 0.7);
  problem.velocity = Vector{{1.0, 0.3, -0.2, -0.5}};
  problem.options.by_law = {{"repeat", 1.0}, {"average", 1.0}};
  const ImpactOutcome outcome = solve(problem, kSuperpositionLaw);
  EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
  EXPECT_FALSE(outcome.audit.flags.has(Flag::still_approaching));
  EXPECT_GT(outcome.steps, 1);
}

TEST(Sequential, ElasticPairTakesAtMostTheBilliardNumberOfHits) {
  for (const double alpha : {0.2, 0.5, 1.1}) {
    ImpactProblem problem;
    problem.metric = Matrix::Identity(2, 2);
    problem.velocity = Vector{{-1.0, 0.01}};
    problem.contacts.push_back({.name = {}, .normal = Vector{{std::sin(alpha / 2), std::cos(alpha / 2)}}});
    problem.contacts.push_back({.name = {}, .normal = Vector{{std::sin(alpha / 2), -std::cos(alpha / 2)}}});
    const ImpactOutcome outcome = solve(problem, kSequentialLaw);
    EXPECT_LE(outcome.steps, std::ceil(std::numbers::pi / alpha));
    EXPECT_NEAR(outcome.energy.change, 0.0, 1e-13);
  }
}

TEST(Sequential, GoesOnForEverExactlyBeyondTheKnownAngle) {
  // Endless iff ρ² ≥ (√k₁+√k₂)²/((1+k₁)(1+k₂)); it then comes to rest.
  const double k1 = 0.3;
  const double k2 = 0.5;
  const double border = (std::sqrt(k1) + std::sqrt(k2)) / std::sqrt((1 + k1) * (1 + k2));
  for (const double rho : {-border + 0.02, -border - 0.005}) {
    ImpactProblem problem;
    problem.metric = Matrix::Identity(2, 2);
    problem.contacts.push_back({.name = {}, .normal = Vector{{1.0, 0.0}}, .restitution = k1});
    problem.contacts.push_back({.name = {}, .normal = Vector{{rho, std::sqrt(1.0 - rho * rho)}}, .restitution = k2});
    problem.velocity = Vector{{-1.0, -1.0}};
    const ImpactOutcome outcome = solve(problem, kSequentialLaw);
    EXPECT_EQ(outcome.stop, rho < -border ? Stop::at_rest : Stop::separated) << rho;
  }
}

TEST(Newton, DiffersFromThePapersRuleInTheCorner) {
  // Row 1.2.3 of the paper's table: α = π/6, v₀ ~ (1, 2k/3), ε = 1. The bisector points into the corner, so n = −b.
  const double k = std::tan(std::numbers::pi / 6);
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector{{1.0, 2.0 * k / 3.0}}.normalized();
  problem.contacts.push_back({.name = "wall 1", .normal = Vector{{-k, 1.0}}});
  problem.contacts.push_back({.name = "wall 2", .normal = Vector{{-k, -1.0}}});
  expect_velocity(solve(problem, kGeometricLaw), {-0.955, 0.295}, 1e-3);
  expect_velocity(solve(problem, kNewtonLaw), {-0.933, -0.359}, 1e-3);
}

TEST(RockingBlock, KeepsTheKnownRatioWithTheNewCornerAlone) {
  // Slender block on its corner: rotation ω about the old corner; the new corner is struck, e = 0, rough.
  const double h = 4.0;
  const double b = 1.0;
  const double alpha = std::atan2(b, h);
  const double j = (b * b + h * h) / 3.0;  // about the centre, half sizes b and h, unit mass
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, j}}.asDiagonal();
  const double omega = 1.0;
  // Turning counter-clockwise about the right corner (b, −h): v = θ̇ ẑ × (centre − corner) = θ̇ (−h, −b).
  problem.velocity = Vector{{-omega * h, -omega * b, omega}};
  problem.restitution = 0.0;
  // Left corner (−b, −h): gap rate v_y − bθ̇, slip v_x + hθ̇.
  problem.contacts.push_back({.name = "left", .normal = Vector{{0, 1, -b}}, .tangents = Matrix{{1, 0, h}}});
  const ImpactOutcome outcome = solve(problem, kRoughLaw);
  EXPECT_NEAR(outcome.velocity[2] / omega, 1.0 - 1.5 * std::sin(alpha) * std::sin(alpha), 1e-13);
}

/// A block on two corners (rate pure round-off, of either sign) whose side meets a wall with both of its corners.
ImpactProblem block_in_a_corner(double lift, double spin) {
  ImpactProblem problem;
  problem.metric = Vector(Eigen::Vector3d(1.0, 1.0, 0.34 / 3.0)).asDiagonal().toDenseMatrix();
  problem.velocity = Eigen::Vector3d(1.1744832119092328, lift, spin);
  problem.restitution = 0.0;
  for (const Eigen::Vector3d& normal : {Eigen::Vector3d(0, 1, -0.3), Eigen::Vector3d(0, 1, 0.3),
                                        Eigen::Vector3d(-1, 0, 0.5), Eigen::Vector3d(-1, 0, -0.5)}) {
    problem.contacts.emplace_back();
    problem.contacts.back().normal = normal;
  }
  return problem;
}

TEST(Compliant, ContactsAtRestToRoundOffDoNotKeepItFromEnding) {
  for (const double lift : {4.4e-37, -1e-20, 1e-20, 0.0})
    for (const double spin : {5.8e-37, -1e-20, 0.0}) {
      const ImpactOutcome outcome = solve(block_in_a_corner(lift, spin), kCompliantLaw);
      EXPECT_EQ(outcome.stop, Stop::separated) << lift << " " << spin;
      EXPECT_LT(outcome.steps, 1000);
      expect_velocity(outcome, {0.0, 0.0, 0.0}, 1e-12);
    }
}

/// Two balls of mass 1 and 2 in a row between two walls, each free across the row: coordinates (x, y) of each.
ImpactProblem balls_between_walls(double restitution) {
  ImpactProblem problem;
  problem.metric = Vector::Map(std::vector<double>{1.0, 1.0, 2.0, 2.0}.data(), 4).asDiagonal();
  problem.velocity = Vector::Map(std::vector<double>{0.7, 0.3, -0.4, -0.2}.data(), 4);
  problem.restitution = restitution;
  const double rows[3][4] = {{1, 0, 0, 0}, {-1, 0, 1, 0}, {0, 0, -1, 0}};
  for (const auto& row : rows) problem.contacts.push_back({.normal = Vector::Map(row, 4)});
  return problem;
}

TEST(BallsBetweenWalls, KeepTheMeanOfTheirRingingUnderCompliant) {
  // Nothing can leave along the row, so that the mean velocity there is zero; across it nothing acts.
  for (const double restitution : {1.0, 0.999, 0.5}) {
    const ImpactOutcome outcome = ImpactSolver().solve(balls_between_walls(restitution), kCompliantLaw);
    EXPECT_TRUE(finished(outcome.stop)) << restitution;
    EXPECT_NEAR(outcome.velocity[0], 0.0, 1e-10) << restitution;
    EXPECT_NEAR(outcome.velocity[2], 0.0, 1e-10) << restitution;
    EXPECT_EQ(outcome.velocity[1], 0.3);
    EXPECT_EQ(outcome.velocity[3], -0.2);
    EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
  }
  EXPECT_TRUE(ImpactSolver().solve(balls_between_walls(1.0), kCompliantLaw).audit.flags.has(Flag::closed_by_impulses));
}

TEST(BallsBetweenWalls, HaveNoExitUnderElasticLawsThatStrikeAgainAndAgain) {
  for (const ImpactLaw* law : {&kGeometricLaw, &kSequentialLaw})
    EXPECT_EQ(ImpactSolver().solve(balls_between_walls(1.0), *law).stop, Stop::no_exit_direction) << law->name;
}

}  // namespace
}  // namespace carom
