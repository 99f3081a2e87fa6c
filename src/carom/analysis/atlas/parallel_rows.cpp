#include "carom/analysis/atlas/parallel_rows.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace carom::atlas {
namespace {

/// What the threads share.
struct Shared {
  std::size_t rows = 0;
  const RowCrew* crew = nullptr;
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_row = 0;

  void fail(std::size_t row) {
    const std::lock_guard lock(mutex);
    if (!failure || row < failed_row) {
      failure = std::current_exception();
      failed_row = row;
    }
    stopped = true;
  }
};

void work_through(Shared& shared, const std::function<RowWork()>& make_work, bool reports) {
  std::size_t row = 0;
  try {
    const RowWork work = make_work();
    while (!shared.stopped) {
      if (shared.crew->interrupted != nullptr && *shared.crew->interrupted) {
        shared.stopped = true;
        return;
      }
      row = shared.next++;
      if (row >= shared.rows) return;
      work(row);
      const std::size_t done = ++shared.done;
      if (reports && shared.crew->report) shared.crew->report(done);
    }
  } catch (...) {
    shared.fail(row);
  }
}

}  // namespace

bool for_each_row(std::size_t rows, const RowCrew& crew, const std::function<RowWork()>& make_work) {
  Shared shared;
  shared.rows = rows;
  shared.crew = &crew;
  const std::size_t wanted =
      crew.threads > 0 ? static_cast<std::size_t>(crew.threads) : std::thread::hardware_concurrency();
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(rows, 1));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < count; ++i) {
    others.emplace_back([&shared, &make_work] { work_through(shared, make_work, false); });
  }
  work_through(shared, make_work, true);
  for (std::jthread& other : others) other.join();
  if (shared.failure) std::rethrow_exception(shared.failure);
  return shared.done == rows && !(crew.interrupted != nullptr && *crew.interrupted);
}

}  // namespace carom::atlas
