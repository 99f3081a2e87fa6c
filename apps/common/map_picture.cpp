#include "common/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "common/gnuplot_words.h"
#include "common/map_colours.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr double kMapLeft = 62.0, kMapTop = 30.0, kMapBottom = 47.0;  ///< margins of one map [px]
constexpr double kBarRoom = 92.0, kPlainRoom = 18.0;                  ///< to the right of it
constexpr double kAspect = 0.78;                                      ///< height over width of the cells
constexpr double kGap = 12.0;                                         ///< between maps
constexpr double kMapLetter = 7.0, kMapLine = 17.0;  ///< width of a letter, on average, and height of a line

struct LegendEntry {
  std::string text;
  std::string colour;  ///< #RRGGBB
  bool line = false;

  [[nodiscard]] double width() const { return 26.0 + kMapLetter * text_width(text) + 14.0; }
};

std::string colour_word(const Colour& colour) {
  return fmt::format("#{:02X}{:02X}{:02X}", colour[0], colour[1], colour[2]);
}

std::size_t letters_in(double width) {
  return static_cast<std::size_t>(std::max(4.0, width / kMapLetter - 3.0));
}

bool in_degrees(const std::string& label) {
  return label.ends_with("[°]");
}

bool has_bar(const Map& map) {
  return map.classes.empty() && !map.value_label.empty();
}

/// gnuplot wants at least two cells along each side of an image: a single one is given twice.
struct Image {
  std::size_t columns = 0, rows = 0;
  std::string bytes;  ///< three for each cell, the lowest row first
};

Image doubled_where_single(Image image) {
  if (image.columns == 1) {
    std::string bytes;
    for (std::size_t i = 0; i < image.rows; ++i) {
      for (int k = 0; k < 2; ++k) bytes += image.bytes.substr(3 * i, 3);
    }
    image = {2, image.rows, std::move(bytes)};
  }
  if (image.rows == 1) image = {image.columns, 2, image.bytes + image.bytes};
  return image;
}

/// The whole picture, y downwards as on a page.
struct Page {
  double width = 0.0, height = 0.0;  ///< [px]
  std::string script{};

  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    script += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }
  [[nodiscard]] std::string place(double x, double y) const {
    return fmt::format("screen {:.6f}, screen {:.6f}", x / width, 1.0 - y / height);
  }
  void text(double x, double y, const std::string& quoted, const char* how) {
    line("set label {} at {} {}", quoted, place(x, y), how);
  }
  /// Where the next plot goes.
  void box(double x, double y, double box_width, double box_height) {
    line(
        "set lmargin at screen {:.6f}; set rmargin at screen {:.6f}; set tmargin at screen {:.6f}; set bmargin at "
        "screen {:.6f}",
        x / width, (x + box_width) / width, 1.0 - y / height, 1.0 - (y + box_height) / height);
  }
  /// Plots an image over the box, from 0 to 1 both ways, and behind it whatever `more` says.
  void plot(const Image& cells, const std::string& more) {
    const Image image = doubled_where_single(cells);
    const double dx = 1.0 / static_cast<double>(image.columns), dy = 1.0 / static_cast<double>(image.rows);
    line(
        "plot '-' binary array=({},{}) format='%uchar%uchar%uchar' origin=({},{}) dx={} dy={} using 1:2:3 with "
        "rgbimage notitle{}",
        image.columns, image.rows, gnuplot_number(0.5 * dx), gnuplot_number(0.5 * dy), gnuplot_number(dx),
        gnuplot_number(dy), more);
    script += image.bytes + "\n";
  }
};

/// Writes one map with its upper left corner at (x, y).
class MapWriter {
 public:
  MapWriter(const Map& map, double width, bool bar_room) : map_(map), scale_(value_scale(map)), width_(width) {
    cells_width_ = width - kMapLeft - (bar_room ? kBarRoom : kPlainRoom);
    cells_height_ = kAspect * cells_width_;
    make_legend();
  }

