#pragma once
/// `carom reproduce` as the command line sees it, for the tool, which knows its help and completion, and for the
/// program carom-reproduce, which does the work.

#include "common/command_line.h"

namespace carom::app {

Command reproduce_command(Report (*run)(const Arguments& arguments));

}  // namespace carom::app
