#include "carom/record/row_buffer.h"

#include "carom/base/assert.h"

namespace carom {

using hdf5::Element;

void RowBuffer::put(const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  std::vector<std::byte>& column = waiting_[next_column_++];
  column.insert(column.end(), bytes, bytes + size);
  waiting_bytes_ += size;
}

RowBuffer& RowBuffer::reals(std::span<const double> values) {
  CAROM_ASSERT(columns_[next_column_].element.kind == Element::Kind::real);
  CAROM_ASSERT(columns_[next_column_].row_elements() == values.size());
  put(values.data(), values.size_bytes());
  return *this;
}

RowBuffer& RowBuffer::integer(std::int64_t value) {
  CAROM_ASSERT(columns_[next_column_].element.kind == Element::Kind::integer);
  put(&value, sizeof value);
  return *this;
}

RowBuffer& RowBuffer::text(std::string_view value) {
  const Element& element = columns_[next_column_].element;
  CAROM_ASSERT(element.kind == Element::Kind::text && value.size() <= element.text_length);
  std::vector<std::byte>& column = waiting_[next_column_];
  put(value.data(), value.size());
  column.resize(column.size() + element.text_length - value.size(), std::byte{0});
  waiting_bytes_ += element.text_length - value.size();
  return *this;
}

void RowBuffer::end_row() {
  CAROM_ASSERT(next_column_ == columns_.size());
  next_column_ = 0;
  ++waiting_rows_;
  ++all_rows_;
}

void RowBuffer::create_columns(hdf5::File& file, const hdf5::Storage& storage) const {
  for (const hdf5::Column& column : columns_) file.create_column(column, storage);
}

std::size_t RowBuffer::room_needed(const hdf5::Storage& storage) const {
  std::size_t bytes = 0;
  for (const hdf5::Column& column : columns_) bytes += hdf5::room_for(column, storage, waiting_rows_);
  return bytes;
}

void RowBuffer::append_to(hdf5::File& file) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) file.append_rows(columns_[i], waiting_rows_, waiting_[i]);
}

void RowBuffer::clear() {
  for (std::vector<std::byte>& column : waiting_) column.clear();
  waiting_rows_ = 0;
  waiting_bytes_ = 0;
}

}  // namespace carom
