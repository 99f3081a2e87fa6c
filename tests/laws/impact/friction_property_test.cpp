/// Properties of the laws with friction on random problems: energy, cones, momentum, and the bits without friction.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/laws/impact/impact_solver.h"
#include "support/laws_of_several_contacts.h"
#include "support/random_problem.h"

namespace carom {
namespace {

constexpr test::Taste kTaste{.max_dof = 12, .max_contacts = 6, .traps = false, .friction = true, .row_decades = 0.0};

const ImpactLaw* const kFrictionLaws[] = {&kNewtonLaw, &kPoissonLaw, &kSequentialLaw};

/// |π| ≤ μp at every contact, p ≥ 0.
void expect_in_cones(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const double tolerance = 1e-10 * (1.0 + outcome.reference_speed);
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    double square = 0.0;
    for (Eigen::Index t = 0; t < contact.tangents.rows(); ++t, ++row)
      square += outcome.tangential_impulses[row] * outcome.tangential_impulses[row];
    EXPECT_GE(outcome.impulses[i], 0.0);
    if (!contact.rough) {
      EXPECT_LE(std::sqrt(square), contact.friction * outcome.impulses[i] + tolerance);
    }
  }
}

TEST(FrictionProperties, ImpulsesStayInTheirConesAndNothingApproachesAfterwards) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (const ImpactLaw* law : kFrictionLaws) {
    int unfinished = 0;
    const int cases = test::property_cases(500);
    for (int seed = 0; seed < cases; ++seed) {
      ImpactProblem problem = test::random_problem(seed, kTaste);
      problem.options.max_steps = 500;
      solver.solve(problem, *law, outcome);
      SCOPED_TRACE(std::string(law->name) + " " + std::to_string(seed));
      if (!finished(outcome.stop)) {
        ++unfinished;
        continue;
      }
      EXPECT_FALSE(outcome.audit.flags.has(Flag::still_approaching));
      EXPECT_NEAR(outcome.energy.change, outcome.energy.change_from_impulses,
                  1e-9 * (1.0 + outcome.energy.before + std::abs(outcome.energy.change)));
      if (!outcome.tangential_impulses.empty() && outcome.friction_work.empty() && problem.contacts.size() > 1)
        expect_in_cones(problem, outcome);
    }
    // Impulses within the cones may balance each other: infeasible.
    EXPECT_LE(unfinished, std::max(2, cases / 30)) << law->name;
  }
}

TEST(FrictionProperties, EnergyNeverRisesUnderTheLawsThatPromiseIt) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  test::Taste taste = kTaste;
  for (const ImpactLaw* law : test::laws_of_several_contacts()) {
    const Promise promise = law->promises.no_energy_created_with_friction;
    if (promise == Promise::none) continue;
    taste.equal_restitution = promise == Promise::when_restitutions_equal;
    for (int seed = 0; seed < test::property_cases(1000); ++seed) {
      ImpactProblem problem = test::random_problem(seed, taste);
      problem.options.max_steps = 500;
      solver.solve(problem, *law, outcome);
      for (const double speed : outcome.velocity) EXPECT_TRUE(std::isfinite(speed)) << law->name << ' ' << seed;
      if (!finished(outcome.stop)) continue;
      EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created)) << law->name << ' ' << seed;
    }
  }
}

