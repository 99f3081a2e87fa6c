#pragma once
/// What is known to keep away from each other: a pair that was found to be so far apart need not be looked at again
/// before its objects have moved as far. Most bodies creep, and steps are short, so most searches are saved.
///
/// Every body counts how far any point of it may have moved (its odometer): on each stretch of its motion the odometer
/// runs at a speed that no point of the body exceeds. A pair with the clearance c at some instant stays clear until the
/// two odometers have grown by c.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "carom/base/archive.h"
#include "carom/engine/smooth/contact.h"

namespace carom::smooth {

class Clearances {
 public:
  explicit Clearances(std::size_t bodies) : odometers_(bodies) {}

  /// From `start` on no point of a body is faster than this [m/s].
  void set_speed(ObjectIndex body, double start, double speed) {
    Odometer& odometer = odometers_[body.slot()];
    odometer.way = odometer.at(start);
    odometer.start = start;
    odometer.speed = speed;
  }

  struct Pair {
    ObjectIndex a, b;  ///< b may be an obstacle at rest
    FeatureCode place;
  };
  /// Whether the two cannot touch before `time`, which is on the present stretch of both.
  [[nodiscard]] bool stay_clear(const Pair& pair, double time) const {
    const auto found = known_.find(key(pair));
    if (found == known_.end() || found->second.a != pair.a || found->second.b != pair.b) return false;
    return moved(pair, time) < found->second.until;
  }
  /// The two are so far apart [m] at `time`.
  void note(const Pair& pair, double time, double clearance) {
    known_[key(pair)] = {pair.a, pair.b, moved(pair, time) + clearance};
  }
  /// Nothing is known of the two any more.
  void forget(const Pair& pair) { known_.erase(key(pair)); }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct Odometer {
    double way = 0.0, start = 0.0, speed = 0.0;
    [[nodiscard]] double at(double time) const { return way + (time > start ? speed * (time - start) : 0.0); }
  };
  struct Known {
    ObjectIndex a, b;
    double until;  ///< sum of the odometers
  };
  static std::uint64_t key(const Pair& pair) {
    const auto mixed = [](std::uint64_t x) { return (x ^ (x >> 29U)) * 0xbf58476d1ce4e5b9U; };
    return mixed(mixed(static_cast<std::uint64_t>(pair.a.slot()) << 32U | pair.b.slot()) +
                 static_cast<std::uint64_t>(pair.place));
  }
  [[nodiscard]] double moved(const Pair& pair, double time) const {
    const double second = pair.b.slot() < odometers_.size() ? odometers_[pair.b.slot()].at(time) : 0.0;
    return odometers_[pair.a.slot()].at(time) + second;
  }

  std::unordered_map<std::uint64_t, Known> known_;
  std::vector<Odometer> odometers_;
};

}  // namespace carom::smooth
