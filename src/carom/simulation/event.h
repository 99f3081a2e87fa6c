#pragma once
/// An event with all that belongs to it, to be kept.

#include <string>
#include <vector>

#include "carom/base/archive.h"
#include "carom/record/observer.h"

namespace carom {

/// The EventRecord that observers are given lives for one call only; this one lives as long as it is wanted.
class Event {
 public:
  explicit Event(const EventRecord& record)
      : law_(record.law),
        contacts_(record.contacts.begin(), record.contacts.end()),
        jumps_(record.jumps.begin(), record.jumps.end()),
        joints_(record.joints.begin(), record.joints.end()),
        record_(record) {
    point_inside();
  }
  Event(const Event& other)
      : law_(other.law_),
        contacts_(other.contacts_),
        jumps_(other.jumps_),
        joints_(other.joints_),
        record_(other.record_) {
    point_inside();
  }
  Event& operator=(const Event& other) {
    if (this != &other) *this = Event(other.record_);
    return *this;
  }
  Event(Event&& other) noexcept
      : law_(std::move(other.law_)),
        contacts_(std::move(other.contacts_)),
        jumps_(std::move(other.jumps_)),
        joints_(std::move(other.joints_)),
        record_(other.record_) {
    point_inside();
  }
  Event& operator=(Event&& other) noexcept {
    law_ = std::move(other.law_);
    contacts_ = std::move(other.contacts_);
    jumps_ = std::move(other.jumps_);
    joints_ = std::move(other.joints_);
    record_ = other.record_;
    point_inside();
    return *this;
  }
  ~Event() = default;

  /// An impact of nothing, to be filled from an archive.
  Event() = default;
  void transfer(Archive& archive);

  const EventRecord& operator*() const { return record_; }
  const EventRecord* operator->() const { return &record_; }

 private:
  void point_inside() {
    record_.law = law_;
    record_.contacts = contacts_;
    record_.jumps = jumps_;
    record_.joints = joints_;
  }

  std::string law_;
  std::vector<ContactRecord> contacts_;
  std::vector<JumpRecord> jumps_;
  std::vector<JointRecord> joints_;
  EventRecord record_;
};

}  // namespace carom
