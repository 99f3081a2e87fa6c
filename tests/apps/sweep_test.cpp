/// `carom sweep` as a user meets it: tables, restarts, shards, bad input.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "apps/tool.h"

#include "support/places.h"

namespace carom::test {
namespace {

using nlohmann::json;

const std::string kSweptScene = "scenes/bouncing-ball.toml";
const std::string kShortSweep = "carom sweep " + kSweptScene +
                                " --vary 'pair.0.restitution=lin(0.5,0.9,5)' --vary run.law=newton,poisson "
                                "--measure events.impacts position.ball.z --duration 2 ";

/// Balls that bounce for as long as they are let, without loss.
std::string lossless_balls(int count) {
  std::string text = "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 1\n";
  for (int i = 0; i < count; ++i) {
    text += "[[body]]\nname = \"ball" + std::to_string(i) +
            "\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nposition = [" + std::to_string(i) +
            ", 0, 1.1]\n";
  }
  return text + "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n";
}

TEST(SweepCommand, TheTableHasThePathsTheMeasuresAndTheStop) {
  const ScratchFolder folder;
  const std::string table = folder.file("t.csv");
  const ToolRun run = shell(kShortSweep + "--json -o " + table);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json()["points"], 10);
  EXPECT_EQ(run.json()["complete"], true);
  const std::string text = read_text(table);
  EXPECT_TRUE(text.starts_with("pair.0.restitution,run.law,events.impacts,position.ball.z,stop\n0.5,newton,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
  // A row is what `carom run` says.
  const json alone =
      shell("carom run " + kSweptScene + " --set pair.0.restitution=0.9 --law newton --duration 2 --json").json();
  const std::string row = "\n0.9,newton," + alone["events"]["impacts"].dump() + "," +
                          alone["bodies"][0]["position"][2].dump() + ",duration\n";
  EXPECT_NE(text.find(row), std::string::npos) << text << row;
}

TEST(SweepCommand, TellsOfPointsThatFailed) {
  const ScratchFolder folder;
  const std::string command = "carom sweep " + kSweptScene +
                              " --vary pair.0.restitution=0.5,2,3 --measure events.impacts --duration 1 -o " +
                              folder.file("t.csv");
  // The second time from the table that is finished.
  for (int time = 0; time < 2; ++time) {
    const ToolRun run = shell(command + " --json");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json()["failed"], 2);
    EXPECT_NE(run.err.find("2 of 3 rows are of points that could not be run or failed on their way; the first says: "
                           "out-of-range: pair.0.restitution is 2"),
              std::string::npos)
        << run.err;
  }
  const ToolRun merge = shell("carom sweep --merge " + folder.file("none.csv") + " -o " + folder.file("m.csv"));
  EXPECT_EQ(merge.code, 4);
  EXPECT_NE(merge.err.find("none.csv' cannot be merged: there is no such file"), std::string::npos) << merge.err;
}

TEST(SweepCommand, ThreadsAndShardsGiveTheSameBytes) {
  const ScratchFolder folder;
  const std::string one = folder.file("one.csv");
  ASSERT_EQ(shell(kShortSweep + "--threads 1 -o " + one).code, 0);
  ASSERT_EQ(shell(kShortSweep + "--threads 2 -o " + folder.file("two.csv")).code, 0);
  EXPECT_EQ(read_text(folder.file("two.csv")), read_text(one));
  const std::string names = folder.file("s1.csv") + " " + folder.file("s2.csv") + " " + folder.file("s3.csv");
  for (const char* const i : {"1", "2", "3"}) {
    ASSERT_EQ(shell(kShortSweep + "--shard " + i + "/3 -o " + folder.file(std::string("s") + i + ".csv")).code, 0);
  }
  const ToolRun merged = shell("carom sweep --merge " + names + " --json -o " + folder.file("m.csv"));
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.json()["rows"], 10);
  EXPECT_EQ(read_text(folder.file("m.csv")), read_text(one));
  // The merged table is that of the whole sweep: nothing is left to do.
  EXPECT_EQ(shell(kShortSweep + "--json -o " + folder.file("m.csv")).json()["already_done"], 10);
  const ToolRun missing = shell("carom sweep --merge " + folder.file("s1.csv") + " -o " + folder.file("n.csv"));
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("missing: 0/3, 2/3"), std::string::npos) << missing.err;
}

