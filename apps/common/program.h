#pragma once
/// What every program of carom does around its task: it prints the report, and makes of every error what the outside
/// contract asks.

#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"

namespace carom::app {

using Words = std::vector<std::string>;

struct Program {
  /// The task, given the words of the command line behind the program's name.
  Report (*run)(Words words);
  /// Where to read on after a usage error, as a whole line.
  std::string (*help_hint)(const Words& words);
};

/// Whether an option stands among the words before a `--`.
bool mentions(const Words& words, std::string_view option);

/// The body of `main`: runs, prints, and gives the exit code.
int run_program(const Program& program, int argc, char** argv);

}  // namespace carom::app
