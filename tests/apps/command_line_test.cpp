#include <gtest/gtest.h>

#include "apps/tool.h"

namespace carom::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
constexpr bool kAddressSanitizer = false;
#endif

void expect_usage_error(const std::string& arguments, const std::string& part_of_message) {
  const ToolRun human = shell("carom " + arguments);
  EXPECT_EQ(human.code, 2) << arguments;
  EXPECT_EQ(human.out, "") << arguments;
  EXPECT_NE(human.err.find("[usage]"), std::string::npos) << human.err;
  EXPECT_NE(human.err.find(part_of_message), std::string::npos) << human.err;
  EXPECT_NE(human.err.find("--help'"), std::string::npos) << human.err;

  const ToolRun machine = shell("carom " + arguments + " --json");
  EXPECT_EQ(machine.code, 2) << arguments;
  EXPECT_EQ(machine.err, "") << arguments;
  EXPECT_EQ(machine.json()["error"]["kind"], "usage") << machine.out;
}

TEST(CommandLine, AnUnknownCommandIsAUsageErrorThatNamesTheNearest) {
  expect_usage_error("impct examples/cradle.json", "did you mean 'impact'?");
}

TEST(CommandLine, AMisspeltGeneralOptionIsAUsageErrorThatNamesTheNearest) {
  expect_usage_error("--versoin", "did you mean '--version'?");
  expect_usage_error("help impct", "did you mean 'impact'?");
}

TEST(CommandLine, NoCommandIsAUsageError) {
  expect_usage_error("", "no command is given");
}

TEST(CommandLine, AnUnknownOptionIsAUsageErrorThatNamesTheNearest) {
  expect_usage_error("impact examples/cradle.json --lw newton", "did you mean '--law'?");
  expect_usage_error("corner --alpa 30deg", "did you mean '--alpha'?");
  expect_usage_error("laws -x", "unknown option '-x'");
}

TEST(CommandLine, AMissingValueIsAUsageErrorAlsoBeforeAnotherOption) {
  expect_usage_error("impact examples/cradle.json --law", "--law needs a value");
  expect_usage_error("impact --law --audit full examples/cradle.json", "--law needs a value");
  expect_usage_error("impact examples/cradle.json --law=", "--law needs a value");
}

TEST(CommandLine, MissingAndSurplusArgumentsAreUsageErrors) {
  expect_usage_error("impact", "needs FILE|-");
  expect_usage_error("impact examples/cradle.json again.json", "unexpected argument 'again.json'");
  expect_usage_error("laws extra", "unexpected argument 'extra'");
}

TEST(CommandLine, AnOptionGivenTwiceIsAUsageError) {
  expect_usage_error("impact examples/cradle.json --law newton --law poisson", "--law is given twice");
}

TEST(CommandLine, AFlagTakesNoValue) {
  const ToolRun run = shell("carom laws --json=yes");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--json takes no value"), std::string::npos) << run.err;
}

TEST(CommandLine, AnUnknownLawIsAnUnknownNameWithTheNearest) {
  const ToolRun run = shell("carom impact examples/cradle.json --law newtn --json");
  EXPECT_EQ(run.code, 2);
  const auto error = run.json()["error"];
  EXPECT_EQ(error["kind"], "unknown-name");
  EXPECT_EQ(error["where"]["field"], "--law");
  EXPECT_NE(error["message"].get<std::string>().find("did you mean 'newton'?"), std::string::npos);
}

TEST(CommandLine, ValuesMayBeginWithADashOrFollowAnEqualsSign) {
  for (const char* const velocity : {"--velocity -1,0.5", "--velocity=-1,0.5"}) {
    const ToolRun run = shell(std::string("carom corner --alpha=pi/6 --restitution 1 --json ") + velocity);
    ASSERT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(run.json()["velocity"], (nlohmann::json{-1.0, 0.5}));
  }
}

TEST(CommandLine, TwoDashesEndTheOptions) {
  const ScratchFolder scratch;
  write_text(scratch.file("--json"), R"({"metric": [[1]], "velocity": [-1], "contacts": [{"normal": [1]}]})");
  const ToolRun run = shell("cd '" + scratch.file("") + "' && carom impact --law newton -- --json");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("newton"), std::string::npos);
  EXPECT_NE(run.out.front(), '{');
}

TEST(CommandLine, JsonMayStandBeforeTheCommand) {
  const ToolRun run = shell("carom --json impact examples/cradle.json");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.json()["law"], "compliant");
  EXPECT_EQ(shell("carom --json").json()["error"]["kind"], "usage");
  EXPECT_EQ(shell("carom --json nonsense").json()["error"]["kind"], "usage");
}

TEST(CommandLine, TheVersionIsPrinted) {
  const ToolRun run = shell("carom --version");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out.rfind("carom ", 0), 0u);
  EXPECT_EQ("carom " + shell("carom --version --json").json()["version"].get<std::string>() + "\n", run.out);
}

TEST(CommandLine, AClosedPipeIsNoCrash) {
  const ToolRun run = shell("carom corner --table | head -n 1; echo ${PIPESTATUS[0]}");
  EXPECT_NE(run.out.find("\n0\n"), std::string::npos) << run.out << run.err;
  EXPECT_EQ(run.err, "");
}

TEST(CommandLine, OutputThatCannotBeWrittenIsAFileProblem) {
  const ToolRun full = shell("carom laws > /dev/full");
  EXPECT_EQ(full.code, 4);
  EXPECT_NE(full.err.find("standard output"), std::string::npos);
  EXPECT_EQ(shell("carom laws >&-").code, 4);
}

TEST(CommandLine, TooLittleMemoryIsALimitAndNoCrash) {
  if (kAddressSanitizer) GTEST_SKIP() << "the address sanitizer reserves more memory than the limit";
  const ToolRun run = shell(
      "ulimit -v 300000; carom corner --alpha 1deg --restitution 0 --velocity 1,0.001 --algorithm TA "
      "--max-steps 100000000 --trace --json");
  EXPECT_EQ(run.code, 4) << run.err.substr(0, 200);
  EXPECT_EQ(run.json()["error"]["kind"], "limit");
}

}  // namespace
}  // namespace carom::test
