#include "carom/analysis/sweep/run_sweep.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "carom/analysis/shared_work.h"
#include "carom/analysis/sweep/sweep_table.h"
#include "carom/analysis/sweep/table_text.h"

namespace carom::sweep {
namespace {

/// Collects the rows of points that follow each other, and adds them to the journal before they grow old.
class Batch {
 public:
  explicit Batch(SweepJournal& journal) : journal_(journal) {}

  void add(std::size_t point, const std::string& lines) {
    if (count_ == 0) {
      first_ = point;
      start_ = std::chrono::steady_clock::now();
    }
    ++count_;
    lines_ += lines;
    constexpr auto kOldest = std::chrono::milliseconds(50);
    if (std::chrono::steady_clock::now() - start_ > kOldest) hand_over();
  }
  void hand_over() {
    if (count_ > 0) journal_.add(first_, count_, lines_);
    count_ = 0;
    lines_.clear();
  }

 private:
  SweepJournal& journal_;
  std::size_t first_ = 0, count_ = 0;
  std::string lines_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

std::string point_lines(Sweep::Worker& worker, std::size_t point, const std::atomic<bool>* interrupted) {
  std::string lines;
  std::vector<std::string> cells;
  for (const Sweep::Row& row : worker.run(point, interrupted)) {
    cells.clear();
    for (const Value& value : row) cells.push_back(cell_text(value));
    append_line(lines, cells);
  }
  return lines;
}

std::vector<PointRange> missing_ranges(const SweepJournal& journal, std::size_t longest) {
  std::vector<PointRange> ranges;
  for (std::size_t point = 0; point < journal.points(); ++point) {
    if (journal.is_done(point)) continue;
    const bool goes_on =
        !ranges.empty() && ranges.back().first + ranges.back().count == point && ranges.back().count < longest;
    if (goes_on) {
      ++ranges.back().count;
    } else {
      ranges.push_back({point, 1});
    }
  }
  return ranges;
}

bool run_missing(const Sweep& sweep, const SweepRun& run, SweepJournal& journal) {
  Crew crew{run.threads, {}, run.interrupted};
  const std::size_t missing = journal.points() - journal.done();
  const std::size_t longest = std::clamp<std::size_t>(missing / (thread_count(crew) * 64), 1, 1024);
  const std::vector<PointRange> ranges = missing_ranges(journal, longest);
  std::atomic<std::size_t> done{0};
  crew.report = [&run, &done, missing](std::size_t) {
    if (run.report) run.report(done, missing);
  };
  return for_each_piece(ranges.size(), crew, [&]() -> PieceWork {
    auto worker = std::make_shared<Sweep::Worker>(sweep.worker());
    return [&, worker](std::size_t piece) {
      Batch batch(journal);
      const PointRange& range = ranges[piece];
      for (std::size_t k = range.first; k < range.first + range.count; ++k) {
        if (run.interrupted != nullptr && *run.interrupted) break;
        const std::string lines = point_lines(*worker, run.shard.point(k), run.interrupted);
        if (lines.empty()) break;
        batch.add(k, lines);
        ++done;
      }
      batch.hand_over();
    };
  });
}

std::size_t write_points(const Sweep& sweep, const SweepJournal& journal, const std::string& path) {
  const std::unique_ptr<TableWriter> writer = write_table(path, sweep.columns());
  std::size_t rows = 0;
  for (const JournalPiece& piece : journal.pieces()) {
    const std::string lines = journal.read(piece);
    rows += static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
    writer->add(lines);
  }
  writer->finish();
  return rows;
}

}  // namespace carom::sweep