TEST(SweepCommand, KilledAndStartedAgainItRepeatsNothing) {
  const ScratchFolder folder;
  write_text(folder.file("balls.toml"), lossless_balls(40));
  const std::string sweep = "carom sweep " + folder.file("balls.toml") +
                            " --vary 'body.ball0.position.2=lin(1,2,4000)' --measure position.ball0.z --threads 1 ";
  const std::string table = folder.file("t.csv"), journal = table + ".sweep";
  const ToolRun killed = shell(sweep + "-o " + table + " & pid=$!; for i in $(seq 400); do grep -qa '^@' " + journal +
                               " 2>/dev/null && break; sleep 0.02; done; kill -9 $pid; wait $pid");
  const std::string text = read_text(journal);
  const auto pieces = std::count(text.begin(), text.end(), '@');
  ASSERT_GE(pieces, 1);
  const ToolRun again = shell(sweep + "--json -o " + table);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_GE(again.json()["already_done"].get<int>(), 1);
  EXPECT_TRUE(killed.code == 0 || again.json()["already_done"].get<int>() < 4000);
  ASSERT_EQ(shell(sweep + "-o " + folder.file("whole.csv")).code, 0);
  EXPECT_EQ(read_text(table), read_text(folder.file("whole.csv")));
}

TEST(SweepCommand, InterruptedItKeepsWhatIsDone) {
  const ScratchFolder folder;
  write_text(folder.file("balls.toml"), lossless_balls(1));
  const std::string table = folder.file("t.csv");
  // The third point would take for ever.
  const ToolRun run = shell("carom sweep " + folder.file("balls.toml") +
                            " --vary run.duration=1,2,1e12 --measure time.model --threads 1 --json -o " + table +
                            " & pid=$!; for i in $(seq 400); do [ \"$(grep -ca '^@' " + table +
                            ".sweep 2>/dev/null)\" = 2 ] && break; sleep 0.02; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.json()["done"], 2);
  EXPECT_EQ(run.json()["complete"], false);
  EXPECT_EQ(read_text(table), "run.duration,time.model,stop\n1,1,duration\n2,2,duration\n");
}

TEST(SweepCommand, ADiskThatFillsUpLeavesWhatIsDone) {
  const ScratchFolder folder;
  const std::string sweep =
      "carom sweep examples/corner.toml --vary 'velocity.1=lin(-1,1,5000)' --measure energy.after ";
  const ToolRun full = shell("(ulimit -f 60; " + sweep + "-o " + folder.file("t.csv") + ")");
  EXPECT_EQ(full.code, 4);
  EXPECT_NE(full.err.find("cannot write"), std::string::npos) << full.err;
  const ToolRun again = shell(sweep + "--json -o " + folder.file("t.csv"));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_GT(again.json()["already_done"].get<int>(), 0);
  ASSERT_EQ(shell(sweep + "-o " + folder.file("whole.csv")).code, 0);
  EXPECT_EQ(read_text(folder.file("t.csv")), read_text(folder.file("whole.csv")));
}

TEST(SweepCommand, AnotherSweepIntoTheSameFileIsRefused) {
  const ScratchFolder folder;
  const std::string table = folder.file("t.csv");
  ASSERT_EQ(shell(kShortSweep + "-o " + table).code, 0);
  const std::string other =
      "carom sweep " + kSweptScene + " --vary body.ball.mass=1,2 --measure energy.final -o " + table;
  const ToolRun refused = shell(other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("belongs to another sweep"), std::string::npos) << refused.err;
  EXPECT_EQ(shell(other + " --replace").code, 0);
}

TEST(SweepCommand, ATableThatWasChangedIsNotTakenForTheSweepsOwn) {
  const ScratchFolder folder;
  const std::string table = folder.file("t.csv");
  ASSERT_EQ(shell(kShortSweep + "-o " + table).code, 0);
  write_text(table, "x,y\n1,2\n");
  const ToolRun refused = shell(kShortSweep + "-o " + table);
  EXPECT_EQ(refused.code, 4);
  EXPECT_NE(refused.err.find("was changed after the sweep"), std::string::npos) << refused.err;
  EXPECT_EQ(shell(kShortSweep + "--replace -o " + table).code, 0);
  const std::string odd = kShortSweep + "--measure $'two\\nlines=energy.initial' -o " + folder.file("odd.csv");
  EXPECT_EQ(shell(odd).code, 0);
  EXPECT_EQ(shell(odd).code, 0);
}

TEST(SweepCommand, MoreThreadsThanProcessorsAreNoCauseForComplaint) {
  const ScratchFolder folder;
  const ToolRun run = shell(kShortSweep + "--threads 7 -o " + folder.file("t.csv"));
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
}

TEST(SweepCommand, RecordsOfChosenPointsAreKept) {
  const ScratchFolder folder;
  const ToolRun run = shell(kShortSweep + "--keep 0,8-9 --json -o " + folder.file("t.csv"));
  ASSERT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(run.json()["records"].size(), 3u);
  const json info = shell("carom info --json " + folder.file("t.point-9.h5")).json();
  EXPECT_EQ(info["complete"], true);
  EXPECT_EQ(shell(kShortSweep + "--keep 10 --replace -o " + folder.file("t.csv")).code, 2);
}

/// What mpirun wants to be told here; empty where there is none.
std::string mpi_settings() {
  if (shell("command -v mpirun").code != 0) return {};
  return "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1; ";
}

TEST(SweepCommand, RanksGiveTheSameBytes) {
  const std::string settings = mpi_settings();
  if (settings.empty()) GTEST_SKIP() << "no mpirun here";
  const ScratchFolder folder;
  ASSERT_EQ(shell(kShortSweep + "-o " + folder.file("one.csv")).code, 0);
  for (const char* const ranks : {"2", "4"}) {
    const std::string table = folder.file(std::string(ranks) + ".csv");
    const ToolRun run =
        shell(settings + "mpirun -n " + ranks + " '" + tool_path() + "' " + kShortSweep.substr(6) + "-o " + table);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(read_text(table), read_text(folder.file("one.csv")));
    EXPECT_FALSE(std::filesystem::exists(table + ".parts"));
  }
  const ToolRun bad = shell(settings + "mpirun -n 2 '" + tool_path() + "' sweep " + kSweptScene +
                            " --vary body.bal.mass=1,2 --measure energy.final -o " + folder.file("bad.csv"));
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("did you mean 'ball'"), std::string::npos) << bad.err;
}

