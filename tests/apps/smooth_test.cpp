/// The compliant engine as a user of the tool meets it: `carom run`, `check` and `compare` on scenes with forces.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/tool.h"
#include "carom/laws/impact/registry.h"
#include "carom/record/record_reader.h"
#include "support/laws_of_several_contacts.h"

namespace carom::test {
namespace {

using nlohmann::json;

/// A pool ball that falls 0.3 m onto a plate under a law with losses.
const char* const kBall = R"(format = 1
title = "a ball bounces"
[world]
gravity = [0, 0, -9.81]
[run]
engine = "smooth"
duration = 0.5
[[material]]
name = "phenolic"
young = 5.84e9
poisson = 0.34
[[pair]]
materials = ["phenolic", "phenolic"]
restitution = 0.7
normal = "lankarani-nikravesh"
friction = { law = "coulomb", coefficient = 0.1 }
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.028575 }
mass = 0.17
material = "phenolic"
position = [0, 0, 0.328575]
[[plane]]
name = "plate"
normal = [0, 0, 1]
material = "phenolic"
)";

TEST(SmoothRun, TheSummaryHasAPartOfItsOwn) {
  const ToolRun run = shell("carom run - --json", kBall);
  ASSERT_EQ(run.code, 0) << run.out;
  const json summary = run.json();
  EXPECT_EQ(summary["engine"], "smooth");
  EXPECT_EQ(summary["stop"], "duration");
  EXPECT_TRUE(summary["law"].is_null());
  EXPECT_TRUE(summary["unused"].empty());
  const json& compliant = summary["compliant"];
  EXPECT_EQ(compliant["integrator"], "dormand-prince");
  EXPECT_EQ(compliant["contacts"], 1);
  EXPECT_EQ(compliant["clamped"], 0);
  EXPECT_NEAR(compliant["least_approach"].get<double>(), std::sqrt(2.0 * 9.81 * 0.3), 1e-9);
  EXPECT_GT(compliant["deepest"].get<double>(), 0.0);
  EXPECT_EQ(compliant["settled"], 0);
  EXPECT_TRUE(compliant["swallowed"].empty());
  ASSERT_EQ(compliant["warnings"].size(), 1u);
  EXPECT_EQ(run.err, "note: " + compliant["warnings"][0].get<std::string>() + "\n");
  // What the law took is what the bounce lost: ½ m v² (1 − e²) with the effective e, gravity acting meanwhile.
  const json& energy = summary["energy"];
  const double lost = energy["contacts"].get<double>();
  EXPECT_EQ(compliant["works"]["lankarani-nikravesh"].get<double>(), lost);
  EXPECT_NEAR(lost, 0.17 * 9.81 * 0.3 * (1.0 - 0.795733914 * 0.795733914), 1e-5);
  EXPECT_LE(energy["balance_error"].get<double>(), 1e-7);
  EXPECT_EQ(summary["bodies"].size(), 1u);
}

TEST(SmoothRun, RigidRunsHaveNoSuchPart) {
  const json summary = shell("carom run - --json --set run.engine=event --set run.law=newton", kBall).json();
  EXPECT_FALSE(summary.contains("compliant"));
  EXPECT_EQ(summary["law"], "newton");
  EXPECT_TRUE(summary["unused"].empty());
}

