#pragma once
/// Pictures as PNG files [ISO/IEC 15948], compressed by zlib.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carom::app {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// Pixels that are entries of a palette, row by row from the top.
struct IndexedImage {
  std::size_t width = 0, height = 0;
  std::vector<Colour> palette;         ///< 1 to 256
  std::vector<std::uint8_t> pixels{};  ///< width×height
};

/// Pixels with colours of their own, row by row from the top.
struct ColourImage {
  std::size_t width = 0, height = 0;
  std::vector<Colour> pixels{};  ///< width×height
};

std::string png(const IndexedImage& image);
std::string png(const ColourImage& image);

}  // namespace carom::app
