#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "carom/analysis/sweep/run_sweep.h"
#include "carom/analysis/sweep/sweep_table.h"
#include "carom/base/json.h"
#include "carom/base/utf8.h"
#include "commands/table.h"
#include "common/signal_watch.h"
#include "common/task_progress.h"
#include "common/text_table.h"
#include "scene_input.h"
#include "sweep_input.h"
#include "sweep_ranks.h"

namespace carom::app {
namespace sweep_command {

constexpr Option kOptions[] = {
    {.name = "--vary",
     .value = {Value::Kind::text, "PATH=VALUES"},
     .help = "a path and its values: lin(a,b,n), log(a,b,n) or v1,v2,…; may be given several times",
     .usual = true,
     .repeated = true},
    {.name = "--measure",
     .value = {Value::Kind::text, "NAME…"},
     .help = "what to write down: a field of the summary, a quantity at the end, an expression of these; may be given "
             "several times",
     .usual = true,
     .repeated = true},
    {.name = "--out",
     .value = {Value::Kind::file, "FILE"},
     .help = "the table, .csv or .h5",
     .usual = true,
     .also = "-o"},
    {.name = "--zip", .value = {}, .help = "value i of each path together, instead of every combination"},
    {.name = "--random",
     .value = {Value::Kind::text, "N"},
     .help = "N points at random; lin(a,b) needs no number then"},
    {.name = "--latin", .value = {Value::Kind::text, "N"}, .help = "N points of a Latin hypercube"},
    {.name = "--seed", .value = {Value::Kind::text, "N"}, .help = "of --random and --latin (default 0)"},
    {.name = "--each",
     .value = {Value::Kind::text, "INSTANTS"},
     .help = "a row at each impact, impact:A or impact:A,B, or at each period:SECONDS, instead of one at the end"},
    {.name = "--from", .value = {Value::Kind::text, "TIME"}, .help = "with --each: none before this time [s]"},
    {.name = "--last", .value = {Value::Kind::text, "N"}, .help = "with --each: only the last N of a run"},
    {.name = "--shard",
     .value = {Value::Kind::text, "I/N"},
     .help = "only the points whose number is I modulo N, for one of N machines"},
    {.name = "--merge", .value = {}, .help = "put the tables of all shards, given as arguments, together"},
    {.name = "--threads",
     .value = {Value::Kind::text, "N"},
     .help = "threads (default one for each processor); the table is the same"},
    {.name = "--keep",
     .value = {Value::Kind::text, "POINTS"},
     .help = "records of these points, 0,5,10-12 or all, as FILE.point-N.h5 beside the table"},
    {.name = "--replace", .value = {}, .help = "begin anew where the table exists already"},
    kSetOption,
    kLawOption,
    kEngineOption,
    kDurationOption,
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain, json or none, on standard error (default: bar on a terminal, none elsewhere)"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The table has a column for each varied path, one for each measure, and stop: how the run ended. A point that "
    "cannot be run, or does not finish, is a row with its reason there. Points are numbered from 0; the last path "
    "changes fastest.",
    "Measures: fields of the summary of carom run --json by their path (events.impacts, energy.final, time.model, "
    "bodies.ball.velocity.2), or of carom impact --json (steps, velocity.0, audit.min_impulse); quantities of carom "
    "plot at the end (position.ball.z); flags of the audit, counted (energy-created); numbers of the scene "
    "(body.ball.mass); and expressions of these with + - * / ^ and functions. name=EXPRESSION gives the column a name. "
    "With --each quantities are those right after each impact, or at each period; time and impact.impulse, "
    "impact.rate_before and impact.rate_after are known then too, and a column index counts the rows of a point.",
    "FILE.sweep beside the table is its journal: a sweep that was interrupted or killed and is started again repeats "
    "no "
    "point that it had finished. Another sweep into the same file is refused. Rows have the same order and the same "
    "bits whatever the number of threads and shards.",
};

constexpr std::string_view kExamples[] = {
    "carom sweep scenes/cradle.toml --vary run.duration=1,2 --measure time.model -o $(mktemp -d)/a.csv",
    "carom sweep examples/corner.toml --vary velocity.1=0,1 --measure steps -o $(mktemp -d)/b.csv",
};

constexpr std::string_view kOut = "--out";

std::string table_path(const Arguments& arguments) {
  const auto path = arguments.value(kOut);
  if (!path) throw InputError(Kind::usage, std::string(kOut), "a sweep needs a table to write: -o FILE.csv or FILE.h5");
  sweep::table_kind(*path);
  return *path;
}

Report merge(const Arguments& arguments) {
  for (const char* const option : {"--vary", "--measure"}) {
    if (arguments.all(option).empty()) continue;
    throw InputError(Kind::usage, option, fmt::format("--merge takes tables only, no {}", option));
  }
  const std::string path = table_path(arguments);
  const std::size_t rows = sweep::merge_tables(arguments.all_arguments(), path);
  Report report;
  if (arguments.has("--json")) {
    report.text = json_text(Json{{"file", path}, {"shards", arguments.all_arguments().size()}, {"rows", rows}});
  } else {
    report.text = labelled("table", path) + labelled("rows", fmt::format("{}", rows));
  }
  return report;
}

/// What became of a sweep.
struct Outcome {
  std::size_t points = 0;  ///< of the shard
  std::size_t before = 0;  ///< that were there already
  std::size_t done = 0;
  std::size_t rows = 0;
  sweep::FailedRows failed{};
  std::vector<std::string> records{};
  double seconds = 0.0;
  bool complete = false;
};

std::string record_path(const std::string& table, std::size_t point) {
  return fmt::format("{}.point-{}.h5", std::filesystem::path(table).replace_extension().string(), point);
}

void keep_records(const Sweep& sweep, const Arguments& arguments, const sweep::Shard& shard, Outcome& outcome) {
  Sweep::Worker worker = sweep.worker();
  for (const std::size_t point : kept_points(arguments, sweep.size())) {
    if (point % shard.count != shard.index) continue;
    if (SignalWatch::interrupted()) return;
    const std::string path = record_path(*arguments.value(kOut), point);
    worker.keep_record(point, path);
    outcome.records.push_back(path);
  }
}

/// Of a table that is finished.
void read_rows(const Sweep& sweep, const std::string& path, Outcome& outcome) {
  const sweep::TableLines table = sweep::read_table(path);
  sweep::require_unchanged(table, sweep.columns(), outcome.points, path);
  outcome.rows = table.lines.size();
  for (const std::string& line : table.lines) outcome.failed.look_at(line);
}

/// The points of this program's shard, by its threads.
void run_shard(const Sweep& sweep, const sweep::SweepRun& run, const std::string& path, Outcome& outcome) {
  sweep::SweepJournal journal(path, sweep::describe_shard(sweep.description(), run.shard), outcome.points);
  outcome.before = journal.done();
  if (!journal.complete()) {
    outcome.complete = sweep::run_missing(sweep, run, journal);
    const sweep::WrittenRows rows = sweep::write_points(sweep, journal, path);
    outcome.rows = rows.count;
    outcome.failed = rows.failed;
    if (outcome.complete) journal.mark_complete();
  } else {
    outcome.complete = true;
    read_rows(sweep, path, outcome);
  }
  outcome.done = journal.done();
}

Outcome carry_out(const Sweep& sweep, const Arguments& arguments, const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  sweep::SweepRun run;
  run.shard = read_shard(arguments);
  run.threads = static_cast<int>(std::min<std::size_t>(whole_number(arguments, "--threads", 0), 1024));
  kept_points(arguments, sweep.size());
  if (arguments.has("--replace")) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    std::filesystem::remove(sweep::journal_path(path), ignored);
  }
  Outcome outcome;
  outcome.points = run.shard.size(sweep.size());
  const auto style = arguments.value("--progress");
  const SignalWatch watch;
  TaskProgress progress(progress_style(style ? &*style : nullptr), "points of the sweep");
  run.report = [&progress](std::size_t done, std::size_t all) {
    progress.report(static_cast<double>(done), static_cast<double>(all));
  };
  run.interrupted = &SignalWatch::interrupted();
  if (is_one_of_several_ranks()) {
    const RanksOutcome ranks = run_by_ranks(sweep, run, path);
    outcome.complete = ranks.complete;
    outcome.before = ranks.before;
    outcome.done = ranks.done;
    outcome.rows = ranks.rows;
    if (outcome.complete && is_first_rank()) read_rows(sweep, path, outcome);
  } else {
    run_shard(sweep, run, path, outcome);
  }
  if (outcome.complete && is_first_rank()) keep_records(sweep, arguments, run.shard, outcome);
  outcome.complete = outcome.complete && !SignalWatch::interrupted();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

Json outcome_json(const Sweep& sweep, const Outcome& outcome, const std::string& path) {
  return {{"file", path},
          {"columns", sweep.columns()},
          {"points", outcome.points},
          {"done", outcome.done},
          {"already_done", outcome.before},
          {"rows", outcome.rows},
          {"failed", outcome.failed.count},
          {"records", outcome.records},
          {"complete", outcome.complete},
          {"seconds", outcome.seconds}};
}

std::string outcome_text(const Outcome& outcome, const std::string& path) {
  std::string text = labelled("table", path);
  text += labelled("points", fmt::format("{} of {}{}", outcome.done, outcome.points,
                                         outcome.before > 0 ? fmt::format(", {} of them before", outcome.before) : ""));
  text += labelled("rows", fmt::format("{}", outcome.rows));
  for (const std::string& record : outcome.records) text += labelled("record", record);
  text += labelled("took", fmt::format("{} s", cell(outcome.seconds, 3)));
  return text;
}

/// What ranks share out among themselves is not shared out by them once more, and not taken away from each other.
void require_whole_sweep(const Arguments& arguments) {
  for (const char* const option : {"--shard", "--replace"}) {
    if (!arguments.has(option)) continue;
    throw InputError(Kind::usage, option, fmt::format("several ranks were started; {} is for one program", option));
  }
}

Report run_here(const Arguments& arguments) {
  const std::string path = table_path(arguments);
  const Sweep sweep = read_sweep(arguments);
  const Outcome outcome = carry_out(sweep, arguments, path);
  Report report;
  if (!outcome.complete) {
    report.exit_code = kInterrupted;
    report.notes.push_back(fmt::format("interrupted: what is done is in {} and {}; the same command goes on from there",
                                       printable(path, 200), printable(sweep::journal_path(path), 200)));
  }
  if (outcome.failed.count > 0) {
    report.notes.push_back(
        fmt::format("{} of {} rows are of points that could not be run or failed on their way; the first says: {}",
                    outcome.failed.count, outcome.rows, printable(outcome.failed.first, 200)));
  }
  report.text = arguments.has("--json") ? json_text(outcome_json(sweep, outcome, path)) : outcome_text(outcome, path);
  return report;
}

Report run(const Arguments& arguments) {
  if (arguments.has("--merge")) return merge(arguments);
  if (!arguments.argument()) {
    throw InputError(Kind::usage, "SCENE|PROBLEM|-", "carom sweep needs a scene or an impact problem");
  }
  if (!is_one_of_several_ranks()) return run_here(arguments);
  require_whole_sweep(arguments);
  become_rank();
  if (is_first_rank()) return run_here(arguments);
  try {
    Report report = run_here(arguments);
    report.text.clear();
    report.notes.clear();
    return report;
  } catch (const InputError&) {
    return {};  // what is wrong here is wrong for all ranks; the first says it
  }
}

}  // namespace sweep_command

const Command kSweepCommand{
    .name = "sweep",
    .summary = "run a scene or an impact problem at many values and write a table",
    .argument = {.kind = Value::Kind::file, .name = "SCENE|PROBLEM|-", .may_be_absent = true, .repeated = true},
    .argument_help = "a scene or an impact problem; with --merge the tables of shards",
    .options = sweep_command::kOptions,
    .notes = sweep_command::kNotes,
    .examples = sweep_command::kExamples,
    .run = &sweep_command::run,
};

}  // namespace carom::app
