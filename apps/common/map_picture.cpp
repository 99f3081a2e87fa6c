#include "common/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"
#include "common/map_scale.h"

namespace carom::app {
namespace {

constexpr Colour kNoValue{200, 200, 200};

// Okabe & Ito, "Color Universal Design" (2008).
constexpr Colour kClassColours[] = {{0, 114, 178},  {230, 159, 0},   {0, 158, 115},  {213, 94, 0},
                                    {86, 180, 233}, {204, 121, 167}, {240, 228, 66}, {0, 0, 0}};
// The order of the curves in other pictures.
constexpr Colour kCurveColours[] = {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {0, 0, 0}};

constexpr double kLeft = 62.0, kTop = 30.0, kBottom = 44.0;  ///< margins of one map
constexpr double kBarRoom = 92.0, kPlainRoom = 18.0;         ///< to the right of it
constexpr double kAspect = 0.78;                             ///< height over width of the cells
constexpr double kGap = 12.0;                                ///< between maps

struct LegendEntry {
  std::string text;
  Colour colour;
  bool line = false;

  [[nodiscard]] double width() const {
    return 26.0 + kLetterWidth * static_cast<double>(count_characters(text)) + 14.0;
  }
};

template <class List>
Colour cycled(const List& colours, std::size_t index) {
  return colours[index % std::size(colours)];
}

std::string shortened(const std::string& text, double room) {
  return printable(text, static_cast<std::size_t>(std::max(4.0, room / kLetterWidth - 3.0)));
}

bool in_degrees(const std::string& label) {
  return label.ends_with("[°]");
}

/// Draws one map with its upper left corner at (x, y).
class MapDrawer {
 public:
  MapDrawer(const Map& map, double width, bool bar_room) : map_(map), scale_(value_scale(map)), width_(width) {
    cells_width_ = width - kLeft - (bar_room ? kBarRoom : kPlainRoom);
    cells_height_ = kAspect * cells_width_;
    make_legend();
  }

  [[nodiscard]] double height() const {
    return kTop + cells_height_ + kBottom + kLineHeight * 1.2 * static_cast<double>(legend_rows_.size());
  }

  void draw(Drawing& drawing, double x, double y) {
    left_ = x + kLeft;
    top_ = y + kTop;
    items_ = &drawing;
    text(x + kLeft + 0.5 * cells_width_, y + 0.5 * kTop, shortened(map_.title, width_), DrawnText::Anchor::middle);
    add(PlacedImage{left_, top_, cells_width_, cells_height_, cells()});
    draw_curves();
    frame(left_, top_, cells_width_, cells_height_);
    draw_axes();
    if (map_.classes.empty()) draw_bar();
    draw_legend(x);
  }

 private:
  template <class Item>
  void add(Item item) {
    items_->items.emplace_back(std::move(item));
  }
  void text(double x, double y, std::string words, DrawnText::Anchor anchor, bool upwards = false) {
    add(DrawnText{x, y, std::move(words), anchor, upwards});
  }
  void line(double x0, double y0, double x1, double y1) { add(PolyLine{{{x0, y0}, {x1, y1}}, kBlack, 1.0}); }
  void frame(double x, double y, double width, double height) {
    add(PolyLine{{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}, {x, y}}, kBlack, 1.0});
  }

  [[nodiscard]] double place_x(double value) const {
    return left_ + cells_width_ * (value - map_.x_low) / (map_.x_high - map_.x_low);
  }
  [[nodiscard]] double place_y(double value) const {
    return top_ + cells_height_ * (map_.y_high - value) / (map_.y_high - map_.y_low);
  }

  /// The last entry of the palette is for cells without a value.
  [[nodiscard]] IndexedImage cells() const {
    constexpr std::uint8_t kLast = 255;
    IndexedImage image{map_.columns, map_.rows, {}, {}};
    for (std::size_t i = 0; i < kLast; ++i) {
      image.palette.push_back(map_.classes.empty() ? viridis(static_cast<double>(i) / (kLast - 1.0))
                                                   : cycled(kClassColours, i));
    }
    image.palette.push_back(kNoValue);
    image.pixels.reserve(map_.values.size());
    for (std::size_t row = map_.rows; row-- > 0;) {
      for (std::size_t column = 0; column < map_.columns; ++column) {
        const double value = map_.values[row * map_.columns + column];
        const double share = scale_.share(value);
        if (std::isnan(share)) {
          image.pixels.push_back(kLast);
        } else if (map_.classes.empty()) {
          image.pixels.push_back(static_cast<std::uint8_t>(std::lround(share * (kLast - 1.0))));
        } else {
          CAROM_ASSERT(value >= 0.0 && value < static_cast<double>(map_.classes.size()));
          image.pixels.push_back(static_cast<std::uint8_t>(value));
        }
      }
    }
    return image;
  }

  /// The parts of the curves inside the map, on a white ground that sets them off from any colour.
  void draw_curves() {
    for (const Curve& curve : map_.curves) {
      PolyLine part{{}, cycled(kCurveColours, static_cast<std::size_t>(curve.colour)), curve.width};
      const auto end_part = [&] {
        if (part.points.size() > 1) {
          PolyLine ground = part;
          ground.colour = kWhite;
          ground.width += 2.0;
          add(std::move(ground));
          add(part);
        }
        part.points.clear();
      };
      for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
        const bool inside = curve.x[i] >= map_.x_low && curve.x[i] <= map_.x_high && curve.y[i] >= map_.y_low &&
                            curve.y[i] <= map_.y_high;
        if (inside) {
          part.points.emplace_back(place_x(curve.x[i]), place_y(curve.y[i]));
        } else {
          end_part();
        }
      }
      end_part();
    }
  }

