#include "common/map_colours.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/base/assert.h"

namespace carom::app {

Colour viridis(double share) {
  constexpr Colour kAnchors[] = {{0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3E, 0x49, 0x89}, {0x31, 0x68, 0x8E},
                                 {0x26, 0x82, 0x8E}, {0x1F, 0x9E, 0x89}, {0x35, 0xB7, 0x79}, {0x6D, 0xCD, 0x59},
                                 {0xB4, 0xDE, 0x2C}, {0xFD, 0xE7, 0x25}};
  constexpr auto kSteps = static_cast<double>(std::size(kAnchors) - 1);
  const double place = kSteps * std::clamp(share, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(std::min(place, kSteps - 1.0));
  const double part = place - static_cast<double>(below);
  Colour colour;
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const double value = (1.0 - part) * kAnchors[below][i] + part * kAnchors[below + 1][i];
    colour[i] = static_cast<std::uint8_t>(std::lround(value));
  }
  return colour;
}

Colour class_colour(std::size_t index) {
  // Okabe & Ito, "Color Universal Design" (2008).
  constexpr Colour kColours[] = {{0, 114, 178},  {230, 159, 0},   {0, 158, 115},  {213, 94, 0},
                                 {86, 180, 233}, {204, 121, 167}, {240, 228, 66}, {0, 0, 0}};
  return kColours[index % std::size(kColours)];
}

Colour share_colour(const Map& map, double share) {
  constexpr double kLightest = 0.72;  // still dark enough on white for a single one to be seen
  return viridis(map.counts ? kLightest * (1.0 - share) : share);
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
      colour = share_colour(map, std::round(share * kSteps) / kSteps);
    } else if (!std::isnan(share)) {
      CAROM_ASSERT(value >= 0.0 && value < static_cast<double>(map.classes.size()));
      colour = class_colour(static_cast<std::size_t>(value));
    }
    bytes.append(colour.begin(), colour.end());
  }
  return bytes;
}

}  // namespace carom::app
