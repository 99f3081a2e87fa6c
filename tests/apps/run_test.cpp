/// `carom run` as a user meets it: the summary, the exit codes, the record, signals.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "apps/tool.h"
#include "carom/record/record_reader.h"

namespace carom::test::run_test {
namespace {

using nlohmann::json;

/// A ball that falls 1 m onto a floor with e = 0.9.
const char* const kBall = R"(format = 1
title = "a ball bounces"
[world]
gravity = [0, 0, -9.81]
[run]
duration = 2
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.9
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
material = "rubber"
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
point = [0, 0, 0]
material = "rubber"
)";

/// Fifty elastic balls side by side that bounce for a day.
std::string endless_scene() {
  std::string text = "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 100000\n";
  for (int i = 0; i < 50; ++i) {
    text +=
        "[[body]]\nname = \"ball" + std::to_string(i) + "\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\n";
    text += "position = [" + std::to_string(i) + ", 0, 1.1]\n";
  }
  return text + "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\npoint = [0, 0, 0]\n";
}

json run_json(const std::string& scene, const std::string& arguments = "", int code = 0) {
  const ToolRun run = shell("carom run - --json " + arguments, scene);
  EXPECT_EQ(run.code, code) << run.out << run.err;
  EXPECT_EQ(run.err, "");
  return run.json();
}

/// Starts a run in the background, waits until its record holds events, and goes on with `then` ($pid is the run).
ToolRun during_a_run(const ScratchFolder& folder, const std::string& then) {
  write_text(folder.file("scene.toml"), endless_scene());
  return shell("cd '" + folder.file("") +
               "'\n"
               "carom run scene.toml --json --out run.h5 >summary.json & pid=$!\n"
               "until [[ $(carom events run.h5 --to 0.6 2>/dev/null | wc -l) -gt 5 ]]; do\n"
               "  kill -0 $pid 2>/dev/null || exit 90\n  sleep 0.05\ndone\n" +
               then);
}

/// With e = 0.5 the bounces of a fall of 1 m take 3 times as long as the fall.
TEST(Run, NamesInelasticCollapseAndHowManyImpactsWentBefore) {
  const std::string scene = std::string(kBall).replace(std::string(kBall).find("0.9"), 3, "0.5");
  const json summary = shell("carom run - --json", scene).json();
  EXPECT_EQ(summary["events"]["collapses"], 1);
  const json first = summary["events"]["first_collapse"];
  EXPECT_EQ(first["a"], "ball");
  EXPECT_EQ(first["b"], "floor");
  EXPECT_EQ(first["impacts"], summary["events"]["impacts"]);
  EXPECT_NEAR(first["time"].get<double>(), 3.0 * std::sqrt(2.0 / 9.81), 1e-9);
  EXPECT_NE(shell("carom run -", scene).out.find("inelastic collapse: after "), std::string::npos);
}

TEST(Run, TheSummaryHasTheFieldsOfTheContract) {
  const json summary = run_json(kBall);
  EXPECT_EQ(summary["scene"], "a ball bounces");
  EXPECT_EQ(summary["engine"], "event");
  EXPECT_EQ(summary["stop"], "duration");
  EXPECT_TRUE(summary["failure"].is_null());
  EXPECT_EQ(summary["guarantee"], "proven");
  EXPECT_EQ(summary["time"]["model"], 2.0);
  EXPECT_GE(summary["time"]["wall"], 0.0);
  EXPECT_EQ(
      summary["events"],
      (json{{"impacts", 3}, {"multiple", 0}, {"contacts_opened", 0}, {"collapses", 0}, {"first_collapse", nullptr}}));
  for (const char* const field : {"accepted", "rejected", "evaluations"}) {
    EXPECT_TRUE(summary["steps"][field].is_number_integer()) << field;
  }
  ASSERT_EQ(summary["bodies"].size(), 1u);
  EXPECT_EQ(summary["bodies"][0]["name"], "ball");
  EXPECT_EQ(summary["bodies"][0]["orientation"], (json{1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(summary["bodies"][0]["angular_velocity"], (json{0.0, 0.0, 0.0}));
}

TEST(Run, TheBallIsWhereFreeFallPutsItAndTheEnergyBalanceCloses) {
  const json summary = run_json(kBall);
  // Impacts at t₁ = √(2h/g), then after flights of 2 e^k t₁; the third is at 1.9957 s and leaves with e³ g t₁.
  constexpr double g = 9.81;
  const double first = std::sqrt(2.0 / g);
  const double third = first * (1.0 + 2.0 * 0.9 + 2.0 * 0.81);
  const double since = 2.0 - third;
  const double speed = std::pow(0.9, 3) * g * first;
  EXPECT_NEAR(summary["bodies"][0]["velocity"][2].get<double>(), speed - g * since, 1e-12);
  EXPECT_NEAR(summary["bodies"][0]["position"][2].get<double>(), 0.1 + speed * since - 0.5 * g * since * since, 1e-12);
  const json energy = summary["energy"];
  EXPECT_NEAR(energy["initial"].get<double>(), 2.0 * g * 1.1, 1e-12);
  EXPECT_NEAR(energy["dissipated"].get<double>(), 2.0 * g * (1.0 - std::pow(0.9, 6)), 1e-11);
  EXPECT_NEAR(energy["final"].get<double>(), energy["initial"].get<double>() - energy["dissipated"].get<double>(),
              1e-12);
  EXPECT_LT(energy["balance_error"].get<double>(), 1e-13);
  EXPECT_GE(energy["balance_error"].get<double>(), 0.0);
}

TEST(Run, SettingsChangeTheScene) {
  const json summary = run_json(kBall, "--set run.duration=0.25 --set run.law=newton");
  EXPECT_EQ(summary["law"], "newton");
  EXPECT_EQ(summary["time"]["model"], 0.25);
  EXPECT_EQ(summary["events"]["impacts"], 0);
}

TEST(Run, TheEventLimitExitsThreeWithTheSummary) {
  const json summary = run_json(kBall, "--set run.max_events=2", 3);
  EXPECT_EQ(summary["stop"], "event-limit");
  EXPECT_EQ(summary["events"]["impacts"], 2);
  EXPECT_LT(summary["time"]["model"].get<double>(), 2.0);
}

TEST(Run, ManyBodiesAreListedOnDemandOnly) {
  std::string scene = "format = 1\n[run]\nduration = 0.001\n";
  scene += "[[fill]]\nname = \"gas\"\ncount = 1001\nshape = { kind = \"sphere\", radius = 0.01 }\nmass = 1\n";
  scene += "box = [[0, 0, 0], [1, 1, 1]]\nspeed = 0.1\nseed = 1\n";
  EXPECT_FALSE(run_json(scene).contains("bodies"));
  EXPECT_EQ(run_json(scene, "--bodies")["bodies"].size(), 1001u);
}

TEST(Run, APersonReadsWhatHappened) {
  const ToolRun run = shell("carom run -", kBall);
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* const part : {"a ball bounces", "3 impacts", "duration: the time that was asked for is over",
                                 "lost in impacts", "proven: no contact was missed", "ball"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
  EXPECT_NE(run.out.find("--out RUN.h5 keeps one"), std::string::npos) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST(Run, ControlCharactersInTitlesDoNotReachTheTerminal) {
  std::string scene = kBall;
  scene.replace(scene.find("a ball bounces"), 14, "a \\u001B[31mred\\u001B[0m ball\\nbounces");
  const ScratchFolder folder;
  for (const std::string& command :
       {"run - --out " + folder.file("run.h5"), std::string("check -"), "info " + folder.file("run.h5"),
        "events " + folder.file("run.h5"), "run --from " + folder.file("run.h5")}) {
    const ToolRun run = shell("carom " + command, scene);
    EXPECT_EQ(run.code, 0) << command << run.err;
    EXPECT_EQ((run.out + run.err).find('\x1b'), std::string::npos) << command << run.out << run.err;
  }
}

TEST(Run, TheRecordHoldsTheSceneTheSamplesAndTheSummary) {
  const ScratchFolder folder;
  const json summary = run_json(kBall, "--set run.output_step=0.5 --out " + folder.file("run.h5"));
  EXPECT_EQ(summary["record"], folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().scene, kBall);
  EXPECT_EQ(record.info().settings, std::vector<std::string>{"run.output_step=0.5"});
  EXPECT_EQ(record.info().objects, (std::vector<std::string>{"ball", "floor"}));
  EXPECT_EQ(json::parse(record.info().options)["duration"], 2.0);
  EXPECT_EQ(json::parse(record.info().summary)["energy"], summary["energy"]);
  EXPECT_EQ(record.event_count(), 3u);
  ASSERT_EQ(record.sample_count(), 5u);
  EXPECT_EQ(record.series("/time", 0, 5), (std::vector<double>{0.0, 0.5, 1.0, 1.5, 2.0}));
  EXPECT_EQ(record.state(4).bodies[0].position.z(), summary["bodies"][0]["position"][2].get<double>());
  EXPECT_EQ(record.energy(4).now.total(), summary["energy"]["final"].get<double>());
}

TEST(Run, ASwallowedBallNamesItsPocketInTheRecord) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  const ToolRun run = shell("carom run scenes/pool-table.toml --json --set run.duration=1.8 --out " + path);
  ASSERT_EQ(run.code, 0) << run.out;
  const json swallowed = run.json()["compliant"]["swallowed"];
  ASSERT_EQ(swallowed.size(), 1u);
  const json events = shell("carom events --json --kind swallowed " + path).json()["events"];
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0]["pocket"], swallowed[0]["pocket"]);
  EXPECT_EQ(events[0]["bodies"][0]["name"], swallowed[0]["body"]);
}

TEST(Run, AFileThatIsNoRecordIsNotOverwritten) {
  const ScratchFolder folder;
  write_text(folder.file("notes.txt"), "precious");
  const ToolRun run = shell("carom run - --json --out " + folder.file("notes.txt"), kBall);
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.json()["error"]["kind"], "file");
  EXPECT_EQ(run.json()["error"]["where"]["file"], folder.file("notes.txt"));
  EXPECT_EQ(read_text(folder.file("notes.txt")), "precious");
  EXPECT_EQ(shell("carom run - --out " + folder.file("none/run.h5"), kBall).code, 4);
}

TEST(Run, WhatCannotBeWrittenExitsFourAndLeavesNothing) {
  const ScratchFolder folder;
  for (const std::string& path : {folder.file("none/run.h5"), folder.file(""), std::string("/dev/full")}) {
    const ToolRun run = shell("carom run - --json --out " + path, kBall);
    EXPECT_EQ(run.code, 4) << run.out;
    EXPECT_EQ(run.json()["error"]["kind"], "file");
    EXPECT_NE(run.out.find("cannot write the record"), std::string::npos) << run.out;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
}

TEST(Run, AFullDiskExitsFourAndLeavesTheOldRecordOrNothing) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  const std::string limited = "ulimit -f 20; carom run - --json --out " + path;
  const ToolRun run = shell(limited, kBall);
  EXPECT_EQ(run.code, 4) << run.out;
  EXPECT_EQ(run.json()["error"]["kind"], "file");
  EXPECT_NE(run.out.find("File too large"), std::string::npos) << run.out;
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
  run_json(kBall, "--out " + path);
  const std::string before = read_text(path);
  EXPECT_EQ(shell(limited, kBall).code, 4);
  EXPECT_EQ(read_text(path), before);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(Run, ADiskThatFillsUpDuringTheRunLeavesWhatWasWritten) {
  const ScratchFolder folder;
  const ToolRun run =
      shell("ulimit -f 30000; carom run - --json --flush 0.05 --out " + folder.file("run.h5"), endless_scene());
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  EXPECT_EQ(run.json()["error"]["kind"], "file");
  EXPECT_FALSE(std::filesystem::exists(folder.file("run.h5.part")));
  RecordReader record(folder.file("run.h5"));
  EXPECT_FALSE(record.info().complete);
  EXPECT_GT(record.event_count(), 100u);
  EXPECT_NEAR(record.events(0, 1).events[0].time, std::sqrt(2.0 / 9.81), 1e-12);
}

TEST(Run, FlushIsAPositiveNumberOfSeconds) {
  const ScratchFolder folder;
  for (const char* const seconds : {"0", "-1", "soon", "nan"}) {
    const ToolRun run = shell(std::string("carom run - --json --flush ") + seconds, kBall);
    EXPECT_EQ(run.code, 2) << seconds << run.out;
  }
  run_json(kBall, "--flush 1e-9 --out " + folder.file("run.h5"));
  EXPECT_EQ(RecordReader(folder.file("run.h5")).event_count(), 3u);
}

TEST(Run, ABadSceneLeavesAnOldRecordAlone) {
  const ScratchFolder folder;
  run_json(kBall, "--out " + folder.file("run.h5"));
  const std::string before = read_text(folder.file("run.h5"));
  const ToolRun run = shell("carom run - --json --set body.ball.position.2=0.05 --out " + folder.file("run.h5"), kBall);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.json()["error"]["kind"], "overlap");
  EXPECT_TRUE(run.json()["error"]["where"]["line"].is_number_integer()) << run.out;
  EXPECT_EQ(read_text(folder.file("run.h5")), before);
}

TEST(Run, AnInterruptedRunClosesItsRecordAndExits130) {
  for (const char* const signal : {"INT", "TERM", "HUP"}) {
    const ScratchFolder folder;
    // Background jobs of a script ignore SIGINT unless they set it themselves; the tool does.
    const ToolRun run = during_a_run(folder, std::string("kill -") + signal + " $pid; wait $pid");
    EXPECT_EQ(run.code, 130) << run.err;
    const json summary = json::parse(read_text(folder.file("summary.json")));
    EXPECT_EQ(summary["stop"], "interrupted");
    const RecordReader record(folder.file("run.h5"));
    EXPECT_EQ(record.info().stop, "interrupted");
    EXPECT_EQ(record.event_count(), summary["events"]["impacts"].get<std::size_t>());
  }
}

TEST(Run, AClosedStandardErrorEndsNoRun) {
  const ScratchFolder folder;
  // Closed from the start, so that the record could get its number; and by a reader that goes away after one line.
  for (const char* const closing : {"2>&-", "2> >(head -n 1 >/dev/null)"}) {
    const ToolRun run = shell(
        "carom run - --json --progress json --set run.duration=700 --set run.output_step=0.001 "
        "--out '" +
            folder.file("run.h5") + "' " + closing,
        kBall);
    EXPECT_EQ(run.code, 0) << closing;
    EXPECT_EQ(run.json()["stop"], "duration") << closing;
    EXPECT_EQ(RecordReader(folder.file("run.h5")).info().stop, "duration") << closing;
  }
}

TEST(Run, ASignalBeforeTheRunBeginsIsAnsweredWithAWord) {
  // Half a million bodies take their time to be read.
  const std::string scene =
      "format = 1\nrun.duration = 1\n[[fill]]\nname = \"gas\"\ncount = 500000\nmass = 1\n"
      "shape = { kind = \"sphere\", radius = 0.001 }\nbox = [[0, 0, 0], [1, 1, 1]]\n";
  const ScratchFolder folder;
  write_text(folder.file("gas.toml"), scene);
  const ToolRun run =
      shell("carom run '" + folder.file("gas.toml") + "' --json & pid=$!; sleep 0.3; kill -TERM $pid; wait $pid");
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.err, "interrupted before the run began\n");
}

TEST(Run, ProgressNeverGoesBackAndNamesWhatItIsBusyWith) {
  const ScratchFolder folder;
  const ToolRun run = during_a_run(folder,
                                   "carom run scene.toml --progress json --json 2>progress.json >/dev/null & other=$!\n"
                                   "sleep 2.3; kill -INT $pid $other; wait $other; wait $pid");
  EXPECT_EQ(run.code, 130);
  std::istringstream lines(read_text(folder.file("progress.json")));
  double time = 0.0;
  long events = 0, count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json report = json::parse(line);
    EXPECT_GE(report["time"].get<double>(), time);
    EXPECT_GE(report["events"].get<long>(), events);
    EXPECT_TRUE(report["time"].get<double>() > time || report["busy"].is_string()) << line;
    time = report["time"];
    events = report["events"];
  }
  EXPECT_GE(count, 2);
}

