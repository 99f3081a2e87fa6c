#pragma once
/// Reads a record file: whole, still growing, or left behind by a killed run. docs/record-file.md
///
/// Nothing but names and attributes is held in memory; samples and events are read when asked for. Of a file that grows
/// or whose run was killed, the rows are read that were there when it was last appended to.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/record_layout.h"

namespace carom {

struct RecordInfo {
  std::string version;                ///< of carom that wrote it
  std::string scene;                  ///< the text of the scene file
  std::vector<std::string> settings;  ///< `path=value`
  std::string engine, law;
  std::string options;  ///< JSON
  std::int64_t seed = 0;
  std::vector<std::string> objects;  ///< names, bodies first
  std::size_t bodies = 0;
  bool complete = false;  ///< the run came to its end, whatever that was
  std::string stop;       ///< of the run; empty unless complete
  std::string summary;    ///< JSON; empty unless complete
};

/// Events that follow each other, and what they point to. Their laws live as long as the reader.
struct EventBlock {
  EventBlock() = default;
  EventBlock(EventBlock&&) = default;
  EventBlock& operator=(EventBlock&&) = default;

  std::vector<EventRecord> events;
  std::vector<ContactRecord> contacts;
  std::vector<JumpRecord> jumps;
};

class RecordReader {
 public:
  /// Throws InputError: `file` where it cannot be read, is no HDF5 file or no record; `unsupported` where its format is
  /// newer than ours.
  explicit RecordReader(const std::string& path);

  [[nodiscard]] const RecordInfo& info() const { return info_; }
  [[nodiscard]] std::size_t sample_count() const { return sample_count_; }
  [[nodiscard]] std::size_t event_count() const { return event_count_; }

  [[nodiscard]] State state(std::size_t sample) const;
  [[nodiscard]] EnergyBook energy(std::size_t sample) const;
  /// The rows [first, first + count) of a column of the samples, one after the other: "/time", "/position".
  [[nodiscard]] std::vector<double> series(const std::string& path, std::size_t first, std::size_t count) const;

  [[nodiscard]] EventBlock events(std::size_t first, std::size_t count);

 private:
  void read_info();
  void count_rows();
  void read_contacts(EventBlock& block, std::int64_t first, std::int64_t end) const;
  void read_jumps(EventBlock& block, std::int64_t first, std::int64_t end) const;

  hdf5::File file_;
  RecordInfo info_;
  Columns samples_, events_, contacts_, jumps_;
  std::size_t sample_count_ = 0;
  std::size_t event_count_ = 0;
  std::set<std::string, std::less<>> laws_;
};

/// Whether there is a record at that path, of whatever format.
bool is_record(const std::string& path);

}  // namespace carom
