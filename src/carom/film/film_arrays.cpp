#include "carom/film/film_arrays.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace carom {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of a film are written as they lie in memory");

constexpr std::string_view kMagic = "CAROMFLM";
constexpr std::uint32_t kFilmFormat = 2;
constexpr std::size_t kAlignment = 8;

std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

void append_number(std::string& bytes, std::uint32_t number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

}  // namespace

std::string FilmArrays::bytes(std::string_view fields) const {
  std::string header = fmt::format("{{{}{}\"arrays\":{{", fields, fields.empty() ? "" : ",");
  std::size_t offset = 0;
  for (const Array& array : arrays_) {
    header += fmt::format("{}\"{}\":{{\"type\":\"{}\",\"offset\":{},\"length\":{}}}",
                          &array == arrays_.data() ? "" : ",", array.name, array.type, offset, array.length);
    offset += aligned(array.bytes.size());
  }
  header += "}}";
  header.resize(aligned(header.size()), ' ');

  std::string bytes;
  bytes.reserve(kMagic.size() + 2 * sizeof(std::uint32_t) + header.size() + offset);
  bytes += kMagic;
  append_number(bytes, static_cast<std::uint32_t>(header.size()));
  append_number(bytes, kFilmFormat);
  bytes += header;
  for (const Array& array : arrays_) {
    bytes.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    bytes.append(aligned(array.bytes.size()) - array.bytes.size(), '\0');
  }
  return bytes;
}

}  // namespace carom
