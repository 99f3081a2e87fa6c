/// One contract for the whole registry: a law that is added is tested here without anyone remembering.

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <set>
#include <string>

#include "carom/base/error.h"
#include "carom/laws/impact/full_audit.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/chain.h"
#include "support/laws_of_several_contacts.h"
#include "support/random_problem.h"

namespace carom {
namespace {

TEST(Registry, HasUniqueTidyNamesAndFindsThem) {
  std::set<std::string_view> names;
  for (const ImpactLaw* law : impact_laws()) {
    EXPECT_TRUE(names.insert(law->name).second) << law->name;
    for (const char c : law->name) EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) || c == '-') << law->name;
    EXPECT_FALSE(law->summary.empty()) << law->name;
    EXPECT_FALSE(law->source.empty()) << law->name;
    EXPECT_EQ(&impact_law(law->name), law);
    for (const LawParameter& parameter : law->parameters) {
      EXPECT_FALSE(parameter.help.empty()) << parameter.name;
      if (parameter.is_flag) continue;
      EXPECT_LE(parameter.low, parameter.default_value) << parameter.name;
      EXPECT_LE(parameter.default_value, parameter.high) << parameter.name;
    }
  }
  EXPECT_EQ(default_impact_law().name, "compliant");
}

TEST(Registry, NamesTheNearestLaw) {
  try {
    (void)impact_law("newtom");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unknown_name);
    EXPECT_NE(std::string(error.what()).find("newton"), std::string::npos);
  }
}

TEST(Registry, RefusesUnknownAndImpossibleOptions) {
  ImpactProblem problem = test::touching_chain(3, 1.0);
  const auto kind_of = [&](const std::string& name, double value) {
    problem.options.by_law = {{name, value}};
    try {
      (void)ImpactSolver().solve(problem);
    } catch (const InputError& error) {
      return error.kind();
    }
    return Kind::file;  // accepted
  };
  EXPECT_EQ(kind_of("exponant", 1.5), Kind::unknown_name);
  EXPECT_EQ(kind_of("exponent", 0.5), Kind::out_of_range);
  EXPECT_EQ(kind_of("exponent", std::nan("")), Kind::not_finite);
  EXPECT_EQ(kind_of("repeat", 0.5), Kind::out_of_range);
  EXPECT_EQ(kind_of("exponent", 2.0), Kind::file);
}

class EveryLaw : public testing::TestWithParam<const ImpactLaw*> {
 protected:
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem) { return solver_.solve(problem, *GetParam()); }
  ImpactSolver solver_;
};

TEST_P(EveryLaw, LeavesAVelocityAloneThatDoesNotApproach) {
  ImpactProblem problem = test::touching_chain(4, 0.5);
  for (const Vector& v : {Vector(Vector::Zero(4)), Vector(Vector::Ones(4)), Vector(Vector{{0.0, 1.0, 2.0, 3.0}})}) {
    problem.velocity = v;
    const ImpactOutcome outcome = solve(problem);
    EXPECT_EQ(outcome.steps, 0);
    EXPECT_EQ(outcome.stop, Stop::separated);
    EXPECT_TRUE(outcome.audit.flags.empty());
    for (int i = 0; i < 4; ++i) EXPECT_EQ(outcome.velocity[i], v[i]);
    for (const double p : outcome.impulses) EXPECT_EQ(p, 0.0);
  }
}

TEST_P(EveryLaw, AcceptsAProblemWithoutContacts) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector{{1.0, -2.0}};
  const ImpactOutcome outcome = solve(problem);
  EXPECT_EQ(outcome.steps, 0);
  EXPECT_EQ(outcome.velocity, (std::vector<double>{1.0, -2.0}));
}

TEST_P(EveryLaw, IsMovedAlongByAWall) {
  // A wall at speed 2 meets a body at rest: in the wall's frame the body comes at −2 and leaves at +2e.
  ImpactProblem problem;
  problem.metric = Matrix::Identity(1, 1) * 3.0;
  problem.velocity = Vector::Zero(1);
  problem.contacts.push_back({.name = "wall", .normal = Vector::Ones(1), .offset = -2.0, .restitution = 0.5});
  const ImpactOutcome outcome = solve(problem);
  EXPECT_NEAR(outcome.velocity[0], 3.0, 1e-14);
  EXPECT_NEAR(outcome.energy.wall_work, 2.0 * 3.0 * 3.0, 1e-12);
  EXPECT_NEAR(outcome.energy.contact_work, 0.5 * 9.0 * (-2.0 + 1.0), 1e-12);
  EXPECT_NEAR(outcome.energy.change, 0.5 * 3.0 * 9.0, 1e-12);
  EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
}

TEST_P(EveryLaw, ScalesWithSpeedOverTheWholeRangeOfDouble) {
  ImpactProblem problem = test::touching_chain(3, 0.8);
  const ImpactOutcome unit = solve(problem);
  for (const double speed : {0x1p-900, 0x1p-200, 0x1p300, 0x1p500}) {
    problem.velocity = Vector::Unit(3, 0) * speed;
    const ImpactOutcome outcome = solve(problem);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(outcome.velocity[i] / speed, unit.velocity[i], 1e-12) << speed;
  }
}

