/// `carom reproduce` as a user meets it; what the chapters say is tested in tests/reproduce.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/tool.h"

#include "support/places.h"

namespace carom::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Reproduce, WritesOnePageWithEveryItemAndEveryPicture) {
  const ScratchFolder folder;
  const ToolRun run = shell("carom reproduce weak-solutions --json --out " + folder.file("report"));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto papers = run.json()["papers"];
  ASSERT_EQ(papers.size(), 1u);
  const std::size_t items = papers[0]["items"].size();
  ASSERT_GT(items, 10u);

  const std::filesystem::path report = folder.file("report");
  const std::string html = text_of(report / "report.html");
  EXPECT_EQ(count_of(html, "<span class=\""), items);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  const std::string markdown = text_of(report / "report.md");
  std::size_t pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(report / "figures")) {
    ++pictures;
    EXPECT_NE(markdown.find("(figures/" + entry.path().filename().string() + ")"), std::string::npos) << entry;
  }
  EXPECT_GT(pictures, 0u);
  EXPECT_EQ(count_of(html, "data:image/svg+xml;base64,"), pictures);
}

TEST(Reproduce, SeveralPapersComeInTheOrderOfTheReport) {
  const auto papers = shell("carom reproduce weak-solutions nonholonomic-collisions --json").json()["papers"];
  ASSERT_EQ(papers.size(), 2u);
  EXPECT_EQ(papers[0]["paper"], "nonholonomic-collisions");
  EXPECT_EQ(papers[1]["paper"], "weak-solutions");
}

TEST(Reproduce, AnUnknownPaperIsAnsweredWithTheNearest) {
  const ToolRun run = shell("carom reproduce weak-solution");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("did you mean 'weak-solutions'?"), std::string::npos) << run.err;
}

TEST(Reproduce, AFolderThatCannotBeMadeIsAFileError) {
  const ToolRun run = shell("carom reproduce nonholonomic-collisions --out /proc/report");
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.err.find("/proc/report"), std::string::npos) << run.err;
}

TEST(Reproduce, ASignalEndsIt) {
  const ToolRun run = shell("timeout --preserve-status -s INT 1 carom reproduce smooth-contact");
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.out, "");
}

TEST(Reproduce, AToolWithoutItsSecondProgramSaysWhatToBuild) {
  const ScratchFolder folder;
  std::filesystem::copy_file(tool_path(), folder.file("carom"));
  const ToolRun run = shell("'" + folder.file("carom") + "' reproduce weak-solutions");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("build the target carom-reproduce"), std::string::npos) << run.err;
  const auto error = shell("'" + folder.file("carom") + "' reproduce weak-solutions --json").json()["error"];
  EXPECT_EQ(error["kind"], "file");
}

}  // namespace
}  // namespace carom::test