  void draw_axes() {
    constexpr double kTick = 5.0;
    const double bottom = top_ + cells_height_;
    for (const double value :
         even_ticks(map_.x_low, map_.x_high, static_cast<int>(cells_width_ / 45.0), in_degrees(map_.x_label))) {
      line(place_x(value), bottom, place_x(value), bottom + kTick);
      text(place_x(value), bottom + 12.0, tick_text(value), DrawnText::Anchor::middle);
    }
    for (const double value :
         even_ticks(map_.y_low, map_.y_high, static_cast<int>(cells_height_ / 30.0), in_degrees(map_.y_label))) {
      line(left_ - kTick, place_y(value), left_, place_y(value));
      text(left_ - kTick - 3.0, place_y(value), tick_text(value), DrawnText::Anchor::end);
    }
    text(left_ + 0.5 * cells_width_, bottom + 29.0, shortened(map_.x_label, cells_width_), DrawnText::Anchor::middle);
    text(left_ - kLeft + 10.0, top_ + 0.5 * cells_height_, shortened(map_.y_label, cells_height_),
         DrawnText::Anchor::middle, true);
  }

  void draw_bar() {
    constexpr int kColours = 255;
    constexpr double kWidth = 14.0;
    const double x = left_ + cells_width_ + 12.0;
    IndexedImage bar{1, kColours, {}, {}};
    for (int i = 0; i < kColours; ++i) {
      bar.palette.push_back(viridis(1.0 - i / (kColours - 1.0)));
      bar.pixels.push_back(static_cast<std::uint8_t>(i));
    }
    add(PlacedImage{x, top_, kWidth, cells_height_, std::move(bar)});
    frame(x, top_, kWidth, cells_height_);
    for (const double value : scale_.ticks()) {
      const double y = top_ + cells_height_ * (1.0 - scale_.share(value));
      line(x + kWidth, y, x + kWidth + 4.0, y);
      text(x + kWidth + 7.0, y, tick_text(value), DrawnText::Anchor::start);
    }
    text(left_ + cells_width_ + kBarRoom - 12.0, top_ + 0.5 * cells_height_, shortened(map_.value_label, cells_height_),
         DrawnText::Anchor::middle, true);
  }

  /// Classes that occur, cells without a value, curves.
  void make_legend() {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < map_.classes.size(); ++i) {
      const auto index = static_cast<double>(i);
      if (std::find(map_.values.begin(), map_.values.end(), index) != map_.values.end())
        entries.push_back({shortened(map_.classes[i], 240.0), cycled(kClassColours, i)});
    }
    if (std::any_of(map_.values.begin(), map_.values.end(), [this](double v) { return std::isnan(scale_.share(v)); }))
      entries.push_back({"no value", kNoValue});
    for (const Curve& curve : map_.curves) {
      entries.push_back(
          {shortened(curve.label, 300.0), cycled(kCurveColours, static_cast<std::size_t>(curve.colour)), true});
    }
    double x = 0.0;
    for (LegendEntry& entry : entries) {
      if (legend_rows_.empty() || x + entry.width() > width_ - kLeft) {
        legend_rows_.emplace_back();
        x = 0.0;
      }
      x += entry.width();
      legend_rows_.back().push_back(std::move(entry));
    }
  }

  void draw_legend(double panel_x) {
    double y = top_ + cells_height_ + kBottom + 0.5 * kLineHeight;
    for (const auto& row : legend_rows_) {
      double x = panel_x + kLeft;
      for (const LegendEntry& entry : row) {
        if (entry.line) {
          add(FilledBox{x, y - 1.0, 20.0, 2.0, entry.colour});
        } else {
          add(FilledBox{x + 4.0, y - 5.0, 12.0, 10.0, entry.colour});
        }
        text(x + 26.0, y, entry.text, DrawnText::Anchor::start);
        x += entry.width();
      }
      y += 1.2 * kLineHeight;
    }
  }

  const Map& map_;
  ValueScale scale_;
  double width_, cells_width_, cells_height_;
  double left_ = 0.0, top_ = 0.0;  ///< of the cells
  std::vector<std::vector<LegendEntry>> legend_rows_;
  Drawing* items_ = nullptr;
};

}  // namespace

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

Drawing map_drawing(std::span<const Map> maps, int width) {
  const std::size_t columns = maps.size() <= 1 ? 1 : maps.size() <= 4 ? 2 : 3;
  const double each = (width - kGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  // Maps in a grid have the same size.
  const bool any_bar = std::any_of(maps.begin(), maps.end(), [](const Map& map) { return map.classes.empty(); });
  Drawing drawing;
  drawing.width = width;
  double y = 0.0;
  for (std::size_t first = 0; first < maps.size(); first += columns) {
    double height = 0.0;
    for (std::size_t i = first; i < std::min(first + columns, maps.size()); ++i) {
      MapDrawer drawer(maps[i], each, any_bar);
      drawer.draw(drawing, static_cast<double>(i - first) * (each + kGap), y);
      height = std::max(height, drawer.height());
    }
    y += height + kGap;
  }
  drawing.height = std::ceil(y);
  return drawing;
}

std::string map_svg(const Map& map, int width) {
  return maps_svg({&map, 1}, width);
}

std::string maps_svg(std::span<const Map> maps, int width) {
  return svg(map_drawing(maps, width));
}

std::string map_png(const Map& map, int width) {
  return maps_png({&map, 1}, width);
}

std::string maps_png(std::span<const Map> maps, int width) {
  return png(map_drawing(maps, width));
}

}  // namespace carom::app
