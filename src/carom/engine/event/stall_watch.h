#pragma once
/// Notices that a run goes on without getting anywhere: events that follow each other faster than time can tell them
/// apart, or at one and the same instant.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "carom/base/archive.h"

namespace carom::event {

class StallWatch {
 public:
  /// An event is about to be handled at this instant; `is_contact`: a contact closes. Returns the reason where the run
  /// gets nowhere. `objects`: how many there are.
  [[nodiscard]] std::optional<std::string> look(double time, double carry, bool is_contact, std::size_t objects);

  /// Whether there have been more events in a row at one instant than objects could have had.
  [[nodiscard]] bool repeats(std::size_t objects) const { return repeats_ > static_cast<int>(objects); }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] bool storms(double time);

  double time_ = 0.0, carry_ = 0.0;
  int repeats_ = 0;  ///< events in a row at one instant
  std::int64_t handled_ = 0, contacts_ = 0;
  std::int64_t window_contacts_ = 0;  ///< contacts before the present window
  double window_time_ = 0.0;          ///< when it began
  int storms_ = 0;                    ///< windows in a row in which impacts accumulated
};

}  // namespace carom::event
