/// The script for gnuplot. Everything is placed by hand in fractions of the picture, so that panels are aligned
/// whatever their legends and numbers are.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "common/gnuplot_words.h"
#include "common/picture_axes.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

/// As many as colours and one more, so that curves stay distinct in grey and no pair repeats soon.
/// Ends of lines are round, which lengthens every dash by the width of its line.
constexpr const char* kDashes[] = {"1",      "(9,6)", "(1,4)", "(11,5,2,5)", "(15,5,1,5,1,5)", "(5,4,1,4,1,4)",
                                   "(19,7)", "(4,7)"};

constexpr double kUsualWidth = 960.0;
// For letters of 9 pt; all grow with them.
constexpr double kUsualLetters = 9.0;
constexpr double kLetter = 7.5;    // width of a letter [px], on average
constexpr double kSmall = 0.75;    // letters of what is long, to the others
constexpr double kLine = 17.0;     // height of a line [px]
constexpr double kBottom = 62.0;   // margin [px]
constexpr double kNarrow = 560.0;  // pictures with less room than this have their legends above the panels [px]
constexpr std::size_t kLongestLabel = 44;
constexpr std::size_t kMostAbove = 8;  // entries of a legend above its panel

/// A text broken at the blank that is nearest to its middle.
std::string in_two_lines(const std::string& text) {
  std::size_t best = std::string::npos;
  const auto from_middle = [&text](std::size_t at) {
    return std::abs(2.0 * static_cast<double>(at) - static_cast<double>(text.size()));
  };
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1))
    if (best == std::string::npos || from_middle(at) < from_middle(best)) best = at;
  if (best == std::string::npos) return gnuplot_text(text, 60);
  return gnuplot_text(text.substr(0, best), 60) + ".\"\\n\"." + gnuplot_text(text.substr(best + 1), 60);
}

/// Writes one script.
class Script {
 public:
  Script(const Picture& picture, PictureFormat format) : picture_(picture), is_svg_(format == PictureFormat::svg) {
    own_axes_ = std::any_of(picture.panels.begin(), picture.panels.end(),
                            [](const Panel& panel) { return !panel.x_label.empty(); });
    unit_ = picture.letters / kUsualLetters;
    width_ = picture.width > 0.0 ? picture.width : kUsualWidth * unit_;
    is_narrow_ = width_ < kNarrow * unit_;
    top_ = unit_ * (picture.title.empty() ? 14.0 : 38.0);
    left_ = unit_ * (is_narrow_ ? 76.0 : 92.0);
    right_ = unit_ * (is_narrow_ ? 18.0 : 26.0) + (is_narrow_ ? 0.0 : legend_width());
    bottom_ = unit_ * (is_narrow_ ? 50.0 : kBottom);
    height_ = picture.height > 0.0 ? picture.height : usual_height();
    write_head(format);
    for (std::size_t i = 0; i < picture.panels.size(); ++i) write_panel(i);
    text_ += "unset multiplot\n";
  }

  [[nodiscard]] std::string text() const { return text_; }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  [[nodiscard]] double usual_height() const {
    const auto panels = static_cast<double>(picture_.panels.size());
    double legends = 0.0;
    for (const Panel& panel : picture_.panels) legends += legend_height(panel);
    if (!picture_.equal_scales) {
      if (is_narrow_)
        return std::round(top_ + bottom_ + legends + panels * 0.5 * width_ + unit_ * 20.0 * (panels - 1.0));
      return std::round(unit_ * (120.0 + (panels == 1.0 ? 360.0 : 230.0 * panels)));
    }
    const double least = 160.0 * unit_, most = 900.0 * unit_;
    const Range x = widened(picture_.x_range);
    const Range y = y_range(picture_.panels.front());
    const double height = (width_ - left_ - right_) * (y.high - y.low) / (x.high - x.low);
    return std::round(top_ + bottom_ + legends + std::clamp(height, least, most));
  }

  /// Where a panel is low, gnuplot would write numbers on each other.
  [[nodiscard]] std::string tics(const Panel& panel, const Range& y, double height) const {
    constexpr double kUsualTics = 8.0, kRoom = 1.3;
    const double most = height / (kRoom * unit_ * kLine);
    if (panel.logarithmic || most >= kUsualTics) return "autofreq";
    return gnuplot_number(tic_step(y, std::max(most, 2.0)));
  }