TEST(SmoothRun, TheTextNamesWhereTheEnergyWent) {
  const ToolRun run = shell("carom run -", kBall);
  ASSERT_EQ(run.code, 0);
  for (const char* const part : {"engine smooth, integrator dormand-prince", "lost in the damping of contacts",
                                 "  lankarani-nikravesh", "lost to friction", "at the end", "1 contact"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
  const std::string warning = "meant for impact speeds below";
  const std::size_t first = run.err.find(warning);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(run.err.find(warning, first + 1), std::string::npos);
}

TEST(SmoothRun, PocketsAreNamed) {
  const std::string pocket = std::string(kBall) + "[[pocket]]\nname = 'hole'\nposition = [0, 1, 0]\nradius = 0.5\n";
  const ToolRun run = shell("carom run - --json --set body.ball.velocity=[0,2,0]", pocket);
  ASSERT_EQ(run.code, 0) << run.out;
  EXPECT_EQ(run.json()["compliant"]["swallowed"], (json::array({{{"body", "ball"}, {"pocket", "hole"}}})));
  EXPECT_GT(run.json()["energy"]["swallowed"].get<double>(), 0.0);
  const ToolRun text = shell("carom run - --set body.ball.velocity=[0,2,0]", pocket);
  EXPECT_NE(text.out.find("swallowed   ball by hole"), std::string::npos) << text.out;
}

TEST(SmoothRun, TheRecordHoldsContacts) {
  const ScratchFolder folder;
  const std::string file = folder.file("run.h5");
  ASSERT_EQ(shell("carom run - --json --out " + file, kBall).code, 0);
  const json events = shell("carom events --json " + file).json()["events"];
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["kind"], "contact-start");
  EXPECT_EQ(events[1]["kind"], "contact-end");
  EXPECT_EQ(events[1]["law"], "lankarani-nikravesh");
  EXPECT_NEAR(
      events[1]["contacts"][0]["rate_after"].get<double>() / -events[0]["contacts"][0]["rate_before"].get<double>(),
      0.795733914, 1e-6);
}

TEST(SmoothRun, ACollisionIsOneLineWithDurationAndPeak) {
  const ScratchFolder folder;
  const std::string file = folder.file("run.h5");
  ASSERT_EQ(shell("carom run - --json --out " + file, kBall).code, 0);
  const json events = shell("carom events --json --kind collision " + file).json()["events"];
  ASSERT_EQ(events.size(), 1u);
  const json contact = events[0]["contacts"][0];
  const double duration = contact["duration"].get<double>(), peak = contact["peak_force"].get<double>();
  EXPECT_NEAR(contact["began"].get<double>() + duration, events[0]["time"].get<double>(), 1e-12);
  EXPECT_GT(contact["peak_time"].get<double>(), contact["began"].get<double>());
  // Between a constant force and a triangle.
  EXPECT_GT(peak * duration, contact["impulse"].get<double>());
  EXPECT_LT(peak * duration, 2.0 * contact["impulse"].get<double>());
  const std::string text = shell("carom events " + file).out;
  EXPECT_NE(text.find("collision"), std::string::npos) << text;
  EXPECT_EQ(text.find("contact-start"), std::string::npos) << text;
  EXPECT_NE(text.find("2 events in 1 line"), std::string::npos) << text;
}

TEST(SmoothRun, ErrorsOfTheEnginePointIntoTheScene) {
  const ToolRun run = shell("carom run - --json --set body.ball.position=[0,0,0.028575]", kBall);
  EXPECT_EQ(run.code, 2);
  const json error = run.json()["error"];
  EXPECT_EQ(error["kind"], "unsupported");
  EXPECT_EQ(error["where"]["line"], 15) << error.dump();
  EXPECT_NE(error["message"].get<std::string>().find("hunt-crossley-fixed"), std::string::npos);
  const json step = shell("carom run - --json --set run.integrator=velocity-verlet", kBall).json()["error"];
  EXPECT_EQ(step["kind"], "missing-field");
  EXPECT_EQ(step["where"]["field"], "run.step");
}

TEST(SmoothRun, EnginesThatThereAreNotYetAreUnknown) {
  for (const char* const engine : {"gas", "grains", "evnt"}) {
    const ToolRun run = shell(std::string("carom run - --json --set run.engine=") + engine, kBall);
    EXPECT_EQ(run.code, 2);
    const json error = run.json()["error"];
    EXPECT_EQ(error["kind"], "unknown-name");
    EXPECT_EQ(error["where"]["field"], "run.engine");
    EXPECT_NE(error["message"].get<std::string>().find("event"), std::string::npos) << error;
  }
}

TEST(SmoothCheck, TellsTheEffectiveRestitutionAndTheStiffness) {
  const ToolRun run = shell("carom check - --json", kBall);
  ASSERT_EQ(run.code, 0) << run.out;
  ASSERT_EQ(run.json()["pairs"].size(), 1u);
  const json pair = run.json()["pairs"][0];
  EXPECT_EQ(pair["materials"], (json{"phenolic", "phenolic"}));
  EXPECT_EQ(pair["normal"], "lankarani-nikravesh");
  EXPECT_EQ(pair["friction"], "coulomb");
  EXPECT_EQ(pair["restitution"]["nominal"], 0.7);
  EXPECT_NEAR(pair["restitution"]["effective"].get<double>(), 0.795972595365329, 1e-13);
  EXPECT_EQ(pair["stiffness"]["from_materials"], true);
  EXPECT_NEAR(pair["stiffness"]["least"].get<double>(), 744159402.8762362, 1e-3);
  const ToolRun text = shell("carom check -", kBall);
  EXPECT_NE(text.out.find("0.7959726"), std::string::npos) << text.out;
  const json given = shell("carom check - --json --set pair.0.stiffness=1e8", kBall).json()["pairs"][0];
  EXPECT_EQ(given["stiffness"]["least"], 1e8);
  EXPECT_EQ(given["stiffness"]["from_materials"], false);
}

TEST(SmoothCheck, FindsWhatTheEngineWouldRefuse) {
  std::string soft(kBall);
  const std::string young = "young = 5.84e9\n";
  soft.erase(soft.find(young), young.size());
  const ToolRun run = shell("carom check - --json", soft);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.json()["error"]["kind"], "missing-field");
}

TEST(SmoothCompare, StandsBesideTheImpactLaws) {
  const ToolRun run = shell("carom compare scenes/touching-chain.toml --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const json outcomes = run.json()["outcomes"];
  ASSERT_EQ(outcomes.size(), test::laws_of_several_contacts().size() + 1);
  const json& smooth = outcomes.back();
  EXPECT_EQ(smooth["law"], "smooth");
  // The law `compliant` is the limit of these forces with the configuration frozen: the balls are in a line, so that
  // nothing is lost by freezing it.
  EXPECT_EQ(outcomes[0]["law"], "compliant");
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_NEAR(smooth["velocity"][i].get<double>(), outcomes[0]["velocity"][i].get<double>(), 1e-8) << i;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(smooth["impulses"][i].get<double>(), outcomes[0]["impulses"][i].get<double>(), 1e-8) << i;
  }
  EXPECT_TRUE(smooth["audit"]["flags"].empty());
}

TEST(SmoothCompare, CanBeChosenAndIsLeftOutWithANote) {
  const json chosen = shell("carom compare scenes/cradle-smooth.toml --laws smooth,newton --json").json()["outcomes"];
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0]["law"], "newton");
  EXPECT_EQ(chosen[1]["law"], "smooth");
  const ToolRun rigid = shell("carom compare scenes/rocking-block.toml --json");
  EXPECT_EQ(rigid.code, 0);
  EXPECT_EQ(rigid.json()["outcomes"].size(), test::laws_of_several_contacts().size());
  EXPECT_NE(rigid.err.find("note: smooth is left out: "), std::string::npos) << rigid.err;
  EXPECT_EQ(shell("carom compare examples/cradle.json --laws smooth --json").json()["error"]["kind"], "usage");
}

}  // namespace
}  // namespace carom::test
