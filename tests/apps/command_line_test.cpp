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

TEST(CommandLine, LawEngineAndDurationAreShortForSettings) {
  const ToolRun shorter = shell("carom check scenes/cradle.toml --json --law newton --duration 0.25 --engine smooth");
  const ToolRun longer = shell(
      "carom check scenes/cradle.toml --json --set run.law=newton --set run.duration=0.25 --set run.engine=smooth");
  EXPECT_EQ(shorter.code, 0) << shorter.err;
  EXPECT_EQ(shorter.out, longer.out);
  EXPECT_EQ(shorter.json()["engine"], "smooth");
  // Of several the last one counts.
  const ToolRun run = shell("carom run scenes/cradle.toml --json --duration 0.5 --set run.duration=0.25");
  EXPECT_EQ(run.json()["time"]["model"], 0.25);
  expect_usage_error("run scenes/cradle.toml --law newton --law poisson", "--law is given twice");
  EXPECT_NE(shell("carom run scenes/cradle.toml --engine smoth").err.find("did you mean 'smooth'?"), std::string::npos);
  EXPECT_NE(shell("carom run --from run.h5 --law newton").err.find("are those of the record"), std::string::npos);
}

TEST(CommandLine, AnOutputIsNamedByEitherSpelling) {
  const ScratchFolder folder;
  const std::string ball = "carom run scenes/bouncing-ball.toml --duration 0.5 ";
  EXPECT_EQ(shell(ball + "-o " + folder.file("a.h5")).code, 0);
  EXPECT_EQ(shell(ball + "--out=" + folder.file("b.h5")).code, 0);
  for (const char* const name : {"a.h5", "b.h5"}) EXPECT_EQ(shell("carom info " + folder.file(name)).code, 0) << name;
  expect_usage_error("run scenes/cradle.toml -o a.h5 --out b.h5", "--out is given twice");
  EXPECT_NE(shell("carom plot --help").out.find("-o, --out FILE"), std::string::npos);
}

TEST(CommandLine, HintsAtWhatWasMeant) {
  const auto expect = [](const std::string& arguments, int code, const std::string& part) {
    const ToolRun run = shell("carom " + arguments);
    EXPECT_EQ(run.code, code) << arguments;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  };
  expect("run scenes/cradel.toml", 4, "did you mean 'scenes/cradle.toml'?");
  expect("run scenes/cradle", 4, "did you mean 'scenes/cradle.toml'?");
  expect("check scene/cradle.toml", 4, "did you mean 'scenes/cradle.toml'?");
  expect("run cradle.toml", 4, "did you mean 'scenes/cradle.toml'?");
  expect("run nowhere/cradle.toml", 4, "did you mean 'scenes/cradle.toml'?");
  expect("run nowhere/at-all/unheard-of.toml", 4, "there is no folder 'nowhere/at-all'");
  expect("run scens/foo.toml", 4, "there is no folder 'scens'; did you mean 'scenes'?");
  expect("run scenes/cradle.tml", 4, "did you mean 'scenes/cradle.toml'?");
  expect("run scens/unheard-of.toml", 4, "there is no folder 'scens'; did you mean 'scenes'?");
  expect("plot scenes/cradle.toml", 4, "a scene is run first: carom run scenes/cradle.toml --out RUN.h5");
  expect("run scenes/cradle.toml --set law=newton", 2, "did you mean 'run.law'?");
  expect("run scenes/cradle.toml --set gravity.2=-1", 2, "did you mean 'world.gravity.2'?");
}

TEST(CommandLine, APictureIsWhatItsNameSays) {
  const ScratchFolder folder;
  const std::string record = folder.file("a.h5");
  ASSERT_EQ(shell("carom run scenes/bouncing-ball.toml --duration 0.5 -o " + record).code, 0);
  expect_usage_error("plot " + record + " -o a.jpg", "expected .svg, .png or .pdf");
#ifdef CAROM_HAS_VIEWER
  const ToolRun run = shell("carom export " + record + " --picture a.jpeg");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("must end with .png"), std::string::npos) << run.err;
#endif
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
