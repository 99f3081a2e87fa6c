/// The parts of hdf5.h that deal with texts and attributes.
///
/// Texts have a fixed size, that of the longest of a list, and are padded with zeros. The library's texts of any length
/// lie in a heap without checksums, over whose damage it crashes.

#include <algorithm>

#include "carom/record/hdf5.h"
#include "carom/record/hdf5_library.h"

namespace carom::hdf5 {
namespace {

Handle list_space(std::size_t count) {
  const hsize_t size = count;
  return Handle(H5Screate_simple(1, &size, nullptr));
}

/// Number of elements; none where it is no simple list.
std::size_t element_count(const Handle& space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

bool is_text_of_fixed_size(const Handle& type) {
  return H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0 && H5Tget_size(type.id()) > 0;
}

std::size_t longest(std::span<const std::string> texts) {
  std::size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  return size;
}

/// One behind the other, each padded to `size` bytes.
std::string padded(std::span<const std::string> texts, std::size_t size) {
  std::string bytes;
  bytes.reserve(texts.size() * size);
  for (const std::string& text : texts) bytes.append(text).append(size - text.size(), '\0');
  return bytes;
}

}  // namespace

std::vector<std::string> split_texts(std::string_view bytes, std::size_t size) {
  std::vector<std::string> texts;
  texts.reserve(bytes.size() / size);
  for (std::size_t i = 0; i + size <= bytes.size(); i += size) {
    const std::string_view text = bytes.substr(i, size);
    texts.emplace_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

void File::write_texts(const std::string& path, std::span<const std::string> texts) {
  constexpr std::size_t kChunkBytes = 1 << 16;
  const std::size_t size = longest(texts);
  const Column column{path, {Element::Kind::text, size}, {}};
  create_column(column, {std::clamp<std::size_t>(texts.size(), 1, 1 + kChunkBytes / size), true});
  const std::string bytes = padded(texts, size);
  append_rows(column, texts.size(), std::as_bytes(std::span(bytes)));
}

std::vector<std::string> File::read_texts(const std::string& path) const {
  const Quiet quiet;
  const Handle dataset = open_dataset(path);
  const Handle type(H5Dget_type(dataset.id()));
  if (!is_text_of_fixed_size(type)) fail(path_, "read", path + " has an unexpected type");
  const Column column{path, {Element::Kind::text, H5Tget_size(type.id())}, {}};
  const std::size_t count = rows(column);
  require_fits(count, column.element.size(), path);
  return read_texts(column, 0, count);
}

void File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Quiet quiet;
  write_attribute(object, name, {&text, 1}, Handle(H5Screate(H5S_SCALAR)));
}

void File::set_attribute(const std::string& object, const std::string& name, std::span<const std::string> texts) {
  const Quiet quiet;
  write_attribute(object, name, texts, list_space(texts.size()));
}

void File::write_attribute(const std::string& object, const std::string& name, std::span<const std::string> texts,
                           const Handle& space) {
  const Quiet quiet;
  const std::size_t size = longest(texts);
  const Handle type = text_type(size);
  if (H5Aexists_by_name(handle_.id(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0)
    check(H5Adelete_by_name(handle_.id(), object.c_str(), name.c_str(), H5P_DEFAULT), path_, "write to");
  const Handle attribute = checked(H5Acreate_by_name(handle_.id(), object.c_str(), name.c_str(), type.id(), space.id(),
                                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   path_, "write to");
  if (texts.empty()) return;
  check(H5Awrite(attribute.id(), type.id(), padded(texts, size).data()), path_, "write to");
}

void File::set_attribute(const std::string& object, const std::string& name, std::int64_t number) {
  const Quiet quiet;
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute = checked(H5Acreate_by_name(handle_.id(), object.c_str(), name.c_str(), H5T_NATIVE_INT64,
                                                     space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   path_, "write to");
  check(H5Awrite(attribute.id(), H5T_NATIVE_INT64, &number), path_, "write to");
}

Handle File::open_attribute(const std::string& name) const {
  if (H5Aexists(handle_.id(), name.c_str()) <= 0) return {};
  return Handle(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT));
}

std::optional<std::string> File::text_attribute(const std::string& name) const {
  const auto texts = text_list_attribute(name);
  return texts && texts->size() == 1 ? std::optional(texts->front()) : std::nullopt;
}

std::optional<std::vector<std::string>> File::text_list_attribute(const std::string& name) const {
  const Quiet quiet;
  const Handle attribute = open_attribute(name);
  if (!attribute.valid()) return std::nullopt;
  const Handle type(H5Aget_type(attribute.id()));
  if (!is_text_of_fixed_size(type)) return std::nullopt;
  const Handle space(H5Aget_space(attribute.id()));
  const std::size_t size = H5Tget_size(type.id());
  require_fits(element_count(space), size, name);
  std::string bytes(element_count(space) * size, '\0');
  if (!bytes.empty() && H5Aread(attribute.id(), type.id(), bytes.data()) < 0) return std::nullopt;
  return split_texts(bytes, size);
}

std::optional<std::int64_t> File::integer_attribute(const std::string& name) const {
  const Quiet quiet;
  const Handle attribute = open_attribute(name);
  if (!attribute.valid()) return std::nullopt;
  const Handle space(H5Aget_space(attribute.id()));
  const Handle type(H5Aget_type(attribute.id()));
  std::int64_t number = 0;
  if (H5Tget_class(type.id()) != H5T_INTEGER || element_count(space) != 1) return std::nullopt;
  if (H5Aread(attribute.id(), H5T_NATIVE_INT64, &number) < 0) return std::nullopt;
  return number;
}

}  // namespace carom::hdf5
