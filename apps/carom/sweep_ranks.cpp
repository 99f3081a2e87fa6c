#include "sweep_ranks.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "carom/analysis/sweep/sweep_table.h"
#include "carom/base/error.h"

namespace carom::app {
namespace {

/// Parts of a sweep; their number does not depend on the number of ranks, so that another number can go on.
constexpr std::size_t kMostParts = 512;
/// So often a rank that dies is started again.
constexpr int kMostDeaths = 5;
constexpr auto kPause = std::chrono::milliseconds(50);

/// A number that the starter of ranks has left in the environment; −1 where there is none.
int from_starter(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  return -1;
}

int own_rank() {
  return from_starter({"OMPI_COMM_WORLD_RANK", "PMI_RANK"});
}

pid_t working_program = 0;

void pass_on(int signal_number) {
  if (working_program > 0) ::kill(working_program, signal_number);
}

/// Waits for the program that does the work; its status.
int wait_for_work() {
  int status = 0;
  while (::waitpid(working_program, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

class Parts {
 public:
  Parts(const Sweep& sweep, const sweep::SweepRun& run, const std::string& path)
      : sweep_(sweep),
        run_(run),
        path_(path),
        folder_(path + ".parts"),
        whole_(std::min(sweep.size(), kMostParts), false) {}

  RanksOutcome run() {
    RanksOutcome outcome;
    if (is_first_rank()) look_at_table();
    if (table_is_there()) {
      outcome.before = sweep_.size();
    } else {
      std::filesystem::create_directories(folder_);
      while (!all_whole() && !interrupted()) {
        const bool progressed = run_some();
        if (table_is_there()) break;
        if (!progressed && !all_whole()) std::this_thread::sleep_for(kPause);
      }
      while (all_whole() && !interrupted() && !table_is_there()) merge();
    }
    outcome.complete = table_is_there();
    outcome.done = outcome.complete ? sweep_.size() : done();
    if (outcome.complete) outcome.rows = sweep::read_table(path_).lines.size();
    return outcome;
  }

 private:
  [[nodiscard]] bool interrupted() const { return run_.interrupted != nullptr && *run_.interrupted; }
  [[nodiscard]] bool all_whole() const {
    return std::all_of(whole_.begin(), whole_.end(), [](bool is) { return is; });
  }
  [[nodiscard]] sweep::Shard shard(std::size_t part) const { return {part, whole_.size()}; }
  [[nodiscard]] std::string file(std::size_t part) const { return fmt::format("{}/part-{}.csv", folder_, part); }
  [[nodiscard]] std::size_t done() const {
    std::size_t points = 0;
    for (std::size_t part = 0; part < whole_.size(); ++part)
      if (whole_[part]) points += shard(part).size(sweep_.size());
    return points;
  }

  /// Throws where the table belongs to another sweep.
  void look_at_table() const {
    try {
      const sweep::SweepJournal journal(path_, sweep_.description(), sweep_.size());
    } catch (const sweep::JournalInUse&) {  // NOLINT(bugprone-empty-catch): another program is looking
    }
  }
  [[nodiscard]] bool table_is_there() const {
    try {
      return sweep::description_of_table(path_) == sweep_.description();
    } catch (const InputError&) {
      return false;
    }
  }

  /// Tries every part that is not known to be whole once, each rank beginning elsewhere.
  bool run_some() {
    bool progressed = false;
    const auto start = static_cast<std::size_t>(std::max(own_rank(), 0));
    for (std::size_t k = 0; k < whole_.size() && !interrupted(); ++k) {
      const std::size_t part = (start + k) % whole_.size();
      if (whole_[part]) continue;
      try {
        whole_[part] = run_part(part);
        progressed = true;
        if (run_.report) run_.report(done(), sweep_.size());
      } catch (const sweep::JournalInUse&) {
        continue;
      } catch (const InputError&) {
        if (table_is_there()) return false;  // they have been merged, and are taken away
        throw;
      }
    }
    return progressed;
  }

  bool run_part(std::size_t part) {
    sweep::SweepRun run = run_;
    run.shard = shard(part);
    run.threads = std::max(run.threads, 1);
    run.report = {};
    sweep::SweepJournal journal(file(part), sweep::describe_shard(sweep_.description(), run.shard),
                                run.shard.size(sweep_.size()));
    if (journal.complete()) return true;
    if (!sweep::run_missing(sweep_, run, journal)) return false;
    sweep::write_points(sweep_, journal, file(part));
    journal.mark_complete();
    return true;
  }

  /// One rank does it; the lock on the first part says which.
  void merge() {
    try {
      const sweep::SweepJournal lock(file(0), sweep::describe_shard(sweep_.description(), shard(0)),
                                     shard(0).size(sweep_.size()));
      if (table_is_there()) return;
      // A rank that begins this late finds a table that is being written, not one of somebody else.
      const sweep::SweepJournal journal(path_, sweep_.description(), sweep_.size());
      std::vector<std::string> files;
      for (std::size_t part = 0; part < whole_.size(); ++part) files.push_back(file(part));
      sweep::merge_tables(files, path_);
      std::error_code ignored;
      std::filesystem::remove_all(folder_, ignored);
    } catch (const sweep::JournalInUse&) {
      std::this_thread::sleep_for(kPause);
    } catch (const InputError&) {
      if (!table_is_there()) throw;
    }
  }

  const Sweep& sweep_;
  const sweep::SweepRun& run_;
  std::string path_, folder_;
  std::vector<bool> whole_;
};

}  // namespace

bool is_one_of_several_ranks() {
  return from_starter({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) > 1;
}

bool is_first_rank() {
  return own_rank() <= 0;
}

void become_rank() {
  for (int deaths = 0; deaths < kMostDeaths; ++deaths) {
    const pid_t watching = ::getpid();
    std::fflush(nullptr);
    working_program = ::fork();
    if (working_program < 0) return;  // then this one does the work
    if (working_program == 0) {
      // It does not outlive the one that watches over it.
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (::getppid() != watching) std::_Exit(1);
      return;
    }
    struct sigaction action {};
    action.sa_handler = &pass_on;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
    const int status = wait_for_work();
    if (WIFEXITED(status)) std::_Exit(WEXITSTATUS(status));
    std::fprintf(stderr, "carom: rank %d died (signal %d); it is started again, what was finished is kept\n",
                 own_rank(), WTERMSIG(status));
  }
  std::fprintf(stderr, "carom: rank %d died %d times; the same command goes on from what was finished\n", own_rank(),
               kMostDeaths);
  constexpr int kResourceProblem = 4;
  std::_Exit(kResourceProblem);
}

RanksOutcome run_by_ranks(const Sweep& sweep, const sweep::SweepRun& run, const std::string& path) {
  return Parts(sweep, run, path).run();
}

}  // namespace carom::app
