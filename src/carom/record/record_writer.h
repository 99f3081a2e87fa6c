#pragma once
/// Writes what an engine tells into a record file (docs/record-file.md), so that a killed run leaves a readable file.
///
/// Samples and events wait in memory. Every two seconds, or when they have become many, they are appended to a copy of
/// the file, which then takes its place: whatever happens to the process, the file under its name is complete and open
/// to everybody. Large files are appended to less often, so that copying stays a small part of the time.
///
/// The file appears under its name with all tables, empty. When the run has ended, it is written once more beside it,
/// compressed, and renamed; where the disk has no room for that the uncompressed one stays. No promise is made about a
/// failure of the power supply.

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/row_buffer.h"
#include "carom/record/run_result.h"

namespace carom {

/// What a record says about its run besides what happened: enough to run it again.
struct RecordHeader {
  std::string scene;                  ///< the text of the scene file
  std::vector<std::string> settings;  ///< `path=value`, in their order
  std::string engine;
  std::string law;
  std::string options;  ///< JSON
  std::int64_t seed = 0;
};

/// When rows go to the file: as soon as either is exceeded.
struct RecordRhythm {
  double seconds = 2.0;  ///< since the last time
  std::size_t waiting_bytes = std::size_t{16} << 20;
};

class RecordWriter final : public Observer {
 public:
  /// Makes the file. One that exists is replaced if it is a record (or empty); anything else is left alone and an
  /// InputError of kind `file`, as are folders that cannot be written to.
  RecordWriter(const std::string& path, const Model& model, RecordHeader header, RecordRhythm rhythm = {});

  void sample(const State& state, const EnergyBook& book) override;
  /// Throws InputError (limit) where the name of the law is longer than kLongestLawName.
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;

  /// Appends what waits. Throws InputError (file); what was appended before stays readable.
  void flush();

  /// The run has ended: appends what waits, and how it ended. `summary` is JSON of at most kSummarySize bytes.
  void finish(RunStop stop, const std::string& summary);

 private:
  struct Ending {
    RunStop stop;
    const std::string& summary;
  };
  using FillTables = void (RecordWriter::*)(hdf5::File& file) const;
  void write_whole(FillTables fill, const Ending* ending);
  void create_tables(hdf5::File& file, bool compressed) const;
  void append_waiting(hdf5::File& file) const;
  void copy_appended(hdf5::File& file) const;
  void append_to_copy();
  [[nodiscard]] std::array<std::int64_t, 4> row_counts() const;
  [[nodiscard]] std::array<const RowBuffer*, 4> tables() const { return {&samples_, &events_, &contacts_, &jumps_}; }
  [[nodiscard]] std::size_t room_needed() const;
  void clear_waiting();
  void flush_if_due();

  std::string path_;
  RecordHeader header_;
  RecordRhythm rhythm_;
  std::vector<std::string> objects_;
  std::size_t bodies_;
  RowBuffer samples_, events_, contacts_, jumps_;
  bool appended_ = false;
  std::size_t file_size_ = 0;   ///< when it was last appended to
  double flush_seconds_ = 0.0;  ///< that this took
  std::chrono::steady_clock::time_point last_flush_;
  std::vector<double> scratch_;
};

}  // namespace carom
