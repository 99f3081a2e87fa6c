#include "carom/analysis/shared_work.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace carom {
namespace {

/// What the threads share.
struct SharedPieces {
  std::size_t pieces = 0;
  const Crew* crew = nullptr;
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_piece = 0;

  void fail(std::size_t piece) {
    const std::lock_guard lock(mutex);
    if (!failure || piece < failed_piece) {
      failure = std::current_exception();
      failed_piece = piece;
    }
    stopped = true;
  }
};

void work_through(SharedPieces& shared, const std::function<PieceWork()>& make_work, bool reports) {
  std::size_t piece = 0;
  try {
    const PieceWork work = make_work();
    while (!shared.stopped) {
      if (shared.crew->interrupted != nullptr && *shared.crew->interrupted) {
        shared.stopped = true;
        return;
      }
      piece = shared.next++;
      if (piece >= shared.pieces) return;
      work(piece);
      const std::size_t done = ++shared.done;
      if (reports && shared.crew->report) shared.crew->report(done);
    }
  } catch (...) {
    shared.fail(piece);
  }
}

}  // namespace

std::size_t thread_count(const Crew& crew) {
  return crew.threads > 0 ? static_cast<std::size_t>(crew.threads)
                          : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

bool for_each_piece(std::size_t pieces, const Crew& crew, const std::function<PieceWork()>& make_work) {
  SharedPieces shared;
  shared.pieces = pieces;
  shared.crew = &crew;
  const std::size_t count = std::clamp<std::size_t>(thread_count(crew), 1, std::max<std::size_t>(pieces, 1));
  // oneTBB starts no more threads than there are processors, and complains, unless it is told.
  std::optional<tbb::global_control> more;
  if (count > std::thread::hardware_concurrency()) more.emplace(tbb::global_control::max_allowed_parallelism, count);
  tbb::task_arena arena(static_cast<int>(count));
  arena.execute([&shared, &make_work, count] {
    // Each task takes pieces one after the other, so that they are begun in their order.
    tbb::task_group others;
    for (std::size_t i = 1; i < count; ++i) {
      others.run([&shared, &make_work] { work_through(shared, make_work, false); });
    }
    work_through(shared, make_work, true);
    others.wait();
  });
  if (shared.failure) std::rethrow_exception(shared.failure);
  return shared.done == pieces && !(crew.interrupted != nullptr && *crew.interrupted);
}

}  // namespace carom