TEST_P(EveryLaw, RefusesSpeedsWhoseEnergyIsNotFinite) {
  ImpactProblem problem = test::touching_chain(3, 0.8);
  problem.velocity = Vector::Unit(3, 0) * 1e200;
  try {
    (void)solve(problem);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::out_of_range);
  }
}

TEST_P(EveryLaw, SurvivesHundredsOfContacts) {
  ImpactProblem problem = test::touching_chain(200, 0.9);
  problem.options.max_steps = 300;
  const ImpactOutcome outcome = solve(problem);
  for (const double v : outcome.velocity) ASSERT_TRUE(std::isfinite(v));
  double momentum = 0.0;
  for (const double v : outcome.velocity) momentum += v;
  EXPECT_NEAR(momentum, 1.0, 1e-11);
}

TEST_P(EveryLaw, FinishesALongElasticChain) {
  const ImpactProblem problem = test::touching_chain(60, 1.0);
  const ImpactOutcome outcome = solve(problem);
  EXPECT_EQ(outcome.stop, Stop::separated);
  EXPECT_NEAR(outcome.energy.change, 0.0, 1e-12);
}

TEST_P(EveryLaw, ReportsWhatTheFullAuditMeasures) {
  ImpactProblem problem = test::touching_chain(3, 0.6);
  ImpactOutcome outcome = solve(problem);
  EXPECT_FALSE(outcome.audit.order_spread.has_value());
  measure_spreads(solver_, problem, *GetParam(), outcome);
  EXPECT_LT(outcome.audit.roundoff_spread.value(), 1e-10);
  EXPECT_LT(outcome.audit.order_spread.value(), 1e-10);  // one contact approaches: no order to choose
}

/// A body that comes down slipping on a floor: tangents are used by the laws that say so, by no other.
TEST_P(EveryLaw, UsesTangentsExactlyWhereItsEntrySaysSo) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector{{1.0, -1.0}};
  problem.restitution = 0.5;
  Contact floor;
  floor.normal = Vector{{0.0, 1.0}};
  floor.tangents = Matrix{{1.0, 0.0}};
  problem.contacts.push_back(floor);
  const ImpactOutcome outcome = solve(problem);
  EXPECT_EQ(outcome.velocity[0] != 1.0, GetParam()->needs.tangents);
  EXPECT_EQ(outcome.tangential_impulses.size(), GetParam()->needs.tangents ? 1u : 0u);
}

/// In a chain whose first ball comes in, the second contact approaches only because of the first.
TEST_P(EveryLaw, LeavesSomethingApproachingExactlyWhereItsEntrySaysThatItMay) {
  const ImpactOutcome outcome = solve(test::touching_chain(3, 0.5));
  ASSERT_TRUE(finished(outcome.stop));
  EXPECT_EQ(outcome.audit.flags.has(Flag::still_approaching), GetParam()->may_leave_approaching());
}

/// The problem with those contacts only that the law takes.
ImpactProblem as_handed_over(const ImpactProblem& problem, TakesContacts takes) {
  ImpactProblem handed = problem;
  std::erase_if(handed.contacts, [&](const Contact& contact) {
    const double rate = contact.normal.dot(problem.velocity) + contact.offset;
    return (takes == TakesContacts::not_separating && rate > 0.0) ||
           (takes == TakesContacts::approaching && rate >= 0.0);
  });
  return handed;
}

TEST(LawNeeds, ContactsThatTakeNoPartChangeNothing) {
  ImpactSolver solver;
  for (const ImpactLaw* law : test::laws_of_several_contacts()) {
    if (law->needs.takes != TakesContacts::approaching) continue;
    for (int seed = 0; seed < test::property_cases(500); ++seed) {
      const ImpactProblem problem = test::random_problem(seed, {.tangents = true});
      const ImpactOutcome all = solver.solve(problem, *law);
      const ImpactOutcome handed = solver.solve(as_handed_over(problem, law->needs.takes), *law);
      if (handed.reference_speed != all.reference_speed) continue;  // a wall that takes no part is the fastest
      EXPECT_EQ(handed.velocity, all.velocity) << law->name << ' ' << seed;
    }
  }
}

TEST(LawNeeds, ContactsThatALawDoesNotTakeAreThoseThatWouldMakeItCreateEnergy) {
  ImpactSolver solver;
  for (const ImpactLaw* law : impact_laws()) {
    if (law->promises.no_energy_created != Promise::when_all_approach) continue;
    int spoiled = 0;
    for (int seed = 0; seed < test::property_cases(2000); ++seed) {
      const ImpactProblem problem = test::random_problem(seed);
      const ImpactOutcome all = solver.solve(problem, *law);
      spoiled += finished(all.stop) && all.audit.flags.has(Flag::energy_created) ? 1 : 0;
      const ImpactOutcome handed = solver.solve(as_handed_over(problem, law->needs.takes), *law);
      if (!finished(handed.stop)) continue;
      EXPECT_FALSE(handed.audit.flags.has(Flag::energy_created)) << law->name << ' ' << seed;
    }
    EXPECT_GT(spoiled, 0) << law->name;
  }
}

std::string law_name(const testing::TestParamInfo<const ImpactLaw*>& info) {
  return std::string(info.param->name);
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryLaw, testing::ValuesIn(test::laws_of_several_contacts()), law_name);

}  // namespace
}  // namespace carom
