#include "apps/png_reader.h"

#include <zlib.h>

#include <map>
#include <stdexcept>

namespace carom::test {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

std::uint32_t word_at(const std::string& file, std::size_t at) {
  require(at + 4 <= file.size(), "the file ends early");
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(file[at + i]);
  return word;
}

/// The data of all chunks by name.
std::map<std::string, std::string> chunks_of(const std::string& file) {
  require(file.starts_with("\x89PNG\r\n\x1a\n"), "no signature");
  std::map<std::string, std::string> chunks;
  std::size_t at = 8;
  while (at < file.size()) {
    const std::size_t size = word_at(file, at);
    require(at + 12 + size <= file.size(), "a chunk ends early");
    const std::string body = file.substr(at + 4, 4 + size);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    require(word_at(file, at + 8 + size) == sum, "a checksum is wrong");
    chunks[body.substr(0, 4)] += body.substr(4);
    at += 12 + size;
  }
  require(chunks.contains("IHDR") && chunks.contains("IDAT") && chunks.contains("IEND"), "a chunk is missing");
  return chunks;
}

app::Colour colour_at(const std::string& bytes, std::size_t at) {
  require(at + 3 <= bytes.size(), "a colour is missing");
  return {static_cast<std::uint8_t>(bytes[at]), static_cast<std::uint8_t>(bytes[at + 1]),
          static_cast<std::uint8_t>(bytes[at + 2])};
}

}  // namespace

PngImage read_png(const std::string& file) {
  auto chunks = chunks_of(file);
  const std::string& header = chunks["IHDR"];
  require(header.size() == 13 && header[8] == 8, "not 8 bits");
  const bool palette = header[9] == 3;
  require(palette || header[9] == 2, "neither palette nor colours");
  PngImage image{word_at(header, 0), word_at(header, 4), {}};
  const std::size_t row = image.width * (palette ? 1 : 3) + 1;
  std::string bytes(row * image.height, '\0');
  uLongf size = static_cast<uLongf>(bytes.size());
  const std::string& packed = chunks["IDAT"];
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  require(status == Z_OK && size == bytes.size(), "the pixels do not unpack");
  for (std::size_t y = 0; y < image.height; ++y) {
    require(bytes[y * row] == 0, "a filter");
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::size_t at = y * row + 1 + x * (palette ? 1 : 3);
      image.pixels.push_back(palette ? colour_at(chunks["PLTE"], 3 * static_cast<unsigned char>(bytes[at]))
                                     : colour_at(bytes, at));
    }
  }
  return image;
}

}  // namespace carom::test
