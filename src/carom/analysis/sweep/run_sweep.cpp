#include "carom/analysis/sweep/run_sweep.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "carom/analysis/shared_work.h"
#include "carom/analysis/sweep/sweep_table.h"

namespace carom::sweep {
namespace {

/// Points that a thread takes in one piece.
constexpr std::size_t kLongestRange = 16384;
/// So many points are asked for at a time; more while they take less than a moment.
constexpr std::size_t kMostAtATime = 1024;
constexpr auto kMoment = std::chrono::microseconds(200);
/// Rows are handed over when they are as old as this.
constexpr auto kOldest = std::chrono::milliseconds(50);

}  // namespace

bool run_range(Sweep::Worker& worker, const SweepRun& run, const PointRange& range, const RowsDone& done) {
  using Clock = std::chrono::steady_clock;
  std::string lines;
  std::vector<std::size_t> points;
  std::size_t at_a_time = 1;
  std::size_t first = range.first, next = range.first;
  const std::size_t end = range.first + range.count;
  Clock::time_point start = Clock::now();
  const auto hand_over = [&] {
    if (next > first) done(first, next - first, lines);
    first = next;
    lines.clear();
  };
  while (next < end) {
    if (run.interrupted != nullptr && *run.interrupted) break;
    const Clock::time_point before = Clock::now();
    if (next == first) start = before;
    points.clear();
    for (std::size_t k = next; k < std::min(end, next + at_a_time); ++k) points.push_back(run.shard.point(k));
    const std::size_t count = worker.append_lines(points, lines, run.interrupted);
    next += count;
    const Clock::time_point now = Clock::now();
    if (count < points.size()) break;
    if (now - before < kMoment) at_a_time = std::min(2 * at_a_time, kMostAtATime);
    if (now - start > kOldest) hand_over();
  }
  hand_over();
  return next == end;
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
  const std::size_t longest = std::clamp<std::size_t>(missing / (thread_count(crew) * 64), 1, kLongestRange);
  const std::vector<PointRange> ranges = missing_ranges(journal, longest);
  std::atomic<std::size_t> done{0};
  crew.report = [&run, &done, missing](std::size_t) {
    if (run.report) run.report(done, missing);
  };
  return for_each_piece(ranges.size(), crew, [&]() -> PieceWork {
    auto worker = std::make_shared<Sweep::Worker>(sweep.worker());
    return [&, worker](std::size_t piece) {
      run_range(*worker, run, ranges[piece], [&](std::size_t first, std::size_t count, std::string_view lines) {
        journal.add(first, count, lines);
        done += count;
      });
    };
  });
}

WrittenRows write_points(const Sweep& sweep, const SweepJournal& journal, const std::string& path) {
  const std::unique_ptr<TableWriter> writer = write_table(path, sweep.columns());
  WrittenRows rows;
  for (const JournalPiece& piece : journal.pieces()) {
    const std::string lines = journal.read(piece);
    for (std::size_t begin = 0; begin < lines.size(); ++rows.count) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      rows.failed.look_at(std::string_view(lines).substr(begin, end - begin));
      begin = end + 1;
    }
    writer->add(lines);
  }
  writer->finish();
  return rows;
}

}  // namespace carom::sweep
