#pragma once
/// A record file to read: of a run that has ended, goes on still, or was killed.
///
///     Record record("ball.h5");
///     for (std::size_t i = 0; i < record.sample_count(); ++i) { const State state = record.state(i); … }
///     for (std::size_t i = 0; i < record.event_count(); ++i) { const Event event = record.event(i); … }
///     Simulation again(record.scene());
///
/// Samples and events are read from the file when they are asked for, the one after the other fastest. Of a file that
/// grows those are there that were there when it was opened. docs/record-file.md

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/mechanics/state.h"
#include "carom/record/record_info.h"
#include "carom/scene/scene.h"
#include "carom/simulation/event.h"

namespace carom {

class Record {
 public:
  /// Throws InputError: `file` where it cannot be read or is no record, `unsupported` where a newer carom wrote it.
  explicit Record(const std::string& path);
  Record(Record&&) noexcept;
  Record& operator=(Record&&) noexcept;
  ~Record();

  [[nodiscard]] const RecordInfo& info() const;
  /// The scene that was run, with its settings. Throws InputError (unsupported) where this carom cannot read it.
  [[nodiscard]] Scene scene() const;
  /// The body of that name. Throws InputError (unknown-name) with the nearest known one.
  [[nodiscard]] BodyIndex body(std::string_view name) const;

  [[nodiscard]] std::size_t sample_count() const;
  /// Throw InputError (out-of-range) where there is no such sample.
  [[nodiscard]] State state(std::size_t sample) const;
  [[nodiscard]] EnergyBook energy(std::size_t sample) const;
  /// Times of all samples [s].
  [[nodiscard]] std::vector<double> times() const;

  [[nodiscard]] std::size_t event_count() const;
  /// Throws InputError (out-of-range) where there is no such event.
  [[nodiscard]] Event event(std::size_t index) const;
  /// Index of the first event at `time` or later; event_count() where there is none.
  [[nodiscard]] std::size_t first_event_from(double time) const;
  /// How many of which kind: looks at all of them.
  [[nodiscard]] EventCounts count_events() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace carom
