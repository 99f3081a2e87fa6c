#pragma once
/// Events of a record, for programs and for people, one at a time: a record may hold millions.

#include <string>

#include "carom/analysis/contact_words.h"
#include "carom/base/json.h"
#include "carom/record/record_reader.h"

namespace carom::app {

/// An entry of `events` of the contract, and: `round`, the contacts' `tangential_impulse`, `bodies` with their
/// velocities before and after, further parts of `energy`, `audit`, `pocket`; the contacts' `feature_a`, `feature_b`
/// and `pushing`, and of a compliant contact that has ended `began`, `duration`, `peak_force` and `peak_time`.
Json event_json(const EventRecord& event, const RecordInfo& info, ContactTeller& teller);

/// Lines of a table whose columns are as wide as the names of the record need.
class EventTable {
 public:
  /// The teller has to live longer.
  EventTable(const RecordInfo& info, ContactTeller& teller);

  [[nodiscard]] std::string title() const;
  /// One line per contact; an event without contacts has one line as well.
  [[nodiscard]] std::string lines(const EventRecord& event) const;
  /// A compliant contact from its beginning to its end, as the event that ended it tells.
  [[nodiscard]] std::string collision_line(const EventRecord& end) const;

 private:
  [[nodiscard]] std::string pair_name(const ContactRecord& contact, double time) const;
  [[nodiscard]] std::string impulse_text(const ContactRecord& contact, double scale) const;
  [[nodiscard]] std::string swallowed_name(const EventRecord& event) const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

  const RecordInfo& info_;
  ContactTeller& teller_;
  bool is_compliant_;
  int pair_width_;
};

}  // namespace carom::app
