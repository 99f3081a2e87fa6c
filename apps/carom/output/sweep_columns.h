#pragma once
/// The table of a sweep in columns, for pictures of it.

#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

struct SweepColumn {
  std::string name;
  std::vector<double> numbers;     ///< NaN where there is none
  std::vector<std::string> words;  ///< where it has some; else empty
  bool logarithmic = false;        ///< varied so

  [[nodiscard]] bool is_text() const { return !words.empty(); }
};

struct SweepColumns {
  std::vector<SweepColumn> columns;
  std::size_t varied = 1;     ///< how many of the first are varied paths
  bool has_instants = false;  ///< several rows for each point, counted by the column `index`
  std::size_t rows = 0;

  /// Throws InputError (unknown_name) with the nearest known one.
  [[nodiscard]] std::size_t find(std::string_view name) const;
};

/// Whether a file is a table of a sweep and no record.
bool is_sweep_table(const std::string& path);

/// Throws InputError (file). What was varied comes from the journal beside the table; where there is none, the columns
/// before `index`, or else the first, are taken for it.
SweepColumns read_sweep_columns(const std::string& path);

}  // namespace carom::app
