#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "apps/tool.h"

namespace carom::test::impact_test {
namespace {

using nlohmann::json;

const char* const kBall = R"({"metric": [[2]], "velocity": [-3], "contacts": [{"name": "floor", "normal": [1]}],
                             "restitution": 0.5})";

TEST(Impact, ResultHasTheFieldsOfTheContract) {
  const json result = impact_json(kBall, "--law newton");
  for (const char* const field :
       {"law", "velocity", "impulses", "steps", "stop", "gap_rates", "energy", "audit", "unused_options"}) {
    EXPECT_TRUE(result.contains(field)) << field;
  }
  for (const char* const field : {"before", "after", "change", "change_from_impulses", "contact_work", "wall_work"}) {
    EXPECT_TRUE(result["energy"][field].is_number()) << field;
  }
  for (const char* const field :
       {"min_impulse", "min_gap_rate_after", "constraint_residual", "complementarity_residual", "constraint_impulses",
        "observed_restitution", "kinetic_angles", "order_spread", "roundoff_spread", "flags"}) {
    EXPECT_TRUE(result["audit"].contains(field)) << field;
  }
  EXPECT_NEAR(result["velocity"][0].get<double>(), 1.5, 1e-14);
  ASSERT_EQ(result["impulses"].size(), 1u);
  EXPECT_NEAR(result["impulses"][0].get<double>(), 9.0, 1e-14);
  EXPECT_EQ(result["stop"], "separated");
  EXPECT_EQ(result["gap_rates"]["before"], json{-3.0});
  EXPECT_NEAR(result["gap_rates"]["after"][0].get<double>(), 1.5, 1e-14);
  EXPECT_NEAR(result["energy"]["change"].get<double>(), -6.75, 1e-14);
  EXPECT_NEAR(result["audit"]["observed_restitution"][0].get<double>(), 0.5, 1e-14);
  EXPECT_EQ(result["audit"]["flags"], json::array());
  EXPECT_TRUE(result["audit"]["order_spread"].is_null());
  EXPECT_TRUE(result["audit"]["roundoff_spread"].is_null());
}

TEST(Impact, TheLawIsTheOneOfTheCommandLineThenOfTheFileThenCompliant) {
  const std::string named = R"({"metric": [[1]], "velocity": [-1], "contacts": [{"normal": [1]}], "law": "poisson"})";
  EXPECT_EQ(impact_json(named, "--law newton")["law"], "newton");
  EXPECT_EQ(impact_json(named)["law"], "poisson");
  EXPECT_EQ(impact_json(kBall)["law"], "compliant");
}

TEST(Impact, NumbersReadBackToTheSameDouble) {
  // Nothing approaches: the velocity comes back as it went in, with every digit.
  const std::string problem = R"({"metric": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      "velocity": [0.1, 1.7976931348623157e100, -3.0000000000000004e-7],
      "contacts": [{"normal": [1, 0, 0]}]})";
  const json velocity = impact_json(problem)["velocity"];
  EXPECT_EQ(velocity[0].get<double>(), 0.1);
  EXPECT_EQ(velocity[1].get<double>(), 1.7976931348623157e100);
  EXPECT_EQ(velocity[2].get<double>(), -3.0000000000000004e-7);
}

TEST(Impact, FilesMayBeJsonOrTomlOrStandardInput) {
  EXPECT_EQ(shell("carom impact examples/cradle.json --json").json(),
            shell("carom impact - --json < examples/cradle.json").json());
  EXPECT_EQ(shell("carom impact examples/corner.toml --json").json()["law"], "geometric");
}

TEST(Impact, TheCradleSendsOneBallOut) {
  const json velocity = shell("carom impact examples/cradle.json --law geometric --json").json()["velocity"];
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(velocity[i].get<double>(), i == 4 ? 1.0 : 0.0, 1e-14);
}

TEST(Impact, ValuesThatDoNotExistAreNull) {
  const json result = shell("carom impact examples/cradle.json --law geometric --json").json();
  EXPECT_TRUE(result["audit"]["complementarity_residual"].is_null());
  const json restitution = result["audit"]["observed_restitution"];
  EXPECT_TRUE(restitution[0].is_number());
  for (int i : {1, 2, 3}) EXPECT_TRUE(restitution[i].is_null());
}

TEST(Impact, KineticAnglesAreInRadians) {
  const json angles = shell("carom impact examples/corner.toml --json").json()["audit"]["kinetic_angles"];
  EXPECT_NEAR(angles[0][0].get<double>(), 0.0, 1e-7);
  EXPECT_NEAR(angles[0][1].get<double>(), 2.0 * std::numbers::pi / 3.0, 1e-14);
  EXPECT_EQ(angles[0][1], angles[1][0]);
}

