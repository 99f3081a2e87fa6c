#include "apps/png_reader.h"

#include <zlib.h>

#include <cstdlib>
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

int paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int to_left = std::abs(estimate - left), to_above = std::abs(estimate - above);
  const int to_corner = std::abs(estimate - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

/// Takes the filters away [ISO/IEC 15948, 9.2]: each row begins with the number of its filter.
void unfilter(std::string& bytes, std::size_t row, std::size_t pixel) {
  for (std::size_t start = 0; start < bytes.size(); start += row) {
    const char filter = bytes[start];
    require(filter >= 0 && filter <= 4, "an unknown filter");
    for (std::size_t i = 1; i < row; ++i) {
      const auto byte_at = [&bytes](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(bytes[at])); };
      const int left = i > pixel ? byte_at(start + i - pixel) : 0;
      const int above = start > 0 ? byte_at(start + i - row) : 0;
      const int corner = i > pixel && start > 0 ? byte_at(start + i - row - pixel) : 0;
      const int added[] = {0, left, above, (left + above) / 2, paeth(left, above, corner)};
      bytes[start + i] = static_cast<char>(byte_at(start + i) + added[static_cast<std::size_t>(filter)]);
    }
  }
}

}  // namespace

PngImage read_png(const std::string& file) {
  auto chunks = chunks_of(file);
  const std::string& header = chunks["IHDR"];
  require(header.size() == 13 && header[8] == 8, "not 8 bits");
  const bool palette = header[9] == 3;
  require(palette || header[9] == 2 || header[9] == 6, "neither palette nor colours");
  require(header[12] == 0, "interlaced");
  const std::size_t pixel = palette ? 1 : header[9] == 2 ? 3 : 4;
  PngImage image{word_at(header, 0), word_at(header, 4), {}};
  const std::size_t row = image.width * pixel + 1;
  std::string bytes(row * image.height, '\0');
  uLongf size = static_cast<uLongf>(bytes.size());
  const std::string& packed = chunks["IDAT"];
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  require(status == Z_OK && size == bytes.size(), "the pixels do not unpack");
  unfilter(bytes, row, pixel);
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::size_t at = y * row + 1 + x * pixel;
      image.pixels.push_back(palette ? colour_at(chunks["PLTE"], 3 * static_cast<unsigned char>(bytes[at]))
                                     : colour_at(bytes, at));
    }
  }
  return image;
}

}  // namespace carom::test
