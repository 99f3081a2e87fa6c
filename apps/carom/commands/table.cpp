#include "commands/table.h"

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"

namespace carom::app {
namespace {

constexpr const Command* kCommands[] = {
    &kCheckCommand,       // is a scene in order
    &kRunCommand,         // a scene through its engine
    &kResumeCommand,      // a run that was killed goes on
    &kViewCommand,        // a run in a browser
    &kInfoCommand,        // what is inside a record
    &kEventsCommand,      // what happened in a run
    &kPlotCommand,        // its quantities as a picture
    &kSpectrumCommand,    // how a body of a run vibrates
    &kExportCommand,      // a record for others
    &kSweepCommand,       // a scene or a problem at many values
    &kImpactCommand,      // one problem, one law
    &kCompareCommand,     // one problem, several laws
    &kCornerCommand,      // the disk in a corner
    &kAtlasCommand,       // many problems, several laws, as a map
    &kReproduceCommand,   // the papers, item by item
    &kBenchCommand,       // how fast all of it is
    &kLawsCommand,        // what laws there are
    &kSchemaCommand,      // the scene format, for editors
    &kCompletionCommand,  // for the shell
    &kHelpCommand,        // the same as --help
};

}  // namespace

std::span<const Command* const> command_table() {
  return kCommands;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) names.push_back(command->name);
  return names;
}

const Command& find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return *command;
  }
  throw InputError(Kind::usage, "", unknown_name_message("command", name, command_names()));
}

}  // namespace carom::app
