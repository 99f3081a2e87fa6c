#pragma once
/// What will happen if nothing comes before it, the first one on top.
///
/// Whoever gets a new stretch of time looks for the first contact with everybody else on the time that both stretches
/// share. The event with the smallest time is next: then all earlier motion is final. So every pair is looked at over
/// all its time, though no two groups take the same steps.

#include <cstdint>
#include <queue>

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

  bool operator<(const GroupEvent& event) const {
    return time > event.time || (time == event.time && order > event.order);
  }
};

class Timeline {
 public:
  void add(GroupEvent event) {
    event.order = found_++;
    events_.push(event);
  }
  /// The next one that still holds; null: none.
  [[nodiscard]] const GroupEvent* next(const GroupList& groups) {
    const auto holds = [&groups](const GroupEvent& event) {
      return groups[event.group].version == event.version &&
             (event.other == kNone || groups[event.other].version == event.other_version);
    };
    while (!events_.empty() && !holds(events_.top())) events_.pop();
    return events_.empty() ? nullptr : &events_.top();
  }
  void pop() { events_.pop(); }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  std::priority_queue<GroupEvent> events_;
  std::uint64_t found_ = 0;
};

}  // namespace carom::smooth
