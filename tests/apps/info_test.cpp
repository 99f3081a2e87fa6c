/// `carom info` as a user meets it.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>

#include "apps/tool.h"

namespace carom::test::info_test {
namespace {

using nlohmann::json;

/// Two balls fall onto a floor; the names are as unpleasant as the format allows.
const char* const kScene = R"(format = 1
title = "two \u001B[31mred\u001B[0m balls\nfall"
[world]
gravity = [0, 0, -9.81]
[run]
law = "newton"
duration = 0.5
output_step = 0.1
seed = 7
[[body]]
name = "low"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
position = [0, 0, 1.1]
[[body]]
name = "<b>high</b>"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [1, 0, 1.2]
[[plane]]
name = "floor"
normal = [0, 0, 1]
point = [0, 0, 0]
)";

class Info : public testing::Test {
 protected:
  void SetUp() override {
    const ToolRun run = shell("carom run - --json --set body.low.mass=3 --out " + record(), kScene);
    ASSERT_EQ(run.code, 0) << run.out << run.err;
  }
  [[nodiscard]] std::string record() const { return folder_.file("run.h5"); }
  [[nodiscard]] json info() const {
    const ToolRun run = shell("carom info " + record() + " --json");
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "");
    return run.json();
  }
  ScratchFolder folder_;
};

TEST_F(Info, SaysWhatIsInside) {
  const json inside = info();
  EXPECT_EQ(inside["complete"], true);
  EXPECT_EQ(inside["stop"], "duration");
  EXPECT_EQ(inside["engine"], "event");
  EXPECT_EQ(inside["law"], "newton");
  EXPECT_EQ(inside["seed"], 7);
  EXPECT_EQ(inside["settings"], json{"body.low.mass=3"});
  EXPECT_EQ(inside["options"]["duration"], 0.5);
  EXPECT_EQ(inside["time"]["first"], 0.0);
  EXPECT_EQ(inside["time"]["last"], 0.5);
  EXPECT_EQ(inside["time"]["output_step"], 0.1);
  EXPECT_NEAR(inside["time"]["last_event"].get<double>(), std::sqrt(2.0 * 1.1 / 9.81), 1e-14);
  EXPECT_EQ(inside["samples"], 6);
  EXPECT_EQ(inside["bodies"], (json{"low", "<b>high</b>"}));
  EXPECT_EQ(inside["obstacles"], json{"floor"});
  EXPECT_EQ(inside["events"]["count"], 2);
  EXPECT_EQ(inside["events"]["impact"], 2);
  EXPECT_EQ(inside["events"]["multiple"], 0);
  EXPECT_NEAR(inside["energy"]["initial"].get<double>(), 9.81 * (3 * 1.1 + 1.2), 1e-12);
  EXPECT_LT(inside["energy"]["balance_error"].get<double>(), 1e-13);
  EXPECT_EQ(inside["bytes"], std::filesystem::file_size(record()));
  EXPECT_EQ(inside["can_run_again"], true);
  EXPECT_EQ(inside["reason"], nullptr);
}

TEST_F(Info, APersonReadsAboutTenLinesWithoutControlCharacters) {
  const ToolRun run = shell("carom info " + record());
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_LE(std::count(run.out.begin(), run.out.end(), '\n'), 14) << run.out;
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos) << run.out;
  for (const char* const part : {"two \\x1B[31mred", "written by carom", "ended, duration; engine event, law newton",
                                 "body.low.mass=3", "0 to 0.5 s; 6 samples, one every 0.1 s", "2 bodies: low",
                                 "2: 2 impact", "the balance closes to", "yes: carom run --from"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
}

TEST_F(Info, ASceneThatThisVersionCannotReadIsSaidSo) {
  const hid_t file = H5Fopen(record().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "scene", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::string scene = kScene;
  scene.replace(scene.find("sphere"), 6, "spiral");
  ASSERT_EQ(H5Tget_size(type), scene.size());
  EXPECT_GE(H5Awrite(attribute, type, scene.data()), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  const json inside = info();
  EXPECT_EQ(inside["can_run_again"], false);
  EXPECT_NE(inside["reason"].get<std::string>().find("spiral"), std::string::npos) << inside;
  const ToolRun again = shell("carom run --json --from " + record());
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.json()["error"]["kind"], "unsupported");
}

TEST_F(Info, ASummaryThatIsNoJsonIsAFileProblem) {
  const hid_t file = H5Fopen(record().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "summary", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::string summary(H5Tget_size(type), '\0');
  EXPECT_GE(H5Aread(attribute, type, summary.data()), 0);
  summary[0] = '[';
  EXPECT_GE(H5Awrite(attribute, type, summary.data()), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  const ToolRun run = shell("carom info --json " + record());
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "file");
  EXPECT_NE(run.out.find("its summary is no JSON object"), std::string::npos) << run.out;
}

TEST(InfoOfNoRecord, IsAFileProblem) {
  for (const char* const file : {"no-such-file.h5", "examples", "examples/cradle.json"}) {
    const ToolRun run = shell(std::string("carom info ") + file + " --json");
    EXPECT_EQ(run.code, 4) << run.out;
    EXPECT_EQ(run.json()["error"]["kind"], "file");
    EXPECT_EQ(run.json()["error"]["where"]["file"], file);
  }
}

}  // namespace
}  // namespace carom::test::info_test
