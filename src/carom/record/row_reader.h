#pragma once
/// Columns of one table of a record, read one after the other in the order of their layout.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/record/hdf5.h"

namespace carom {

class RowReader {
 public:
  RowReader(const hdf5::File& file, std::span<const hdf5::Column> columns, std::size_t first, std::size_t count)
      : file_(file), columns_(columns), first_(first), count_(count) {}

  std::vector<double> reals();
  std::vector<Eigen::Vector3d> vectors();
  std::vector<std::int64_t> integers();
  std::vector<std::string> texts();

 private:
  const hdf5::File& file_;
  std::span<const hdf5::Column> columns_;
  std::size_t first_, count_;
  std::size_t next_ = 0;
};

/// Throws InputError: "cannot read the record 'path': reason".
[[noreturn]] void refuse_record(const std::string& path, const std::string& reason, Kind kind = Kind::file);

}  // namespace carom
