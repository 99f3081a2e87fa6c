/// Every flag of the audit, provoked.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/laws/impact/full_audit.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/chain.h"
#include "support/laws_of_several_contacts.h"

namespace carom {
namespace {

using test::touching_chain;

/// A point in the plane that hits two walls; `cosine` is that of the kinetic angle between them.
ImpactProblem two_walls(double cosine, double restitution) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.contacts.push_back({.name = "a", .normal = Vector{{1.0, 0.0}}});
  problem.contacts.push_back({.name = "b", .normal = Vector{{cosine, std::sqrt(1.0 - cosine * cosine)}}});
  problem.velocity = -(problem.contacts[0].normal + problem.contacts[1].normal);
  problem.restitution = restitution;
  return problem;
}

TEST(Audit, FlagsEnergyThatSuperpositionCreates) {
  const ImpactOutcome outcome = ImpactSolver().solve(two_walls(0.5, 1.0), kSuperpositionLaw);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::energy_created));
  EXPECT_GT(outcome.energy.contact_work, 0.0);
}

TEST(Audit, FlagsAContactThatSuperpositionLeavesApproaching) {
  const ImpactOutcome outcome = ImpactSolver().solve(two_walls(-0.9, 0.0), kSuperpositionLaw);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::still_approaching));
  EXPECT_LT(outcome.audit.min_gap_rate_after, 0.0);
}

TEST(Audit, FlagsEnergyThatNewtonGainsFromASeparatingContact) {
  // Wall b is being left, but the answer of wall a would drive the body into it again.
  bool found = false;
  for (double second = 0.05; second < 2.0 && !found; second += 0.05) {
    ImpactProblem problem = two_walls(-0.7, 1.0);
    problem.velocity = Vector{{-1.0, second}};
    const ImpactOutcome outcome = ImpactSolver().solve(problem, kNewtonLaw);
    if (outcome.rate_before[1] > 0.0 && outcome.audit.flags.has(Flag::energy_created)) found = true;
  }
  EXPECT_TRUE(found);
}

TEST(Audit, FlagsImpulsesThatAreNotUnique) {
  // The same wall listed twice.
  ImpactProblem problem = two_walls(0.2, 0.5);
  problem.contacts.push_back(problem.contacts[0]);
  for (const ImpactLaw* law : {&kNewtonLaw, &kPoissonLaw}) {
    const ImpactOutcome outcome = ImpactSolver().solve(problem, *law);
    EXPECT_TRUE(outcome.audit.flags.has(Flag::impulses_not_unique)) << law->name;
    EXPECT_NEAR(outcome.impulses[0], outcome.impulses[2], 1e-12) << law->name;
  }
}

TEST(Audit, SharesImpulsesByStiffness) {
  ImpactProblem problem = two_walls(0.0, 0.5);
  problem.contacts.push_back(problem.contacts[0]);
  problem.contacts[2].stiffness = 3.0;
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kPoissonLaw);
  EXPECT_NEAR(outcome.impulses[2], 3.0 * outcome.impulses[0], 1e-12);
}

TEST(Audit, SaysThatParallelContactsWereMergedAndSharesTheImpulse) {
  ImpactProblem problem = two_walls(0.3, 0.5);
  const ImpactOutcome plain = ImpactSolver().solve(problem, kGeometricLaw);
  problem.contacts.push_back(problem.contacts[0]);
  problem.contacts[2].normal *= 7.0;
  const ImpactOutcome merged = ImpactSolver().solve(problem, kGeometricLaw);
  EXPECT_TRUE(merged.audit.flags.has(Flag::parallel_contacts_merged));
  EXPECT_FALSE(plain.audit.flags.has(Flag::parallel_contacts_merged));
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(merged.velocity[i], plain.velocity[i], 1e-14);
  EXPECT_NEAR(merged.impulses[0] * 1.0, merged.impulses[2] * 7.0, 1e-14);
}

TEST(Audit, SaysThatAContactIsFixedByAConstraint) {
  ImpactProblem problem = two_walls(0.0, 0.5);
  problem.velocity = Vector{{0.0, -1.0}};
  problem.persistent = Matrix{{1.0, 0.0}};
  for (const ImpactLaw* law : test::laws_of_several_contacts()) {
    const ImpactOutcome outcome = ImpactSolver().solve(problem, *law);
    EXPECT_TRUE(outcome.audit.flags.has(Flag::contact_fixed_by_constraint)) << law->name;
    EXPECT_EQ(outcome.impulses[0], 0.0) << law->name;
    EXPECT_NEAR(outcome.velocity[1], 0.5, 1e-14) << law->name;
    EXPECT_FALSE(outcome.audit.kinetic_cosines[1].has_value());
  }
}

TEST(Audit, SaysThatASupportHadToPull) {
  // A plate held at y = 0 by a support; a slanted contact pushes it up (the support pulls) or down (it pushes).
  for (const double slope : {0.5, -0.5}) {
    ImpactProblem problem;
    problem.metric = Matrix::Identity(2, 2);
    problem.velocity = Vector{{-1.0, 0.0}};
    problem.persistent = Matrix{{0.0, 1.0}};
    problem.supports = {0};
    problem.contacts.push_back({.name = "wedge", .normal = Vector{{1.0, slope}}});
    const ImpactOutcome outcome = ImpactSolver().solve(problem, kNewtonLaw);
    EXPECT_NEAR(outcome.velocity[0], 1.0, 1e-14);
    EXPECT_NEAR(outcome.velocity[1], 0.0, 1e-15);
    EXPECT_NEAR(outcome.audit.constraint_impulses[0], -2.0 * slope, 1e-14);
    EXPECT_EQ(outcome.audit.flags.has(Flag::support_would_open), slope > 0.0);
    // The same, when the support is known by its contact instead.
    problem.supports.clear();
    problem.contacts.push_back({.name = "floor", .normal = Vector{{0.0, 1.0}}});
    EXPECT_EQ(ImpactSolver().solve(problem, kNewtonLaw).audit.flags.has(Flag::support_would_open), slope > 0.0);
  }
}

