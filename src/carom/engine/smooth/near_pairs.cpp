#include "carom/engine/smooth/near_pairs.h"

#include <algorithm>

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
  if (known_[body] != 0 && cover.holds(needed) && cover.extent() <= kTooWide * (needed.extent() + 6.0 * slack)) return;
  forget(body);
  known_[body] = 1;
  cover.low = needed.low.array() - slack;
  cover.high = needed.high.array() + slack;
  grid.neighbours(body, [&](BodyIndex other) {
    if (known_[other] == 0 || cover.apart_from(covers_[other])) return;
    near_[body].push_back(other);
    near_[other].push_back(body);
  });
}

void NearPairs::forget(BodyIndex body) {
  for (const BodyIndex other : near_[body]) {
    std::vector<BodyIndex>& list = near_[other];
    *std::find(list.begin(), list.end(), body) = list.back();
    list.pop_back();
  }
  near_[body].clear();
  known_[body] = 0;
}

}  // namespace carom::smooth
