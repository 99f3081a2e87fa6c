#include "carom/record/hdf5.h"

#include <algorithm>
#include <utility>

#include "carom/base/assert.h"
#include "carom/record/hdf5_library.h"

namespace carom::hdf5 {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

constexpr unsigned kCompression = 1;  // deflate levels above 1 cost much time and save little on doubles

/// How files are opened. Locks are left alone: some file systems have none.
Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(properties.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(properties.id(), false, true);
#endif
  return properties;
}

/// Without the times at which a file or a group was made: the same content has the same bytes.
Handle creation_properties(hid_t kind) {
  Handle properties(H5Pcreate(kind));
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

/// Dimensions of a dataset with that many rows.
std::vector<hsize_t> dimensions(const Column& column, hsize_t rows) {
  std::vector<hsize_t> result{rows};
  for (const std::size_t extent : column.row) result.push_back(extent);
  return result;
}

/// Rows that are compressed together, as a box; never empty, and not larger than wide rows make reasonable.
std::vector<hsize_t> chunk_of(const Column& column, std::size_t chunk_rows) {
  constexpr hsize_t kLargest = hsize_t{1} << 17;  // elements
  std::vector<hsize_t> chunk = dimensions(column, std::max<std::size_t>(chunk_rows, 1));
  hsize_t inner = 1;
  for (std::size_t i = chunk.size() - 1; i > 0; --i) {
    chunk[i] = std::clamp<hsize_t>(chunk[i], 1, std::max<hsize_t>(kLargest / inner, 1));
    inner *= chunk[i];
  }
  chunk[0] = std::clamp<hsize_t>(chunk[0], 1, std::max<hsize_t>(kLargest / inner, 1));
  return chunk;
}

/// Whether the elements of a dataset are those of a column, so that reading them changes no bit.
bool holds(const Handle& dataset, const Element& element) {
  const Handle type(H5Dget_type(dataset.id()));
  const bool same_size = H5Tget_size(type.id()) == element.size();
  switch (element.kind) {
    case Element::Kind::real: return same_size && H5Tget_class(type.id()) == H5T_FLOAT;
    case Element::Kind::integer: return same_size && H5Tget_class(type.id()) == H5T_INTEGER;
    case Element::Kind::text: break;
  }
  return same_size && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Handle::~Handle() {
  if (id_ < 0) return;
  const Quiet quiet;
  H5Idec_ref(id_);
}

std::int64_t Handle::release() {
  return std::exchange(id_, -1);
}

std::size_t rows_per_chunk(const Column& column, const Storage& storage) {
  return chunk_of(column, storage.chunk_rows)[0];
}

std::size_t room_for(const Column& column, const Storage& storage, std::size_t rows) {
  constexpr std::size_t kIndex = std::size_t{1} << 16;  // entries of the index of chunks, and their blocks
  std::size_t chunk = column.element.size();
  for (const hsize_t extent : chunk_of(column, storage.chunk_rows)) chunk *= extent;
  // Rows, and a last chunk that is not full.
  return rows * column.row_elements() * column.element.size() + chunk + kIndex;
}

std::size_t Column::row_elements() const {
  std::size_t product = 1;
  for (const std::size_t extent : row) product *= extent;
  return product;
}

File File::create(const std::string& path) {
  const Quiet quiet;
  const Handle access = access_properties(), creation = creation_properties(H5P_FILE_CREATE);
  return {path, checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), path, "create")};
}

File File::append(const std::string& path) {
  const Quiet quiet;
  const Handle access = access_properties();
  return {path, checked(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), path, "write to")};
}

File File::read(const std::string& path) {
  const Quiet quiet;
  const Handle access = access_properties();
  return {path, checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), path, "read")};
}

void File::close() {
  if (!handle_.valid()) return;
  const Quiet quiet;
  check(H5Fclose(handle_.release()), path_, "write to");
}

std::size_t File::size() const {
  const Quiet quiet;
  hsize_t bytes = 0;
  check(H5Fget_filesize(handle_.id(), &bytes), path_, "read");
  return bytes;
}

void File::require_fits(std::size_t count, std::size_t bytes_each, std::string_view what) const {
  if (count > kBestCompression * size() / bytes_each) {
    fail(path_, "read", std::string(what) + " is longer than the file can be");
  }
}

void File::create_group(const std::string& group) {
  const Quiet quiet;
  const Handle creation = creation_properties(H5P_GROUP_CREATE);
  checked(H5Gcreate2(handle_.id(), group.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), path_, "write to");
}

void File::create_column(const Column& column, const Storage& storage) {
  const Quiet quiet;
  const std::vector<hsize_t> now = dimensions(column, 0);
  std::vector<hsize_t> most = now;
  for (hsize_t& extent : most) extent = std::max<hsize_t>(extent, 1);  // a chunk has at least one element
  most[0] = H5S_UNLIMITED;
  const std::vector<hsize_t> chunk = chunk_of(column, storage.chunk_rows);
  const int rank = static_cast<int>(now.size());
  const Handle space(H5Screate_simple(rank, now.data(), most.data()));
  const Handle properties = creation_properties(H5P_DATASET_CREATE);
  H5Pset_chunk(properties.id(), rank, chunk.data());
  if (storage.compressed) {
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), kCompression);
  }
  const Handle type = memory_type(column.element);
  checked(
      H5Dcreate2(handle_.id(), column.path.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      path_, "write to");
}

Handle File::open_dataset(const std::string& path) const {
  return checked(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT), path_, "find " + path + " in");
}

