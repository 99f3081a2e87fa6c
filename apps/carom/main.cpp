/// The command line tool: finds the command and runs it.

#include <utility>

#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/nearest_name.h"
#include "carom/base/version.h"
#include "commands/table.h"
#include "common/command_help.h"
#include "common/program.h"
#include "help.h"

namespace carom::app {
namespace {

Report run_words(Words words) {
  const bool json = mentions(words, "--json");
  // `carom --json impact FILE` means `carom impact --json FILE`.
  if (words.size() > 1 && words[0] == "--json") std::swap(words[0], words[1]);
  const bool help = mentions(words, "--help") || mentions(words, "-h");
  if (!words.empty() && words[0] == "--version") {
    return {json ? json_text(Json{{"version", kVersion}}) : version_text(), kDone, {}, {}};
  }
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
    return {json ? json_text(tool_help_json()) : tool_help(), kDone, {}, {}};
  }
  if (words.empty() || words[0] == "--json") {
    throw InputError(Kind::usage, "", "no command is given");
  }
  if (words[0].starts_with('-')) {
    constexpr std::string_view kKnown[] = {"--help", "--version", "--json"};
    throw InputError(Kind::usage, words[0],
                     unknown_name_message("option", words[0], kKnown) + "; a command's options stand behind it");
  }
  const Command& command = find_command(words[0]);
  if (help) return {json ? json_text(command_help_json(command)) : command_help(command), kDone, {}, {}};
  const std::span<const std::string> rest(words.begin() + 1, words.end());
  return command.run(parse_arguments(command, rest));
}

/// Where to read on after a usage error.
std::string help_hint(const Words& words) {
  for (const Command* command : command_table()) {
    if (!words.empty() && words[0] == command->name) return "see 'carom " + words[0] + " --help'\n";
  }
  return "see 'carom --help'\n";
}

}  // namespace
}  // namespace carom::app

int main(int argc, char** argv) {
  return carom::app::run_program({&carom::app::run_words, &carom::app::help_hint}, argc, argv);
}
