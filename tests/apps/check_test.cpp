#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "apps/tool.h"

namespace carom::test::check_test {
namespace {

using nlohmann::json;

/// A ball above a floor beside a box, under an engine that leaves one key unused.
const char* const kScene = R"(format = 1
title = "a ball above a floor"
[run]
duration = 1
rtol = 1e-6
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.5 }
mass = 1
position = [0, 0, 1.5]
[[body]]
name = "other"
shape = { kind = "sphere", radius = 0.25 }
mass = 1
position = [3, 0, 1.5]
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[obstacle]]
name = "block"
shape = { kind = "box", half_sizes = [1, 1, 1] }
position = [-4, 0, 1]
)";

json check_json(const std::string& scene, const std::string& arguments = "", int code = 0) {
  const ToolRun run = shell("carom check - --json " + arguments, scene);
  EXPECT_EQ(run.code, code) << run.out;
  EXPECT_EQ(run.err, "");
  return run.json();
}

TEST(Check, ListsTheGapsOfAllPairsThatCanMeet) {
  const json result = check_json(kScene);
  EXPECT_EQ(result["title"], "a ball above a floor");
  EXPECT_EQ(result["engine"], "event");
  EXPECT_EQ(result["law"], "compliant");
  EXPECT_EQ(result["bodies"], 2);
  EXPECT_EQ(result["obstacles"], 2);
  EXPECT_EQ(result["unused"], json{"run.rtol"});
  EXPECT_FALSE(result.contains("error"));
  ASSERT_EQ(result["gaps"].size(), 5u);
  const json& first = result["gaps"][0];
  EXPECT_EQ(first["a"], "ball");
  EXPECT_EQ(first["b"], "other");
  EXPECT_NEAR(first["distance"].get<double>(), 2.25, 1e-15);
  EXPECT_EQ(first["normal"], (json{-1.0, 0.0, 0.0}));
  EXPECT_EQ(first["point_a"], (json{0.5, 0.0, 1.5}));
  EXPECT_EQ(first["point_b"], (json{2.75, 0.0, 1.5}));
  EXPECT_EQ(result["gaps"][1]["b"], "floor");
  EXPECT_EQ(result["gaps"][1]["distance"], 1.0);
}

TEST(Check, AnOverlapStandsBesideTheGaps) {
  const json result = check_json(kScene, "--set body.other.position=[0.5,0,1.5]", 2);
  EXPECT_EQ(result["error"]["kind"], "overlap");
  EXPECT_EQ(result["errors"], json::array({result["error"]}));
  EXPECT_EQ(result["error"]["where"]["field"], "body.other.position");
  EXPECT_EQ(result["error"]["where"]["line"], 1);
  EXPECT_EQ(result["error"]["where"]["file"], "--set body.other.position=[0.5,0,1.5]");
  EXPECT_NE(result["error"]["message"].get<std::string>().find("overlap by 0.25 m"), std::string::npos);
  ASSERT_EQ(result["gaps"].size(), 5u);
  EXPECT_NEAR(result["gaps"][0]["distance"].get<double>(), -0.25, 1e-15);
}

TEST(Check, APersonReadsATableAndTheOverlapUnderlined) {
  const ToolRun good = shell("carom check -", kScene);
  EXPECT_EQ(good.code, 0);
  for (const char* const part : {"a ball above a floor", "2 bodies, 2 obstacles, 0 constraints", "gap [m]", "block"}) {
    EXPECT_NE(good.out.find(part), std::string::npos) << part << "\n" << good.out;
  }
  EXPECT_EQ(good.err, "note: the engine event does not use run.rtol\n");
  const ToolRun bad = shell("carom check - --set body.ball.position.2=0.25", kScene);
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.out.find("-0.25"), std::string::npos) << bad.out;
  EXPECT_NE(bad.err.find("body 'ball' lies partly behind the plane 'floor' by 0.25 m"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("^"), std::string::npos) << bad.err;
}

TEST(Check, CompliantEnginesAllowAPressedContact) {
  std::string springs = "--set 'material=[{name=\"m\"}]' --set 'pair=[{materials=[\"m\", \"m\"], stiffness=1e6}]'";
  for (const char* const object : {"body.ball", "body.other", "plane.floor", "obstacle.block"}) {
    springs += std::string(" --set ") + object + ".material=m";
  }
  const std::string pressed = springs + " --set body.ball.position.2=0.499 --set run.engine=";
  EXPECT_EQ(shell("carom check - " + pressed + "event", kScene).code, 2);
  EXPECT_EQ(shell("carom check - " + pressed + "smooth", kScene).code, 0);
  const json deep = check_json(kScene, springs + " --set body.ball.position.2=0.49 --set run.engine=smooth", 2);
  EXPECT_EQ(deep["error"]["kind"], "overlap");
}

