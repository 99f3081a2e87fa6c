/// `carom impact` and `carom compare` with friction: what goes in, what comes out, what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/tool.h"
#include "carom/laws/impact/registry.h"

namespace carom::test {
namespace {

using nlohmann::json;

/// A point that slides down onto a floor with friction.
std::string sliding_point(const std::string& contact) {
  return R"({"metric": [[1, 0], [0, 1]], "velocity": [1, -1], "contacts": [{"name": "floor", "normal": [0, 1],
            "tangents": [[1, 0]], "restitution": 0.5, )" +
         contact + "}]}";
}

TEST(ImpactFriction, SaysWhatEveryContactDid) {
  const json result = impact_json(sliding_point(R"("friction": 0.2)"), "--law incremental");
  EXPECT_NEAR(result["velocity"][0].get<double>(), 1.0 - 0.2 * 1.5, 1e-15);
  EXPECT_NEAR(result["tangential_impulses"][0][0].get<double>(), -0.3, 1e-15);
  EXPECT_EQ(result["slip"]["before"], json({{1.0}}));
  EXPECT_NEAR(result["slip"]["after"][0][0].get<double>(), 0.7, 1e-15);
  EXPECT_EQ(result["modes"], json({"slip+"}));
  EXPECT_EQ(result["phases"], json::array({json::array({"slip+"})}));
  EXPECT_NEAR(result["friction_work"][0].get<double>(), -0.3 * 0.85, 1e-15);
  EXPECT_FALSE(result.contains("outcomes"));
  const json stuck = impact_json(sliding_point(R"("friction": 2.0)"), "--law incremental");
  EXPECT_EQ(stuck["phases"], json::array({json::array({"slip+", "stick"})}));
  EXPECT_EQ(stuck["slip"]["after"], json({{0.0}}));
}

TEST(ImpactFriction, ABeltIsATangentOffset) {
  const json result = impact_json(sliding_point(R"("friction": 0.2, "tangent_offsets": [-3])"), "--law newton");
  EXPECT_EQ(result["modes"], json({"slip-"}));
  EXPECT_NEAR(result["velocity"][0].get<double>(), 1.3, 1e-15);
  EXPECT_NEAR(result["energy"]["wall_work"].get<double>(), 0.9, 1e-14);
  EXPECT_EQ(result["audit"]["flags"], json::array());
}

TEST(ImpactFriction, TheRuleOfRestitutionIsAWord) {
  const std::string problem = sliding_point(R"("friction": 0.2)");
  const std::string with = problem.substr(0, problem.size() - 1) + R"(, "law": "incremental", "options": )";
  EXPECT_EQ(impact_json(with + R"({"restitution_rule": "kinetic"}})")["law"], "incremental");
  const ToolRun wrong = shell("carom impact -", with + R"({"restitution_rule": "elastic"}})");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("known: energetic, kinetic, kinematic"), std::string::npos) << wrong.err;
}

TEST(ImpactFriction, AllOutcomesAreCompleteResults) {
  const ToolRun run = shell("carom impact examples/two-outcomes.json --json");
  ASSERT_EQ(run.code, 0);
  const json result = run.json();
  EXPECT_EQ(result["audit"]["flags"], json({"outcome-not-unique"}));
  ASSERT_EQ(result["outcomes"].size(), 3u);
  EXPECT_EQ(result["outcomes"][0]["velocity"], result["velocity"]);
  for (const json& outcome : result["outcomes"]) {
    for (const char* const field : {"velocity", "impulses", "tangential_impulses", "modes", "phases", "slip", "energy"})
      EXPECT_TRUE(outcome.contains(field)) << field;
    EXPECT_LE(outcome["audit"]["complementarity_residual"].get<double>(), 1e-12);
    EXPECT_FALSE(outcome.contains("outcomes"));
  }
  const ToolRun table = shell("carom impact examples/two-outcomes.json --all");
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.out.find("outcomes    3"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("#3"), std::string::npos);
  EXPECT_EQ(shell("carom impact examples/kane-pendulum.json --all --json").json()["outcomes"].size(), 1u);
}

TEST(ImpactFriction, ALawWithoutFrictionIsRefusedByName) {
  for (const ImpactLaw* law : impact_laws()) {
    const ToolRun run = shell("carom impact - --law " + std::string(law->name), sliding_point(R"("friction": 0.2)"));
    EXPECT_EQ(run.code, law->needs.friction ? 0 : 2) << law->name;
    if (law->needs.friction) continue;
    EXPECT_NE(run.err.find("[unsupported]"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("incremental, newton, poisson"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("<stdin>:2:"), std::string::npos) << run.err;
  }
}

TEST(CompareFriction, SaysWhichLawsTakeTangents) {
  const json outcomes = shell("carom compare - --json", sliding_point(R"("friction": 0.2)")).json()["outcomes"];
  ASSERT_EQ(outcomes.size(), impact_laws().size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const LawNeeds& needs = impact_laws()[i]->needs;
    EXPECT_EQ(outcomes[i]["tangents"], needs.friction ? "coulomb" : needs.tangents ? "no-slip" : "unused");
    EXPECT_EQ(outcomes[i].contains("tangential_impulses"), needs.friction || needs.tangents);
  }
  const ToolRun table = shell("carom compare examples/kane-pendulum.json");
  EXPECT_NE(table.out.find("Coulomb"), std::string::npos);
  EXPECT_NE(table.out.find("no slip"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
