#pragma once
/// Reads PNG files that the tool and gnuplot write, to check them: 8 bits, with a palette or without, not interlaced.

#include <string>
#include <vector>

#include "common/map_colours.h"

namespace carom::test {

struct PngImage {
  std::size_t width = 0, height = 0;
  std::vector<app::Colour> pixels;  ///< row by row from the top; how far they are seen through is left out
};

/// Throws std::runtime_error for what is no such file: checksums, sizes, order of the chunks.
PngImage read_png(const std::string& file);

}  // namespace carom::test
