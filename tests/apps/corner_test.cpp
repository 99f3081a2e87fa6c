#include <gtest/gtest.h>

#include <cmath>

#include "apps/tool.h"
#include "carom/laws/corner/disk_in_corner.h"
#include "carom/laws/corner/table.h"

namespace carom::test {
namespace {

nlohmann::json corner_error(const std::string& arguments) {
  const ToolRun run = shell("carom corner --json " + arguments);
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_EQ(run.err, "");
  return run.json()["error"];
}

TEST(Corner, ResultHasTheFieldsOfTheContract) {
  const ToolRun run = shell("carom corner --alpha 30deg --restitution 0.9 --velocity 1,0.2 --json");
  ASSERT_EQ(run.code, 0) << run.out;
  const auto result = run.json();
  for (const char* const field :
       {"velocity", "norm", "zone", "steps", "stop", "predicted", "spectral_radius", "trace"}) {
    EXPECT_TRUE(result.contains(field)) << field;
  }
  EXPECT_EQ(result["zone"], "Z12");
  EXPECT_EQ(result["predicted"]["steps"], result["steps"]);
  EXPECT_EQ(result["predicted"]["stop"], result["stop"]);
}

TEST(Corner, NumbersReadBackToTheSameDouble) {
  corner::CornerProblem problem;
  problem.alpha = 0.3;
  problem.restitution = 0.7;
  problem.velocity = {0.1, 0.7};
  const auto expected = corner::solve(problem);
  const auto result = shell("carom corner --alpha 0.3 --restitution 0.7 --velocity 0.1,0.7 --json").json();
  EXPECT_EQ(result["velocity"][0].get<double>(), expected.velocity.x);
  EXPECT_EQ(result["velocity"][1].get<double>(), expected.velocity.y);
  EXPECT_EQ(result["norm"].get<double>(), expected.norm);
  EXPECT_EQ(result["steps"].get<long>(), expected.steps);
}

TEST(Corner, AnglesMayBeWrittenInThreeWays) {
  const std::string rest = " --restitution 1 --velocity 1,0.1 --json";
  const std::string first = shell("carom corner --alpha 30deg" + rest).out;
  EXPECT_EQ(first, shell("carom corner --alpha pi/6" + rest).out);
  EXPECT_EQ(first, shell("carom corner --alpha 0.5235987755982988" + rest).out);
}

TEST(Corner, TraceListsEveryVelocityFromTheFirst) {
  const auto result = shell("carom corner --alpha 10deg --restitution 0.9 --velocity 1,0.1 --trace --json").json();
  const auto& trace = result["trace"];
  ASSERT_EQ(trace.size(), result["steps"].get<std::size_t>() + 1);
  EXPECT_EQ(trace.front()["velocity"], (nlohmann::json{1.0, 0.1}));
  EXPECT_EQ(trace.front()["zone"], result["zone"]);
  EXPECT_EQ(trace.back()["velocity"], result["velocity"]);
}

TEST(Corner, TheThreeFormsAgree) {
  const std::string rest = "carom corner --alpha 20deg --restitution 1 --velocity 1,0.3 --json --form ";
  const auto xy = shell(rest + "xy").json();
  for (const char* const form : {"phi", "xi-eta"}) {
    const auto other = shell(rest + form).json();
    EXPECT_EQ(other["steps"], xy["steps"]);
    for (int i : {0, 1}) EXPECT_NEAR(other["velocity"][i].get<double>(), xy["velocity"][i].get<double>(), 5e-14);
  }
}

TEST(Corner, AlgorithmThresholdsAndStepLimitAreOptions) {
  const std::string narrow = "carom corner --alpha 2deg --restitution 0.1 --velocity 1,0.01 --json ";
  const ToolRun resting = shell(narrow);
  EXPECT_EQ(resting.code, 0);
  EXPECT_EQ(resting.json()["stop"], "REST");
  const ToolRun theoretical = shell(narrow + "--algorithm TA --max-steps 500");
  EXPECT_EQ(theoretical.code, 3);
  EXPECT_EQ(theoretical.json()["stop"], "NMAX");
  EXPECT_EQ(theoretical.json()["steps"], 500);
  EXPECT_LT(shell(narrow + "--sv 1e-3").json()["steps"], resting.json()["steps"]);
  EXPECT_EQ(shell(narrow + "--s 10").json()["steps"], 0);
}

TEST(Corner, RefusesWhatIsOutOfRange) {
  const std::string rest = "--restitution 0.5 --velocity 1,0 --alpha ";
  for (const char* const alpha : {"0", "90deg", "pi/2", "100deg", "-10deg"}) {
    const auto error = corner_error(rest + alpha);
    EXPECT_EQ(error["kind"], "out-of-range") << alpha;
    EXPECT_EQ(error["where"]["field"], "alpha");
  }
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution 1.5")["kind"], "out-of-range");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution -0.1")["kind"], "out-of-range");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution 1 --s -1")["kind"], "out-of-range");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution 1 --max-steps -1")["kind"], "out-of-range");
}

