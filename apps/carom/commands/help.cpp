/// `carom help [COMMAND]`: the same as `carom [COMMAND] --help`.

#include "help.h"

#include "commands/table.h"
#include "common/command_help.h"

namespace carom::app {
namespace help_command {

constexpr Option kOptions[] = {kJsonOption};
constexpr std::string_view kExamples[] = {"carom help corner"};

Report run(const Arguments& arguments) {
  if (!arguments.argument())
    return {arguments.has("--json") ? json_text(tool_help_json()) : tool_help(), kDone, {}, {}};
  const Command& command = find_command(*arguments.argument());
  return {arguments.has("--json") ? json_text(command_help_json(command)) : command_help(command), kDone, {}, {}};
}

}  // namespace help_command

const Command kHelpCommand{
    .name = "help",
    .summary = "explain the tool or one command",
    .argument = {Value::Kind::choice, "COMMAND", "command", &command_names, true},
    .argument_help = "the command to explain",
    .options = help_command::kOptions,
    .notes = {},
    .examples = help_command::kExamples,
    .run = &help_command::run,
};

}  // namespace carom::app
