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
  EXPECT_EQ(offered("carom completion ''"), "bash\n");
  EXPECT_EQ(offered("carom help la"), "laws\n");
}

TEST(Completion, OffersFiles) {
  EXPECT_EQ(offered("carom impact examples/cra"), "examples/cradle.json\n");
  EXPECT_EQ(offered("carom corner --table READ"), offered("carom impact READ"));
}

TEST(Completion, OffersNothingForNumbers) {
  EXPECT_EQ(offered("carom corner --alpha ''"), "\n");
}

TEST(Completion, OtherShellsAreRefused) {
  const ToolRun run = shell("carom completion fish");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("unknown shell 'fish'"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
