#include "carom/base/activity.h"

namespace carom {

Activity::Activity(const char* what) : before_(own().what.load(std::memory_order_relaxed)) {
  own().what.store(what, std::memory_order_relaxed);
}

Activity::~Activity() {
  own().what.store(before_, std::memory_order_relaxed);
}

InterruptWatch::InterruptWatch(const std::vector<const std::atomic<bool>*>& flags) : before_(Activity::own().flags) {
  Activity::own().flags = &flags;
}

InterruptWatch::~InterruptWatch() {
  Activity::own().flags = before_;
}

}  // namespace carom
