#include "carom/engine/smooth/near_pairs.h"

#include <algorithm>
#include <limits>

namespace carom::smooth {

namespace {
/// How much wider than needed a cover is on each side, of the body's size.
constexpr double kSlack = 0.05;
/// A cover that is so much longer than a new one would be is given up.
constexpr double kTooWide = 1.5;
}  // namespace

void NearPairs::cover(BodyIndex body, const Bounds& needed, double size, const contact::CellGrid& grid) {
  Bounds& cover = covers_[body];
  const double slack = kSlack * size;
  if (cover.holds(needed) && cover.extent() <= kTooWide * (needed.extent() + 6.0 * slack)) return;
  forget(body);
  cover.low = needed.low.array() - slack;
  cover.high = needed.high.array() + slack;
  grid.neighbours(body, [&](BodyIndex other) {
    if (cover.apart_from(covers_[other])) return;
    near_[body].add(other);
    near_[other].add(body);
  });
}

void NearPairs::forget(BodyIndex body) {
  for (const BodyIndex other : near_[body]) carom::prefetch(&near_[other], sizeof(NearList));
  for (const BodyIndex other : near_[body]) near_[other].remove(body);
  near_[body].clear();
  covers_[body] = nowhere();
}

Bounds NearPairs::nowhere() {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  return {Vector3d::Constant(kFar), Vector3d::Constant(-kFar)};
}

// ------------------------------------------------------------------------------------------------- a few bodies

void NearList::add(BodyIndex body) {
  if (more_.empty() && static_cast<std::size_t>(count_) < few_.size()) {
    few_[static_cast<std::size_t>(count_++)] = body;
    return;
  }
  if (more_.empty()) more_.assign(few_.begin(), few_.end());
  more_.push_back(body);
}

void NearList::remove(BodyIndex body) {
  BodyIndex* const first = more_.empty() ? few_.data() : more_.data();
  *std::find(first, first + size(), body) = first[size() - 1];
  if (more_.empty()) {
    --count_;
  } else {
    more_.pop_back();
    if (more_.empty()) count_ = 0;
  }
}

void NearList::clear() {
  count_ = 0;
  more_.clear();
}

}  // namespace carom::smooth
