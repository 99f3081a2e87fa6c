#include "carom/simulation/checkpoints.h"

#include <algorithm>

namespace carom {

namespace {
/// Most copies that are not kept for good, and the number of bodies that all of them may have together.
constexpr std::int64_t kMostCopies = 8;
constexpr std::int64_t kMostCopiedBodies = 4000;
}  // namespace

void Checkpoints::keep(const Run& run) {
  const auto bodies = static_cast<std::int64_t>(run.state().bodies.size());
  most_ = std::clamp(kMostCopiedBodies / std::max<std::int64_t>(bodies, 1), std::int64_t{1}, kMostCopies);
  kept_.push_back({std::make_shared<const Run>(run), true});
}

void Checkpoints::offer(const Run& run) {
  if (++offers_ % every_ != 0) return;
  kept_.push_back({std::make_shared<const Run>(run), false});
  if (std::count_if(kept_.begin(), kept_.end(), [](const Kept& one) { return !one.for_good; }) <= most_) return;
  bool drop = false;
  std::erase_if(kept_, [&drop](const Kept& one) {
    if (!one.for_good) drop = !drop;
    return !one.for_good && drop;
  });
  every_ *= 2;
}

Run Checkpoints::before(double time) const {
  const auto later =
      std::find_if(kept_.begin() + 1, kept_.end(), [time](const Kept& one) { return one.run->time() > time; });
  return Run(*(later - 1)->run);
}

}  // namespace carom
