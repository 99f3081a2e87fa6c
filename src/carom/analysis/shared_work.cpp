#include "carom/analysis/shared_work.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

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

/// Those that the process may use: a batch system may have bound it to some of the machine's.
std::size_t processors() {
  return static_cast<std::size_t>(std::max(tbb::info::default_concurrency(), 1));
}

/// Arenas that nobody works in. Each is kept for the next crew of its size: oneTBB lets one that is given up go only
/// when its threads are idle, and batch after batch without a pause they would pile up.
class IdleArenas {
 public:
  static IdleArenas& of_process() {
    static auto* const kArenas = new IdleArenas;  // never destroyed: threads may outlive what is static
    return *kArenas;
  }

  std::unique_ptr<tbb::task_arena> take(std::size_t threads) {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.find(threads);
    if (found == idle_.end()) return std::make_unique<tbb::task_arena>(static_cast<int>(threads));
    std::unique_ptr<tbb::task_arena> arena = std::move(found->second);
    idle_.erase(found);
    return arena;
  }
  void give_back(std::size_t threads, std::unique_ptr<tbb::task_arena> arena) {
    const std::lock_guard lock(mutex_);
    idle_.emplace(threads, std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, std::unique_ptr<tbb::task_arena>> idle_;
};

void share_out(SharedPieces& shared, const std::function<PieceWork()>& make_work, std::size_t threads) {
  // oneTBB starts no more threads than there are processors, and complains, unless it is told.
  std::optional<tbb::global_control> more;
  if (threads > processors()) more.emplace(tbb::global_control::max_allowed_parallelism, threads);
  std::unique_ptr<tbb::task_arena> arena = IdleArenas::of_process().take(threads);
  arena->execute([&shared, &make_work, threads] {
    // Each task takes pieces one after the other, so that they are begun in their order.
    tbb::task_group others;
    for (std::size_t i = 1; i < threads; ++i) {
      others.run([&shared, &make_work] { work_through(shared, make_work, false); });
    }
    work_through(shared, make_work, true);
    others.wait();
  });
  IdleArenas::of_process().give_back(threads, std::move(arena));
}

}  // namespace

std::size_t thread_count(const Crew& crew) {
  return crew.threads > 0 ? static_cast<std::size_t>(crew.threads) : processors();
}

bool for_each_piece(std::size_t pieces, const Crew& crew, const std::function<PieceWork()>& make_work) {
  SharedPieces shared;
  shared.pieces = pieces;
  shared.crew = &crew;
  const std::size_t count = std::clamp<std::size_t>(thread_count(crew), 1, std::max<std::size_t>(pieces, 1));
  if (count == 1) {
    work_through(shared, make_work, true);
  } else {
    share_out(shared, make_work, count);
  }
  if (shared.failure) std::rethrow_exception(shared.failure);
  return shared.done == pieces && !(crew.interrupted != nullptr && *crew.interrupted);
}

}  // namespace carom
