/// `carom bench`: the project's benchmarks, several times, as one table.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "benchmarks/benchmark_list.h"
#include "benchmarks/benchmark_run.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "commands/table.h"
#include "common/progress.h"
#include "common/signal_watch.h"
#include "common/text_table.h"
#include "common/write_file.h"
#include "output/bench_output.h"

namespace carom::app {
namespace bench_command {

constexpr int kUsualRuns = 5, kQuickRuns = 3;
constexpr std::string_view kHowToBuild = "cmake --build --preset release --target benchmarks";

constexpr Option kOptions[] = {
    {"--quick", {}, "measure less, and three times instead of five"},
    {"--runs", {Value::Kind::text, "N"}, "run each benchmark so many times"},
    {"--all", {}, "show also the figures that are compared with nothing"},
    {"--list", {}, "instead: what benchmarks there are, and which of them are built"},
    {"--out", {Value::Kind::file, "FILE.md"}, "write all figures as a page in Markdown", false, false, "-o"},
    {"--programs", {Value::Kind::file, "DIR"}, "the folder of the benchmarks (default bench/ in the build folder)"},
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain, json or none, on standard error (default: bar on a terminal, none elsewhere)"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "Benchmarks are programs of their own, built by cmake --build --preset release --target benchmarks. Each figure is "
    "the median of several runs, beside the bar that the project has set itself or what another program needs for the "
    "same; times are processor times unless the unit says otherwise. docs/performance.md is such a page, written by "
    "-o.",
    "One that fails is a row with its reason (exit code 3); one that is not built is skipped with a line. Ctrl-C ends "
    "it at once and shows what there is (exit code 130).",
};

constexpr std::string_view kExamples[] = {"carom bench --list"};

std::string this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string programs_folder(const Arguments& arguments) {
  if (const auto folder = arguments.value("--programs")) return *folder;
  return (std::filesystem::path(this_program()).parent_path().parent_path().parent_path() / "bench").string();
}

std::vector<const Benchmark*> chosen(const Arguments& arguments) {
  std::vector<const Benchmark*> benchmarks;
  const std::vector<std::string>& names = arguments.all_arguments();
  for (const Benchmark& benchmark : all_benchmarks())
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end())
      benchmarks.push_back(&benchmark);
  return benchmarks;
}

int runs_of(const Arguments& arguments) {
  constexpr double kMost = 1000;
  const auto text = arguments.value("--runs");
  if (!text) return arguments.has("--quick") ? kQuickRuns : kUsualRuns;
  const NumberText number = read_number(*text);
  if (number.status != NumberStatus::good || number.value != std::floor(number.value) || number.value < 1 ||
      number.value > kMost)
    throw InputError(Kind::out_of_range, "--runs",
                     fmt::format("--runs is '{}', expected a whole number from 1 to {}", printable(*text), kMost));
  return static_cast<int>(number.value);
}

bool is_built(const Benchmark& benchmark, const std::string& folder) {
  return ::access((folder + "/" + benchmark.program()).c_str(), X_OK) == 0;
}

Report list(const Arguments& arguments, const std::vector<const Benchmark*>& benchmarks, const std::string& folder) {
  TextTable table({{"benchmark", Align::left}, {"built", Align::left}, {"measures", Align::left}});
  Json entries = Json::array();
  for (const Benchmark* const benchmark : benchmarks) {
    const bool built = is_built(*benchmark, folder);
    table.add_row({std::string(benchmark->name), built ? "yes" : "no", std::string(benchmark->measures)});
    entries.push_back({{"name", benchmark->name}, {"built", built}, {"measures", benchmark->measures}});
  }
  Report report;
  report.text =
      arguments.has("--json") ? json_text(Json{{"bench", {{"benchmarks", std::move(entries)}}}}) : table.text();
  return report;
}

/// Says which program runs now.
class Announcer {
 public:
  Announcer(ProgressStyle style, const BenchmarkRequest& request) : style_(style), request_(request) {}
  ~Announcer() {
    if (style_ == ProgressStyle::bar) std::fputs("\r\033[K", stderr);
  }
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  void operator()(int run, std::size_t index) const {
    const std::string_view name = request_.benchmarks[index]->name;
    const std::string text =
        fmt::format("run {} of {}: {} ({} of {})", run + 1, request_.runs, name, index + 1, request_.benchmarks.size());
    if (style_ == ProgressStyle::bar) fmt::print(stderr, "\r{}\033[K", text);
    if (style_ == ProgressStyle::plain) fmt::print(stderr, "{}\n", text);
    if (style_ == ProgressStyle::json)
      fmt::print(stderr, "{}\n", Json{{"run", run + 1}, {"runs", request_.runs}, {"benchmark", name}}.dump());
    std::fflush(stderr);
  }

 private:
  ProgressStyle style_;
  const BenchmarkRequest& request_;
};

void require_programs(const BenchmarkRequest& request) {
  for (const Benchmark* const benchmark : request.benchmarks)
    if (is_built(*benchmark, request.folder)) return;
  Place place;
  place.file = request.folder;
  throw InputError(Kind::file, place,
                   fmt::format("none of these benchmarks is there; they are built by '{}'", kHowToBuild));
}

Report run(const Arguments& arguments) {
  BenchmarkRequest request;
  request.benchmarks = chosen(arguments);
  request.folder = programs_folder(arguments);
  if (arguments.has("--list")) return list(arguments, request.benchmarks, request.folder);
  request.tool = this_program();
  request.quick = arguments.has("--quick");
  request.runs = runs_of(arguments);
  require_programs(request);
  const auto style = arguments.value("--progress");
  BenchmarkResults results;
  {
    const SignalWatch watch;
    const Announcer announcer(progress_style(style ? &*style : nullptr), request);
    request.begins = [&announcer](int run, std::size_t index) { announcer(run, index); };
    results = run_benchmarks(request);
  }
  const BenchmarkMachine machine = BenchmarkMachine::here();
  Report report;
  report.text =
      arguments.has("--json") ? json_text(bench_json(results, machine)) : bench_text(results, arguments.has("--all"));
  report.exit_code = results.interrupted ? kInterrupted : results.any_failed() ? kUnfinished : kDone;
  if (results.interrupted) report.notes.emplace_back("interrupted: these are the figures so far");
  const auto out = arguments.value("--out");
  if (out && results.interrupted) report.notes.push_back(fmt::format("'{}' is not written", printable(*out)));
  if (out && !results.interrupted) write_file(*out, bench_page(results, machine), "page");
  return report;
}

}  // namespace bench_command

const Command kBenchCommand{
    .name = "bench",
    .summary = "run the project's benchmarks and set them beside bars and other engines",
    .argument = {Value::Kind::choice, "NAME", "benchmark", &benchmark_names, true, true},
    .argument_help = "benchmarks to run (default all)",
    .options = bench_command::kOptions,
    .notes = bench_command::kNotes,
    .examples = bench_command::kExamples,
    .run = &bench_command::run,
};

}  // namespace carom::app
