#pragma once
/// What will happen if nothing comes before it, the first one on top.
///
/// Whoever gets a new stretch of time looks for the first contact with everybody else on the time that both stretches
/// share. The event with the smallest time is next: then all earlier motion is final. So every pair is looked at over
/// all its time, though no two groups take the same steps.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "carom/base/prefetch.h"
#include "carom/engine/smooth/group_list.h"

namespace carom::smooth {

/// The end of a group's stretch, or two bodies of different groups that touch. It holds as long as the stretches of the
/// groups are those that it was found on.
struct GroupEvent {
  double time = 0.0;
  GroupIndex group;
  std::uint64_t version = 0;
  GroupIndex other;  ///< kNone: the end of the group's own stretch
  std::uint64_t other_version = 0;
  ObjectIndex a, b;         ///< of two groups: that touch
  FeatureCode feature = 0;  ///< at which they do
  std::uint64_t order = 0;  ///< in which it was found, so that ties are broken in one way
};

class Timeline {
 public:
  void add(GroupEvent event) {
    event.order = found_++;
    insert(event);
  }
  /// The next one that still holds; null: none.
  [[nodiscard]] const GroupEvent* next(const GroupList& groups) {
    if (heap_.size() > most_) drop_overtaken(groups);
    while (!heap_.empty() && !holds(first(), groups)) pop();
    return heap_.empty() ? nullptr : &first();
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    free_.push_back(heap_.back().place);
    heap_.pop_back();
  }

  /// Calls visit(group) for the groups of the events that most likely come next, the first one first.
  template <class Visit>
  void visit_coming(const Visit& visit) const {
    if (!heap_.empty()) carom::prefetch(&first(), sizeof(GroupEvent));
    for (std::size_t k = 0; k < std::min<std::size_t>(heap_.size(), 3); ++k) visit(heap_[k].group);
  }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// What the order of an event depends on, whose it is, and where the rest of it is: the heap is small, and only the
  /// tip is read.
  struct Entry {
    double time;
    std::uint64_t order;
    std::uint32_t place;
    GroupIndex group;

    bool operator<(const Entry& entry) const {
      return time > entry.time || (time == entry.time && order > entry.order);
    }
  };

  [[nodiscard]] const GroupEvent& first() const { return events_[heap_.front().place]; }
  static bool holds(const GroupEvent& event, const GroupList& groups) {
    return groups[event.group].version == event.version &&
           (event.other == kNone || groups[event.other].version == event.other_version);
  }
  void insert(const GroupEvent& event);
  /// Stretches that ended early leave their ends behind: these go when there are twice as many events as last time.
  void drop_overtaken(const GroupList& groups);

  static constexpr std::size_t kFew = 1024;
  std::vector<Entry> heap_;
  std::vector<GroupEvent> events_;
  std::vector<std::uint32_t> free_;  ///< places in events_
  std::size_t most_ = kFew;          ///< entries before the next look
  std::uint64_t found_ = 0;
};

}  // namespace carom::smooth
