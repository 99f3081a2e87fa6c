/// `mpirun -n N carom sweep …`: the same by N ranks. The tool hands over to this program.

#include <optional>

#include "carom/base/error.h"
#include "commands/sweep_command.h"
#include "commands/table.h"
#include "common/program.h"
#include "common/signal_watch.h"
#include "ranks.h"
#include "sweep_input.h"

namespace carom::app {
namespace {

Ranks* ranks = nullptr;

/// Rank 0: tells the others when it is done, also where it fails.
struct Dismissal {
  ~Dismissal() { ranks->dismiss(); }
};

Report run_first(const Words& words) {
  const Dismissal dismissal;
  return run_sweep_command(parse_arguments(kSweepCommand, words),
                           [](const Sweep& sweep, const sweep::SweepRun& run, sweep::SweepJournal& journal) {
                             return ranks->run_missing(sweep, run, journal);
                           });
}

void serve(const Words& words) {
  std::optional<Sweep> sweep;
  sweep::Shard shard;
  try {
    const Arguments arguments = parse_arguments(kSweepCommand, words);
    sweep = read_sweep(arguments);
    shard = read_shard(arguments);
  } catch (const InputError&) {
    // What is wrong with the input is wrong for all ranks; the first says it.
    ranks->leave();
    return;
  }
  const SignalWatch watch;
  ranks->serve(*sweep, shard, SignalWatch::interrupted());
}

Report run_words(Words words) {
  if (ranks->rank() == 0) return run_first(words);
  serve(words);
  return {};
}

std::string hint(const Words& /*words*/) {
  return "see 'carom sweep --help'\n";
}

}  // namespace
}  // namespace carom::app

int main(int argc, char** argv) {
  using namespace carom::app;
  Ranks all(argc, argv);
  ranks = &all;
  return run_program({&run_words, &hint}, argc, argv);
}
