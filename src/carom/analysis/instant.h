#pragma once
/// The instants of a record at which velocities jump, in order of time: the rounds of one instant together.

#include <cstddef>
#include <limits>
#include <vector>

#include "carom/record/record_reader.h"

namespace carom {

struct Instant {
  double time = 0.0;              ///< [s]
  std::vector<JumpRecord> jumps;  ///< one per body: as it was before the first round, as it is after the last
  double impact_loss = 0.0;       ///< what the impacts took [J]
  double wall_work = 0.0;         ///< what driven walls did in them [J]
  bool cuts_off = false;          ///< contacts came to rest, or were set on a constraint
  bool is_scripted = false;

  [[nodiscard]] const JumpRecord* jump_of(int body) const;
};

/// Reads the instants one after the other.
class InstantReader {
 public:
  /// From the first one at `from` or later. The record has to live longer.
  explicit InstantReader(RecordReader& record, double from = -std::numeric_limits<double>::infinity());

  /// The next one; null at the end.
  [[nodiscard]] const Instant* next() const { return is_there_ ? &next_ : nullptr; }
  void advance();

 private:
  /// The next event that has jumps; null at the end.
  const EventRecord* peek();
  void add(const EventRecord& event);

  RecordReader& record_;
  EventBlock block_;
  std::size_t first_;   ///< event of the record at which the block begins
  std::size_t at_ = 0;  ///< within the block
  Instant next_;
  bool is_there_ = false;
};

}  // namespace carom
