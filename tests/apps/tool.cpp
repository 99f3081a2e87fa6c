#include "apps/tool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/places.h"

namespace carom::test {

nlohmann::json ToolRun::json() const {
  nlohmann::json object = nlohmann::json::parse(out, nullptr, false);
  EXPECT_TRUE(object.is_object()) << "not one JSON object:\n" << out << err;
  return object;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ToolRun shell(const std::string& command_line, const std::string& input) {
  const ScratchFolder scratch;
  const std::string directory = std::filesystem::path(tool_path()).parent_path().string();
  write_text(scratch.file("in"), input);
  write_text(scratch.file("script"), "cd '" + project_file() + "' || exit 99\nexport PATH='" + directory +
                                         "':\"$PATH\"\n" + command_line + "\n");
  const std::string command = "bash '" + scratch.file("script") + "' < '" + scratch.file("in") + "' > '" +
                              scratch.file("out") + "' 2> '" + scratch.file("err") + "'";
  const int status = std::system(command.c_str());
  ToolRun run;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = read_text(scratch.file("out"));
  run.err = read_text(scratch.file("err"));
  return run;
}

nlohmann::json impact_json(const std::string& problem, const std::string& arguments, int code) {
  const ToolRun run = shell("carom impact - --json " + arguments, problem);
  EXPECT_EQ(run.code, code) << run.out << run.err;
  return run.json();
}

nlohmann::json impact_error(const std::string& problem, const std::string& arguments) {
  const ToolRun run = shell("carom impact - --json " + arguments, problem);
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_EQ(run.err, "");
  const nlohmann::json object = run.json();
  EXPECT_EQ(object.size(), 1u);
  return object.value("error", nlohmann::json::object());
}

}  // namespace carom::test