  /// Whether the panel before it has the same legend: then a narrow picture shows it once.
  [[nodiscard]] bool repeats_legend(const Panel& panel) const {
    if (!is_narrow_ || &panel == &picture_.panels.front()) return false;
    const Panel& before = *(&panel - 1);
    const auto same = [](const Curve& a, const Curve& b) {
      return a.label == b.label && a.colour == b.colour && a.dash == b.dash;
    };
    return before.legend &&
           std::equal(panel.curves.begin(), panel.curves.end(), before.curves.begin(), before.curves.end(), same);
  }

  /// Above a panel, where the picture is narrow.
  [[nodiscard]] double legend_height(const Panel& panel) const {
    if (!is_narrow_ || !panel.legend || repeats_legend(panel)) return 0.0;
    return unit_ * (kLine * static_cast<double>(std::min(panel.curves.size(), kMostAbove)) + 4.0);
  }

  [[nodiscard]] double legend_width() const {
    int longest = 0;
    for (const Panel& panel : picture_.panels) {
      if (!panel.legend) continue;
      for (const Curve& curve : panel.curves) {
        longest = std::max(longest, text_width(printable(curve.label, kLongestLabel)));
      }
    }
    const double sample = 54.0 * unit_;
    constexpr double kMostOfWidth = 0.45;
    return longest == 0 ? 0.0 : std::min(sample + unit_ * kLetter * longest, kMostOfWidth * width_);
  }

  void write_head(PictureFormat format) {
    constexpr int kDotsForPrint = 3;  // some 300 to an inch
    text_ += gnuplot_head(format, {width_, height_, picture_.letters, picture_.for_print ? kDotsForPrint : 1});
    line("set border 3 lc rgb '#404040'");
    line("set tics nomirror out scale 0.6 tc rgb '#202020'");
    line("set grid xtics ytics lc rgb '#e4e4e4' lt 1 lw 0.6");
    line("set format y '%h'");
    line("set multiplot");
    if (picture_.title.empty()) return;
    line("set label 1 {} at screen {:.5f}, screen {:.5f} left font ',{:.4g}'", gnuplot_text(picture_.title),
         left_ / width_, 1.0 - 20.0 * unit_ / height_, title_size(format));
  }

  /// In the unit that letters of the format have.
  [[nodiscard]] double title_size(PictureFormat format) const {
    return (format == PictureFormat::svg ? 96.0 / 72.0 : 1.0) * 1.1 * picture_.letters;
  }
  [[nodiscard]] std::string small_font() const { return fmt::format(" font ',{:.4g}'", small_size()); }
  [[nodiscard]] double small_size() const { return (is_svg_ ? 96.0 / 72.0 : 1.0) * kSmall * picture_.letters; }

  struct Box {
    double bottom, top;  ///< in fractions of the picture
  };

