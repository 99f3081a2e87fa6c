#pragma once
/// `carom sweep` with any way to share out its points: threads in the tool, ranks in carom-sweep-mpi.

#include <functional>

#include "carom/analysis/sweep/run_sweep.h"
#include "common/command_line.h"

namespace carom::app {

/// As sweep::run_missing.
using SweepExecutor = std::function<bool(const Sweep& sweep, const sweep::SweepRun& run, sweep::SweepJournal& journal)>;

Report run_sweep_command(const Arguments& arguments, const SweepExecutor& executor);

}  // namespace carom::app
