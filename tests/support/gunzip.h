#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace carom::test {

/// Unpacks what gzip packed.
inline std::string gunzip(std::string packed) {
  constexpr int kGzipFormat = 15 + 16;
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, kGzipFormat), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  int status = Z_OK;
  while (status == Z_OK) {
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(buffer, sizeof buffer - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return bytes;
}

}  // namespace carom::test
