#include "output/collisions.h"

#include <algorithm>

namespace carom::app {
namespace {

constexpr std::size_t kEndBlock = 4096;

}  // namespace

Collisions::Collisions(RecordReader& record, std::size_t first) : record_(record) {
  for (; first < record.event_count(); first += kEndBlock) {
    const EventBlock block = record.events(first, std::min(kEndBlock, record.event_count() - first));
    for (std::size_t i = 0; i < block.events.size(); ++i) {
      if (block.events[i].contacts.empty()) continue;
      const ContactRecord& contact = block.events[i].contacts[0];
      if (contact.course) ends_.emplace(Key{contact.a, contact.b, contact.course->began}, first + i);
    }
  }
}

const EventRecord* Collisions::end_of(const EventRecord& start) {
  if (start.kind != EventKind::contact_start || start.contacts.empty()) return nullptr;
  const auto found = ends_.find(Key{start.contacts[0].a, start.contacts[0].b, start.time});
  if (found == ends_.end()) return nullptr;
  const std::size_t event = found->second;
  ends_.erase(found);
  told_.insert(event);
  if (event < block_first_ || event >= block_first_ + block_.events.size()) {
    block_first_ = event - event % kEndBlock;
    block_ = record_.events(block_first_, kEndBlock);
  }
  return &block_.events[event - block_first_];
}

}  // namespace carom::app
