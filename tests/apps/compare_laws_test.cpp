#include "carom/analysis/compare_laws.h"

#include <gtest/gtest.h>

#include "carom/base/error.h"
#include "carom/laws/impact/registry.h"
#include "support/laws_of_several_contacts.h"

namespace carom {
namespace {

/// Three equal balls in a row, the first struck.
ImpactProblem three_balls() {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(3, 3);
  problem.velocity = Vector::Unit(3, 0);
  problem.contacts.resize(2);
  problem.contacts[0].normal = Vector{{-1.0, 1.0, 0.0}};
  problem.contacts[1].normal = Vector{{0.0, -1.0, 1.0}};
  return problem;
}

TEST(CompareLaws, OutcomesComeInTheOrderOfTheLaws) {
  const std::vector<const ImpactLaw*> laws{&kPoissonLaw, &kCompliantLaw, &kGeometricLaw};
  const auto outcomes = compare_laws(three_balls(), laws);
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(outcomes[0].law, "poisson");
  EXPECT_EQ(outcomes[1].law, "compliant");
  EXPECT_EQ(outcomes[2].law, "geometric");
}

TEST(CompareLaws, ElasticLawsDisagreeOnThreeTouchingBalls) {
  const std::vector<const ImpactLaw*> laws{&kNewtonLaw, &kGeometricLaw, &kCompliantLaw};
  const auto outcomes = compare_laws(three_balls(), laws);
  const double expected[3][3] = {{-1.0 / 3, 2.0 / 3, 2.0 / 3}, {0.0, 0.0, 1.0}, {-0.0709524, 0.0764030, 0.9945493}};
  for (std::size_t law = 0; law < 3; ++law) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(outcomes[law].velocity[i], expected[law][i], 1e-7) << law << i;
  }
}

TEST(CompareLaws, EachOutcomeIsThatOfTheLawAlone) {
  const auto outcomes = compare_laws(three_balls(), test::laws_of_several_contacts());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ImpactSolver solver;
    EXPECT_EQ(outcomes[i].velocity,
              solve_audited(solver, three_balls(), *test::laws_of_several_contacts()[i]).velocity);
  }
}

TEST(CompareLaws, SpreadsAreMeasuredByTheFullAuditOnly) {
  const std::vector<const ImpactLaw*> laws{&kSequentialLaw};
  EXPECT_FALSE(compare_laws(three_balls(), laws, AuditDepth::basic)[0].audit.order_spread);
  EXPECT_TRUE(compare_laws(three_balls(), laws, AuditDepth::full)[0].audit.order_spread);
  EXPECT_TRUE(compare_laws(three_balls(), laws, AuditDepth::full)[0].audit.roundoff_spread);
}

TEST(CompareLaws, ABadProblemIsRefusedWhateverTheLaw) {
  ImpactProblem problem = three_balls();
  problem.metric(0, 1) = 0.5;
  for (const ImpactLaw* law : impact_laws()) {
    const std::vector<const ImpactLaw*> laws{law};
    EXPECT_THROW(compare_laws(problem, laws), InputError) << law->name;
  }
}

TEST(CompareLaws, NoLawsGiveNoOutcomes) {
  EXPECT_TRUE(compare_laws(three_balls(), {}).empty());
}

}  // namespace
}  // namespace carom
