#pragma once
/// Rows of a map shared out among threads.

#include <atomic>
#include <cstddef>
#include <functional>

namespace carom::atlas {

struct RowCrew {
  int threads = 0;                               ///< 0: one for each processor
  std::function<void(std::size_t done)> report;  ///< called by the calling thread
  const std::atomic<bool>* interrupted = nullptr;
};

/// Work on one row; made once for each thread, so that it can own memory.
using RowWork = std::function<void(std::size_t row)>;

/// Calls the work for each row from 0 to rows − 1, in any order. Of what it throws, the exception of the lowest of the
/// rows that were tried comes out, when all threads have ended. False: interrupted.
bool for_each_row(std::size_t rows, const RowCrew& crew, const std::function<RowWork()>& make_work);

}  // namespace carom::atlas
