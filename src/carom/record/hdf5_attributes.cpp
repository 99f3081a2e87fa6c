/// The parts of hdf5.h that deal with texts and attributes.

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/record/hdf5.h"
#include "carom/record/hdf5_library.h"

namespace carom::hdf5 {
namespace {

std::vector<const char*> pointers_to(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

Handle list_space(std::size_t count) {
  const hsize_t size = count;
  return Handle(H5Screate_simple(1, &size, nullptr));
}

/// Number of elements, or none where it is no simple list that memory could hold.
std::size_t element_count(const Handle& space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

/// Texts that the library has allocated, copied and given back.
std::vector<std::string> taken(std::vector<char*>& pointers, const Handle& type, const Handle& space) {
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

bool is_text(const Handle& type) {
  return H5Tget_class(type.id()) == H5T_STRING;
}

}  // namespace

void File::write_texts(const std::string& path, std::span<const std::string> texts) {
  const Quiet quiet;
  const Handle type = text_type(H5T_VARIABLE);
  const Handle space = list_space(texts.size());
  const Handle dataset =
      checked(H5Dcreate2(handle_.id(), path.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              path_, "write to");
  const std::vector<const char*> pointers = pointers_to(texts);
  if (pointers.empty()) return;
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), path_, "write to");
}

std::vector<std::string> File::read_texts(const std::string& path) const {
  const Quiet quiet;
  const Handle dataset = checked(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT), path_, "find " + path + " in");
  const Handle space(H5Dget_space(dataset.id()));
  const Handle type = text_type(H5T_VARIABLE);
  std::vector<char*> pointers(element_count(space), nullptr);
  if (pointers.empty()) return {};
  check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), path_,
        "read " + path + " of");
  return taken(pointers, type, space);
}

void File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Quiet quiet;
  const Handle type = text_type(H5T_VARIABLE);
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute = checked(H5Acreate_by_name(handle_.id(), object.c_str(), name.c_str(), type.id(), space.id(),
                                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   path_, "write to");
  const char* const pointer = text.c_str();
  check(H5Awrite(attribute.id(), type.id(), &pointer), path_, "write to");
}

void File::set_attribute(const std::string& object, const std::string& name, std::span<const std::string> texts) {
  const Quiet quiet;
  const Handle type = text_type(H5T_VARIABLE);
  const Handle space = list_space(texts.size());
  const Handle attribute = checked(H5Acreate_by_name(handle_.id(), object.c_str(), name.c_str(), type.id(), space.id(),
                                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   path_, "write to");
  const std::vector<const char*> pointers = pointers_to(texts);
  if (pointers.empty()) return;
  check(H5Awrite(attribute.id(), type.id(), pointers.data()), path_, "write to");
}

void File::set_attribute(const std::string& object, const std::string& name, std::int64_t number) {
  const Quiet quiet;
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute = checked(H5Acreate_by_name(handle_.id(), object.c_str(), name.c_str(), H5T_NATIVE_INT64,
                                                     space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   path_, "write to");
  check(H5Awrite(attribute.id(), H5T_NATIVE_INT64, &number), path_, "write to");
}

void File::set_fixed_attribute(const std::string& name, const std::string& text, std::size_t size) {
  CAROM_ASSERT(text.size() <= size);
  const Quiet quiet;
  const Handle type = text_type(size);
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute = checked(
      H5Acreate2(handle_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), path_, "write to");
  std::string padded = text;
  padded.resize(size, '\0');
  check(H5Awrite(attribute.id(), type.id(), padded.data()), path_, "write to");
}

void File::overwrite_fixed_attribute(const std::string& name, const std::string& text) {
  const Quiet quiet;
  const Handle attribute = checked(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), path_, "write to");
  const Handle type(H5Aget_type(attribute.id()));
  std::string padded = text;
  CAROM_ASSERT(padded.size() <= H5Tget_size(type.id()));
  padded.resize(H5Tget_size(type.id()), '\0');
  check(H5Awrite(attribute.id(), type.id(), padded.data()), path_, "write to");
}

Handle File::open_attribute(const std::string& name) const {
  if (H5Aexists(handle_.id(), name.c_str()) <= 0) return {};
  return Handle(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT));
}

std::optional<std::string> File::text_attribute(const std::string& name) const {
  const Quiet quiet;
  const Handle attribute = open_attribute(name);
  if (!attribute.valid()) return std::nullopt;
  const Handle type(H5Aget_type(attribute.id()));
  if (!is_text(type)) return std::nullopt;
  if (H5Tis_variable_str(type.id()) > 0) {
    const auto texts = text_list_attribute(name);
    return texts && texts->size() == 1 ? std::optional(texts->front()) : std::nullopt;
  }
  std::string text(H5Tget_size(type.id()), '\0');
  const Handle space(H5Aget_space(attribute.id()));
  if (element_count(space) != 1 || H5Aread(attribute.id(), type.id(), text.data()) < 0) return std::nullopt;
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::optional<std::vector<std::string>> File::text_list_attribute(const std::string& name) const {
  const Quiet quiet;
  const Handle attribute = open_attribute(name);
  if (!attribute.valid()) return std::nullopt;
  const Handle own_type(H5Aget_type(attribute.id()));
  if (!is_text(own_type) || H5Tis_variable_str(own_type.id()) <= 0) return std::nullopt;
  const Handle space(H5Aget_space(attribute.id()));
  const Handle type = text_type(H5T_VARIABLE);
  std::vector<char*> pointers(element_count(space), nullptr);
  if (pointers.empty()) return std::vector<std::string>{};
  if (H5Aread(attribute.id(), type.id(), pointers.data()) < 0) return std::nullopt;
  return taken(pointers, type, space);
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
