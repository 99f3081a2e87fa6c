/// `carom events` as a user meets it.

#include <gtest/gtest.h>

#include <cmath>

#include "apps/tool.h"

namespace carom::test::events_test {
namespace {

using nlohmann::json;

/// Two balls fall onto a floor, the second a little later; a third only flies.
const char* const kScene = R"(format = 1
[world]
gravity = [0, 0, -9.81]
[run]
law = "newton"
duration = 0.5
[[body]]
name = "low"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
position = [0, 0, 1.1]
[[body]]
name = "high"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [1, 0, 1.2]
[[plane]]
name = "floor"
normal = [0, 0, 2]
point = [0, 0, 0]
)";

class Events : public testing::Test {
 protected:
  void SetUp() override {
    const ToolRun run = shell("carom run - --json --out " + record(), kScene);
    ASSERT_EQ(run.code, 0) << run.out << run.err;
  }
  [[nodiscard]] std::string record() const { return folder_.file("run.h5"); }
  [[nodiscard]] json list(const std::string& arguments = "") const {
    const ToolRun run = shell("carom events " + record() + " --json " + arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.json();
  }

 private:
  ScratchFolder folder_;
};

TEST_F(Events, AnEventHasTheFieldsOfTheContract) {
  const json result = list();
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["stop"], "duration");
  ASSERT_EQ(result["events"].size(), 2u);
  const json event = result["events"][0];
  const double time = std::sqrt(2.0 / 9.81);
  const double speed = 9.81 * time;
  EXPECT_NEAR(event["time"].get<double>(), time, 1e-14);
  EXPECT_EQ(event["kind"], "impact");
  EXPECT_EQ(event["law"], "newton");
  EXPECT_EQ(event["stop"], "separated");
  EXPECT_TRUE(event["steps"].is_number_integer());
  EXPECT_EQ(event["flags"], json::array());
  EXPECT_NEAR(event["energy"]["before"].get<double>(), speed * speed, 1e-12);
  EXPECT_NEAR(event["energy"]["after"].get<double>(), speed * speed, 1e-12);
  ASSERT_EQ(event["contacts"].size(), 1u);
  const json contact = event["contacts"][0];
  EXPECT_EQ(contact["a"], "low");
  EXPECT_EQ(contact["b"], "floor");
  EXPECT_EQ(contact["normal"], (json{0.0, 0.0, 1.0}));
  EXPECT_NEAR(contact["point"][2].get<double>(), 0.0, 1e-12);
  EXPECT_NEAR(contact["impulse"].get<double>(), 4.0 * speed, 1e-12);
  EXPECT_NEAR(contact["rate_before"].get<double>(), -speed, 1e-12);
  EXPECT_NEAR(contact["rate_after"].get<double>(), speed, 1e-12);
  ASSERT_EQ(event["bodies"].size(), 1u);
  EXPECT_EQ(event["bodies"][0]["name"], "low");
  EXPECT_NEAR(event["bodies"][0]["velocity_before"][2].get<double>(), -speed, 1e-12);
}

TEST_F(Events, FiltersLeaveOutTheRest) {
  EXPECT_EQ(list("--body high")["events"].size(), 1u);
  EXPECT_EQ(list("--body floor")["events"].size(), 2u);
  EXPECT_EQ(list("--from 0.46")["events"].size(), 1u);
  EXPECT_EQ(list("--to 0.46")["events"][0]["contacts"][0]["a"], "low");
  EXPECT_EQ(list("--kind rest")["events"], json::array());
}

TEST_F(Events, APersonReadsOneLinePerContact) {
  const ToolRun run = shell("carom events " + record());
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("low → floor"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("high → floor"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("newton"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n2 events\n"), std::string::npos) << run.out;
  EXPECT_NE(shell("carom events " + record() + " --body low").out.find("1 event of 2"), std::string::npos);
}

TEST_F(Events, AContactSaysWhoPushesAndWhatTouches) {
  const json contact = list()["events"][0]["contacts"][0];
  EXPECT_EQ(contact["pushing"], "low");
  EXPECT_EQ(contact["feature_a"], nullptr);
  EXPECT_FALSE(contact.contains("peak_force"));
}

TEST_F(Events, WrongNamesAreMetWithTheNearest) {
  const ToolRun body = shell("carom events " + record() + " --json --body flor");
  EXPECT_EQ(body.code, 2);
  EXPECT_EQ(body.json()["error"]["kind"], "unknown-name");
  EXPECT_NE(body.out.find("did you mean 'floor'?"), std::string::npos) << body.out;
  EXPECT_EQ(shell("carom events " + record() + " --from soon").code, 2);
}

TEST(EventsOfNoRecord, AreAFileProblem) {
  for (const char* const file : {"no-such-file.h5", "examples", "examples/cradle.json"}) {
    const ToolRun run = shell(std::string("carom events ") + file + " --json");
    EXPECT_EQ(run.code, 4) << run.out;
    EXPECT_EQ(run.json()["error"]["kind"], "file");
    EXPECT_EQ(run.json()["error"]["where"]["file"], file);
  }
}

/// A rod on a hinge with a limit at the vertical; the run stops when it comes back up.
const char* const kPendulum = R"(format = 1
[world]
gravity = [0, 0, -9.81]
[run]
law = "newton"
duration = 2
[[body]]
name = "rod"
shape = { kind = "capsule", radius = 0.01, half_length = 0.5 }
mass = 1
position = [0.5, 0, 0]
orientation = { bryan_deg = [0, 90, 0] }
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["rod"]
point = [0, 0, 0]
axis = [0, -1, 0]
start_deg = 90
limits_deg = [0, 180]
restitution = 0.5
[[when]]
name = "it turns"
quantity = "rate.hinge"
direction = "falling"
stop = true
)";

TEST(LimitEvents, NameTheJointAndTheLimitAndTheScript) {
  const ScratchFolder folder;
  const std::string record = folder.file("run.h5");
  const ToolRun run = shell("carom run - --json --out " + record, kPendulum);
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.json()["stop"], "scripted");
  const json events = shell("carom events " + record + " --json").json()["events"];
  ASSERT_EQ(events.size(), 2u);
  const json contact = events[0]["contacts"][0];
  EXPECT_EQ(events[0]["kind"], "impact");
  EXPECT_EQ(contact["joint"], "hinge");
  EXPECT_EQ(contact["limit"], "lower");
  EXPECT_EQ(contact["impulse_unit"], "N m s");
  EXPECT_EQ(contact["a"], "rod");
  EXPECT_EQ(contact["b"], "ground");
  EXPECT_NEAR(contact["rate_after"].get<double>(), -0.5 * contact["rate_before"].get<double>(), 1e-10);
  EXPECT_EQ(events[0]["joints"][0]["name"], "hinge");
  EXPECT_EQ(events[1]["kind"], "scripted");
  EXPECT_EQ(events[1]["script"], "it turns");
  const std::string table = shell("carom events " + record).out;
  EXPECT_NE(table.find("hinge, lower limit"), std::string::npos);
  EXPECT_NE(table.find("it turns"), std::string::npos);
  EXPECT_NE(table.find("N m s"), std::string::npos);
  ASSERT_EQ(shell("carom export " + record + " --csv " + folder.file("tables")).code, 0);
  EXPECT_NE(shell("cat " + folder.file("tables") + "/events.csv").out.find("rod,ground"), std::string::npos);
  const std::string loads = shell("cat " + folder.file("tables") + "/joint_loads.csv").out;
  EXPECT_EQ(loads.substr(0, loads.find('\n')), "time,joint,fx,fy,fz,cx,cy,cz");
  EXPECT_EQ(loads.find("nan"), std::string::npos);
  EXPECT_NE(shell("cat " + folder.file("tables") + "/joint_impulses.csv").out.find(",hinge,"), std::string::npos);
  EXPECT_NE(shell("carom plot " + record + " joint_force.hing.x --data x.csv").err.find("did you mean 'hinge'"),
            std::string::npos);
  EXPECT_NE(shell("carom plot --help").out.find("joint_couple.JOINT.x"), std::string::npos);
}

}  // namespace
}  // namespace carom::test::events_test
