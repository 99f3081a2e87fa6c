#include "carom/export/vtp_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "carom/base/assert.h"

namespace carom {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are marked as little-endian");

template <class Stored, class Value>
std::string stored_as(std::span<const Value> values) {
  std::string bytes(values.size() * sizeof(Stored), '\0');
  char* next = bytes.data();
  for (const Value value : values) {
    const auto stored = static_cast<Stored>(value);
    std::memcpy(next, &stored, sizeof(Stored));
    next += sizeof(Stored);
  }
  return bytes;
}

}  // namespace

void VtpFile::add_points(std::span<const Eigen::Vector3d> points) {
  for (const Eigen::Vector3d& point : points) points_.insert(points_.end(), {point.x(), point.y(), point.z()});
}

void VtpFile::add_polygon(std::span<const int> corners, int offset) {
  CAROM_ASSERT(!vertices_);
  for (const int corner : corners) connectivity_.push_back(corner + offset);
  offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
}

void VtpFile::make_vertices() {
  CAROM_ASSERT(connectivity_.empty());
  vertices_ = true;
  connectivity_.resize(points_.size() / 3);
  std::iota(connectivity_.begin(), connectivity_.end(), std::int64_t{0});
  offsets_.resize(connectivity_.size());
  std::iota(offsets_.begin(), offsets_.end(), std::int64_t{1});
}

void VtpFile::add_numbers(On on, std::string_view name, std::span<const double> values) {
  add_tuples(on, name, 1, values);
}

void VtpFile::add_vectors(On on, std::string_view name, std::span<const Eigen::Vector3d> values) {
  std::vector<double> flat;
  flat.reserve(3 * values.size());
  for (const Eigen::Vector3d& value : values) flat.insert(flat.end(), {value.x(), value.y(), value.z()});
  add_tuples(on, name, 3, flat);
}

void VtpFile::add_tuples(On on, std::string_view name, std::size_t width, std::span<const double> values) {
  arrays(on).push_back(real_array(name, width, values));
}

void VtpFile::add_integers(On on, std::string_view name, std::span<const std::int64_t> values) {
  arrays(on).push_back(integer_array(name, values));
}

VtpFile::Array VtpFile::real_array(std::string_view name, std::size_t width, std::span<const double> values) const {
  const bool single = precision_ == Precision::single;
  return {fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"", single ? "Float32" : "Float64",
                      name, width),
          single ? stored_as<float>(values) : stored_as<double>(values)};
}

VtpFile::Array VtpFile::integer_array(std::string_view name, std::span<const std::int64_t> values) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  const bool small = std::all_of(values.begin(), values.end(),
                                 [](std::int64_t value) { return value >= -kLargest && value <= kLargest; });
  return {fmt::format("<DataArray type=\"{}\" Name=\"{}\"", small ? "Int32" : "Int64", name),
          small ? stored_as<std::int32_t>(values) : stored_as<std::int64_t>(values)};
}

VtpFile::Array VtpFile::name_array() const {
  Array array{fmt::format("<Array type=\"String\" Name=\"names\" NumberOfTuples=\"{}\"", names_.size()), {}};
  for (const std::string& name : names_) {
    // Each ends with a zero, which a name cannot hold.
    array.bytes += name.substr(0, name.find('\0'));
    array.bytes += '\0';
  }
  return array;
}

std::uint64_t VtpFile::write(const std::string& path) const {
  std::vector<Array> written;
  std::size_t offset = 0;
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n";
  const auto add = [&](Array array) {
    const bool text = array.element.starts_with("<Array");
    xml += fmt::format("{} format=\"appended\" offset=\"{}\"></{}>\n", array.element, offset,
                       text ? "Array" : "DataArray");
    offset += sizeof(std::uint64_t) + array.bytes.size();
    written.push_back(std::move(array));
  };
  xml += "<FieldData>\n";
  const std::string time_bytes = stored_as<double>(std::span<const double>(&time_, 1));
  add({"<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\"", time_bytes});
  if (!names_.empty()) add(name_array());
  xml += "</FieldData>\n";
  const std::size_t cells = offsets_.size();
  xml += fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      points_.size() / 3, vertices_ ? cells : 0, vertices_ ? 0 : cells);
  xml += "<PointData>\n";
  for (const Array& array : point_arrays_) add(array);
  xml += "</PointData>\n<CellData>\n";
  for (const Array& array : cell_arrays_) add(array);
  xml += "</CellData>\n<Points>\n";
  add(real_array("Points", 3, points_));
  const char* const kind = vertices_ ? "Verts" : "Polys";
  xml += fmt::format("</Points>\n<{}>\n", kind);
  add(integer_array("connectivity", connectivity_));
  add(integer_array("offsets", offsets_));
  xml += fmt::format("</{}>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", kind);

  WholeFile file(path);
  file.write(xml);
  for (const Array& array : written) {
    const auto size = static_cast<std::uint64_t>(array.bytes.size());
    file.write(stored_as<std::uint64_t>(std::span<const std::uint64_t>(&size, 1)));
    file.write(array.bytes);
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.keep();
  return file.bytes_written();
}

}  // namespace carom
