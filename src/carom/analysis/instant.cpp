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

void Instant::add(const EventRecord& event) {
  for (const JumpRecord& jump : event.jumps) {
    const auto known =
        std::find_if(jumps.begin(), jumps.end(), [&jump](const JumpRecord& other) { return other.body == jump.body; });
    if (known == jumps.end()) {
      jumps.push_back(jump);
    } else {
      known->velocity_after = jump.velocity_after;
      known->angular_velocity_after = jump.angular_velocity_after;
    }
  }
  switch (event.kind) {
    case EventKind::impact:
      impact_loss -= event.energy.contact_work;
      wall_work += event.energy.wall_work;
      break;
    case EventKind::scripted: is_scripted = true; break;
    default: cuts_off = true;
  }
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

void InstantReader::advance() {
  const EventRecord* event = peek();
  is_there_ = event != nullptr;
  if (!is_there_) return;
  next_ = Instant{};
  next_.time = event->time;
  for (; event != nullptr && event->time == next_.time; event = peek()) {
    next_.add(*event);
    ++at_;
  }
}

}  // namespace carom
