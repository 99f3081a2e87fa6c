/// Everything that a problem file can have wrong: the kind, the place, the exit code.

#include <gtest/gtest.h>

#include "apps/tool.h"

namespace carom::test {
namespace {

struct BadProblem {
  const char* name;
  const char* text;
  const char* kind;
  const char* field;
};

std::ostream& operator<<(std::ostream& out, const BadProblem& bad) {
  return out << bad.name;
}

class Refusal : public testing::TestWithParam<BadProblem> {};

TEST_P(Refusal, HasItsKindAndPlaceAndExitCodeTwo) {
  const auto error = impact_error(GetParam().text);
  EXPECT_EQ(error["kind"], GetParam().kind) << error;
  EXPECT_EQ(error["where"]["field"], GetParam().field) << error;
  EXPECT_EQ(error["where"]["file"], "-");
  EXPECT_TRUE(error["where"]["line"].is_number_integer()) << error;
  EXPECT_TRUE(error["where"]["column"].is_number_integer()) << error;
  EXPECT_FALSE(error["message"].get<std::string>().empty());
}

constexpr BadProblem kBadProblems[] = {
    {"NotSymmetric", R"({"metric": [[1, 0.5], [0, 1]], "velocity": [1, 0]})", "metric-not-symmetric", "metric.0.1"},
    {"NotPositiveDefinite", R"({"metric": [[1, 0], [0, -1]], "velocity": [1, 0]})", "metric-not-positive-definite",
     "metric"},
    {"MetricTooSmall", R"({"metric": [[1]], "velocity": [1, 0]})", "size-mismatch", "metric"},
    {"NormalTooShort", R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1, 2]}]})", "size-mismatch",
     "contacts.0.normal"},
    {"PersistentTooLong", R"({"metric": [[1]], "velocity": [1], "persistent": [[1, 2]]})", "size-mismatch",
     "persistent.0"},
    {"OverflowingNumber", R"({"metric": [[1]], "velocity": [1e999]})", "not-finite", "velocity.0"},
    {"NotANumberInToml", "metric = [[1]]\nvelocity = [nan]\n", "not-finite", "velocity.0"},
    {"InfinityInToml", "metric = [[inf]]\nvelocity = [1]\n", "not-finite", "metric.0.0"},
    {"RestitutionAboveOne", R"({"metric": [[1]], "velocity": [1], "restitution": 1.2})", "out-of-range", "restitution"},
    {"ContactRestitutionBelowZero",
     R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1], "restitution": -0.1}]})", "out-of-range",
     "contacts.0.restitution"},
    {"ZeroNormal", R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [0]}]})", "zero-normal",
     "contacts.0.normal"},
    {"ConstraintViolated", R"({"metric": [[1, 0], [0, 1]], "velocity": [1, 0], "persistent": [[1, 0]]})",
     "constraint-violated", "persistent.0"},
    {"UnknownLaw", R"({"metric": [[1]], "velocity": [1], "law": "newtn"})", "unknown-name", "law"},
    {"UnknownOption", R"({"metric": [[1]], "velocity": [1], "options": {"exponnt": 1}})", "unknown-name",
     "options.exponnt"},
    {"UnknownKey", R"({"metric": [[1]], "velocity": [1], "restitutoin": 1})", "unknown-name", "restitutoin"},
    {"OptionOutOfRange", R"({"metric": [[1]], "velocity": [1], "options": {"exponent": 0.5}})", "out-of-range",
     "options.exponent"},
    {"NegativeTolerance", R"({"metric": [[1]], "velocity": [1], "options": {"tolerance": -1}})", "out-of-range",
     "options.tolerance"},
    {"FlagThatIsANumber", R"({"metric": [[1]], "velocity": [1], "options": {"repeat": 2}})", "wrong-type",
     "options.repeat"},
    {"NegativeStiffness", R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1], "stiffness": -1}]})",
     "out-of-range", "contacts.0.stiffness"},
    {"TextForANumber", R"({"metric": [[1]], "velocity": ["fast"]})", "wrong-type", "velocity.0"},
    {"NoVelocity", R"({"metric": [[1]]})", "missing-field", "velocity"},
    {"NoNormal", R"({"metric": [[1]], "velocity": [1], "contacts": [{"name": "floor"}]})", "missing-field",
     "contacts.0.normal"},
    {"TwoContactsOfOneName",
     R"({"metric": [[1]], "velocity": [1], "contacts": [{"name": "a", "normal": [1]}, {"name": "a", "normal": [1]}]})",
     "duplicate-name", "contacts.1.name"},
    {"AScene", "format = 1\ntitle = \"a scene\"\n", "unsupported", "format"},
};

INSTANTIATE_TEST_SUITE_P(Problem, Refusal, testing::ValuesIn(kBadProblems),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(BadInput, MalformedJsonPointsAtLineAndColumn) {
  const auto error = impact_error("{\"metric\": [[1]],\n \"velocity\": [1,, 2]}");
  EXPECT_EQ(error["kind"], "syntax");
  EXPECT_EQ(error["where"]["line"], 2);
  EXPECT_EQ(error["where"]["column"], 17);
}

TEST(BadInput, MalformedTomlPointsAtTheLine) {
  const auto error = impact_error("metric = [[1]]\nvelocity = [1\n");
  EXPECT_EQ(error["kind"], "syntax");
  EXPECT_GE(error["where"]["line"], 2);
}

TEST(BadInput, EmptyInputIsRefused) {
  EXPECT_EQ(impact_error("")["kind"], "missing-field");
}

TEST(BadInput, WithoutJsonTheLineIsUnderlinedOnStandardError) {
  const ToolRun run = shell("carom impact -", "{\"metric\": [[1]], \"velocity\": [1],\n \"restitution\": 1.2}");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("[out-of-range]"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("<stdin>:2:17"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("^^^"), std::string::npos) << run.err;
}

TEST(BadInput, AMissingFileIsAFileProblem) {
  const ToolRun run = shell("carom impact no-such-file.json --json");
  EXPECT_EQ(run.code, 4);
  const auto error = run.json()["error"];
  EXPECT_EQ(error["kind"], "file");
  EXPECT_EQ(error["where"]["file"], "no-such-file.json");
  EXPECT_TRUE(error["where"]["line"].is_null());
  EXPECT_EQ(shell("carom impact no-such-file.json").code, 4);
}

TEST(BadInput, ADirectoryIsAFileProblem) {
  const ToolRun run = shell("carom compare examples --json");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "file");
}

TEST(BadInput, ClosedStandardInputIsAFileProblem) {
  const ToolRun run = shell("carom impact - --json <&-");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "file");
}

TEST(BadInput, AFileNameThatIsNotUtf8StillGivesValidJson) {
  const ToolRun run = shell("carom impact $'no-\\xff-file' --json");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "file");
}

TEST(BadInput, DeepNestingIsALimit) {
  const ToolRun run = shell("carom impact - --json", "{\"metric\": " + std::string(100000, '['));
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "limit");
}

}  // namespace
}  // namespace carom::test
