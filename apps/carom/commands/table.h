#pragma once
/// All commands of the tool. To add one: a file in this folder, a declaration here and a line in table.cpp.

#include <span>
#include <string_view>

#include "common/command_line.h"

namespace carom::app {

extern const Command kAtlasCommand;
extern const Command kBenchCommand;
extern const Command kCheckCommand;
extern const Command kCompareCommand;
extern const Command kCompletionCommand;
extern const Command kCornerCommand;
extern const Command kEventsCommand;
extern const Command kExportCommand;
extern const Command kHelpCommand;
extern const Command kImpactCommand;
extern const Command kInfoCommand;
extern const Command kLawsCommand;
extern const Command kPlotCommand;
extern const Command kReproduceCommand;
extern const Command kResumeCommand;
extern const Command kRunCommand;
extern const Command kSchemaCommand;
extern const Command kSpectrumCommand;
extern const Command kSweepCommand;
extern const Command kViewCommand;

/// In the order in which help lists them.
std::span<const Command* const> command_table();

std::vector<std::string_view> command_names();

/// The command of that name. Throws InputError (usage) with the nearest known one.
const Command& find_command(std::string_view name);

}  // namespace carom::app