/// The environment that mpirun makes, without it: ranks are programs that share a folder.
std::string as_rank(int rank, const std::string& command) {
  return "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + " " + command;
}

TEST(SweepCommand, ARankThatDiesCostsOnlyItsPoints) {
  const ScratchFolder folder;
  const std::string sweep = "'" + tool_path() + "' sweep " + kSweptScene +
                            " --vary 'body.ball.position.2=lin(1,2,3000)' --measure events.impacts --duration 8 ";
  ASSERT_EQ(shell(sweep + "-o " + folder.file("one.csv")).code, 0);
  // The program that does the work of rank 1 is a child of the one that is started; it is killed three times.
  const std::string table = folder.file("two.csv");
  const ToolRun run = shell(as_rank(1, sweep) + "-o " + table + " & watching=$!; " +
                            "for i in 1 2 3; do sleep 0.05; for child in $(cat /proc/$watching/task/*/children); do "
                            "kill -KILL $child; done; done 2> " +
                            folder.file("log") + "; " + as_rank(0, sweep) + "--json -o " + table + "; wait $watching");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(read_text(table), read_text(folder.file("one.csv")));
  // The one that is started may die as well: another rank, or the same later, takes what it held.
  const std::string third = folder.file("three.csv");
  shell(as_rank(1, sweep) + "-o " + third + " & started=$!; sleep 0.1; kill -KILL $started; wait $started");
  ASSERT_EQ(shell(as_rank(0, sweep) + "-o " + third).code, 0);
  EXPECT_EQ(read_text(third), read_text(folder.file("one.csv")));
  EXPECT_EQ(shell(as_rank(0, sweep) + "--shard 0/2 -o " + third).code, 2);
}

TEST(SweepCommand, BadInputIsPointedAt) {
  const ScratchFolder folder;
  struct BadCase {
    const char* arguments;
    int code;
    const char* expected;
  };
  const BadCase cases[] = {
      {"--vary body.bal.mass=1,2 --measure energy.final", 2, "did you mean 'ball'"},
      {"--vary body.ball.mass=1,2 --measure energy.finl", 2, "did you mean 'energy.final'"},
      {"--vary body.ball.mass=1,2 --measure '2*(energy.final'", 2, "expected ')'"},
      {"--vary 'body.ball.mass=lin(1,2,1000000)' --vary 'pair.0.restitution=lin(0,1,1000000)' --measure energy.final",
       4, "1e+12 points"},
      {"--vary body.ball.mass=1,2", 2, "nothing is measured"},
      {"--measure energy.final", 2, "nothing is varied"},
      {"--vary body.ball.mass=1,2 --measure energy.final --shard 9/3", 2, "--shard"},
      {"--vary body.ball.mass=1,2 --vary pair.0.restitution=0,0.5,1 --zip --measure energy.final", 2, "same number"},
      {"--vary body.ball.mass=1,2 --random 3 --latin 3 --measure energy.final", 2, "give one"},
      {"--vary body.ball.mass=1,2 --last 3 --measure energy.final", 2, "--each"},
  };
  for (const BadCase& one : cases) {
    const ToolRun run = shell("carom sweep " + kSweptScene + " " + one.arguments + " -o " + folder.file("t.csv"));
    EXPECT_EQ(run.code, one.code) << one.arguments << run.err;
    EXPECT_NE(run.err.find(one.expected), std::string::npos) << one.arguments << "\n" << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("t.csv"))) << one.arguments;
  }
  EXPECT_EQ(shell("carom sweep " + kSweptScene + " --vary body.ball.mass=1,2 --measure energy.final").code, 2);
  EXPECT_EQ(shell("carom sweep " + kSweptScene + " --vary body.ball.mass=1,2 --measure energy.final -o t.txt").code, 2);
}

}  // namespace
}  // namespace carom::test
