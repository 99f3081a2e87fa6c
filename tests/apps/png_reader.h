#pragma once
/// Reads the PNG files that the tool writes, to check them: 8 bits, with a palette or without, no filter.

#include <string>
#include <vector>

#include "common/png.h"

namespace carom::test {

struct PngImage {
  std::size_t width = 0, height = 0;
  std::vector<app::Colour> pixels;  ///< row by row from the top
};

/// Throws std::runtime_error for what is no such file: checksums, sizes, order of the chunks.
PngImage read_png(const std::string& file);

}  // namespace carom::test
