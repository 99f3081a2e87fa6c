#include "record_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/error.h"

namespace carom::python {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, message);
}

}  // namespace

IntervalCursor& OpenRecord::cursor() {
  if (!cursor_) cursor_ = std::make_unique<IntervalCursor>(reader, quantities.model_of_blows());
  return *cursor_;
}

RecordFile::RecordFile(std::string path) : path_(std::move(path)) {
  const FreeInterpreter free;
  open_ = std::make_shared<OpenRecord>(path_);
}

const std::shared_ptr<OpenRecord>& RecordFile::opened() const {
  if (!open_) refuse(path_, fmt::format("the record '{}' is closed; open it again with carom.open", path_));
  return open_;
}

std::unique_lock<std::mutex> RecordFile::lock(OpenRecord& open) const {
  if (open.forks_ == fork_count()) return std::unique_lock(open.mutex_);
  // Opened before a fork: a thread that the child has not may have been reading.
  std::unique_lock alone(open.mutex_, std::try_to_lock);
  if (!alone.owns_lock())
    refuse(path_, fmt::format("the record '{}' was being read when this process was forked; open it again with "
                              "carom.open",
                              path_));
  return alone;
}

const double* RecordFile::numbers(const hdf5::Column& column) {
  const auto known = columns_.find(column.path);
  if (known != columns_.end()) return known->second.get();
  const std::string path = column.path;  // the column goes with the file, should another thread close it
  const std::size_t rows = samples();
  std::unique_ptr<double[]> fresh(new double[std::max<std::size_t>(rows * column.row_elements(), 1)]);
  read([&](OpenRecord& open) { open.reader.read_raw(column, 0, rows, fresh.get()); });
  // Another thread may have read it meanwhile and shown it to somebody: the first one stays.
  return columns_.try_emplace(path, std::move(fresh)).first->second.get();
}

}  // namespace carom::python