  [[nodiscard]] Box box_of(std::size_t panel) const {
    const double count = static_cast<double>(picture_.panels.size());
    const double gap = unit_ * (own_axes_ ? 66.0 : 20.0);
    double legends = 0.0, above = 0.0;
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) {
      legends += legend_height(picture_.panels[i]);
      if (i <= panel) above += legend_height(picture_.panels[i]);
    }
    const double height = std::max((height_ - top_ - bottom_ - legends - gap * (count - 1.0)) / count, 0.05 * height_);
    const double top = top_ + above + static_cast<double>(panel) * (height + gap);
    return {1.0 - (top + height) / height_, 1.0 - top / height_};
  }

  void write_panel(std::size_t index) {
    const Panel& panel = picture_.panels[index];
    const Box box = box_of(index);
    const bool own_axis = !panel.x_label.empty();
    const Range x = widened(own_axis ? panel.x_range : picture_.x_range);
    const Range y = y_range(panel);
    line(
        "set lmargin at screen {:.5f}; set rmargin at screen {:.5f}; set bmargin at screen {:.5f}; set tmargin at "
        "screen {:.5f}",
        left_ / width_, 1.0 - right_ / width_, box.bottom, box.top);
    line("set xrange [{}:{}]; set yrange [{}:{}]", gnuplot_number(x.low), gnuplot_number(x.high), gnuplot_number(y.low),
         gnuplot_number(y.high));
    line("{} logscale y", panel.logarithmic ? "set" : "unset");
    std::string names;
    for (std::size_t k = 0; k < panel.y_names.size(); ++k)
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", gnuplot_text(panel.y_names[k]), k);
    line("set ytics {}", names.empty() ? tics(panel, y, (box.top - box.bottom) * height_) : "(" + names + ")");
    if (picture_.equal_scales) line("set size ratio -1");
    const bool labelled_axis = own_axis || index + 1 == picture_.panels.size();
    line("set format x '{}'", labelled_axis ? "%h" : "");
    line("set xlabel {}",
         labelled_axis ? gnuplot_text(own_axis ? panel.x_label : picture_.x_label) : std::string("''"));
    // A label that is longer than its axis would run into the next one.
    const double length = unit_ * kLetter * text_width(panel.y_label), room = (box.top - box.bottom) * height_;
    const bool is_long = length > room;
    const std::string label = kSmall * length > room ? in_two_lines(panel.y_label) : gnuplot_text(panel.y_label, 60);
    line("set label 2 {} at screen {:.5f}, screen {:.5f} center rotate by 90{}", label, 16.0 * unit_ / width_,
         0.5 * (box.bottom + box.top), is_long ? small_font() : std::string(" font ''"));
    write_named_lines(panel);
    write_legend_place(panel, box);
    write_curves(panel, box, y);
    line("unset label 1");
    for (std::size_t k = 0; k < panel.named_lines.size(); ++k) line("unset label {}", 10 + k);
  }

  void write_named_lines(const Panel& panel) {
    for (std::size_t k = 0; k < panel.named_lines.size(); ++k) {
      const NamedLine& named = panel.named_lines[k];
      line(
          "set label {} {} at first {}, graph 0.985 right rotate by 90 offset character -0.55,0 font ',{:.4g}' "
          "tc rgb '#404040' front",
          10 + k, gnuplot_text(named.name, 30), gnuplot_number(named.x), small_size());
    }
  }

  void write_legend_place(const Panel& panel, const Box& box) {
    if (!panel.legend || repeats_legend(panel)) {
      line("unset key");
      return;
    }
    if (is_narrow_) {
      line("set key at screen {:.5f}, screen {:.5f} left bottom Left reverse samplen 4 spacing 1.1 noautotitle",
           left_ / width_, box.top + 4.0 * unit_ / height_);
      return;
    }
    line("set key at screen {:.5f}, screen {:.5f} left top Left reverse samplen 4 spacing 1.15 noautotitle",
         1.0 - (right_ - 12.0 * unit_) / width_, box.top);
  }

  void write_block(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
    line("${} << END", name);
    for (std::size_t i = 0; i < x.size(); ++i) text_ += gnuplot_number(x[i]) + " " + gnuplot_number(y[i]) + "\n";
    line("END");
  }

  /// The value at a part of a panel's height.
  static double height_at(const Panel& panel, const Range& y, double part) {
    if (panel.logarithmic) return y.low * std::pow(y.high / y.low, part);
    return y.low + part * (y.high - y.low);
  }

  /// Vertical lines from the lower to the upper value.
  std::string lines_plot(const std::vector<double>& x, const Range& y, const std::string& style) {
    const std::string name = fmt::format("v{}", blocks_++);
    line("${} << END", name);
    for (const double place : x)
      text_ += fmt::format("{} {}\n{} {}\n\n", gnuplot_number(place), gnuplot_number(y.low), gnuplot_number(place),
                           gnuplot_number(y.high));
    line("END");
    return fmt::format("${} using 1:2 with lines {} notitle", name, style);
  }

  void write_curves(const Panel& panel, const Box& box, const Range& y) {
    std::vector<std::string> plots;
    for (const MarkedLines& marks : panel.lines) {
      const std::string colour = marks.colour < 0 ? "#c4c4c4" : curve_colour(marks.colour);
      const Range part{height_at(panel, y, marks.low), height_at(panel, y, marks.high)};
      plots.push_back(
          lines_plot(marks.x, part, fmt::format("lt 1 lw {} lc rgb '{}'", marks.colour < 0 ? 0.7 : 1.2, colour)));
    }
    if (!panel.named_lines.empty()) {
      std::vector<double> places;
      for (const NamedLine& named : panel.named_lines) places.push_back(named.x);
      plots.push_back(lines_plot(places, y, "dt (4,4) lw 0.8 lc rgb '#909090'"));
    }
    const double fitting = (box.top - box.bottom) * height_ / (1.15 * unit_ * kLine);
    const std::size_t rows = is_narrow_ ? kMostAbove : static_cast<std::size_t>(std::max(fitting, 2.0));
    const std::size_t shown = panel.curves.size() > rows ? rows - 1 : panel.curves.size();
    for (std::size_t i = 0; i < panel.curves.size(); ++i) add_curve(panel, i, i < shown, plots);
    if (shown < panel.curves.size()) {
      plots.push_back(fmt::format("NaN with lines lc rgb 'white' title '… and {} more'", panel.curves.size() - shown));
    }
    if (plots.empty() || empty(panel)) {
      line("set label 3 'no values to show' at graph 0.5, graph 0.5 center tc rgb '#707070'");
      plots.emplace_back("NaN notitle");
    }
    text_ += "plot ";
    for (std::size_t i = 0; i < plots.size(); ++i) text_ += (i > 0 ? ", \\\n  " : "") + plots[i];
    text_ += "\nunset label 3\n";
  }

  static bool empty(const Panel& panel) {
    const auto has_values = [](const Curve& curve) {
      return std::any_of(curve.y.begin(), curve.y.end(), [](double value) { return std::isfinite(value); });
    };
    return std::none_of(panel.curves.begin(), panel.curves.end(), has_values);
  }

  void add_curve(const Panel& panel, std::size_t index, bool in_legend, std::vector<std::string>& plots) {
    const Curve& curve = panel.curves[index];
    if (curve.x.empty() && !in_legend) return;
    const std::string name = fmt::format("c{}", blocks_++);
    if (!curve.x.empty()) write_block(name, curve.x, curve.y);
    const std::string colour = curve_colour(curve.colour);
    const char* const dash =
        kDashes[static_cast<std::size_t>(curve.dash < 0 ? curve.colour : curve.dash) % std::size(kDashes)];
    constexpr std::size_t kFewPoints = 2;
    const std::string title =
        in_legend && panel.legend ? "title " + gnuplot_text(curve.label, kLongestLabel) : "notitle";
    if (curve.x.empty()) {
      plots.push_back(
          fmt::format("NaN with lines lc rgb '{}' dt {} lw {} {}", colour, dash, unit_ * curve.width, title));
    } else if (curve.stems) {
      plots.push_back(fmt::format("${} using 1:2 with impulses lc rgb '{}' lw 1.2 {}", name, colour, title));
      plots.push_back(fmt::format("${} using 1:2 with points lc rgb '{}' pt 7 ps 0.45 notitle", name, colour));
    } else if (curve.x.size() < kFewPoints) {
      plots.push_back(fmt::format("${} using 1:2 with points lc rgb '{}' pt 7 ps 0.8 {}", name, colour, title));
    } else {
      plots.push_back(fmt::format("${} using 1:2 with lines lc rgb '{}' dt {} lw {} {}", name, colour, dash,
                                  unit_ * curve.width, title));
    }
  }

  const Picture& picture_;
  std::string text_;
  bool own_axes_ = false;
  bool is_narrow_ = false, is_svg_ = false;
  double unit_ = 1.0;                                           // by which all sizes are larger than with 9 pt
  double width_ = 0.0, height_ = 0.0;                           // [px]
  double top_ = 0.0, left_ = 0.0, right_ = 0.0, bottom_ = 0.0;  // margins [px]
  int blocks_ = 0;
};

}  // namespace

std::string gnuplot_script(const Picture& picture, PictureFormat format) {
  return Script(picture, format).text();
}

}  // namespace carom::app
