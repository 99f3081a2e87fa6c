#pragma once
/// Points of a sweep shared out among the ranks of MPI. Rank 0 keeps the journal and writes the table, and runs points
/// itself; the others ask for points, run them and send their rows.
///
/// What a rank has sent is in the journal at once. Where a rank dies, MPI ends the others; started again, the sweep
/// repeats only points that no rank had finished and sent.

#include "carom/analysis/sweep/run_sweep.h"

namespace carom::app {

/// While it lives, MPI is running.
class Ranks {
 public:
  Ranks(int& argc, char**& argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Rank 0: as sweep::run_missing, by all ranks.
  bool run_missing(const Sweep& sweep, const sweep::SweepRun& run, sweep::SweepJournal& journal);
  /// Rank 0: tells the others that there is nothing more to do. They must be told, whatever happens.
  void dismiss();
  /// The others: run points until they are dismissed.
  void serve(const Sweep& sweep, const sweep::Shard& shard, const std::atomic<bool>& interrupted) const;
  /// The others, instead of that: something is wrong here, no points for this rank.
  void leave() const;

 private:
  int rank_ = 0;
  int size_ = 1;
  int dismissed_ = 0;
};

}  // namespace carom::app
