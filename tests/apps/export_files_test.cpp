/// `carom export --csv` and `--vtk` on disks and folders that do not do what they should.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "apps/tool.h"

namespace carom::test {
namespace {

class ExportFiles : public testing::TestWithParam<const char*> {
 protected:
  ExportFiles() : record_(folder_.file("run.h5")), target_(folder_.file("made")) {
    EXPECT_EQ(shell("carom run scenes/bouncing-ball.toml --out " + record_).code, 0);
  }
  /// Exports after some other commands of a shell.
  ToolRun run_export(const std::string& before = "", const std::string& after = "") {
    return shell(before + "carom export " + record_ + " --" + GetParam() + " " + target_ + " --progress none " + after);
  }
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(target_)) names.insert(entry.path().filename());
    return names;
  }

  ScratchFolder folder_;
  std::string record_, target_;
};

TEST_P(ExportFiles, ADiskWithoutRoomIsToldAndLeavesNoHalfFiles) {
  // No file may grow beyond a block; the signal that would kill the tool is ignored.
  const ToolRun run = run_export("trap '' XFSZ; ulimit -f 1; ");
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_NE(run.err.find("cannot write '"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("File too large"), std::string::npos) << run.err;
  for (const std::string& name : files()) {
    EXPECT_EQ(name.find(".part"), std::string::npos) << name;
    EXPECT_NE(name, "run.pvd");
    EXPECT_NE(name, "samples.csv");
  }
}

TEST_P(ExportFiles, AFileInPlaceOfTheFolderIsLeftAlone) {
  write_text(target_, "mine");
  const ToolRun run = run_export();
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(read_text(target_), "mine");
}

TEST_P(ExportFiles, AFolderInPlaceOfAFileIsTold) {
  const std::string last = std::string(GetParam()) == "csv" ? "/samples.csv" : "/run.pvd";
  std::filesystem::create_directories(target_ + last);
  const ToolRun run = run_export();
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_NE(run.err.find("Is a directory"), std::string::npos) << run.err;
}

TEST_P(ExportFiles, ASpanWithoutSamplesIsToldAndOthersAreNot) {
  ASSERT_EQ(run_export("", "--from 1 --to 2").code, 0);
  EXPECT_TRUE(files().contains(std::string(GetParam()) == "csv" ? "events.csv" : "run.pvd"));
  EXPECT_EQ(run_export("", "--from 100").code, 2);
}

INSTANTIATE_TEST_SUITE_P(Both, ExportFiles, testing::Values("csv", "vtk"));

}  // namespace
}  // namespace carom::test
