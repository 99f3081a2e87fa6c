#include "common/compression.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>

#include "carom/base/assert.h"

namespace carom::app {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string gzip(std::string_view bytes, GzipEffort effort) {
  constexpr int kGzipFormat = 15 + 16;  // largest window, gzip frame
  constexpr int kUsualMemory = 8;
  z_stream stream{};
  const int level = effort == GzipEffort::quick ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION;
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipFormat, kUsualMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  // zlib counts in 32 bits, so that large films go through in pieces.
  constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();
  std::size_t consumed = 0;
  std::size_t given = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const std::size_t in = std::min(bytes.size() - consumed, kMostAtOnce);
    const std::size_t out = std::min(result.size() - given, kMostAtOnce);
    // The library does not write to its input, whatever its type says.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + given);
    stream.avail_out = static_cast<uInt>(out);
    status = deflate(&stream, consumed + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    consumed += in - stream.avail_in;
    given += out - stream.avail_out;
  }
  deflateEnd(&stream);
  CAROM_ASSERT(status == Z_STREAM_END);
  result.resize(given);
  return result;
}

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kLetters[word >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

std::string base64_decoded(std::string_view text) {
  std::array<int, 256> value_of{};
  value_of.fill(-1);
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    value_of[static_cast<unsigned char>(kLetters[i])] = static_cast<int>(i);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t word = 0;
  int bits = 0;
  for (const char letter : text) {
    const int value = value_of[static_cast<unsigned char>(letter)];
    if (value < 0) break;
    word = word << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xFFu);
  }
  return bytes;
}

}  // namespace carom::app
