#pragma once
/// Help of the whole tool, made from the table of commands.

#include <string>

#include "carom/base/json.h"

namespace carom::app {

/// "carom 0.1.0".
std::string version_text();

/// Purpose, all commands, an example: `carom --help`.
std::string tool_help();

/// The same for programs.
Json tool_help_json();

}  // namespace carom::app
