#pragma once
/// A drawing as data: boxes, lines, texts and images at places in pixels, x to the right and y downwards. It becomes an
/// SVG or a PNG; both look alike up to the letters, which a PNG takes from a small font of its own.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/png.h"

namespace carom::app {

inline constexpr Colour kBlack{0, 0, 0};
inline constexpr Colour kWhite{255, 255, 255};

/// Room that a letter takes; texts are one line high.
inline constexpr double kLetterWidth = 6.0;
inline constexpr double kLineHeight = 14.0;

struct FilledBox {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
  Colour colour = kBlack;
};

struct PolyLine {
  std::vector<std::pair<double, double>> points;
  Colour colour = kBlack;
  double width = 1.0;
};

struct DrawnText {
  enum class Anchor { start, middle, end };
  double x = 0.0, y = 0.0;  ///< of the anchor, on the middle of the letters
  std::string text;
  Anchor anchor = Anchor::start;
  bool upwards = false;  ///< turned to be read from below
};

/// An image stretched over a box, its pixels sharp.
struct PlacedImage {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
  IndexedImage image;
};

struct Drawing {
  double width = 0.0, height = 0.0;
  std::vector<std::variant<FilledBox, PolyLine, DrawnText, PlacedImage>> items;  ///< later ones cover earlier ones
};

std::string svg(const Drawing& drawing);

/// With two pixels for each unit of the drawing.
std::string png(const Drawing& drawing);

}  // namespace carom::app
