#pragma once
/// Runs the built command line tool as a user does, through a shell.

#include <nlohmann/json.hpp>
#include <string>

#include "support/scratch_folder.h"

namespace carom::test {

struct ToolRun {
  int code = -1;    ///< exit code; 128 + signal where the tool was killed
  std::string out;  ///< standard output
  std::string err;  ///< standard error

  /// Standard output as the one JSON object that it must be.
  [[nodiscard]] nlohmann::json json() const;
};

/// Runs a command line with bash in the source directory, `carom` being the built tool; `input` is standard input.
ToolRun shell(const std::string& command_line, const std::string& input = "");

/// Runs `carom impact - --json` and further arguments on a problem; checks that the exit code is `code`.
nlohmann::json impact_json(const std::string& problem, const std::string& arguments = "", int code = 0);

/// The error object of `carom impact - --json` on a bad problem; checks exit code 2 and an empty standard error.
nlohmann::json impact_error(const std::string& problem, const std::string& arguments = "");

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace carom::test
