#pragma once
/// Tables on disk, `.csv` or `.h5`. They appear when they are whole.
///
/// An HDF5 table has a dataset `/table/NAME` for each column (`/` in a name is written `∕`), numbers with NaN where
/// there is none, or texts; a second column of one name is `NAME (2)` there. The attributes `columns` and `kinds` list
/// them in their order.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::sweep {

enum class TableKind { csv, hdf5 };

/// By the ending of the name. Throws InputError (usage) for another one.
TableKind table_kind(const std::string& path);

class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  /// Rows as lines of CSV.
  virtual void add(std::string_view lines) = 0;
  /// Puts the table in its place. Throws InputError (file), as add() does.
  virtual void finish() = 0;
};

std::unique_ptr<TableWriter> write_table(const std::string& path, std::span<const std::string> columns);

struct TableLines {
  std::vector<std::string> columns;
  std::vector<std::string> lines;  ///< of CSV, without their ends
};

/// Throws InputError (file) where there is none, or it is damaged.
TableLines read_table(const std::string& path);

/// Where the rows of each point begin: with `index` 0 or without one. The number of rows is last.
std::vector<std::size_t> point_starts(const TableLines& table);

/// Throws InputError (file) where the table of a sweep that ended has other columns or points.
void require_unchanged(const TableLines& table, const std::vector<std::string>& columns, std::size_t points,
                       const std::string& path);

/// Puts the tables of all shards of a sweep together. Throws InputError: `usage` where they do not belong together or
/// one is missing, `file` where one is not whole. Returns the number of rows.
std::size_t merge_tables(const std::vector<std::string>& tables, const std::string& path);

}  // namespace carom::sweep
