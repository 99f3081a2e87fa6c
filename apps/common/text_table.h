#pragma once
/// Tables and paragraphs for a terminal of 100 columns. Widths are counted in cells, so that π and 板 stay aligned.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

inline constexpr int kTerminalWidth = 100;
/// Characters of a name, and of a scene's title, that are shown (utf8.h, printable).
inline constexpr std::size_t kLongestName = 24;
inline constexpr std::size_t kLongestTitle = 100;

/// Cells that a text takes on one line of a terminal.
int text_width(std::string_view text);

/// The text in lines of at most kTerminalWidth cells, broken at blanks; lines after the first begin with `indent`
/// blanks, which the first is assumed to have already. No newline at the end.
std::string wrap(std::string_view text, int indent);

/// The same for pieces that must not be broken.
std::string wrap(const std::vector<std::string>& pieces, int indent);

/// A number with seven digits (or as many as asked), "–" where there is none or it is not finite.
std::string cell(double value, int digits = 7);
std::string cell(std::optional<double> value, int digits = 7);

/// The same, but a value below 1e-13 of `scale` is shown as 0: in a table for people round-off is noise.
/// (The JSON output has every digit.)
std::string rounded_cell(double value, double scale, int digits = 7);

/// "label       text" and a newline, wrapped under the text.
std::string labelled(std::string_view label, std::string_view text);

/// "1 step", "3 steps".
std::string counted(long count, std::string_view noun);

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
};

/// Aligned columns under their titles. Titles and cells may have several lines.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<std::string> cells);

  /// Cells needed to print all columns side by side.
  [[nodiscard]] int width() const;

  /// The lines of the table. Columns that do not fit beside each other follow below, the first column repeated; a long
  /// table of few columns is set in several blocks side by side.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] int column_width(std::size_t column) const;
  /// Width of the widest group where `count` columns follow the first in each.
  [[nodiscard]] int widest_group(std::size_t count) const;
  [[nodiscard]] std::vector<std::string> lines(const std::vector<std::size_t>& shown) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace carom::app