TEST(Check, ManyBodiesAreCheckedButNotListed) {
  const std::string fill =
      "format = 1\n[run]\nduration = 1\n[[fill]]\nname = 'gas'\ncount = 300\nmass = 1\nbox = [[0,0,0],[1,1,1]]\n"
      "shape = { kind = 'sphere', radius = 0.01 }\n";
  const json result = check_json(fill);
  EXPECT_EQ(result["bodies"], 300);
  EXPECT_TRUE(result["gaps"].is_null());
  EXPECT_EQ(check_json(fill, "--set fill.gas.count=200")["gaps"].size(), 19900u);
}

TEST(Check, OfManyPairsAPersonSeesTheNearest) {
  const std::string line =
      "format = 1\n[run]\nduration = 1\n[[fill]]\nname = 'gas'\ncount = 20\nmass = 1\nbox = [[0,0,0],[1,1,1]]\n"
      "shape = { kind = 'sphere', radius = 0.01 }\n";
  const json gaps = check_json(line)["gaps"];
  ASSERT_EQ(gaps.size(), 190u);
  const auto nearest = std::min_element(gaps.begin(), gaps.end(), [](const json& a, const json& b) {
    return a["distance"].get<double>() < b["distance"].get<double>();
  });
  const std::string text = shell("carom check -", line).out;
  EXPECT_NE(text.find("160 more pairs, none of them nearer"), std::string::npos) << text;
  std::istringstream lines(text);
  int rows = 0, with_nearest = 0;
  for (std::string row; std::getline(lines, row);) {
    if (row.find("gas-") == std::string::npos) continue;
    ++rows;
    std::istringstream words(row);
    std::string a, b;
    words >> a >> b;
    if (a == (*nearest)["a"] && b == (*nearest)["b"]) ++with_nearest;
  }
  EXPECT_EQ(rows, 30);
  EXPECT_EQ(with_nearest, 1);
}

TEST(Check, ARecordIsNoScene) {
  const ToolRun run = shell("printf '\\211HDF\\r\\n' | carom check -");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("this is a record of a run"), std::string::npos) << run.err;
}

TEST(Check, BadScenesAreErrorsOfTheContract) {
  const json error = check_json(kScene, "--set body.ball.mass=-1", 2)["error"];
  EXPECT_EQ(error["kind"], "out-of-range");
  EXPECT_EQ(error["where"]["field"], "body.ball.mass");
  EXPECT_EQ(check_json("format = 1\n[run]\nduraton = 1\n", "", 2)["error"]["where"]["line"], 3);
  EXPECT_EQ(check_json(kScene, "--set bdy.ball.mass=1", 2)["error"]["kind"], "usage");
  const ToolRun missing = shell("carom check nowhere.toml --json");
  EXPECT_EQ(missing.code, 4);
  EXPECT_EQ(missing.json()["error"]["kind"], "file");
  EXPECT_EQ(shell("carom check").code, 2);
}

TEST(Check, EveryMistakeIsListedBesideTheFirst) {
  const std::string wrong =
      "format = 1\n[[load]]\nbody = 'nobody'\n[[body]]\nname = 'ball'\nmass = -1\n"
      "shape = { kind = 'sphere', radius = 1 }\n[run]\nduraton = 1\n";
  const json result = check_json(wrong, "", 2);
  // The first that is found, as every command gives it; then all, in the order of the lines.
  EXPECT_EQ(result["error"]["where"]["field"], "run.duraton");
  std::vector<std::string> fields;
  for (const json& error : result["errors"]) fields.push_back(error["where"]["field"]);
  EXPECT_EQ(fields, (std::vector<std::string>{"load.0.body", "body.ball.mass", "run.duration", "run.duraton"}));
  EXPECT_EQ(result["errors"][1]["kind"], "out-of-range");
  EXPECT_EQ(result["errors"][1]["where"]["line"], 6);
  const ToolRun text = shell("carom check -", wrong);
  EXPECT_EQ(text.code, 2);
  EXPECT_EQ(text.out, "");
  for (const char* const place : {"<stdin>:3:8", "<stdin>:6:8", "<stdin>:8:1", "<stdin>:9:1"}) {
    EXPECT_NE(text.err.find(place), std::string::npos) << place << "\n" << text.err;
  }
}

TEST(SchemaCommand, PrintsTheSchemaOrTheTables) {
  const json schema = shell("carom schema").json();
  EXPECT_TRUE(schema["properties"].contains("body"));
  EXPECT_EQ(schema, shell("carom schema --json").json());
  EXPECT_NE(shell("carom schema --markdown").out.find("### `[[body]]`"), std::string::npos);
  EXPECT_EQ(shell("carom schema --markdown --json").code, 2);
}

}  // namespace
}  // namespace carom::test::check_test
