#include "carom/record/row_reader.h"

namespace carom {

std::vector<double> RowReader::reals() {
  const hdf5::Column& column = columns_[next_++];
  std::vector<double> values(count_ * column.row_elements());
  file_.read_rows(column, first_, values);
  return values;
}

std::vector<Eigen::Vector3d> RowReader::vectors() {
  const std::vector<double> values = reals();
  std::vector<Eigen::Vector3d> vectors;
  vectors.reserve(values.size() / 3);
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) vectors.emplace_back(values[i], values[i + 1], values[i + 2]);
  return vectors;
}

std::vector<std::int64_t> RowReader::integers() {
  std::vector<std::int64_t> values(count_);
  file_.read_rows(columns_[next_++], first_, values);
  return values;
}

std::vector<std::string> RowReader::texts() {
  return file_.read_texts(columns_[next_++], first_, count_);
}

void refuse_record(const std::string& path, const std::string& reason, Kind kind) {
  Place place;
  place.file = path;
  throw InputError(kind, place, "cannot read the record '" + path + "': " + reason);
}

}  // namespace carom