  [[nodiscard]] double height() const {
    return kMapTop + cells_height_ + kMapBottom + kMapLine * static_cast<double>(legend_rows_.size());
  }

  void write(Page& page, double x, double y) const {
    const double left = x + kMapLeft, top = y + kMapTop;
    page.text(left + 0.5 * cells_width_, y + 0.5 * kMapTop, gnuplot_text(map_.title, letters_in(width_)), "center");
    write_axes(page, left, top);
    write_legend(page, left, top + cells_height_ + kMapBottom + 0.5 * kMapLine);
    const std::string curves = write_curves(page);
    page.box(left, top, cells_width_, cells_height_);
    page.plot({map_.columns, map_.rows, cell_colours(map_, scale_)}, curves);
    page.line("unset label; unset object");
    if (has_bar(map_)) write_bar(page, left + cells_width_, top);
  }

 private:
  /// Round values of an axis at their shares of it.
  static std::string ticks(const std::vector<double>& values, double low, double high) {
    std::string text;
    for (const double value : values) {
      text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", tick_text(value),
                          gnuplot_number((value - low) / (high - low)));
    }
    return "(" + text + ")";
  }

  void write_axes(Page& page, double left, double top) const {
    const auto x_ticks =
        even_ticks(map_.x_low, map_.x_high, static_cast<int>(cells_width_ / 45.0), in_degrees(map_.x_label));
    const auto y_ticks =
        even_ticks(map_.y_low, map_.y_high, static_cast<int>(cells_height_ / 30.0), in_degrees(map_.y_label));
    page.line("set xtics nomirror out offset 0,0.3 {}; set ytics nomirror out {}; unset y2tics",
              ticks(x_ticks, map_.x_low, map_.x_high), ticks(y_ticks, map_.y_low, map_.y_high));
    page.text(left + 0.5 * cells_width_, top + cells_height_ + 33.0,
              gnuplot_text(map_.x_label, letters_in(cells_width_)), "center");
    page.text(left - kMapLeft + 10.0, top + 0.5 * cells_height_, gnuplot_text(map_.y_label, letters_in(cells_height_)),
              "center rotate by 90");
  }

  /// Curves on a white ground that sets them off from any colour: what is to be plotted behind the cells.
  [[nodiscard]] std::string write_curves(Page& page) const {
    std::string plots;
    for (std::size_t i = 0; i < map_.curves.size(); ++i) {
      const Curve& curve = map_.curves[i];
      page.line("$curve{} << END", i);
      for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        page.line("{} {}", gnuplot_number((curve.x[k] - map_.x_low) / (map_.x_high - map_.x_low)),
                  gnuplot_number((curve.y[k] - map_.y_low) / (map_.y_high - map_.y_low)));
      }
      page.line("END");
      for (const bool ground : {true, false}) {
        plots += fmt::format(", $curve{} using 1:2 with lines lw {} lc rgb '{}' notitle", i,
                             curve.width + (ground ? 2.0 : 0.0), ground ? "#FFFFFF" : curve_colour(curve.colour));
      }
    }
    return plots;
  }

  void write_bar(Page& page, double right, double top) const {
    constexpr std::size_t kColours = 255;
    constexpr double kWidth = 14.0;
    Image bar{1, kColours, {}};
    for (std::size_t i = 0; i < kColours; ++i) {
      const Colour colour = value_colour(scale_.hues, static_cast<double>(i) / (kColours - 1.0));
      bar.bytes.append(colour.begin(), colour.end());
    }
    std::string values;
    for (const double value : scale_.ticks()) {
      values +=
          fmt::format("{}'{}' {}", values.empty() ? "" : ", ", tick_text(value), gnuplot_number(scale_.share(value)));
    }
    page.line("unset xtics; unset ytics; set y2tics nomirror out ({}); set y2range [0:1]", values);
    page.text(right + kBarRoom - 12.0, top + 0.5 * cells_height_,
              gnuplot_text(map_.value_label, letters_in(cells_height_)), "center rotate by 90");
    page.box(right + 12.0, top, kWidth, cells_height_);
    page.plot(bar, "");
    page.line("unset label");
  }

  /// Classes that occur, cells without a value, curves.
  void make_legend() {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < map_.classes.size(); ++i) {
      if (std::find(map_.values.begin(), map_.values.end(), static_cast<double>(i)) == map_.values.end()) continue;
      entries.push_back({printable(map_.classes[i], letters_in(280.0)), colour_word(class_colour(i))});
    }
    const auto has_no_place = [this](double value) { return std::isnan(scale_.share(value)); };
    if (!map_.counts && std::any_of(map_.values.begin(), map_.values.end(), has_no_place))
      entries.push_back({"no value", colour_word(kNoValueColour)});
    for (const Curve& curve : map_.curves) {
      entries.push_back({printable(curve.label, letters_in(350.0)), curve_colour(curve.colour), true});
    }
    double x = 0.0;
    for (LegendEntry& entry : entries) {
      if (legend_rows_.empty() || x + entry.width() > width_ - kMapLeft) {
        legend_rows_.emplace_back();
        x = 0.0;
      }
      x += entry.width();
      legend_rows_.back().push_back(std::move(entry));
    }
  }

  void write_legend(Page& page, double left, double y) const {
    for (const auto& row : legend_rows_) {
      double x = left;
      for (const LegendEntry& entry : row) {
        const double half = entry.line ? 1.0 : 5.0;
        page.line("set object rectangle from {} to {} fc rgb '{}' fs solid noborder",
                  page.place(x + (entry.line ? 0.0 : 4.0), y + half),
                  page.place(x + (entry.line ? 20.0 : 16.0), y - half), entry.colour);
        page.text(x + 26.0, y, gnuplot_text(entry.text), "left");
        x += entry.width();
      }
      y += kMapLine;
    }
  }

  const Map& map_;
  ValueScale scale_;
  double width_, cells_width_ = 0.0, cells_height_ = 0.0;
  std::vector<std::vector<LegendEntry>> legend_rows_;
};

