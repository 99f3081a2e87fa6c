#pragma once
/// A record file as Python sees it: threads may share it, and it can be closed while others read.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "carom/analysis/interval_cursor.h"
#include "carom/analysis/quantity_reader.h"
#include "interrupts.h"

namespace carom::python {

/// What is read of a file that is open, by one thread at a time.
struct OpenRecord {
  RecordReader reader;
  QuantityReader quantities;

  explicit OpenRecord(const std::string& path) : reader(path), quantities(reader) {}
  IntervalCursor& cursor();

 private:
  friend class RecordFile;
  std::unique_ptr<IntervalCursor> cursor_;
  std::mutex mutex_;
  int forks_ = fork_count();  ///< of the process when it was opened
};

/// Columns are read when they are asked for and stay in memory. What is not read by `read` was read when the file was
/// opened; the lock of the interpreter is held there.
class RecordFile {
 public:
  explicit RecordFile(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool closed() const { return open_ == nullptr; }
  /// The file is let go as soon as nobody reads it; what was read stays.
  void close() { open_.reset(); }

  [[nodiscard]] const RecordInfo& info() const { return opened()->reader.info(); }
  [[nodiscard]] std::size_t samples() const { return opened()->reader.sample_count(); }
  [[nodiscard]] std::size_t events() const { return opened()->reader.event_count(); }
  [[nodiscard]] const Columns& table(std::size_t which) const { return *opened()->reader.tables()[which]; }
  [[nodiscard]] std::size_t rows(std::size_t which) const { return opened()->reader.row_counts()[which]; }
  [[nodiscard]] bool has(const hdf5::Column& column) const { return opened()->reader.has(column); }

  /// Does something with the file without the lock of the interpreter. Throws InputError (file) where it is closed.
  template <class Work>
  auto read(const Work& work) {
    const std::shared_ptr<OpenRecord> open = opened();
    const FreeInterpreter free;
    const std::unique_lock<std::mutex> alone = lock(*open);
    return work(*open);
  }

  /// All rows of a column of the samples, which is one of numbers; read once.
  const double* numbers(const hdf5::Column& column);

 private:
  [[nodiscard]] const std::shared_ptr<OpenRecord>& opened() const;
  [[nodiscard]] std::unique_lock<std::mutex> lock(OpenRecord& open) const;

  std::string path_;
  std::shared_ptr<OpenRecord> open_;
  std::map<std::string, std::unique_ptr<double[]>> columns_;
};

}  // namespace carom::python
