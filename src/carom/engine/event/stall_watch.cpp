#include "carom/engine/event/stall_watch.h"

#include <fmt/format.h>

namespace carom::event {

namespace {

/// Two windows of so many events, most of them contacts that close, with a mean interval below this part of the time
/// reached, are a storm that would not end: a ball between walls that close in.
constexpr std::int64_t kWindow = 8192;
constexpr double kInterval = 1e-13;
/// Events at one and the same instant, beyond one for every object, that are taken for an endless repetition.
constexpr int kMostRepeats = 2000;

}  // namespace

bool StallWatch::storms(double time) {
  const bool mostly_contacts = contacts_ - window_contacts_ > kWindow / 2;
  const bool stands = time - window_time_ < static_cast<double>(kWindow) * kInterval * time;
  storms_ = mostly_contacts && stands ? storms_ + 1 : 0;
  window_contacts_ = contacts_;
  window_time_ = time;
  return storms_ >= 2;
}

std::optional<std::string> StallWatch::look(double time, double carry, bool is_contact, std::size_t objects) {
  if (handled_ > 0 && handled_ % kWindow == 0 && storms(time_))
    return fmt::format("impacts accumulate without coming to rest: {} events took less than {} s", 2 * kWindow,
                       2.0 * static_cast<double>(kWindow) * kInterval * time_);
  repeats_ = time == time_ && carry == carry_ ? repeats_ + 1 : 0;
  time_ = time;
  carry_ = carry;
  ++handled_;
  if (is_contact) ++contacts_;
  if (repeats_ > kMostRepeats + static_cast<int>(objects))
    return "contacts close again and again at one instant without an impact that parts them";
  return std::nullopt;
}

}  // namespace carom::event
