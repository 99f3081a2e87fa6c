#include <gtest/gtest.h>

#include "apps/tool.h"

namespace carom::test {
namespace {

/// What bash offers behind these words; the last is the one being typed.
std::string offered(const std::string& words) {
  const ToolRun run = shell(
      "source <(carom completion bash)\n"
      "COMP_WORDS=(" +
      words + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_carom\nprintf '%s\\n' \"${COMPREPLY[@]}\"");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return run.out;
}

TEST(Completion, OffersCommands) {
  EXPECT_EQ(offered("carom im"), "impact\n");
  EXPECT_EQ(offered("carom co"), "compare\ncorner\ncompletion\n");
}

TEST(Completion, OffersTheOptionsOfTheCommand) {
  EXPECT_EQ(offered("carom corner --al"), "--alpha\n--algorithm\n");
  EXPECT_EQ(offered("carom impact examples/cradle.json --a"), "--all\n--audit\n");
}

TEST(Completion, OffersTheNamesOfLawsAndOtherChoices) {
  EXPECT_EQ(offered("carom impact --law new"), "newton\n");
  EXPECT_EQ(offered("carom impact --law = new"), "newton\n");
  EXPECT_EQ(offered("carom impact --law ="), offered("carom impact --law ''"));
  EXPECT_EQ(offered("carom compare --laws newton,po"), "newton,poisson\n");
  EXPECT_EQ(offered("carom impact --audit ''"), "basic\nfull\n");
  EXPECT_EQ(offered("carom corner --form ''"), "xy\nphi\nxi-eta\n");
  EXPECT_EQ(offered("carom completion ''"), "bash\nzsh\nfish\n");
  EXPECT_EQ(offered("carom help la"), "laws\n");
  EXPECT_EQ(offered("carom bench event sm"), "smooth\n");
}

TEST(Completion, OffersFiles) {
  EXPECT_EQ(offered("carom impact examples/cra"), "examples/cradle.json\n");
  EXPECT_EQ(offered("carom corner --table READ"), offered("carom impact READ"));
}

TEST(Completion, OffersNothingForNumbers) {
  EXPECT_EQ(offered("carom corner --alpha ''"), "\n");
}

TEST(Completion, OtherShellsAreRefused) {
  const ToolRun run = shell("carom completion ksh");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("unknown shell 'ksh'"), std::string::npos);
  EXPECT_EQ(shell("carom completion").code, 2);
}

TEST(Completion, OffersPathsOfTheSceneAndQuantitiesOfTheRecord) {
  EXPECT_EQ(offered("carom run scenes/cradle.toml --set run.la"), "run.law=\n");
  EXPECT_EQ(offered("carom check scenes/cradle.toml --set body.third.ma"), "body.third.mass=\nbody.third.material=\n");
  const ScratchFolder folder;
  const std::string record = folder.file("a.h5");
  ASSERT_EQ(shell("carom run scenes/bouncing-ball.toml --duration 0.5 -o " + record).code, 0);
  EXPECT_EQ(offered("carom plot " + record + " position.ball.r"), "position.ball.radial\n");
  EXPECT_EQ(offered("carom plot " + record + " energy.ki"), "energy.kinetic\n");
  EXPECT_EQ(offered("carom plot " + record + " --against momentum.x"), "momentum.x\n");
  EXPECT_EQ(offered("carom events " + record + " --body b"), "ball\n");
  EXPECT_EQ(offered("carom spectrum " + record + " --body ''"), "ball\nfloor\n");
  // All of them can be plotted.
  EXPECT_EQ(
      shell("carom plot " + record + " $(carom completion --quantities " + record + ") --data " + folder.file("a.csv"))
          .code,
      0);
}

TEST(Completion, NamesWithBlanksStayWhole) {
  EXPECT_EQ(offered("carom run scenes/pool-break.toml --set 'body.ball\\ 15.ma'"),
            "body.ball\\ 15.mass=\nbody.ball\\ 15.material=\n");
  const ScratchFolder folder;
  const std::string record = folder.file("a.h5");
  ASSERT_EQ(shell("carom run scenes/pool-break.toml --duration 0.001 -o " + record).code, 0);
  EXPECT_EQ(offered("carom events " + record + " --body 'ball\\ 15'"), "ball\\ 15\n");
  EXPECT_EQ(offered("carom events " + record + R"( --body "'ball 15")"), "ball 15\n");
  EXPECT_EQ(offered("carom plot " + record + R"( 'velocity.\"ball\ 15\".s')"), "velocity.\\\"ball\\ 15\\\".speed\n");
}

TEST(Completion, TheScriptForFishIsGoodFish) {
  if (shell("command -v fish").code != 0) GTEST_SKIP() << "fish is not installed";
  const ToolRun run = shell("fish --no-execute <(carom completion fish)");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

TEST(Completion, TheScriptForZshIsGoodZsh) {
  if (shell("command -v zsh").code != 0) GTEST_SKIP() << "zsh is not installed";
  const ToolRun run = shell("zsh -n <(carom completion zsh)");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace carom::test
