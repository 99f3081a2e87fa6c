#pragma once
/// Rows of one table of a record that wait in memory until they are appended to the file.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "carom/record/record_layout.h"

namespace carom {

class RowBuffer {
 public:
  explicit RowBuffer(Columns columns) : columns_(std::move(columns)), waiting_(columns_.size()) {}

  /// A row is filled from the first column to the last and then ended.
  RowBuffer& real(double value) { return reals({&value, 1}); }
  RowBuffer& vector(const Eigen::Vector3d& value) { return reals({value.data(), 3}); }
  RowBuffer& reals(std::span<const double> values);
  RowBuffer& integer(std::int64_t value);
  /// The text has to fit into the column.
  RowBuffer& text(std::string_view value);
  void end_row();
  /// So many rows are in the file already.
  void go_on_after(std::int64_t rows) { all_rows_ = rows; }

  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] std::size_t waiting_rows() const { return waiting_rows_; }
  [[nodiscard]] std::size_t waiting_bytes() const { return waiting_bytes_; }
  /// The waiting rows of a column, as they lie in memory.
  [[nodiscard]] std::span<const std::byte> waiting(std::size_t column) const { return waiting_[column]; }
  /// Rows ever ended; the index of the next one in the file.
  [[nodiscard]] std::int64_t all_rows() const { return all_rows_; }

  void create_columns(hdf5::File& file, const hdf5::Storage& storage) const;
  /// Bytes that the file needs at most for the waiting rows.
  [[nodiscard]] std::size_t room_needed(const hdf5::Storage& storage) const;
  /// The waiting rows go to the file; they are forgotten by `clear`, when the file is safely closed.
  void append_to(hdf5::File& file) const;
  void clear();

 private:
  void put(const void* data, std::size_t size);

  Columns columns_;
  std::vector<std::vector<std::byte>> waiting_;  ///< of each column
  std::size_t next_column_ = 0;
  std::size_t waiting_rows_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::int64_t all_rows_ = 0;
};

}  // namespace carom
