#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "common/bitmap_font.h"
#include "common/drawing.h"

namespace carom::app {
namespace {

constexpr int kScale = 2;  ///< pixels for each unit, and for each dot of a letter

int pixel(double coordinate) {
  return static_cast<int>(std::lround(kScale * coordinate));
}

class Raster {
 public:
  explicit Raster(const Drawing& drawing) {
    image_.width = static_cast<std::size_t>(pixel(std::ceil(drawing.width)));
    image_.height = static_cast<std::size_t>(pixel(std::ceil(drawing.height)));
    image_.pixels.assign(image_.width * image_.height, kWhite);
  }
  [[nodiscard]] const ColourImage& image() const { return image_; }

  void operator()(const FilledBox& box) {
    fill(pixel(box.x), pixel(box.y), pixel(box.x + box.width), pixel(box.y + box.height), box.colour);
  }

  void operator()(const PolyLine& line) {
    for (std::size_t i = 1; i < line.points.size(); ++i) stroke(line, line.points[i - 1], line.points[i]);
  }

  void operator()(const DrawnText& text) {
    const int length = static_cast<int>(count_characters(text.text)) * kGlyphAdvance * kScale;
    int along = 0;
    if (text.anchor == DrawnText::Anchor::middle) along = -length / 2;
    if (text.anchor == DrawnText::Anchor::end) along = -length;
    for (std::string_view rest = text.text; !rest.empty();) {
      const Utf8Character character = first_character(rest);
      rest.remove_prefix(character.bytes);
      draw_glyph(text, along, glyph(character.code));
      along += kGlyphAdvance * kScale;
    }
  }

  /// Each pixel shows the cell under its middle.
  void operator()(const PlacedImage& placed) {
    const int left = pixel(placed.x), top = pixel(placed.y);
    const int right = pixel(placed.x + placed.width), bottom = pixel(placed.y + placed.height);
    for (int y = top; y < bottom; ++y) {
      const auto row =
          static_cast<std::size_t>((y - top + 0.5) / (bottom - top) * static_cast<double>(placed.image.height));
      for (int x = left; x < right; ++x) {
        const auto column =
            static_cast<std::size_t>((x - left + 0.5) / (right - left) * static_cast<double>(placed.image.width));
        set(x, y, placed.image.palette[placed.image.pixels[row * placed.image.width + column]]);
      }
    }
  }

 private:
  void set(int x, int y, const Colour& colour) {
    if (x < 0 || y < 0 || x >= static_cast<int>(image_.width) || y >= static_cast<int>(image_.height)) return;
    image_.pixels[static_cast<std::size_t>(y) * image_.width + static_cast<std::size_t>(x)] = colour;
  }

  void fill(int left, int top, int right, int bottom, const Colour& colour) {
    for (int y = std::max(top, 0); y < std::min(bottom, static_cast<int>(image_.height)); ++y) {
      for (int x = std::max(left, 0); x < std::min(right, static_cast<int>(image_.width)); ++x) set(x, y, colour);
    }
  }

  /// Squares of the line's width, half a pixel apart.
  void stroke(const PolyLine& line, std::pair<double, double> from, std::pair<double, double> to) {
    const double length = std::hypot(to.first - from.first, to.second - from.second);
    const int count = std::max(1, static_cast<int>(std::ceil(2.0 * kScale * length)));
    const int width = std::max(1, pixel(line.width));
    for (int i = 0; i <= count; ++i) {
      const double share = static_cast<double>(i) / count;
      const int x = pixel(from.first + share * (to.first - from.first)) - width / 2;
      const int y = pixel(from.second + share * (to.second - from.second)) - width / 2;
      fill(x, y, x + width, y + width, line.colour);
    }
  }

  void draw_glyph(const DrawnText& text, int along, const Glyph& dots) {
    for (int column = 0; column < kGlyphWidth; ++column) {
      for (int row = 0; row < kGlyphHeight; ++row) {
        if ((dots[static_cast<std::size_t>(column)] >> row & 1u) == 0) continue;
        const int a = along + column * kScale, b = (row - kGlyphHeight / 2) * kScale;
        const int x = pixel(text.x) + (text.upwards ? b : a), y = pixel(text.y) + (text.upwards ? -a - kScale : b);
        fill(x, y, x + kScale, y + kScale, kBlack);
      }
    }
  }

  ColourImage image_;
};

}  // namespace

std::string png(const Drawing& drawing) {
  Raster raster(drawing);
  for (const auto& item : drawing.items) std::visit(raster, item);
  return png(raster.image());
}

}  // namespace carom::app
