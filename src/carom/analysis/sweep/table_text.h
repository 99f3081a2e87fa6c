#pragma once
/// Rows of a table as lines of a CSV file [RFC 4180, but for line ends of one character].

#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/value.h"

namespace carom::sweep {

/// A cell at the end of a line, in quotation marks where it needs them. A number so that it reads back to the same
/// double, a word as it is, a list or table as TOML; none is empty.
void append_cell(std::string& text, std::string_view cell);
void append_cell_of(std::string& text, const Value& value);

/// The cells with commas between them and a line end; those that need it in quotation marks.
void append_line(std::string& text, const std::vector<std::string>& cells);

/// Takes a line apart. A damaged one gives some cells all the same.
std::vector<std::string> cells_of(std::string_view line);
/// How many cells it has.
std::size_t cell_count(std::string_view line);

/// Rows of points that could not be run or did not finish: their `stop` is a kind of error and a reason.
struct FailedRows {
  std::size_t count = 0;
  std::string first{};  ///< reason of the first one

  /// Looks at one row, a line of CSV with or without its end.
  void look_at(std::string_view line);
};

}  // namespace carom::sweep
