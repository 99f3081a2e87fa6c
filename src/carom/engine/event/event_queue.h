#pragma once
/// A queue of events to come, earliest first.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "carom/base/archive.h"

namespace carom::event {

struct UpcomingEvent {
  enum class What : std::uint8_t {
    contact,      ///< objects a and b touch
    search_on,    ///< objects a and b do not touch before; search on; or nothing that the script waits for (`which`)
    step_end,     ///< the integrated step of body a's island ends
    cell,         ///< body a leaves its cell
    report_rest,  ///< an accumulation of bounces ends: held contact a
    scripted,     ///< number `which` of the script, which depends on bodies a and b where these are given
    condition,    ///< that of switch `which` begins or ceases to hold, likewise
    apart,        ///< the objects of switch `which` do not overlap any more
  };

  double time;
  double carry;  ///< the instant is time + carry
  What what;
  int a;
  int b;
  std::uint32_t version_a;  ///< of the motion of a …
  std::uint32_t version_b;  ///< … and of b for which this was found
  int which = -1;

  [[nodiscard]] bool later_than(const UpcomingEvent& other) const {
    if (time != other.time) return time > other.time;
    if (carry != other.carry) return carry > other.carry;
    return std::tie(what, a, b, which) > std::tie(other.what, other.a, other.b, other.which);
  }
};

class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] const UpcomingEvent& top() const { return heap_.front(); }
  void push(const UpcomingEvent& event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    heap_.pop_back();
  }
  /// Whether one of the events is such, in any order.
  template <class Is>
  [[nodiscard]] bool has(const Is& is) const {
    return std::any_of(heap_.begin(), heap_.end(), is);
  }
  /// Drops what `valid` does not want.
  template <class Valid>
  void clean(const Valid& valid) {
    std::erase_if(heap_, [&](const UpcomingEvent& event) { return !valid(event); });
    std::make_heap(heap_.begin(), heap_.end(), Later{});
  }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct Later {
    bool operator()(const UpcomingEvent& x, const UpcomingEvent& y) const { return x.later_than(y); }
  };
  std::vector<UpcomingEvent> heap_;
};

}  // namespace carom::event
