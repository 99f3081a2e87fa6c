#include "carom/scene/reader/motion_table.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <numbers>

#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 4> kColumns = {"time", "position", "angle", "angle_deg"};
constexpr std::size_t kUnknown = kColumns.size();

/// A cell of a table and where it stands.
struct Cell {
  std::string_view text;
  Mark mark;
};

class TableReader {
 public:
  explicit TableReader(Source source) : source_(std::move(source)) {}

  MotionTable read() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin, end);
      begin = end + 1;
    }
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(Kind kind, Mark mark, const std::string& message) const {
    throw InputError(kind, source_.place(mark), message);
  }

  [[nodiscard]] std::vector<Cell> cells_of(std::size_t begin, std::size_t end) const {
    const std::string_view text = source_.text();
    std::vector<Cell> cells;
    for (std::size_t first = begin; first <= end;) {
      const std::size_t comma = std::min(text.substr(0, end).find(',', first), end);
      std::size_t a = first, b = comma;
      const auto blank = [&](std::size_t i) { return text[i] == ' ' || text[i] == '\t' || text[i] == '\r'; };
      while (a < b && blank(a)) ++a;
      while (b > a && blank(b - 1)) --b;
      cells.push_back({text.substr(a, b - a), make_mark(a, b)});
      first = comma + 1;
    }
    return cells;
  }

  void read_line(std::size_t begin, std::size_t end) {
    const std::vector<Cell> cells = cells_of(begin, end);
    if (cells.size() == 1 && cells[0].text.empty()) return;
    if (cells[0].text.starts_with('#')) return;
    if (columns_.empty()) {
      const bool named = read_number(cells[0].text).status == NumberStatus::malformed;
      choose_columns(cells, named);
      if (named) return;
    }
    read_row(cells, make_mark(begin, end));
  }

  void choose_columns(const std::vector<Cell>& cells, bool named) {
    if (!named) {
      if (cells.size() != 2 && cells.size() != 3)
        fail(Kind::size_mismatch, cells[0].mark,
             fmt::format("the first row has {} numbers, expected time and position, or time, position and angle",
                         cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) columns_.push_back(i);
      return;
    }
    std::array<bool, kColumns.size()> seen{};
    for (const Cell& cell : cells) {
      const auto found = std::find(kColumns.begin(), kColumns.end(), cell.text);
      const auto column = static_cast<std::size_t>(found - kColumns.begin());
      if (column == kUnknown) fail(Kind::unknown_name, cell.mark, unknown_name_message("column", cell.text, kColumns));
      if (seen[column]) fail(Kind::duplicate_name, cell.mark, fmt::format("the column '{}' is there twice", cell.text));
      seen[column] = true;
      columns_.push_back(column);
    }
    if (!seen[0]) fail(Kind::missing_field, cells[0].mark, "the table has no column 'time'");
    if (seen[2] && seen[3])
      fail(Kind::duplicate_name, cells[0].mark, "the table has 'angle' and 'angle_deg', expected only one of the two");
    if (!seen[1] && !seen[2] && !seen[3])
      fail(Kind::missing_field, cells[0].mark, "the table has no column 'position', 'angle' or 'angle_deg'");
  }

  void read_row(const std::vector<Cell>& cells, Mark line) {
    if (cells.size() != columns_.size())
      fail(Kind::size_mismatch, line,
           fmt::format("the row has {} entries, expected {} as the first row has", cells.size(), columns_.size()));
    if (table_.time.size() == static_cast<std::size_t>(kMostTableRows))
      fail(Kind::limit, line, fmt::format("the table has more than {} rows", kMostTableRows));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const NumberText number = read_number(cells[i].text);
      if (number.status == NumberStatus::malformed)
        fail(Kind::syntax, cells[i].mark, fmt::format("'{}' is no number", cells[i].text));
      if (number.status == NumberStatus::not_finite)
        fail(Kind::not_finite, cells[i].mark, fmt::format("'{}' is not a finite number", cells[i].text));
      const std::size_t column = columns_[i];
      if (column == 0 && !table_.time.empty() && !(number.value > table_.time.back()))
        fail(Kind::out_of_range, cells[i].mark,
             fmt::format("the time is {}, expected more than {} of the row before: times ascend", number.value,
                         table_.time.back()));
      if (column == 0) table_.time.push_back(number.value);
      if (column == 1) table_.position.push_back(number.value);
      if (column == 2) table_.angle.push_back(number.value);
      if (column == 3) table_.angle.push_back(number.value * std::numbers::pi / 180.0);
    }
  }

  Source source_;
  std::vector<std::size_t> columns_;  ///< what stands in them, an index of kColumns
  MotionTable table_;
};

}  // namespace

MotionTable read_motion_table(const Entry& file) {
  std::filesystem::path path = as_string(file);
  if (path.is_relative()) path = std::filesystem::path(file.source->name()).parent_path() / path;
  // Not what a program writes on and on, nor standard input.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw InputError(Kind::file, file.place(), file.name() + ": '" + path.string() + "' is no file");
  if (path.string() == "-") path = "./-";
  std::string text;
  try {
    text = read_text(path.string());
  } catch (const InputError& error) {
    throw InputError(error.kind(), file.place(), file.name() + ": " + error.what());
  }
  return TableReader(Source(path.string(), std::move(text))).read();
}

}  // namespace carom::scene
