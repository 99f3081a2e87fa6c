#pragma once
/// Reads a record file: whole, still growing, or left behind by a killed run. docs/record-file.md
///
/// Nothing but names and attributes is held in memory; samples and events are read when asked for. Of a file that grows
/// the rows are read that were there when it was opened.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/record_info.h"
#include "carom/record/record_layout.h"

namespace carom {

/// What a run can go on from, and what of its record comes before.
struct RecordCheckpoint {
  std::vector<std::byte> bytes;                     ///< of simulation/saved_simulation.h
  std::array<std::int64_t, kTableCount> rows = {};  ///< of each table
  double wall_time = 0.0;                           ///< that the run has taken up to there [s]
};

/// Events that follow each other, and what they point to. Their laws live as long as the reader.
struct EventBlock {
  EventBlock() = default;
  EventBlock(EventBlock&&) = default;
  EventBlock& operator=(EventBlock&&) = default;

  std::vector<EventRecord> events;
  std::vector<ContactRecord> contacts;
  std::vector<JumpRecord> jumps;
  std::vector<JointRecord> joints;
};

/// What contacts do at samples that follow each other: those of sample first + i are loads[begin[i]] up to begin[i +
/// 1].
struct ContactLoadBlock {
  std::vector<ContactLoad> loads;
  std::vector<std::size_t> begin;

  [[nodiscard]] std::span<const ContactLoad> of(std::size_t i) const {
    return std::span(loads).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

class RecordReader {
 public:
  /// Throws InputError: `file` where it cannot be read, is no HDF5 file, no record or damaged; `unsupported` where its
  /// format is newer than ours. Reading may throw `file` as well: not all damage is found at once.
  explicit RecordReader(const std::string& path);

  [[nodiscard]] const RecordInfo& info() const { return info_; }
  [[nodiscard]] std::size_t sample_count() const { return rows_[0]; }
  [[nodiscard]] std::size_t event_count() const { return rows_[1]; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  /// Bytes of the file.
  [[nodiscard]] std::size_t file_size() const { return file_.size(); }

  [[nodiscard]] State state(std::size_t sample) const;
  [[nodiscard]] EnergyBook energy(std::size_t sample) const;
  /// The rows [first, first + count) of a column of the samples, one after the other: "/time", "/position".
  [[nodiscard]] std::vector<double> series(const std::string& path, std::size_t first, std::size_t count) const;

  [[nodiscard]] bool has_samples_of(const std::string& path) const;

  /// Whether it was recorded what contacts do; and that, of the samples [first, first + count).
  [[nodiscard]] bool has_contact_loads() const { return !forces_.empty(); }
  [[nodiscard]] ContactLoadBlock contact_loads(std::size_t first, std::size_t count) const;
  /// Row of the first of these of that sample or a later one.
  [[nodiscard]] std::size_t first_contact_load(std::size_t sample) const;

  /// None where the run has kept none. Throws InputError (file) where it is damaged.
  [[nodiscard]] std::optional<RecordCheckpoint> checkpoint() const;

  [[nodiscard]] EventBlock events(std::size_t first, std::size_t count);
  [[nodiscard]] double event_time(std::size_t event) const;
  /// Index of the first event at `time` or later; event_count() where there is none.
  [[nodiscard]] std::size_t first_event_from(double time) const;
  /// Looks at all events.
  [[nodiscard]] EventCounts count_events() const;

  /// Samples, events, contacts, jumps, joints, forces; their columns and how many rows they have.
  [[nodiscard]] std::array<const Columns*, kTableCount> tables() const {
    return {&samples_, &events_, &contacts_, &jumps_, &joints_, &forces_};
  }
  [[nodiscard]] const std::array<std::size_t, kTableCount>& row_counts() const { return rows_; }
  /// Whether the record has that column; an older one may lack some.
  [[nodiscard]] bool has(const hdf5::Column& column) const { return file_.has(column.path); }
  /// Rows of a column of any table as they lie in memory (hdf5.h).
  void read_raw(const hdf5::Column& column, std::size_t first, std::size_t count, void* values) const {
    file_.read_raw(column, first, count, values);
  }

 private:
  void drop_absent(Columns& columns, std::initializer_list<std::string_view> newer) const;
  void read_info();
  void count_rows();
  void require_plausible_rows() const;
  void read_contacts(EventBlock& block, std::int64_t first, std::int64_t end) const;
  void read_jumps(EventBlock& block, std::int64_t first, std::int64_t end) const;
  void read_joints(EventBlock& block, std::int64_t first, std::int64_t end) const;

  hdf5::File file_;
  RecordInfo info_;
  Columns samples_, events_, contacts_, jumps_, joints_, forces_;  ///< the last two: none where they are not there
  std::array<std::size_t, kTableCount> rows_{};
  std::set<std::string, std::less<>> laws_;
};

/// Whether there is a record at that path, of whatever format.
bool is_record(const std::string& path);

}  // namespace carom
