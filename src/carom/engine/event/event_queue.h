#pragma once
/// Events to come, earliest first. Ties are broken by kind and objects, so that the order never depends on how the
/// queue was filled. What became of an event when its objects changed is not removed: versions tell (Scheduled::valid).

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace carom::event {

enum class Upcoming : std::uint8_t {
  contact,     ///< objects a and b touch
  look_again,  ///< objects a and b do not touch before; search on
  step_end,    ///< the integrated step of body a's island ends
  cell,        ///< body a leaves its cell
  announce,    ///< an accumulation of bounces ends: persistent contact a
};

struct Scheduled {
  double time;
  double carry;  ///< the instant is time + carry
  Upcoming kind;
  int a;
  int b;
  std::uint32_t version_a;
  std::uint32_t version_b;

  [[nodiscard]] bool later_than(const Scheduled& other) const {
    if (time != other.time) return time > other.time;
    if (carry != other.carry) return carry > other.carry;
    return std::tie(kind, a, b) > std::tie(other.kind, other.a, other.b);
  }
};

class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] const Scheduled& top() const { return heap_.front(); }
  void push(const Scheduled& event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    heap_.pop_back();
  }
  /// Drops what `valid` does not want.
  template <class Valid>
  void clean(const Valid& valid) {
    heap_.erase(std::remove_if(heap_.begin(), heap_.end(), [&](const Scheduled& event) { return !valid(event); }),
                heap_.end());
    std::make_heap(heap_.begin(), heap_.end(), Later{});
  }

 private:
  struct Later {
    bool operator()(const Scheduled& x, const Scheduled& y) const { return x.later_than(y); }
  };
  std::vector<Scheduled> heap_;
};

}  // namespace carom::event
