#pragma once
/// Pieces of work shared out among threads (oneTBB): rows of an atlas, points of a sweep.

#include <atomic>
#include <cstddef>
#include <functional>

namespace carom {

struct Crew {
  int threads = 0;                               ///< 0: one for each processor that the process may use
  std::function<void(std::size_t done)> report;  ///< called by the calling thread, after each piece of its own
  const std::atomic<bool>* interrupted = nullptr;
};

/// How many threads a crew has at most.
std::size_t thread_count(const Crew& crew);

/// Does one piece; made once for each thread, so that it can own memory.
using PieceWork = std::function<void(std::size_t piece)>;

/// Calls the work for each piece from 0 to pieces − 1, begun in this order. Of what it throws, the exception of the
/// lowest of the pieces that were tried comes out, when all threads have ended. False: interrupted.
bool for_each_piece(std::size_t pieces, const Crew& crew, const std::function<PieceWork()>& make_work);

}  // namespace carom
