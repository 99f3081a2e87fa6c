/// A reused solver does not allocate: counted by replacing operator new in this program.

#include <gtest/gtest.h>

#include "carom/laws/impact/impact_solver.h"
#include "support/counted_allocations.h"
#include "support/laws_of_several_contacts.h"
#include "support/random_problem.h"

namespace carom {
namespace {

using test::allocations;

class EveryLaw : public testing::TestWithParam<const ImpactLaw*> {};

TEST_P(EveryLaw, DoesNotAllocateOnceTheWorkspaceHasGrown) {
  std::vector<ImpactProblem> problems;
  for (int seed = 0; seed < 60; ++seed) {
    problems.push_back(test::random_problem(seed, {.traps = false, .tangents = true, .row_decades = 0.1}));
    problems.back().options.max_steps = 2000;
  }
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (const ImpactProblem& problem : problems) solver.solve(problem, *GetParam(), outcome);
  const long before = allocations;
  for (const ImpactProblem& problem : problems) solver.solve(problem, *GetParam(), outcome);
  EXPECT_EQ(allocations - before, 0);
}

TEST(Friction, DoesNotAllocateOnceTheWorkspaceHasGrown) {
  std::vector<ImpactProblem> problems;
  for (int seed = 0; seed < 60; ++seed) {
    problems.push_back(
        test::random_problem(seed, {.max_contacts = 4, .traps = false, .friction = true, .row_decades = 0.1}));
    problems.back().options.max_steps = 200;
  }
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (const ImpactLaw* law : test::laws_of_several_contacts()) {
    if (!law->needs.friction) continue;
    for (const ImpactProblem& problem : problems) solver.solve(problem, *law, outcome);
    const long before = allocations;
    for (const ImpactProblem& problem : problems) solver.solve(problem, *law, outcome);
    EXPECT_EQ(allocations - before, 0) << law->name;
  }
}

TEST(Counting, Works) {
  const long before = allocations;
  std::vector<double> v(1000);
  EXPECT_GT(v.capacity(), 0u);
  EXPECT_GT(allocations - before, 0);
}

std::string law_name(const testing::TestParamInfo<const ImpactLaw*>& info) {
  return std::string(info.param->name);
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryLaw, testing::ValuesIn(test::laws_of_several_contacts()), law_name);

}  // namespace
}  // namespace carom