TEST(Impact, TangentialImpulsesAreAListPerContactWhereTheLawUsesThem) {
  const json rough = shell("carom impact examples/ball-at-rough-wall.json --json").json();
  ASSERT_EQ(rough["tangential_impulses"].size(), 1u);
  EXPECT_EQ(rough["tangential_impulses"][0].size(), 2u);
  EXPECT_EQ(rough["audit"]["constraint_impulses"].size(), 3u);
  EXPECT_EQ(rough["audit"]["flags"][0], "support-would-open");
  EXPECT_FALSE(shell("carom impact examples/ball-at-rough-wall.json --law newton --json")
                   .json()
                   .contains("tangential_impulses"));
  const json mixed = impact_json(R"({"metric": {"diagonal": [1, 1]}, "velocity": [1, -1], "law": "rough", "contacts": [
      {"normal": [0, 1]}, {"normal": [0, 1], "tangents": [[1, 0]]}]})");
  EXPECT_EQ(mixed["tangential_impulses"][0], json::array());
  EXPECT_EQ(mixed["tangential_impulses"][1].size(), 1u);
}

TEST(Impact, AMovingWallDoesWorkThatIsBookedAsSuch) {
  const json result = shell("carom impact examples/moving-wall.toml --json").json();
  EXPECT_NEAR(result["velocity"][0].get<double>(), 3.0, 1e-12);
  EXPECT_NEAR(result["energy"]["wall_work"].get<double>(), 6.0, 1e-12);
  EXPECT_NEAR(result["energy"]["contact_work"].get<double>(), -1.5, 1e-12);
  EXPECT_EQ(result["audit"]["flags"], json::array());
}

TEST(Impact, AnUnfinishedLawExitsThreeWithTheNormalResult) {
  const ToolRun trapped = shell("carom impact examples/parallel-walls.json --json");
  EXPECT_EQ(trapped.code, 3);
  EXPECT_EQ(trapped.json()["stop"], "no-exit-direction");
  EXPECT_EQ(shell("carom impact examples/parallel-walls.json").code, 3);
  const json limited = impact_json(R"({"metric": {"diagonal": [1, 1, 1]}, "velocity": [1, 0, 0], "law": "geometric",
      "options": {"max_steps": 1}, "contacts": [{"normal": [-1, 1, 0]}, {"normal": [0, -1, 1]}]})",
                                   "", 3);
  EXPECT_EQ(limited["stop"], "step-limit");
  EXPECT_EQ(impact_json(R"({"metric": [[1]], "velocity": [1], "law": "newton",
      "contacts": [{"normal": [1]}, {"normal": [-1]}]})",
                        "", 3)["stop"],
            "infeasible");
}

TEST(Impact, NothingApproachingIsAValidProblem) {
  const json still = impact_json(R"({"metric": [[1]], "velocity": [0], "contacts": [{"normal": [1]}]})");
  EXPECT_EQ(still["steps"], 0);
  EXPECT_EQ(still["stop"], "separated");
  EXPECT_EQ(impact_json(R"({"metric": [[1]], "velocity": [1]})")["impulses"], json::array());
}

TEST(Impact, TheFullAuditMeasuresSpreads) {
  const json audit =
      shell("carom impact examples/billiard-break.json --law sequential --audit full --json").json()["audit"];
  EXPECT_GT(audit["order_spread"].get<double>(), 1e-9);
  EXPECT_TRUE(audit["roundoff_spread"].is_number());
  EXPECT_NE(audit["flags"].dump().find("order-dependent"), std::string::npos);
}

TEST(Impact, OptionsOfOtherLawsAreAcceptedAndMentioned) {
  const ToolRun human = shell("carom impact examples/three-balls-hertz.toml --law newton");
  EXPECT_EQ(human.code, 0);
  EXPECT_NE(human.err.find("note: the law newton does not use the option 'exponent'"), std::string::npos) << human.err;
  const ToolRun machine = shell("carom impact examples/three-balls-hertz.toml --law newton --json");
  EXPECT_EQ(machine.err, "");
  EXPECT_EQ(machine.json()["unused_options"], json{"exponent"});
  EXPECT_EQ(shell("carom impact examples/three-balls-hertz.toml --json").json()["unused_options"], json::array());
}

TEST(Impact, APersonReadsFlagsAndStopsInWords) {
  const ToolRun run = shell("carom impact examples/energy-from-nothing.json");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  for (const char* const part : {"left slope", "energy-created: the contacts gave out more energy",
                                 "separated after 1 step", "gap rate before", "restitution observed"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
}

TEST(Impact, EveryExampleRunsAndPrintsNoNan) {
  const ToolRun files = shell("ls examples/*.json examples/*.toml");
  std::istringstream names(files.out);
  for (std::string name; std::getline(names, name);) {
    const ToolRun human = shell("carom impact " + name + " --audit full");
    EXPECT_EQ(human.code, name.find("parallel-walls") == std::string::npos ? 0 : 3) << name << human.err;
    EXPECT_EQ(human.err, "") << name;
    EXPECT_EQ(human.out.find("nan"), std::string::npos) << name;
    EXPECT_EQ(human.out.find("inf "), std::string::npos) << name;
    EXPECT_TRUE(shell("carom compare " + name + " --json").json()["outcomes"].is_array()) << name;
  }
}

}  // namespace
}  // namespace carom::test::impact_test
