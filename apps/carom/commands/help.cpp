/// `carom help [COMMAND]`: the same as `carom [COMMAND] --help`.

#include "help.h"

#include "carom/base/error.h"
#include "commands/table.h"
#include "common/command_help.h"
#include "output/man_page.h"

namespace carom::app {
namespace help_command {

constexpr Option kOptions[] = {
    {"--man", {}, "print the manual page, all commands in the macros of man"},
    kJsonOption,
};
constexpr std::string_view kExamples[] = {"carom help corner", "carom help --man"};
constexpr std::string_view kNotes[] = {
    "To have it as man carom: carom help --man > ~/.local/share/man/man1/carom.1",
};

Report run(const Arguments& arguments) {
  if (arguments.has("--man")) {
    if (arguments.argument() || arguments.has("--json"))
      throw InputError(Kind::usage, "--man", "--man is the page of all commands and has no other form");
    return {man_page(), kDone, {}, {}};
  }
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
    .notes = help_command::kNotes,
    .examples = help_command::kExamples,
    .run = &help_command::run,
};

}  // namespace carom::app
