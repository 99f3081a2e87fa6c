#pragma once
/// The numbers of a run's summary that sweeps ask for most, by the path that RunSummary::to_json gives them, without
/// making JSON of it all.

#include <string_view>

#include "carom/simulation/run_summary.h"

namespace carom::sweep {

using SummaryNumber = double (*)(const RunSummary& summary);

/// Null where the path is none of these.
SummaryNumber summary_number(std::string_view path);

}  // namespace carom::sweep
