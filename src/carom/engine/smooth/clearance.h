#pragma once
/// What is known to keep away from each other: a pair that was found to be so far apart need not be looked at again
/// before its objects have moved as far. Most bodies of a group creep, and steps are short, so most searches are saved.
///
/// Every body counts how far any point of it may have moved since its group began (its odometer). A pair with the
/// clearance c at some instant stays clear until the two odometers have grown by c.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "carom/engine/smooth/contact.h"

namespace carom::smooth {

class Clearances {
 public:
  /// For a group of so many bodies that begins anew.
  void begin(std::size_t bodies) {
    known_.clear();
    odometer_.assign(bodies, 0.0);
    step_.assign(bodies, 0.0);
  }
  /// How far any point of a body moves at most within the present step [m].
  void set_step(SlotIndex slot, double reach) { step_[slot.slot()] = reach; }
  /// The step, or a part of it, is final.
  void finish_step() {
    for (std::size_t k = 0; k < step_.size(); ++k) odometer_[k] += step_[k];
  }

  struct Pair {
    ObjectIndex a, b;
    FeatureCode place;
    SlotIndex slot_a, slot_b;  ///< kNone: an obstacle at rest
  };
  /// Whether the two cannot touch within the present step.
  [[nodiscard]] bool stays_clear(const Pair& pair) const {
    const auto found = known_.find(key(pair));
    if (found == known_.end() || found->second.a != pair.a || found->second.b != pair.b) return false;
    return moved(pair) + step_of(pair.slot_a) + step_of(pair.slot_b) < found->second.until;
  }
  /// The two are so far apart where the present step begins [m].
  void note(const Pair& pair, double clearance) { known_[key(pair)] = {pair.a, pair.b, moved(pair) + clearance}; }

 private:
  struct Known {
    ObjectIndex a, b;
    double until;  ///< sum of the odometers
  };
  static std::uint64_t key(const Pair& pair) {
    const auto mixed = [](std::uint64_t x) { return (x ^ (x >> 29U)) * 0xbf58476d1ce4e5b9U; };
    return mixed(mixed(static_cast<std::uint64_t>(pair.a.slot()) << 32U | pair.b.slot()) +
                 static_cast<std::uint64_t>(pair.place));
  }
  [[nodiscard]] double step_of(SlotIndex slot) const { return slot == kNone ? 0.0 : step_[slot.slot()]; }
  [[nodiscard]] double moved(const Pair& pair) const {
    const double second = pair.slot_b == kNone ? 0.0 : odometer_[pair.slot_b.slot()];
    return odometer_[pair.slot_a.slot()] + second;
  }

  std::unordered_map<std::uint64_t, Known> known_;
  std::vector<double> odometer_, step_;
};

}  // namespace carom::smooth