TEST(FrictionProperties, EnergyNeverRisesAlongTheIncrementalPath) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  test::Taste taste = kTaste;
  taste.max_contacts = 1;
  taste.all_approach = true;
  int created = 0;
  for (int seed = 0; seed < test::property_cases(4000); ++seed) {
    ImpactProblem problem = test::random_problem(seed, taste);
    problem.contacts[0].rough = false;
    for (const double rule : {0.0, 1.0, 2.0}) {
      problem.options.by_law["restitution_rule"] = rule;
      solver.solve(problem, kIncrementalLaw, outcome);
      SCOPED_TRACE(std::to_string(seed) + " rule " + std::to_string(rule));
      // Normal and slip of one or two degrees of freedom, held by friction against a moving wall: no end.
      if (problem.velocity.size() - problem.persistent.rows() < 3 && !finished(outcome.stop)) continue;
      EXPECT_TRUE(finished(outcome.stop));
      if (rule == 2.0) {
        created += outcome.audit.flags.has(Flag::energy_created) ? 1 : 0;
        continue;
      }
      EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
      for (const double work : outcome.friction_work) EXPECT_LE(work, 1e-14);
    }
  }
  if (test::property_cases(4000) >= 500) {
    EXPECT_GT(created, 0);  // the kinematic rule may, and says so
  }
}

TEST(FrictionProperties, WithoutFrictionTheBitsAreThoseOfTheProblemWithoutTangents) {
  ImpactSolver solver;
  for (int seed = 0; seed < test::property_cases(1000); ++seed) {
    ImpactProblem with = test::random_problem(seed, kTaste);
    ImpactProblem without = with;
    for (Contact& contact : with.contacts) {
      contact.friction = 0.0;
      contact.rough = false;
    }
    for (Contact& contact : without.contacts) {
      contact = {.name = contact.name,
                 .normal = contact.normal,
                 .offset = contact.offset,
                 .restitution = contact.restitution,
                 .stiffness = contact.stiffness};
    }
    for (const ImpactLaw* law : impact_laws()) {
      if (law->needs.tangents || (law->needs.single_contact && with.contacts.size() > 1)) continue;
      const ImpactOutcome a = solver.solve(with, *law);
      const ImpactOutcome b = solver.solve(without, *law);
      EXPECT_EQ(a.velocity, b.velocity) << law->name << ' ' << seed;
      EXPECT_EQ(a.impulses, b.impulses) << law->name << ' ' << seed;
      EXPECT_EQ(a.audit.flags.bits(), b.audit.flags.bits()) << law->name << ' ' << seed;
    }
  }
}

TEST(FrictionProperties, OutcomesScaleWithSpeedAndDoNotSeeTheLengthOfContactRows) {
  ImpactSolver solver;
  test::Taste taste = kTaste;
  taste.max_contacts = 3;
  for (int seed = 0; seed < test::property_cases(300); ++seed) {
    const ImpactProblem problem = test::random_problem(seed, taste);
    ImpactProblem scaled = problem;
    scaled.velocity *= 8.0;
    for (Contact& contact : scaled.contacts) {
      contact.offset *= 8.0;
      contact.tangent_offsets *= 8.0;
    }
    for (const ImpactLaw* law : kFrictionLaws) {
      const ImpactOutcome one = solver.solve(problem, *law);
      const ImpactOutcome other = solver.solve(scaled, *law);
      if (!finished(one.stop) || one.audit.flags.has(Flag::outcome_not_unique)) continue;
      for (std::size_t i = 0; i < one.velocity.size(); ++i)
        EXPECT_NEAR(other.velocity[i], 8.0 * one.velocity[i], 1e-9) << law->name << ' ' << seed;
    }
  }
}

TEST(FrictionProperties, TheIntegrationOfContactSpringsAlwaysComesToAnEnd) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (const bool traps : {false, true}) {
    test::Taste taste = kTaste;
    taste.traps = traps;
    for (int seed = 0; seed < test::property_cases(traps ? 200 : 500); ++seed) {
      solver.solve(test::random_problem(seed, taste), kCompliantLaw, outcome);
      EXPECT_NE(outcome.stop, Stop::step_limit) << traps << ' ' << seed;
      if (!finished(outcome.stop)) continue;
      EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created)) << traps << ' ' << seed;
      EXPECT_FALSE(outcome.audit.flags.has(Flag::still_approaching)) << traps << ' ' << seed;
    }
  }
}

}  // namespace
}  // namespace carom