void File::append_rows(const Column& column, std::size_t count, std::span<const std::byte> bytes) {
  CAROM_ASSERT(bytes.size() == count * column.row_elements() * column.element.size());
  if (count == 0) return;
  const Quiet quiet;
  const Handle dataset = open_dataset(column.path);
  const std::size_t before = rows(column);
  const std::vector<hsize_t> block = dimensions(column, count);
  check(H5Dset_extent(dataset.id(), dimensions(column, before + count).data()), path_, "write to");
  if (bytes.empty()) return;
  const Handle space(H5Dget_space(dataset.id()));
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = before;
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), path_,
        "write to");
  const Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr));
  const Handle type = memory_type(column.element);
  check(H5Dwrite(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT, bytes.data()), path_, "write to");
}

bool File::has(const std::string& path) const {
  const Quiet quiet;
  return H5Lexists(handle_.id(), path.c_str(), H5P_DEFAULT) > 0;
}

std::size_t File::rows(const Column& column) const {
  const Quiet quiet;
  const Handle dataset = open_dataset(column.path);
  const Handle space(H5Dget_space(dataset.id()));
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(rank, 1)));
  if (rank > 0) H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  if (rank <= 0 || size != dimensions(column, size[0])) fail(path_, "read", column.path + " has an unexpected shape");
  if (!holds(dataset, column.element)) fail(path_, "read", column.path + " has an unexpected type");
  return size[0];
}

void File::read_raw(const Column& column, std::size_t first, std::size_t count, void* values) const {
  if (count == 0 || column.row_elements() == 0) return;
  const Quiet quiet;
  const Handle dataset = open_dataset(column.path);
  const Handle space(H5Dget_space(dataset.id()));
  const std::vector<hsize_t> size = dimensions(column, count);
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = first;
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), path_, "read");
  const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  const Handle type = memory_type(column.element);
  check(H5Dread(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT, values), path_,
        "read " + column.path + " of");
}

void File::read_rows(const Column& column, std::size_t first, std::span<double> values) const {
  CAROM_ASSERT(column.element.kind == Element::Kind::real);
  if (!values.empty()) read_raw(column, first, values.size() / column.row_elements(), values.data());
}

void File::read_rows(const Column& column, std::size_t first, std::span<std::int64_t> values) const {
  CAROM_ASSERT(column.element.kind == Element::Kind::integer);
  if (!values.empty()) read_raw(column, first, values.size() / column.row_elements(), values.data());
}

std::vector<std::string> File::read_texts(const Column& column, std::size_t first, std::size_t count) const {
  CAROM_ASSERT(column.element.kind == Element::Kind::text && column.row.empty());
  std::string bytes(count * column.element.size(), '\0');
  read_raw(column, first, count, bytes.data());
  return split_texts(bytes, column.element.size());
}

void File::create_numbers(const std::string& path, std::span<const std::int64_t> numbers) {
  const Quiet quiet;
  const hsize_t size = numbers.size();
  const Handle space(H5Screate_simple(1, &size, nullptr));
  const Handle properties = creation_properties(H5P_DATASET_CREATE);
  H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY);
  checked(
      H5Dcreate2(handle_.id(), path.c_str(), H5T_NATIVE_INT64, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      path_, "write to");
  overwrite_numbers(path, numbers);
}

void File::overwrite_numbers(const std::string& path, std::span<const std::int64_t> numbers) {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  check(H5Dwrite(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), path_, "write to");
}

std::vector<std::int64_t> File::read_numbers(const std::string& path) const {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  const Handle space(H5Dget_space(dataset.id()));
  const hssize_t size = H5Sget_simple_extent_npoints(space.id());
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(std::clamp<hssize_t>(size, 0, 64)));
  if (size != static_cast<hssize_t>(numbers.size())) fail(path_, "read", path + " has an unexpected shape");
  check(H5Dread(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), path_,
        "read " + path + " of");
  return numbers;
}

void File::write_bytes(const std::string& path, std::span<const std::byte> bytes, bool compressed) {
  constexpr hsize_t kChunk = hsize_t{1} << 16;
  const Quiet quiet;
  const hsize_t size = bytes.size(), none = 0, unlimited = H5S_UNLIMITED;
  if (!has(path)) {
    const Handle space(H5Screate_simple(1, &none, &unlimited));
    const Handle properties = creation_properties(H5P_DATASET_CREATE);
    H5Pset_chunk(properties.id(), 1, &kChunk);
    if (compressed) {
      H5Pset_shuffle(properties.id());
      H5Pset_deflate(properties.id(), kCompression);
    }
    checked(H5Dcreate2(handle_.id(), path.c_str(), H5T_STD_U8LE, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
            path_, "write to");
  }
  const Handle dataset = open_dataset(path);
  check(H5Dset_extent(dataset.id(), &size), path_, "write to");
  if (bytes.empty()) return;
  check(H5Dwrite(dataset.id(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path_, "write to");
}

std::vector<std::byte> File::read_bytes(const std::string& path) const {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  const Handle space(H5Dget_space(dataset.id())), type(H5Dget_type(dataset.id()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (count < 0 || H5Tget_class(type.id()) != H5T_INTEGER || H5Tget_size(type.id()) != 1)
    fail(path_, "read", path + " has an unexpected type");
  require_fits(static_cast<std::size_t>(count), 1, path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  if (bytes.empty()) return bytes;
  check(H5Dread(dataset.id(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path_,
        "read " + path + " of");
  return bytes;
}

bool is_hdf5(const std::string& path) {
  const Quiet quiet;
  return H5Fis_hdf5(path.c_str()) > 0;
}

}  // namespace carom::hdf5
