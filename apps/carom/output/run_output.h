#pragma once
/// How a run ended, for people, and what is said of it to programs.

#include <string>

#include "carom/base/json.h"
#include "carom/simulation/run_summary.h"

namespace carom::app {

/// Above this many bodies they are listed only on demand.
inline constexpr std::size_t kMostBodiesListed = 1000;

std::string run_text(const RunSummary& summary);

/// Exit code of a run that ended so.
int exit_code_of(RunStop stop);

}  // namespace carom::app
