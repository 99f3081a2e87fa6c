#pragma once
/// Help texts, made from the table of commands.

#include <string>

#include "carom/base/json.h"
#include "command_line.h"

namespace carom::app {

/// "carom 0.1.0".
std::string version_text();

/// Purpose, all commands, an example: `carom --help`.
std::string tool_help();

/// Usage, options and examples of one command: `carom COMMAND --help`.
std::string command_help(const Command& command);

/// The same for programs.
Json tool_help_json();
Json command_help_json(const Command& command);

}  // namespace carom::app
