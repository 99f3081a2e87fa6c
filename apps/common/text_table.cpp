#include "common/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"

namespace carom::app {
namespace {

constexpr std::string_view kIndent = "  ";
constexpr int kColumnGap = 2;
constexpr int kBlockGap = 6;
constexpr std::size_t kLongTable = 16;  // rows above which a table is set in blocks

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string padding = blanks(width - text_width(text));
  return align == Align::left ? text + padding : padding + text;
}

void trim_right(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

/// Long lists side by side, as many blocks as fit; the first line is the title of each.
std::vector<std::string> in_blocks(const std::vector<std::string>& lines, int width) {
  const std::size_t rows = lines.size() - 1;
  const int fitting = (kTerminalWidth + kBlockGap) / (width + kBlockGap);
  if (rows <= kLongTable || fitting < 2) return lines;
  const std::size_t wanted = (rows + kLongTable - 1) / kLongTable;
  const std::size_t blocks = std::min(static_cast<std::size_t>(fitting), wanted);
  const std::size_t height = (rows + blocks - 1) / blocks;
  std::vector<std::string> result(height + 1);
  for (std::size_t block = 0; block * height < rows; ++block) {
    for (std::size_t row = 0; row <= height; ++row) {
      const std::size_t source = row == 0 ? 0 : block * height + row;
      if (source > rows) continue;
      std::string& line = result[row];
      if (block > 0) line += blanks(static_cast<int>(block) * (width + kBlockGap) - text_width(line));
      line += lines[source];
    }
  }
  return result;
}

}  // namespace

int text_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    width += character.valid ? display_width(character.code) : 1;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string wrap(std::string_view text, int indent) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrap(words, indent);
}

std::string wrap(const std::vector<std::string>& pieces, int indent) {
  std::string result;
  int column = indent;
  for (const std::string& piece : pieces) {
    const int width = text_width(piece);
    if (!result.empty() && column + 1 + width > kTerminalWidth) {
      result += "\n" + blanks(indent);
      column = indent;
    } else if (!result.empty()) {
      result += " ";
      ++column;
    }
    result += piece;
    column += width;
  }
  return result;
}

std::string cell(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  return fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);
}

std::string rounded_cell(double value, double scale, int digits) {
  constexpr double kCellRoundOff = 1e-13;
  return cell(std::abs(value) <= kCellRoundOff * scale ? 0.0 : value, digits);
}

std::string cell(std::optional<double> value, int digits) {
  return value ? cell(*value, digits) : "–";
}

std::string labelled(std::string_view label, std::string_view text) {
  constexpr int kLabelWidth = 12;
  return fmt::format("{:<{}}{}\n", label, kLabelWidth, wrap(text, kLabelWidth));
}

std::string counted(long count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void TextTable::add_row(std::vector<std::string> cells) {
  CAROM_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

int TextTable::column_width(std::size_t column) const {
  int width = 0;
  const auto widen = [&width](std::string_view text) {
    for (const std::string& line : split_lines(text)) width = std::max(width, text_width(line));
  };
  widen(columns_[column].title);
  for (const auto& row : rows_) widen(row[column]);
  return width;
}

int TextTable::width() const {
  int width = static_cast<int>(kIndent.size()) - kColumnGap;
  for (std::size_t column = 0; column < columns_.size(); ++column) width += column_width(column) + kColumnGap;
  return width;
}

int TextTable::widest_group(std::size_t count) const {
  const int first_width = static_cast<int>(kIndent.size()) + column_width(0);
  int widest = first_width;
  for (std::size_t first = 1; first < columns_.size(); first += count) {
    int width = first_width;
    for (std::size_t i = first; i < std::min(first + count, columns_.size()); ++i)
      width += kColumnGap + column_width(i);
    widest = std::max(widest, width);
  }
  return widest;
}

std::vector<std::string> TextTable::lines(const std::vector<std::size_t>& shown) const {
  std::vector<int> widths;
  for (const std::size_t column : shown) widths.push_back(column_width(column));
  std::vector<std::string> result;
  // `text_of` gives the cell of a column; a row is as high as its highest cell.
  const auto add = [&](const auto& text_of) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (const std::size_t column : shown) {
      cells.push_back(split_lines(text_of(column)));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text(kIndent);
      for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0) text += blanks(kColumnGap);
        text += padded(line < cells[i].size() ? cells[i][line] : "", widths[i], columns_[shown[i]].align);
      }
      trim_right(text);
      result.push_back(std::move(text));
    }
  };
  add([this](std::size_t column) { return columns_[column].title; });
  for (const auto& row : rows_) add([&row](std::size_t column) { return row[column]; });
  return result;
}

std::string TextTable::text() const {
  // As few groups of columns as fit, then of nearly equal numbers of columns, so that none is left alone below.
  const int first_width = static_cast<int>(kIndent.size()) + column_width(0);
  std::size_t most = columns_.size();
  while (most > 2 && widest_group(most - 1) > kTerminalWidth) --most;
  const std::size_t others = columns_.size() - 1;
  const std::size_t groups = most > 1 ? (others + most - 2) / (most - 1) : 1;
  const std::size_t per_group = groups > 0 ? (others + groups - 1) / groups : others;

  std::string result;
  std::size_t next = 1;
  do {
    std::vector<std::size_t> shown{0};
    int width = first_width;
    for (; next < columns_.size() && shown.size() <= per_group; ++next) {
      shown.push_back(next);
      width += kColumnGap + column_width(next);
    }
    if (!result.empty()) result += "\n";
    for (const std::string& line : in_blocks(lines(shown), width)) result += line + "\n";
  } while (next < columns_.size());
  return result;
}

}  // namespace carom::app
