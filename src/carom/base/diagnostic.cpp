#include "carom/base/diagnostic.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "carom/base/utf8.h"

namespace carom {
namespace {

constexpr int kTabWidth = 4;
constexpr int kWidestLine = 100;  // cells of the source line that are shown
constexpr int kLead = 30;         // cells kept before the mark where a line is cut
constexpr std::string_view kCut = "...";

/// One character as it is printed.
struct Cell {
  std::string text;
  int width;
};

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  int column = 0;
  for (std::size_t offset = 0; offset < line.size();) {
    const Utf8Character character = first_character(line.substr(offset));
    Cell cell{std::string(line.substr(offset, character.bytes)), display_width(character.code)};
    if (character.valid && character.code == '\t') {
      cell.width = kTabWidth - column % kTabWidth;
      cell.text.assign(static_cast<std::size_t>(cell.width), ' ');
    } else if (const std::string shown = printable(cell.text); shown != cell.text) {
      cell = {shown, static_cast<int>(shown.size())};
    }
    column += cell.width;
    offset += character.bytes;
    cells.push_back(std::move(cell));
  }
  return cells;
}

int width_of(const std::vector<Cell>& cells, std::size_t first, std::size_t last) {
  int width = 0;
  for (std::size_t i = first; i < last; ++i) width += cells[i].width;
  return width;
}

/// The shown part [first, last) of a line: all of it where it fits, else a window around the mark.
struct Window {
  std::size_t first;
  std::size_t last;
};

Window window_around(const std::vector<Cell>& cells, std::size_t mark) {
  if (width_of(cells, 0, cells.size()) <= kWidestLine) return {0, cells.size()};
  Window window{mark, mark};
  for (int width = 0; window.first > 0 && width < kLead; --window.first) width += cells[window.first - 1].width;
  int width = width_of(cells, window.first, window.last);
  while (window.last < cells.size() && width + cells[window.last].width <= kWidestLine) {
    width += cells[window.last++].width;
  }
  while (window.first > 0 && width + cells[window.first - 1].width <= kWidestLine) {
    width += cells[--window.first].width;
  }
  return window;
}

/// The part of a line that can matter, so that lines of many megabytes cost no more than others.
struct Part {
  std::string_view text;
  std::size_t mark;  ///< character of the mark within `text`
  bool cut_before;
  bool cut_after;
};

Part part_around(std::string_view line, std::size_t mark) {
  constexpr std::size_t kReach = 4 * static_cast<std::size_t>(kWidestLine);  // bytes, at most four to a character
  std::size_t offset = 0;
  for (std::size_t i = 0; i < mark && offset < line.size(); ++i) offset += first_character(line.substr(offset)).bytes;
  const auto continues = [line](std::size_t at) { return at < line.size() && (line[at] & 0xC0) == 0x80; };
  std::size_t first = offset - std::min(offset, kReach);
  for (int i = 0; i < 3 && first > 0 && first < offset && continues(first); ++i) ++first;
  std::size_t last = std::min(offset + kReach, line.size());
  for (int i = 0; i < 3 && continues(last); ++i) ++last;
  return {line.substr(first, last - first), count_characters(line.substr(first, offset - first)), first > 0,
          last < line.size()};
}

std::string excerpt(const Place& place) {
  const Part part = part_around(place.text, static_cast<std::size_t>(std::max(place.column, 1) - 1));
  const std::vector<Cell> cells = cells_of(part.text);
  const std::size_t mark = std::min(part.mark, cells.size());
  const std::size_t mark_end = std::min(mark + static_cast<std::size_t>(std::max(place.length, 1)), cells.size());
  const Window window = window_around(cells, mark);

  std::string shown;
  std::string underline;
  if (window.first > 0 || part.cut_before) {
    shown += kCut;
    underline.append(kCut.size(), ' ');
  }
  for (std::size_t i = window.first; i < window.last; ++i) shown += cells[i].text;
  if (window.last < cells.size() || part.cut_after) shown += kCut;
  underline.append(static_cast<std::size_t>(width_of(cells, window.first, mark)), ' ');
  const int marked = width_of(cells, mark, std::max(mark, std::min(mark_end, window.last)));
  underline.append(static_cast<std::size_t>(std::max(marked, 1)), '^');

  const std::string number = std::to_string(place.line);
  const std::string margin(number.size() + 2, ' ');
  std::string block = margin + "|\n";
  block += " " + number + (shown.empty() ? " |" : " | ") + shown + "\n";
  block += margin + "| " + underline + "\n";
  return block;
}

}  // namespace

std::string format_diagnostic(const InputError& error) {
  const Place& place = error.place();
  constexpr std::size_t kLongestMessage = 2000;
  std::string text = "error: " + printable(error.what(), kLongestMessage);
  text += " [" + std::string(kind_name(error.kind())) + "]\n";
  if (place.file.empty() && place.line == 0) return text;

  const std::string number = std::to_string(place.line);
  text += std::string(number.size() + 1, ' ') + "--> ";
  text += place.file.empty() || place.file == "-" ? "<stdin>" : printable(place.file, kLongestMessage);
  if (place.line > 0) text += ":" + number + ":" + std::to_string(std::max(place.column, 1));
  text += "\n";
  if (place.line > 0) text += excerpt(place);
  return text;
}

}  // namespace carom