TEST(Corner, RefusesWhatIsNoNumber) {
  EXPECT_EQ(corner_error("--alpha thirty --velocity 1,0 --restitution 1")["kind"], "syntax");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,y --restitution 1")["kind"], "syntax");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1 --restitution 1")["kind"], "size-mismatch");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,2,3 --restitution 1")["kind"], "size-mismatch");
  EXPECT_EQ(corner_error("--alpha 1 --velocity nan,0 --restitution 1")["kind"], "not-finite");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1e999,0 --restitution 1")["kind"], "not-finite");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution inf")["kind"], "not-finite");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0 --restitution 1 --max-steps 1.5")["kind"], "wrong-type");
}

TEST(Corner, RefusesNamesAndCombinationsThatDoNotExist) {
  const std::string rest = "--alpha 1 --velocity 1,0 --restitution 0.5 ";
  EXPECT_EQ(corner_error(rest + "--form polar")["kind"], "unknown-name");
  EXPECT_EQ(corner_error(rest + "--algorithm NB")["kind"], "unknown-name");
  EXPECT_EQ(corner_error(rest + "--form phi")["kind"], "unsupported");
  EXPECT_EQ(corner_error(rest + "--algorithm TA --s 1e-3")["kind"], "usage");
  EXPECT_EQ(corner_error("--alpha 1 --velocity 1,0")["kind"], "usage");
  EXPECT_EQ(corner_error(rest + "--table")["kind"], "usage");
}

TEST(Corner, ARestingDiskIsAValidProblem) {
  const ToolRun run = shell("carom corner --alpha 1 --restitution 0.5 --velocity 0,0 --json");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.json()["steps"], 0);
}

TEST(Corner, TheTableIsPrintedWrittenOrGivenAsJson) {
  const ToolRun printed = shell("carom corner --table");
  ASSERT_EQ(printed.code, 0);
  EXPECT_EQ(printed.out.substr(0, printed.out.find('\r')), corner::table_header());
  const ScratchFolder scratch;
  EXPECT_EQ(shell("carom corner --table '" + scratch.file("table.csv") + "'").code, 0);
  EXPECT_EQ(read_text(scratch.file("table.csv")), printed.out);

  const auto rows = shell("carom corner --json --table").json()["rows"];
  const auto expected = corner::published_table();
  ASSERT_EQ(rows.size(), 343u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["id"], expected[i].id);
    EXPECT_EQ(rows[i]["xf"].get<double>(), expected[i].outcome.velocity.x);
    EXPECT_EQ(rows[i]["steps"].get<long>(), expected[i].outcome.steps);
  }
}

TEST(Corner, ATableThatCannotBeWrittenIsAFileProblem) {
  for (const char* const path : {"/dev/full", "/nonexistent/table.csv", "examples"}) {
    const ToolRun run = shell(std::string("carom corner --json --table ") + path);
    EXPECT_EQ(run.code, 4) << path;
    EXPECT_EQ(run.json()["error"]["kind"], "file");
    EXPECT_EQ(run.json()["error"]["where"]["file"], path);
  }
}

TEST(Corner, APersonReadsZonesAndStopsInWords) {
  const ToolRun run = shell("carom corner --alpha 30deg --restitution 0.9 --velocity 1,0.2 --trace");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.out.find("runs against both walls"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("the disk leaves both walls"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace carom::test