TEST(Audit, SaysThatSequentialDependsOnOrder) {
  ImpactProblem problem = touching_chain(3, 0.5);
  problem.velocity = Vector{{1.0, 0.0, -0.5}};
  ImpactSolver solver;
  ImpactOutcome outcome = solver.solve(problem, kSequentialLaw);
  measure_spreads(solver, problem, kSequentialLaw, outcome);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::order_dependent));
  EXPECT_GT(outcome.audit.order_spread.value(), 0.01);
  for (const ImpactLaw* law : {&kGeometricLaw, &kPoissonLaw, &kNewtonLaw, &kCompliantLaw}) {
    outcome = solver.solve(problem, *law);
    measure_spreads(solver, problem, *law, outcome);
    EXPECT_FALSE(outcome.audit.flags.has(Flag::order_dependent)) << law->name;
    EXPECT_FALSE(outcome.audit.flags.has(Flag::roundoff_dependent)) << law->name;
  }
}

TEST(Audit, SaysThatRoundOffDecidesAtTheBorderOfAnEndlessSequence) {
  // Rough law: two rows dependent to 1e-11 with different restitutions — which of them counts is round-off.
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector{{-1.0, 0.3}};
  problem.contacts.push_back({.name = "a",
                              .normal = Vector{{1.0, 0.0}},
                              .tangents = Matrix{{1.0, 1e-11}},
                              .restitution = 1.0,
                              .tangential_restitution = 0.0});
  ImpactSolver solver;
  ImpactOutcome outcome = solver.solve(problem, kRoughLaw);
  measure_spreads(solver, problem, kRoughLaw, outcome);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::rank_ambiguous));
  EXPECT_TRUE(outcome.audit.flags.has(Flag::roundoff_dependent));
}

TEST(Audit, ChecksTheEnergyConditionOfTangentialRestitution) {
  // Coupled normal and tangent (a slanted body): e = 1, e_t = −1 may create energy; equal ones may not.
  ImpactProblem problem;
  problem.metric = Matrix{{1.0, 0.6}, {0.6, 1.0}};
  problem.velocity = Vector{{-1.0, 0.8}};
  problem.contacts.push_back({.name = "rough", .normal = Vector{{1.0, 0.0}}, .tangents = Matrix{{0.0, 1.0}}});
  ImpactSolver solver;
  EXPECT_FALSE(solver.solve(problem, kRoughLaw).audit.flags.has(Flag::energy_condition_violated));
  problem.contacts[0].tangential_restitution = 0.2;
  const ImpactOutcome mixed = solver.solve(problem, kRoughLaw);
  EXPECT_TRUE(mixed.audit.flags.has(Flag::energy_condition_violated));
  EXPECT_NEAR(mixed.rate_after[0], 1.0, 1e-14);
  EXPECT_NEAR(mixed.velocity[1], -0.2 * 0.8, 1e-14);
  // Uncoupled, any e_t in [−1, 1] is harmless.
  problem.metric = Matrix::Identity(2, 2);
  EXPECT_FALSE(solver.solve(problem, kRoughLaw).audit.flags.has(Flag::energy_condition_violated));
}

TEST(Audit, TellsWhenThereIsNoWayOut) {
  ImpactProblem problem;  // a body between two walls that both touch it
  problem.metric = Matrix::Identity(1, 1);
  problem.velocity = Vector::Ones(1);
  problem.contacts.push_back({.name = "left", .normal = Vector::Ones(1)});
  problem.contacts.push_back({.name = "right", .normal = -Vector::Ones(1)});
  for (const ImpactLaw* law : {&kGeometricLaw, &kSequentialLaw})
    EXPECT_EQ(ImpactSolver().solve(problem, *law).stop, Stop::no_exit_direction) << law->name;
  // Springs let it ring about no motion, which is what is left of it.
  EXPECT_EQ(ImpactSolver().solve(problem, kCompliantLaw).velocity[0], 0.0);
  EXPECT_EQ(ImpactSolver().solve(problem, kNewtonLaw).stop, Stop::infeasible);
  // Walls that close in on it leave no velocity at all.
  problem.velocity = Vector::Zero(1);
  for (Contact& contact : problem.contacts) contact.offset = -1.0;
  for (const ImpactLaw* law : {&kGeometricLaw, &kSequentialLaw, &kCompliantLaw, &kNewtonLaw, &kPoissonLaw}) {
    const Stop stop = ImpactSolver().solve(problem, *law).stop;
    EXPECT_TRUE(stop == Stop::no_exit_direction || stop == Stop::infeasible) << law->name << ' ' << stop_name(stop);
  }
}

TEST(Audit, ObservesTheRestitutionOfEachContact) {
  const ImpactOutcome outcome = ImpactSolver().solve(two_walls(0.0, 0.7), kPoissonLaw);
  for (const auto& observed : outcome.audit.observed_restitution) EXPECT_NEAR(observed.value(), 0.7, 1e-14);
  ImpactProblem problem = touching_chain(3, 0.7);
  EXPECT_FALSE(ImpactSolver().solve(problem, kPoissonLaw).audit.observed_restitution[1].has_value());
}

}  // namespace
}  // namespace carom
