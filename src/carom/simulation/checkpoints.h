#pragma once
/// Copies of a run that are kept on the way, so that what is past can be computed again without beginning at the start.
///
/// There are few of them, spread evenly over the events so far: when there are too many every other one is dropped, and
/// from then on they are taken half as often.

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/engine/run.h"

namespace carom {

class Checkpoints {
 public:
  [[nodiscard]] bool empty() const { return kept_.empty(); }
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
  std::int64_t offers_ = 0;
  std::int64_t every_ = 1;  ///< how many offers lie between two that are taken
};

}  // namespace carom