TEST(Run, AFailureWritesASmallSceneThatFailsAlike) {
  // Two balls fall into each other's soft contact and through each other; the third one is far away.
  const ScratchFolder folder;
  std::string scene =
      "format = 1\n[run]\nengine = \"smooth\"\nrtol = 1e-5\nduration = 2\n[[material]]\nname = \"m\"\n"
      "[[pair]]\nmaterials = [\"m\", \"m\"]\nnormal = \"hertz\"\nstiffness = 10\n";
  const char* const places[] = {"0", "1", "50"};
  const char* const speeds[] = {"3", "-3", "0"};
  for (int i = 0; i < 3; ++i)
    scene += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1\nmaterial = \"m\"\n" +
             "shape = { kind = \"sphere\", radius = 0.1 }\nposition = [" + places[i] + ", 0, 0]\nvelocity = [" +
             speeds[i] + ", 0, 0]\n";
  const std::string small = folder.file("small.toml");
  const ToolRun run = shell("carom run - --json --reproducer '" + small + "'", scene);
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_NE(run.err.find("2 bodies"), std::string::npos) << run.err;
  const ToolRun again = shell("carom run '" + small + "' --json");
  EXPECT_EQ(again.code, 3) << again.out;
  EXPECT_EQ(again.json()["bodies"].size(), 2u);
  EXPECT_NE(again.json()["failure"]["reason"].get<std::string>().find("has gone through"), std::string::npos);
  // A run that does not fail writes nothing.
  EXPECT_EQ(shell("carom run - --json --reproducer '" + folder.file("none.toml") + "'", kBall).code, 0);
  EXPECT_FALSE(std::ifstream(folder.file("none.toml")).good());
}

TEST(Run, AKilledRunLeavesAReadableRecord) {
  const ScratchFolder folder;
  const ToolRun run = during_a_run(folder, "kill -KILL $pid; wait $pid");
  EXPECT_EQ(run.code, 137) << run.err;
  RecordReader record(folder.file("run.h5"));
  EXPECT_FALSE(record.info().complete);
  EXPECT_GT(record.event_count(), 50u);
  EXPECT_NEAR(record.events(0, 1).events[0].time, std::sqrt(2.0 / 9.81), 1e-12);
  const ToolRun events = shell("carom events '" + folder.file("run.h5") + "' --to 0.6");
  EXPECT_EQ(events.code, 0);
  EXPECT_NE(events.err.find("has not ended or was killed"), std::string::npos);
}

TEST(Run, ProgressGoesToStandardErrorInTheStyleAskedFor) {
  const ToolRun none = shell("carom run - --json --progress none", kBall);
  EXPECT_EQ(none.err, "");
  const ToolRun wrong = shell("carom run - --json --progress bars", kBall);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.json()["error"]["kind"], "unknown-name");
}

}  // namespace
}  // namespace carom::test::run_test
