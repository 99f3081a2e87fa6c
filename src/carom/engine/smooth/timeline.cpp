#include "carom/engine/smooth/timeline.h"

namespace carom::smooth {

void Timeline::insert(const GroupEvent& event) {
  std::uint32_t place = 0;
  if (free_.empty()) {
    place = static_cast<std::uint32_t>(events_.size());
    events_.push_back(event);
  } else {
    place = free_.back();
    free_.pop_back();
    events_[place] = event;
  }
  heap_.push_back({event.time, event.order, place, event.group});
  std::push_heap(heap_.begin(), heap_.end());
}

void Timeline::drop_overtaken(const GroupList& groups) {
  std::erase_if(heap_, [&](const Entry& entry) {
    if (holds(events_[entry.place], groups)) return false;
    free_.push_back(entry.place);
    return true;
  });
  std::make_heap(heap_.begin(), heap_.end());
  most_ = std::max(kFew, 2 * heap_.size());
}

}  // namespace carom::smooth
