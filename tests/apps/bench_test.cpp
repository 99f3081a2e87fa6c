/// `carom bench` as a user meets it, on stand-ins for the benchmark programs.

#include <gtest/gtest.h>

#include <filesystem>

#include "apps/tool.h"

#include "support/places.h"

namespace carom::test {
namespace {

/// A folder with scripts in place of benchmarks.
class BenchFolder {
 public:
  /// The script runs with the words that the benchmark gets.
  void add(const std::string& name, const std::string& script) {
    const std::string path = folder_.file(name + "_bench");
    write_text(path, "#!/bin/bash\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] ToolRun run(const std::string& words) const {
    return shell("carom bench --programs '" + folder_.file("") + "' " + words);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  ScratchFolder folder_;
};

/// A script that prints 1, 2, 3 … times a value in its runs, against a bar of 4.
std::string growing(const BenchFolder& folder, const std::string& figure, const std::string& better) {
  const std::string count = folder.file(figure + ".count");
  return "n=$(($(cat '" + count + "' 2>/dev/null || echo 0) + 1)); echo $n > '" + count + "'\nif [ " + better +
         " = more ]; then r=$(echo \"$n\" | awk '{print $1/4}'); else r=$(echo \"$n\" | awk "
         "'{print 4/$1}'); fi\n"
         "echo '{\"benchmark\":\"x\",\"figure\":\"" +
         figure + "\",\"value\":'$n',\"unit\":\"ms\",\"better\":\"" + better +
         "\",\"compared_with\":\"bar\",\"reference\":4,\"ratio\":'$r'}'";
}

const nlohmann::json& named(const nlohmann::json& list, const std::string& key, const std::string& name) {
  for (const auto& entry : list)
    if (entry[key] == name) return entry;
  ADD_FAILURE() << "no " << name << " in " << list;
  static const nlohmann::json none = nlohmann::json::object();
  return none;
}

TEST(Bench, EachFigureIsTheMedianOfItsRunsWithItsRange) {
  BenchFolder folder;
  folder.add("event", growing(folder, "a ball", "less"));
  const ToolRun run = folder.run("event --runs 5 --json");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto figure = named(run.json()["bench"]["benchmarks"], "name", "event")["figures"][0];
  EXPECT_EQ(figure["runs"], 5);
  EXPECT_EQ(figure["value"]["median"], 3.0);
  EXPECT_EQ(figure["value"]["low"], 1.0);
  EXPECT_EQ(figure["value"]["high"], 5.0);
  EXPECT_NEAR(figure["ratio"]["median"].get<double>(), 4.0 / 3.0, 1e-4);
  EXPECT_EQ(figure["compared_with"], "bar");
}

TEST(Bench, PrintsOneTableOfRatiosWithTheirSpread) {
  BenchFolder folder;
  folder.add("event", growing(folder, "a ball", "more") + "\necho '{\"figure\":\"alone\",\"value\":7}'");
  const ToolRun run = folder.run("event --runs 3");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("event: a ball"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("±50 %"), std::string::npos) << run.out;  // 1, 2, 3: half the range is half the median
  EXPECT_EQ(run.out.find("event: alone"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("1 figure without a comparison"), std::string::npos) << run.out;
  EXPECT_NE(folder.run("event --runs 1 --all").out.find("event: alone"), std::string::npos);
}

TEST(Bench, OtherEnginesStandBesideOurFigureOfTheSameName) {
  BenchFolder folder;
  folder.add("event", "echo '{\"figure\":\"gas\",\"value\":12,\"unit\":\"x\",\"better\":\"more\"}'");
  folder.add("ode", "echo '{\"figure\":\"gas\",\"value\":3,\"unit\":\"x\",\"better\":\"more\"}'");
  const ToolRun run = folder.run("event ode bullet --runs 1 --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto others = run.json()["bench"]["other_engines"];
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0]["compared_with"], "ODE");
  EXPECT_EQ(others[0]["ratio"]["median"], 4.0);
  const auto bullet = named(run.json()["bench"]["benchmarks"], "name", "bullet");
  EXPECT_EQ(bullet["state"], "skipped");
  EXPECT_NE(bullet["reason"].get<std::string>().find("libbullet-dev"), std::string::npos);
}

TEST(Bench, OneThatFailsOrCrashesIsARowWithItsReason) {
  BenchFolder folder;
  folder.add("event", "echo 'no such heap' >&2; exit 7");
  folder.add("smooth", "echo '{\"figure\":\"first\",\"value\":1}'; kill -SEGV $$");
  folder.add("force", "echo '{\"figure\":'");
  folder.add("stepper",
             "echo '{\"figure\":\"a run\",\"failed\":\"energy grew\"}'; echo '{\"figure\":\"a run\",\"value\":1}'");
  const ToolRun run = folder.run("event smooth force stepper --runs 2 --json");
  EXPECT_EQ(run.code, 3) << run.err;
  const auto benchmarks = run.json()["bench"]["benchmarks"];
  const auto reason = [&](const std::string& name) {
    return named(benchmarks, "name", name)["reason"].get<std::string>();
  };
  EXPECT_NE(reason("event").find("exit code 7: no such heap"), std::string::npos) << reason("event");
  EXPECT_NE(reason("smooth").find("signal 11"), std::string::npos) << reason("smooth");
  EXPECT_EQ(named(benchmarks, "name", "smooth")["figures"].size(), 1u);
  EXPECT_NE(reason("force").find("no JSON"), std::string::npos) << reason("force");
  EXPECT_EQ(named(benchmarks, "name", "stepper")["figures"][0]["failed"], "energy grew");
  const ToolRun text = folder.run("event --runs 1");
  EXPECT_EQ(text.code, 3);
  EXPECT_NE(text.out.find("failed"), std::string::npos) << text.out;
}

TEST(Bench, OneThatPrintsForPeopleIsNamedAsSuch) {
  BenchFolder folder;
  folder.add("event", "echo 'a ball: 3 ms'");
  const ToolRun run = folder.run("event --runs 1");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "\nevent: prints its own figures\n");
}

TEST(Bench, TheProgramsGetTheWordsThatTheyNeed) {
  BenchFolder folder;
  folder.add("scale", "echo \"$@\" > '" + folder.file("words") + "'");
  ASSERT_EQ(folder.run("scale --quick --runs 1").code, 0);
  EXPECT_EQ(read_text(folder.file("words")), tool_path() + " --report --quick\n");
}

TEST(Bench, WritesAPageWithEveryFigure) {
  BenchFolder folder;
  folder.add("event", growing(folder, "a ball", "less") + "\necho '{\"figure\":\"alone\",\"value\":7}'");
  folder.add("scale", "echo '{\"figure\":\"1000 bodies\",\"group\":\"Memory of a body\",\"value\":5,\"unit\":\"kB\"}'");
  const std::string page = folder.file("page.md");
  ASSERT_EQ(folder.run("event scale --runs 2 -o " + page).code, 0);
  const std::string text = read_text(page);
  EXPECT_NE(text.find("| event | a ball | 1.5 ms | bar 4 |"), std::string::npos) << text;
  EXPECT_NE(text.find("## Memory of a body\n\n| figure | median | spread |\n|---|---|---|\n| 1000 bodies | 5 kB |"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| alone | 7 |"), std::string::npos) << text;
}

TEST(Bench, WithoutTheProgramsItSaysHowToBuildThem) {
  const ToolRun run = BenchFolder().run("");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("cmake --build --preset release --target benchmarks"), std::string::npos) << run.err;
}

TEST(Bench, AnUnknownNameIsAnsweredWithTheNearest) {
  const ToolRun run = shell("carom bench smoth");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("did you mean 'smooth'?"), std::string::npos) << run.err;
  EXPECT_NE(shell("carom bench event evnt").err.find("did you mean 'event'?"), std::string::npos);
  EXPECT_EQ(shell("carom bench --runs 0").code, 2);
  EXPECT_EQ(shell("carom bench --runs many").code, 2);
}

TEST(Bench, ASignalEndsItAtOnceAndWhatThereIsStays) {
  BenchFolder folder;
  const std::string left = folder.file("left"), begun = folder.file("begun");
  folder.add("impact", "echo '{\"figure\":\"first\",\"value\":1}'");
  folder.add("event",
             "echo '{\"figure\":\"second\",\"value\":2}'; touch '" + begun + "'; sleep 600; touch '" + left + "'");
  const ToolRun run = shell("carom bench impact event smooth --all --json --out " + folder.file("page.md") +
                            " --programs '" + folder.file("") + "' & tool=$!\nwhile [ ! -e '" + begun +
                            "' ]; do sleep 0.02; done; sleep 0.2; kill -INT $tool; wait $tool");
  EXPECT_EQ(run.code, 130) << run.err;
  const auto bench = run.json()["bench"];
  EXPECT_EQ(bench["interrupted"], true);
  EXPECT_EQ(named(bench["benchmarks"], "name", "impact")["figures"].size(), 1u);
  EXPECT_EQ(named(bench["benchmarks"], "name", "event")["figures"].size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(folder.file("page.md")));
}

}  // namespace
}  // namespace carom::test
