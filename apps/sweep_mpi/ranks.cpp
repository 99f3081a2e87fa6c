#include "ranks.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace carom::app {
namespace {

constexpr int kRowsTag =
    1;  ///< from a rank: first and number of points, then their rows; none: it asks for the first time
constexpr int kRangeTag = 2;  ///< to a rank: first and number of points to run; none: there are no more

/// Two numbers in front of the rows.
using Header = std::array<std::uint64_t, 2>;
constexpr Header kAsking{0, 0}, kLeaving{1, 0};

std::string packed(const Header& header, const std::string& rows) {
  std::string message(reinterpret_cast<const char*>(header.data()), sizeof(Header));
  return message + rows;
}

struct Answer {
  int rank = 0;
  Header points{};
  std::string rows;
};

Answer receive(const MPI_Status& probed) {
  int bytes = 0;
  MPI_Get_count(&probed, MPI_BYTE, &bytes);
  std::string message(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(message.data(), bytes, MPI_BYTE, probed.MPI_SOURCE, kRowsTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Answer answer;
  answer.rank = probed.MPI_SOURCE;
  std::copy_n(message.data(), sizeof(Header), reinterpret_cast<char*>(answer.points.data()));
  answer.rows = message.substr(sizeof(Header));
  return answer;
}

void send_range(int rank, const sweep::PointRange& range) {
  const Header header{range.first, range.count};
  MPI_Send(header.data(), sizeof(Header), MPI_BYTE, rank, kRangeTag, MPI_COMM_WORLD);
}

/// Runs points of a range; how many were done before somebody interrupted.
std::size_t run_range(Sweep::Worker& worker, const sweep::Shard& shard, const sweep::PointRange& range,
                      const std::atomic<bool>* interrupted, std::string& rows) {
  std::size_t done = 0;
  for (; done < range.count; ++done) {
    if (interrupted != nullptr && *interrupted) break;
    const std::string lines = sweep::point_lines(worker, shard.point(range.first + done), interrupted);
    if (lines.empty()) break;
    rows += lines;
  }
  return done;
}

/// The ranges that are left, for the ranks and for this one.
class RangeQueue {
 public:
  explicit RangeQueue(std::vector<sweep::PointRange> ranges) : ranges_(std::move(ranges)) {}
  std::optional<sweep::PointRange> next() {
    const std::lock_guard lock(mutex_);
    if (at_ == ranges_.size()) return std::nullopt;
    return ranges_[at_++];
  }

 private:
  std::mutex mutex_;
  std::vector<sweep::PointRange> ranges_;
  std::size_t at_ = 0;
};

}  // namespace

Ranks::Ranks(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  MPI_Finalize();
}

bool Ranks::run_missing(const Sweep& sweep, const sweep::SweepRun& run, sweep::SweepJournal& journal) {
  const std::size_t missing = journal.points() - journal.done();
  const std::size_t longest = std::clamp<std::size_t>(missing / (static_cast<std::size_t>(size_) * 64), 1, 1024);
  RangeQueue queue(sweep::missing_ranges(journal, longest));
  const std::size_t before = journal.done();
  std::exception_ptr failure;
  std::atomic<bool> own_done{false}, failed{false};
  const auto is_interrupted = [&run, &failed] { return failed || (run.interrupted != nullptr && *run.interrupted); };
  std::jthread own([&] {
    try {
      Sweep::Worker worker = sweep.worker();
      while (!is_interrupted()) {
        const auto range = queue.next();
        if (!range) break;
        std::string rows;
        const std::size_t done = run_range(worker, run.shard, *range, run.interrupted, rows);
        if (done > 0) journal.add(range->first, done, rows);
      }
    } catch (...) {
      failure = std::current_exception();
      failed = true;
    }
    own_done = true;
  });
  while (dismissed_ < size_ - 1) {
    int is_there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, kRowsTag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const Answer answer = receive(status);
    if (answer.points == kLeaving) {
      ++dismissed_;
      continue;
    }
    try {
      if (answer.points[1] > 0) journal.add(answer.points[0], answer.points[1], answer.rows);
    } catch (...) {
      if (!failed) failure = std::current_exception();
      failed = true;
    }
    const auto range = is_interrupted() ? std::nullopt : queue.next();
    send_range(answer.rank, range.value_or(sweep::PointRange{}));
    if (!range) ++dismissed_;
    if (run.report) run.report(journal.done() - before, missing);
  }
  own.join();
  if (failure) std::rethrow_exception(failure);
  return journal.done() == journal.points();
}

void Ranks::dismiss() {
  while (dismissed_ < size_ - 1) {
    MPI_Status status{};
    MPI_Probe(MPI_ANY_SOURCE, kRowsTag, MPI_COMM_WORLD, &status);
    const Answer answer = receive(status);
    if (answer.points != kLeaving) send_range(answer.rank, {});
    ++dismissed_;
  }
}

void Ranks::leave() const {
  const std::string message = packed(kLeaving, "");
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, kRowsTag, MPI_COMM_WORLD);
}

void Ranks::serve(const Sweep& sweep, const sweep::Shard& shard, const std::atomic<bool>& interrupted) const {
  Sweep::Worker worker = sweep.worker();
  std::string message = packed(kAsking, "");
  while (true) {
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, kRowsTag, MPI_COMM_WORLD);
    Header header{};
    MPI_Recv(header.data(), sizeof(Header), MPI_BYTE, 0, kRangeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (header[1] == 0) return;
    std::string rows;
    const std::size_t done = run_range(worker, shard, {header[0], header[1]}, &interrupted, rows);
    message = packed({header[0], done}, rows);
  }
}

}  // namespace carom::app
