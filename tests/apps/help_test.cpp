#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "apps/tool.h"

namespace carom::test {
namespace {

/// The command lines under "example:" or "examples:".
std::vector<std::string> examples(const std::string& help) {
  std::vector<std::string> lines;
  std::istringstream text(help);
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (inside && line.rfind("  ", 0) == 0) lines.push_back(line.substr(2));
    if (line == "example:" || line == "examples:") inside = true;
  }
  return lines;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  const auto commands = shell("carom --help --json").json()["help"]["commands"];
  for (const auto& command : commands) names.push_back(command["name"]);
  return names;
}

TEST(Help, TheToolListsItsCommandsAndAnExampleThatRuns) {
  const ToolRun help = shell("carom --help");
  ASSERT_EQ(help.code, 0);
  for (const char* const name : {"impact", "compare", "corner", "laws", "completion"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + name + " "), std::string::npos) << name;
  }
  ASSERT_EQ(examples(help.out).size(), 1u);
  EXPECT_EQ(shell(examples(help.out)[0]).code, 0);
}

TEST(Help, EveryCommandHasHelpWithExamplesThatRun) {
  ASSERT_FALSE(command_names().empty());
  for (const std::string& name : command_names()) {
    const ToolRun help = shell("carom " + name + " --help");
    EXPECT_EQ(help.code, 0) << name;
    EXPECT_EQ(help.out, shell("carom help " + name).out);
    EXPECT_EQ(help.out, shell("carom " + name + " --nonsense -h").out);
    EXPECT_NE(help.out.find("usage: carom " + name), std::string::npos) << help.out;
    EXPECT_FALSE(examples(help.out).empty()) << name;
    for (const std::string& example : examples(help.out)) {
      const ToolRun run = shell(example);
      if (run.err.find("built without its viewer") != std::string::npos) continue;
      EXPECT_EQ(run.code, 0) << example << "\n" << run.err;
      EXPECT_EQ(run.err, "") << example;
    }
  }
}

TEST(Help, TheManualPageHasEveryCommandAndNothingThatManComplainsAbout) {
  const ToolRun page = shell("carom help --man");
  EXPECT_EQ(page.code, 0);
  for (const std::string& name : command_names()) {
    EXPECT_NE(page.out.find(".SS \"carom " + name + "\""), std::string::npos) << name;
  }
  EXPECT_EQ(shell("carom help run --man").code, 2);
  if (shell("command -v groff").code != 0) GTEST_SKIP() << "groff is not installed";
  const ToolRun set = shell("carom help --man | groff -man -Tutf8 -Kutf8 -P-cbou -ww -rLL=100n");
  EXPECT_EQ(set.err, "");
  EXPECT_NE(set.out.find("EXIT STATUS"), std::string::npos);
}

TEST(Help, EveryOptionOfACommandIsExplained) {
  for (const std::string& name : command_names()) {
    const std::string help = shell("carom " + name + " --help").out;
    const auto options = shell("carom " + name + " --help --json").json()["help"]["options"];
    for (const auto& option : options) {
      const std::string also = option.contains("also") ? option["also"].get<std::string>() + ", " : "";
      EXPECT_NE(help.find("\n  " + also + option["name"].get<std::string>()), std::string::npos) << option;
      EXPECT_FALSE(option["help"].get<std::string>().empty());
    }
  }
}

/// Letters of a line in UTF-8: bytes that begin one.
long columns(const std::string& line) {
  return std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
}

TEST(Help, FitsIntoAHundredColumns) {
  for (const std::string& name : command_names()) {
    std::istringstream text(shell("carom " + name + " --help").out);
    for (std::string line; std::getline(text, line);) EXPECT_LE(columns(line), 100) << line;
  }
}

}  // namespace
}  // namespace carom::test
