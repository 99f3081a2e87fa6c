#pragma once
/// Copies of a run that are kept on the way, so that what is past can be computed again without beginning at the start.
///
/// There are few of them, spread evenly over the events so far: when there are too many every other one is dropped, and
/// from then on they are taken half as often. Of runs with many bodies fewer are kept: each takes as much memory as the
/// run itself.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "carom/engine/run.h"

namespace carom {

class Checkpoints {
 public:
  [[nodiscard]] bool empty() const { return kept_.empty(); }
  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  /// Keeps the present state of the run for good: at its beginning, and where somebody has changed it.
  void keep(const Run& run);
  /// Offers the present state; not every offer is taken.
  void offer(const Run& run);
  /// A copy of the last one that was not later than that time.
  [[nodiscard]] Run before(double time) const;

 private:
  struct Kept {
    std::shared_ptr<const Run> run;  ///< copies of a simulation share it
    bool for_good;
  };
  std::vector<Kept> kept_;  ///< ascending in time
  std::int64_t most_ = 1;   ///< of those that are not kept for good
  std::int64_t offers_ = 0;
  std::int64_t every_ = 1;  ///< how many offers lie between two that are taken
};

}  // namespace carom
