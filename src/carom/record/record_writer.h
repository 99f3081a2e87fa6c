#pragma once
/// Writes what an engine reports into a record file (docs/record-file.md), so that a killed run leaves a readable file.
///
/// Samples and events wait in memory. Every two seconds, or when they have become many, they are appended to a copy of
/// the file, which then takes its place: whatever happens to the process, the file under its name is whole and open to
/// everybody. Large files are appended to less often, so that copying stays a small part of the time.
///
/// The file appears under its name with all tables, empty. When the run has ended, it is written once more, compressed
/// and with how the run ended; after an interrupt, which may come while it is compressed, it is appended to once more,
/// which is quick. Whatever cannot be
/// written is an InputError (file); the record stays as it was after the last time, and nothing is left beside it. No
/// promise is made about a failure of the power supply.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_rows.h"
#include "carom/record/record_settings.h"
#include "carom/record/run_result.h"
#include "carom/record/writer_lock.h"

namespace carom {

/// What a record says about its run besides what happened: enough to run it again.
struct RecordHeader {
  std::string scene;                  ///< the text of the scene file
  std::vector<std::string> settings;  ///< `path=value`, in their order
  std::string engine;
  std::string law;
  std::string options;  ///< JSON
  std::int64_t seed = 0;
  std::vector<double> extended = {};  ///< times up to which the run went on beyond its duration [s], ascending
};

class RecordWriter final : public Observer {
 public:
  /// Makes the file. One that exists is replaced if it is a record (or empty); anything else is left alone and an
  /// InputError of kind `file`, as are folders that cannot be written to.
  RecordWriter(const std::string& path, const Model& model, RecordHeader header, RecordRhythm rhythm = {},
               RecordContents contents = {});

  /// Goes on with a record, which is cut back to a checkpoint of its own (RecordReader::checkpoint). Throws InputError
  /// (file) where a living process writes it.
  RecordWriter(const std::string& path, const Model& model, RecordHeader header, RecordCheckpoint checkpoint,
               RecordRhythm rhythm = {}, RecordContents contents = {});

  void sample(const State& state, const EnergyBook& book) override;
  /// Throws InputError (limit) where the name of the law is longer than kLongestLawName.
  void event(const EventRecord& event) override;
  [[nodiscard]] bool wants_contact_loads() const override { return contents_.contact_forces; }
  void progress(double time, long events) override;

  /// What the run can go on from after all that was reported so far; it goes to the file when that is written next.
  void keep_checkpoint(std::vector<std::byte> bytes, double wall_time);
  /// The run goes on beyond its duration, up to this time [s].
  void note_extension(double end);

  /// Appends what waits. Throws InputError (file); what was appended before stays readable.
  void flush();

  /// The run has ended: appends what waits, and how it ended. `summary` is JSON. Nothing can be reported after that.
  void finish(RunStop stop, const std::string& summary);

 private:
  struct Ending {
    RunStop stop;
    const std::string& summary;
  };
  void replace_file(const std::function<void(const std::string& part)>& write);
  static void write_ending(hdf5::File& file, const Ending* ending);
  void write_whole(const std::string& part, const Ending* ending) const;
  void append_to_copy(const std::string& part, const Ending* ending) const;
  void create_tables(hdf5::File& file, bool compressed) const;
  void append_waiting(hdf5::File& file) const;
  void copy_appended(hdf5::File& file, bool compressed) const;
  void write_checkpoint(hdf5::File& file, bool compressed) const;
  [[nodiscard]] std::size_t room_needed() const;
  void flush_if_due();

  std::string path_;
  RecordHeader header_;
  RecordRhythm rhythm_;
  RecordContents contents_;
  Model model_;
  std::vector<std::string> objects_, pockets_, joints_, joint_kinds_, script_;
  std::size_t bodies_;
  RecordRows rows_;
  bool appended_ = false;                            ///< the file has rows
  std::array<std::int64_t, kTableCount> written_{};  ///< how many of each table
  std::optional<RecordCheckpoint> checkpoint_;       ///< the last one
  bool checkpoint_waits_ = false;                    ///< it is not in the file yet
  WriterLock lock_;                                  ///< on the file, as long as rows are added
  std::size_t file_size_ = 0;                        ///< when it was last written
  double flush_seconds_ = 0.0;                       ///< that the last time took
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace carom
