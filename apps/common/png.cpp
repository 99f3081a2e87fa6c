#include "common/png.h"

#include <zlib.h>

#include <new>

#include "carom/base/assert.h"

namespace carom::app {
namespace {

void append_word(std::string& bytes, std::uint32_t word) {
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(word >> shift & 0xFFu);
}

/// Length, name, data, and the checksum of the last two.
void append_chunk(std::string& file, const char* name, const std::string& data) {
  append_word(file, static_cast<std::uint32_t>(data.size()));
  const std::string body = name + data;
  file += body;
  append_word(file, static_cast<std::uint32_t>(
                        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw std::bad_alloc();
  }
  result.resize(size);
  return result;
}

enum class ColourType : char { plain = 2, palette = 3 };

struct Content {
  std::size_t width, height;
  ColourType type;
  std::string palette;
  std::string rows;  ///< each behind a zero: no filter
};

std::string file_of(const Content& content) {
  std::string header;
  append_word(header, static_cast<std::uint32_t>(content.width));
  append_word(header, static_cast<std::uint32_t>(content.height));
  header += '\x08';  // bits of a sample
  header += static_cast<char>(content.type);
  header += std::string(3, '\0');  // compression, filters and interlacing: the usual, the usual, none
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  if (!content.palette.empty()) append_chunk(file, "PLTE", content.palette);
  append_chunk(file, "IDAT", deflated(content.rows));
  append_chunk(file, "IEND", "");
  return file;
}

void append_colour(std::string& bytes, const Colour& colour) {
  for (const std::uint8_t part : colour) bytes += static_cast<char>(part);
}

}  // namespace

std::string png(const IndexedImage& image) {
  CAROM_ASSERT(image.pixels.size() == image.width * image.height && !image.palette.empty());
  Content content{image.width, image.height, ColourType::palette, {}, {}};
  for (const Colour& colour : image.palette) append_colour(content.palette, colour);
  content.rows.reserve((image.width + 1) * image.height);
  for (std::size_t row = 0; row < image.height; ++row) {
    content.rows += '\0';
    const auto* first = reinterpret_cast<const char*>(image.pixels.data() + row * image.width);
    content.rows.append(first, image.width);
  }
  return file_of(content);
}

std::string png(const ColourImage& image) {
  CAROM_ASSERT(image.pixels.size() == image.width * image.height);
  Content content{image.width, image.height, ColourType::plain, {}, {}};
  content.rows.reserve((3 * image.width + 1) * image.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    if (i % image.width == 0) content.rows += '\0';
    append_colour(content.rows, image.pixels[i]);
  }
  return file_of(content);
}

}  // namespace carom::app
