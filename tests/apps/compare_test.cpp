#include <gtest/gtest.h>

#include "apps/tool.h"
#include "carom/laws/impact/registry.h"
#include "support/laws_of_several_contacts.h"

namespace carom::test {
namespace {

TEST(Compare, AllLawsAreComparedByDefaultAndEachAsImpactDoes) {
  const ToolRun run = shell("carom compare examples/cradle.json --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto outcomes = run.json()["outcomes"];
  ASSERT_EQ(outcomes.size(), test::laws_of_several_contacts().size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string law(test::laws_of_several_contacts()[i]->name);
    EXPECT_EQ(outcomes[i]["law"], law);
    EXPECT_EQ(outcomes[i], shell("carom impact examples/cradle.json --json --law " + law).json());
  }
}

TEST(Compare, ChosenLawsComeInTheOrderGiven) {
  const auto outcomes = shell("carom compare examples/cradle.json --laws poisson,geometric --json").json()["outcomes"];
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0]["law"], "poisson");
  EXPECT_EQ(outcomes[1]["law"], "geometric");
}

TEST(Compare, TakesTheFirstImpactOfAScene) {
  // The worked example of the ellipsoid and two planes: known energies by law.
  const ToolRun run = shell("carom compare scenes/ellipsoid-into-two-planes.toml --laws newton,superposition --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto outcomes = run.json()["outcomes"];
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_NEAR(outcomes[0]["energy"]["change"].get<double>(), -213.93, 0.005);
  EXPECT_NEAR(outcomes[1]["energy"]["change"].get<double>(), -291.77, 0.005);
  EXPECT_EQ(
      shell("carom compare scenes/ellipsoid-into-two-planes.toml --set body.ellipsoid.velocity=[1,1,0] --json").code,
      2);
  const ToolRun setting = shell("carom compare examples/cradle.json --set run.law=newton --json");
  EXPECT_EQ(setting.code, 2);
  EXPECT_EQ(setting.json()["error"]["kind"], "usage");
}

TEST(Compare, UnknownAndRepeatedLawsAreRefused) {
  const ToolRun unknown = shell("carom compare examples/cradle.json --laws newton,possion --json");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.json()["error"]["kind"], "unknown-name");
  EXPECT_NE(unknown.out.find("did you mean 'poisson'?"), std::string::npos);
  EXPECT_EQ(shell("carom compare examples/cradle.json --laws newton,newton --json").json()["error"]["kind"],
            "duplicate-name");
  EXPECT_EQ(shell("carom compare examples/cradle.json --laws newton, --json").code, 2);
}

TEST(Compare, ExitsZeroAlsoWhereALawDoesNotFinish) {
  const ToolRun run = shell("carom compare examples/parallel-walls.json --json");
  EXPECT_EQ(run.code, 0);
  bool unfinished = false;
  const auto outcomes = run.json()["outcomes"];
  for (const auto& outcome : outcomes) unfinished = unfinished || outcome["stop"] == "no-exit-direction";
  EXPECT_TRUE(unfinished);
}

TEST(Compare, EveryFlagThatOccurredIsExplainedOnce) {
  const ToolRun run = shell("carom compare examples/cradle.json");
  ASSERT_EQ(run.code, 0);
  const std::string explained = "still-approaching: a contact is still approaching";
  const std::size_t first = run.out.find(explained);
  ASSERT_NE(first, std::string::npos) << run.out;
  EXPECT_EQ(run.out.find(explained, first + 1), std::string::npos);
}

TEST(Compare, TheFullAuditShowsSpreads) {
  EXPECT_NE(shell("carom compare examples/cradle.json --audit full").out.find("round-off"), std::string::npos);
  EXPECT_EQ(shell("carom compare examples/cradle.json").out.find("round-off"), std::string::npos);
  const auto outcomes = shell("carom compare examples/corner.toml --audit full --json").json()["outcomes"];
  for (const auto& outcome : outcomes) {
    EXPECT_TRUE(outcome["audit"]["order_spread"].is_number());
    EXPECT_TRUE(outcome["audit"]["roundoff_spread"].is_number());
  }
}

TEST(Compare, LinesStayWithinAHundredColumnsWithManyCoordinates) {
  for (const char* const arguments : {"", " --audit full", " --laws newton"}) {
    const ToolRun run = shell(std::string("carom compare examples/billiard-break.json") + arguments);
    ASSERT_EQ(run.code, 0) << run.err;
    std::size_t begin = 0;
    while (begin < run.out.size()) {
      const std::size_t end = run.out.find('\n', begin);
      EXPECT_LE(end - begin, 104u) << run.out.substr(begin, end - begin);  // bytes; a dash takes three
      begin = end + 1;
    }
  }
}

TEST(Compare, NotesAnOptionThatNoneOfTheLawsUses) {
  const ToolRun run = shell("carom compare examples/three-balls-hertz.toml --laws newton,poisson");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("note: none of these laws uses the option 'exponent'"), std::string::npos) << run.err;
  EXPECT_EQ(shell("carom compare examples/three-balls-hertz.toml").err, "");
}

TEST(Compare, PointsIntoABadFile) {
  const ToolRun run =
      shell("carom compare - --json", "{\"metric\": [[1, 0.5],\n [0, 1]], \"velocity\": [1, 0], \"contacts\": []}");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.json()["error"]["kind"], "metric-not-symmetric");
  EXPECT_EQ(run.json()["error"]["where"]["line"], 1);
}

}  // namespace
}  // namespace carom::test
