/// Contacts that persist: keeping them, and telling when they begin, come to rest and end.

#include <algorithm>

#include "carom/contact/accumulation.h"
#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

/// The persistent contact that goes on as this one: the same point, or else another point of the same two faces, which
/// wander where faces slide over each other.
int EventEngine::Core::previous_contact(const ContactPoint& contact) const {
  int wandered = -1;
  for (const int index : before_) {
    const PersistentContact& old = persistent_[static_cast<std::size_t>(index)];
    if (!old.alive || old.contact.a != contact.a || old.contact.b != contact.b) continue;
    if (old.contact.feature != contact.feature || old.contact.rim_end != contact.rim_end) continue;
    if ((old.contact.local_point - contact.local_point).norm() <= 1e-6 * object(contact.a).size) return index;
    if (contact.feature == Feature::face_on_point) wandered = index;
  }
  return wandered;
}

std::vector<ContactPoint> EventEngine::Core::hold(const Island& island) {
  std::vector<ContactPoint> started;
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    int index = previous_contact(contact);
    const bool is_new = index < 0;
    if (is_new) {
      if (unused_persistent_.empty()) {
        index = static_cast<int>(persistent_.size());
        persistent_.emplace_back();
      } else {
        index = unused_persistent_.back();
        unused_persistent_.pop_back();
      }
    } else {
      before_.erase(std::find(before_.begin(), before_.end(), index));
    }
    PersistentContact& persistent = persistent_[static_cast<std::size_t>(index)];
    persistent.contact = contact;
    persistent.alive = true;
    object(contact.a).held_by.push_back(index);
    if (is_body(contact.b)) object(contact.b).held_by.push_back(index);
    if (!is_new) continue;
    ++persistent.version;
    const bool struck =
        std::find(struck_pairs_.begin(), struck_pairs_.end(), std::pair(contact.a, contact.b)) != struck_pairs_.end();
    const double e = contact.rule.restitution;
    const bool bounced = struck && e > 0.0 && e < 1.0 && active.arrival_rate > 0.0 && active.pressing > 0.0;
    if (bounced) {
      const double remainder = accumulation_remainder(active.arrival_rate, active.pressing, e);
      persistent.announced = false;
      queue_.push({now_ + remainder, 0.0, Upcoming::announce, index, index, persistent.version, persistent.version});
    } else {
      persistent.announced = true;
      started.push_back(contact);
    }
  }
  return started;
}

void EventEngine::Core::tell_contacts(EventKind kind, const std::vector<ContactPoint>& contacts) {
  if (observer_ == nullptr || contacts.empty()) return;
  contact_records_.clear();
  for (const ContactPoint& contact : contacts) {
    ContactRecord record;
    record.a = contact.a;
    record.b = contact.b;
    record.point = contact.point();
    record.normal = contact.normal;
    record.rate_before = record.rate_after = 0.0;
    contact_records_.push_back(record);
  }
  EventRecord record;
  record.time = now_;
  record.kind = kind;
  record.contacts = contact_records_;
  observer_->event(record);
}

ContactPoint EventEngine::Core::follow_now(const ContactPoint& contact) {
  return followed(contact, pair(contact.a, contact.b), *object(contact.a).mover.shape, now(contact.a).pose(),
                  *object(contact.b).mover.shape, now(contact.b).pose());
}

void EventEngine::Core::announce(int index) {
  PersistentContact& persistent = persistent_[static_cast<std::size_t>(index)];
  persistent.announced = true;
  const ContactPoint contact = followed(persistent.contact, pair(persistent.contact.a, persistent.contact.b),
                                        *object(persistent.contact.a).mover.shape, now(persistent.contact.a).pose(),
                                        *object(persistent.contact.b).mover.shape, now(persistent.contact.b).pose());
  tell_contacts(EventKind::rest, {contact});
}

}  // namespace carom
