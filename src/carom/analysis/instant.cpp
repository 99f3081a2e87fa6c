#include "carom/analysis/instant.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr std::size_t kInstantBlock = 4096;

}  // namespace

const JumpRecord* Instant::jump_of(int body) const {
  const auto found =
      std::find_if(jumps.begin(), jumps.end(), [body](const JumpRecord& jump) { return jump.body == body; });
  return found == jumps.end() ? nullptr : &*found;
}

InstantReader::InstantReader(RecordReader& record, double from)
    : record_(record), first_(std::isfinite(from) ? record.first_event_from(from) : 0) {
  advance();
}

const EventRecord* InstantReader::peek() {
  while (true) {
    for (; at_ < block_.events.size(); ++at_) {
      if (!block_.events[at_].jumps.empty()) return &block_.events[at_];
    }
    first_ += block_.events.size();
    if (first_ >= record_.event_count()) return nullptr;
    block_ = record_.events(first_, std::min(kInstantBlock, record_.event_count() - first_));
    at_ = 0;
  }
}

void InstantReader::add(const EventRecord& event) {
  for (const JumpRecord& jump : event.jumps) {
    const auto known = std::find_if(next_.jumps.begin(), next_.jumps.end(),
                                    [&jump](const JumpRecord& other) { return other.body == jump.body; });
    if (known == next_.jumps.end()) {
      next_.jumps.push_back(jump);
    } else {
      known->velocity_after = jump.velocity_after;
      known->angular_velocity_after = jump.angular_velocity_after;
    }
  }
  switch (event.kind) {
    case EventKind::impact:
      next_.impact_loss -= event.energy.contact_work;
      next_.wall_work += event.energy.wall_work;
      break;
    case EventKind::scripted: next_.is_scripted = true; break;
    default: next_.cuts_off = true;
  }
}

void InstantReader::advance() {
  const EventRecord* event = peek();
  is_there_ = event != nullptr;
  if (!is_there_) return;
  next_ = Instant{};
  next_.time = event->time;
  for (; event != nullptr && event->time == next_.time; event = peek()) {
    add(*event);
    ++at_;
  }
}

}  // namespace carom
