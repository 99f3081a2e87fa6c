#pragma once
/// Letters of five by eight dots for pictures that are made without any font at hand: ASCII, and what formulas need.

#include <array>
#include <cstdint>

namespace carom::app {

inline constexpr int kGlyphWidth = 5;
inline constexpr int kGlyphHeight = 8;   ///< the lowest row is for what hangs below the line
inline constexpr int kGlyphAdvance = 6;  ///< with the gap to the next

/// Columns from the left; bit 0 is the top.
using Glyph = std::array<std::uint8_t, kGlyphWidth>;

/// The letter of a code point; a box where there is none.
const Glyph& glyph(char32_t code);

}  // namespace carom::app