struct PlacedMap {
  MapWriter writer;
  double x = 0.0, y = 0.0;
};

}  // namespace

std::string maps_script(std::span<const Map> maps, int width, PictureFormat format, std::size_t columns) {
  if (columns == 0) columns = maps.size() <= 1 ? 1 : maps.size() <= 4 ? 2 : 3;
  const double each = (width - kGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  // Maps in a grid have the same size.
  const bool any_bar = std::any_of(maps.begin(), maps.end(), &has_bar);
  std::vector<PlacedMap> placed;
  double top = 0.0;
  for (std::size_t first = 0; first < maps.size(); first += columns) {
    double height = 0.0;
    for (std::size_t i = first; i < std::min(first + columns, maps.size()); ++i) {
      placed.push_back({MapWriter(maps[i], each, any_bar), static_cast<double>(i - first) * (each + kGap), top});
      height = std::max(height, placed.back().writer.height());
    }
    top += height + kGap;
  }
  constexpr int kDots = 2;  // of a PNG for each pixel: letters and curves are fine enough to be printed
  const int height = static_cast<int>(std::ceil(top));
  Page page{static_cast<double>(width), static_cast<double>(height)};
  page.script =
      gnuplot_head(format, {.width = static_cast<double>(width), .height = static_cast<double>(height), .dots = kDots});
  page.line("set multiplot");
  page.line("unset key; set border 15 front; set tics front scale 0.5; set xrange [0:1]; set yrange [0:1]");
  for (const PlacedMap& map : placed) map.writer.write(page, map.x, map.y);
  page.line("unset multiplot");
  return std::move(page.script);
}

void draw_maps(std::span<const Map> maps, int width, const std::string& path, std::size_t columns) {
  draw_script(maps_script(maps, width, picture_format(path), columns), path);
}

}  // namespace carom::app
