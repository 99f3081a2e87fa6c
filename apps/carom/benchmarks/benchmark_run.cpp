#include "benchmarks/benchmark_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "carom/base/error.h"
#include "common/signal_watch.h"
#include "viewing/child_process.h"

namespace carom::app {
namespace {

constexpr int kLookAround = 50;  // [ms] between looks at whether to stop

/// What the program prints until it closes its output or until someone asks to stop, line by line.
void read_lines(int descriptor, BenchmarkOutcome& outcome) {
  std::string text;
  std::array<char, 4096> buffer{};
  pollfd watched{descriptor, POLLIN, 0};
  while (!SignalWatch::interrupted()) {
    if (::poll(&watched, 1, kLookAround) <= 0) continue;
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      outcome.add_line(text.substr(0, end));
      text.erase(0, end + 1);
    }
  }
}

std::string ending_in_words(int code, const std::string& complaint) {
  constexpr int kSignals = 128;
  std::string words = code > kSignals
                          ? fmt::format("it ended by signal {} ({})", code - kSignals, ::strsignal(code - kSignals))
                          : fmt::format("it ended with exit code {}", code);
  if (!complaint.empty()) words += ": " + complaint;
  return words;
}

void run_once(const BenchmarkRequest& request, BenchmarkOutcome& outcome) {
  std::vector<std::string> words{request.folder + "/" + outcome.benchmark->program()};
  if (outcome.benchmark->runs_tool) words.push_back(request.tool);
  words.emplace_back("--report");
  if (request.quick) words.emplace_back("--quick");
  try {
    const ChildProcess::Pipe output[] = {{STDOUT_FILENO, false}};
    ChildProcess program(words, output);
    read_lines(program.end_of(0).number(), outcome);
    std::optional<int> code;
    while (!code && !SignalWatch::interrupted()) code = program.wait(std::chrono::milliseconds(kLookAround));
    if (!code) return;  // the end of `program` is the end of what it runs
    ++outcome.runs;
    if (outcome.state == BenchmarkState::failed) return;
    outcome.state = outcome.figures.empty() ? BenchmarkState::plain : BenchmarkState::told;
    if (*code == 0) return;
    outcome.state = BenchmarkState::failed;
    outcome.reason = ending_in_words(*code, program.complaint());
  } catch (const InputError& error) {
    outcome.state = BenchmarkState::failed;
    outcome.reason = error.what();
  }
}

BenchmarkOutcome first_look(const Benchmark& benchmark, const std::string& folder) {
  BenchmarkOutcome outcome;
  outcome.benchmark = &benchmark;
  if (::access((folder + "/" + benchmark.program()).c_str(), X_OK) == 0) return outcome;
  outcome.state = BenchmarkState::missing;
  outcome.reason = benchmark.package.empty() ? fmt::format("there is no {}", benchmark.program())
                                             : fmt::format("there is no {}; {} is needed to build it",
                                                           benchmark.program(), benchmark.package);
  return outcome;
}

}  // namespace

BenchmarkResults run_benchmarks(const BenchmarkRequest& request) {
  BenchmarkResults results;
  results.quick = request.quick;
  results.runs = request.runs;
  for (const Benchmark* const benchmark : request.benchmarks)
    results.outcomes.push_back(first_look(*benchmark, request.folder));
  for (int run = 0; run < request.runs; ++run)
    for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
      BenchmarkOutcome& outcome = results.outcomes[i];
      const bool again = outcome.state == BenchmarkState::waiting || outcome.state == BenchmarkState::told;
      if (!again || SignalWatch::interrupted()) continue;
      if (request.begins) request.begins(run, i);
      run_once(request, outcome);
    }
  results.interrupted = SignalWatch::interrupted();
  // What an interrupted program had told is kept.
  for (BenchmarkOutcome& outcome : results.outcomes)
    if (outcome.state == BenchmarkState::waiting && !outcome.figures.empty()) outcome.state = BenchmarkState::told;
  return results;
}

}  // namespace carom::app
