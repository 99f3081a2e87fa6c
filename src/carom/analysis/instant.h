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
  /// One more round.
  void add(const EventRecord& event);
};

/// Instants one after the other, in order of time.
class InstantSource {
 public:
  InstantSource() = default;
  InstantSource(const InstantSource&) = default;
  InstantSource& operator=(const InstantSource&) = delete;
  virtual ~InstantSource() = default;

  /// The next one; null at the end.
  [[nodiscard]] virtual const Instant* next() const = 0;
  virtual void advance() = 0;
};

/// Reads the instants of a record.
class InstantReader final : public InstantSource {
 public:
  /// From the first one at `from` or later. The record has to live longer.
  explicit InstantReader(RecordReader& record, double from = -std::numeric_limits<double>::infinity());

  [[nodiscard]] const Instant* next() const override { return is_there_ ? &next_ : nullptr; }
  void advance() override;

 private:
  /// The next event that has jumps; null at the end.
  const EventRecord* peek();

  RecordReader& record_;
  EventBlock block_;
  std::size_t first_;   ///< event of the record at which the block begins
  std::size_t at_ = 0;  ///< within the block
  Instant next_;
  bool is_there_ = false;
};

}  // namespace carom
