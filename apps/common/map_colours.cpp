#include "common/map_colours.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "carom/base/assert.h"

namespace carom::app {

namespace {

/// Between the colours on either side.
Colour blended(std::span<const Colour> anchors, double share) {
  const double steps = static_cast<double>(anchors.size() - 1);
  const double place = steps * std::clamp(share, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(std::min(place, steps - 1.0));
  const double part = place - static_cast<double>(below);
  Colour colour;
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const double value = (1.0 - part) * anchors[below][i] + part * anchors[below + 1][i];
    colour[i] = static_cast<std::uint8_t>(std::lround(value));
  }
  return colour;
}

}  // namespace

Colour value_colour(Hues hues, double share) {
  constexpr Colour kViridis[] = {{0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3E, 0x49, 0x89}, {0x31, 0x68, 0x8E},
                                 {0x26, 0x82, 0x8E}, {0x1F, 0x9E, 0x89}, {0x35, 0xB7, 0x79}, {0x6D, 0xCD, 0x59},
                                 {0xB4, 0xDE, 0x2C}, {0xFD, 0xE7, 0x25}};
  constexpr Colour kBlueToRed[] = {{0x05, 0x30, 0x61}, {0x21, 0x66, 0xAC}, {0x43, 0x93, 0xC3}, {0x92, 0xC5, 0xDE},
                                   {0xD1, 0xE5, 0xF0}, {0xF7, 0xF7, 0xF7}, {0xFD, 0xDB, 0xC7}, {0xF4, 0xA5, 0x82},
                                   {0xD6, 0x60, 0x4D}, {0xB2, 0x18, 0x2B}, {0x67, 0x00, 0x1F}};
  // Dark where the circle closes, white half a turn from there, blue and red between.
  constexpr Colour kCircle[] = {{0x20, 0x10, 0x30}, {0x2B, 0x2F, 0x8F}, {0x21, 0x66, 0xC8},
                                {0x7F, 0xB8, 0xE6}, {0xFF, 0xFF, 0xFF}, {0xF4, 0xB1, 0x83},
                                {0xD6, 0x50, 0x3D}, {0x80, 0x18, 0x40}, {0x20, 0x10, 0x30}};
  constexpr double kLightest = 0.72;  // of counts: still dark enough on white for a single one to be seen
  switch (hues) {
    case Hues::sequential: return blended(kViridis, share);
    case Hues::counts: return blended(kViridis, kLightest * (1.0 - share));
    case Hues::diverging: return blended(kBlueToRed, share);
    case Hues::cyclic: break;
  }
  return blended(kCircle, share);
}

Colour class_colour(std::size_t index) {
  // Okabe & Ito, "Color Universal Design" (2008).
  constexpr Colour kColours[] = {{0, 114, 178},  {230, 159, 0},   {0, 158, 115},  {213, 94, 0},
                                 {86, 180, 233}, {204, 121, 167}, {240, 228, 66}, {0, 0, 0}};
  return kColours[index % std::size(kColours)];
}

Colour no_value_colour(const Map& map) {
  return map.counts ? Colour{255, 255, 255} : kNoValueColour;
}

std::string cell_colours(const Map& map, const ValueScale& scale) {
  constexpr double kSteps = 254.0;  // as many as the eye distinguishes, and pictures stay small
  std::string bytes;
  bytes.reserve(3 * map.values.size());
  for (const double value : map.values) {
    const double share = scale.share(value);
    Colour colour = no_value_colour(map);
    if (!std::isnan(share) && map.classes.empty()) {
      colour = value_colour(scale.hues, std::round(share * kSteps) / kSteps);
    } else if (!std::isnan(share)) {
      CAROM_ASSERT(value >= 0.0 && value < static_cast<double>(map.classes.size()));
      colour = class_colour(static_cast<std::size_t>(value));
    }
    bytes.append(colour.begin(), colour.end());
  }
  return bytes;
}

}  // namespace carom::app
