#pragma once
/// Events of a record, for programs and for people, one at a time: a record may hold millions.

#include <string>

#include "carom/base/json.h"
#include "carom/record/record_reader.h"

namespace carom::app {

/// An entry of `events` of the contract, and: `round`, the contacts' `tangential_impulse`, `bodies` with their
/// velocities before and after, further parts of `energy`, `audit`, `pocket`.
Json event_json(const EventRecord& event, const RecordInfo& info);

/// Lines of a table whose columns are as wide as the names of the record need.
class EventTable {
 public:
  explicit EventTable(const RecordInfo& info);

  [[nodiscard]] std::string title() const;
  /// One line per contact; an event without contacts has one line as well.
  [[nodiscard]] std::string lines(const EventRecord& event) const;

 private:
  [[nodiscard]] std::string pair_name(const ContactRecord& contact) const;
  [[nodiscard]] std::string impulse_text(const ContactRecord& contact) const;
  [[nodiscard]] std::string swallowed_name(const EventRecord& event) const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

  const RecordInfo& info_;
  int pair_width_;
};

}  // namespace carom::app
