#pragma once
/// Carries out a sweep on one machine: all points of a shard that the journal does not have yet, by several threads.

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "carom/analysis/sweep/shard.h"
#include "carom/analysis/sweep/sweep.h"
#include "carom/analysis/sweep/sweep_journal.h"
#include "carom/analysis/sweep/table_text.h"

namespace carom::sweep {

struct SweepRun {
  Shard shard;
  int threads = 0;                                                ///< 0: one for each processor
  std::function<void(std::size_t done, std::size_t all)> report;  ///< called by the calling thread
  const std::atomic<bool>* interrupted = nullptr;
};

/// Runs what is missing. False: interrupted. Throws InputError (file) where the journal cannot be written.
bool run_missing(const Sweep& sweep, const SweepRun& run, SweepJournal& journal);

/// Points of the shard that follow each other and are missing, at most `longest` in one piece.
struct PointRange {
  std::size_t first = 0, count = 0;
};
std::vector<PointRange> missing_ranges(const SweepJournal& journal, std::size_t longest);

/// Called when points of a range are finished, a few at a time, with their rows as lines of CSV.
using RowsDone = std::function<void(std::size_t first, std::size_t count, std::string_view lines)>;

/// Runs the points of a range, and hands rows over before they grow old. False: interrupted.
bool run_range(Sweep::Worker& worker, const SweepRun& run, const PointRange& range, const RowsDone& done);

struct WrittenRows {
  std::size_t count = 0;
  FailedRows failed{};
};

/// Writes the table of all points that the journal has, in their order.
WrittenRows write_points(const Sweep& sweep, const SweepJournal& journal, const std::string& path);

}  // namespace carom::sweep
