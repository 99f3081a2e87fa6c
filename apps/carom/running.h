#pragma once
/// What the commands share that carry out a run: how it is recorded and watched, and what they say about it.

#include <vector>

#include "carom/base/json.h"
#include "carom/record/record_settings.h"
#include "carom/simulation/run_summary.h"
#include "common/command_line.h"
#include "common/program.h"
#include "common/progress.h"

namespace carom::app {

inline constexpr Option kFlushOption{
    .name = "--flush",
    .value = {Value::Kind::text, "SECONDS"},
    .help = "how often what happened goes to the record (default 2); large records wait longer"};
inline constexpr Option kProgressOption{
    .name = "--progress",
    .value = {Value::Kind::choice, "STYLE", "style", &progress_names},
    .help =
        "bar, plain (a line every second), json (an object per line) or none, on standard error (default: bar on a "
        "terminal, none elsewhere)"};
inline constexpr Option kBodiesOption{
    .name = "--bodies",
    .value = {},
    .help = "with --json: list the bodies at the end also where there are more than 1000"};

/// How often a record is written: --flush and --checkpoint.
RecordRhythm rhythm_of(const Arguments& arguments);
ProgressStyle style_of(const Arguments& arguments);
/// For a person who watches.
bool shows_sparkline(const Arguments& arguments);

/// The object of the contract.
Json summary_json(const Arguments& arguments, const RunSummary& summary);
/// Text or JSON, notes and exit code of a run that has ended.
void report_run(const Arguments& arguments, const RunSummary& summary, Report& report);

}  // namespace carom::app
