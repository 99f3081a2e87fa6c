#pragma once
/// Compliant contacts of a record from their beginnings to their ends: an event at which one begins and the event at
/// which it ends belong together where they name the same objects and the end says that it began then.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "carom/record/record_reader.h"

namespace carom::app {

class Collisions {
 public:
  /// Looks at the events from `first` on.
  Collisions(RecordReader& record, std::size_t first);

  /// The event that ends the contact which this one begins; null where it has not ended. Each end is told once. It
  /// lives until the next question.
  const EventRecord* end_of(const EventRecord& start);
  /// Whether the event with that number was told as an end.
  [[nodiscard]] bool told(std::size_t event) const { return told_.contains(event); }

 private:
  using Key = std::tuple<int, int, double>;  ///< the two, and when it began

  RecordReader& record_;
  std::multimap<Key, std::size_t> ends_;
  std::set<std::size_t> told_;
  EventBlock block_;
  std::size_t block_first_ = 0;
};

}  // namespace carom::app
