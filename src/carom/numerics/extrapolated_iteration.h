#pragma once
/// Fixed points of a map g by extrapolated iteration.
///
/// With the steps f = g(x) − x of the last few x, the next x is where a straight map through them would stand still:
///   x = g − Σ cₖ(g − gₖ),   c with the least |f − Σ cₖ(f − fₖ)|
/// (Anderson 1965; Walker & Ni 2011). Where g has kinks this may lead too far: where the step from there is longer than
/// the one before, the way is shortened, to a quarter each time, and at last g alone is followed for a while.
/// It ends too where steps hardly become shorter any more.

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/base/activity.h"
#include "carom/numerics/dense.h"

namespace carom {

class ExtrapolatedIteration {
 public:
  /// Where the shortest step hardly falls within so many maps, more of them lead nowhere.
  static constexpr int kPatience = 80;

  /// From x, n entries: map(x) replaces x by g(x) and returns how much that changed; where that is at most `target`,
  /// residual(x) is asked. Ends where it is at most `target` too, or after `limit` maps, or after `patience` without
  /// progress. Leaves the best g(x) and returns its residual.
  template <class Map, class Residual>
  double run(const Map& map, const Residual& residual, double target, int limit, std::vector<double>& x,
             int patience = kPatience);

 private:
  static constexpr int kHistory = 6;
  /// A step that is longer than the one before by this factor: the way there was too long.
  static constexpr double kLonger = 2.0;
  static constexpr double kShorten = 0.25, kShortest = 0.01;
  /// Maps without extrapolation where even the shortest way did not help: at first, and at most.
  static constexpr int kFirstPause = 2, kLongestPause = 64;
  /// A fall of the shortest step by less than this factor is none.
  static constexpr double kSlowFall = 0.8;
  /// Ways of more than so many steps are not gone: where g has no fixed point its steps do not change but for
  /// round-off, and a straight map through them stands still very far away, if anywhere.
  static constexpr double kFarthest = 1e4;
  /// Steps beyond this have left the range of any answer.
  static constexpr double kEndless = 1e100;

  void begin(int n);
  void forget() { answers_ = 0; }
  /// The present asked_ and answer_ become a pair with the ones before.
  void remember();
  /// Writes the way from the answer to the extrapolated x; false where there is none.
  bool find_way();

  int n_ = 0;
  int answers_ = 0;  // in a row, of which the last are remembered
  std::vector<double> asked_, answer_, asked_before_, answer_before_, best_, from_, way_;
  std::vector<double> steps_, images_;  // differences of f and of g
  double gram_[kHistory * kHistory] = {};
};

template <class Map, class Residual>
double ExtrapolatedIteration::run(const Map& map, const Residual& residual, double target, int limit,
                                  std::vector<double>& x, int patience) {
  begin(static_cast<int>(x.size()));
  double shortest = HUGE_VAL, before = HUGE_VAL, part = 1.0, shortest_then = HUGE_VAL;
  int pause = 0, next_pause = kFirstPause;
  bool extrapolated = false;
  std::copy_n(x.data(), n_, best_.data());
  std::copy_n(x.data(), n_, answer_.data());
  for (int count = 0; count < limit; ++count) {
    Activity::tick();
    if (count % patience == 0) {
      if (!(shortest < kSlowFall * shortest_then) && count > 0) break;
      shortest_then = shortest;
    }
    std::copy_n(x.data(), n_, asked_.data());
    const double change = map(x.data());
    std::copy_n(x.data(), n_, answer_.data());
    double square = 0.0;
    for (int k = 0; k < n_; ++k) square += (answer_[k] - asked_[k]) * (answer_[k] - asked_[k]);
    const double length = std::sqrt(square);
    if (!(length < kEndless)) break;
    if (length < shortest) {
      shortest = length;
      std::copy_n(answer_.data(), n_, best_.data());
    }
    if (change <= target) {
      const double left = residual(x.data());
      if (left <= target) return left;
    }
    if (extrapolated && length > kLonger * before) {
      forget();
      part *= kShorten;
      extrapolated = part >= kShortest;
      for (int k = 0; k < n_; ++k) x[k] = from_[k] + (extrapolated ? part * way_[k] : 0.0);
      if (extrapolated) continue;
      pause = next_pause;
      next_pause = std::min(2 * next_pause, kLongestPause);
      continue;
    }
    part = 1.0;
    extrapolated = false;
    if (pause > 0) {
      --pause;
      forget();
      continue;
    }
    remember();
    if (!find_way()) continue;
    std::copy_n(answer_.data(), n_, from_.data());
    for (int k = 0; k < n_; ++k) x[k] += way_[k];
    extrapolated = true;
    before = length;
  }
  const double last = residual(answer_.data()), least = residual(best_.data());
  std::copy_n(last <= least ? answer_.data() : best_.data(), n_, x.data());
  return std::min(last, least);
}

}  // namespace carom
