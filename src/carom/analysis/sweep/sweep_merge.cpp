/// Tables of shards put together.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "carom/analysis/sweep/shard.h"
#include "carom/analysis/sweep/sweep_journal.h"
#include "carom/analysis/sweep/sweep_table.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom::sweep {
namespace {

/// The table of one shard, taken apart into points.
struct Part {
  std::string file;
  ShardDescription description;
  TableLines table;
  std::vector<std::size_t> starts;  ///< of each point, and the number of lines
};

/// Where the rows of each point begin: with `index` 0 or without one.
std::vector<std::size_t> point_starts(const TableLines& table) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), "index");
  const auto column = static_cast<std::size_t>(found - table.columns.begin());
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const bool begins = found == table.columns.end() || [&] {
      const std::vector<std::string> cells = cells_of(table.lines[i]);
      return column >= cells.size() || cells[column].empty() || cells[column] == "0";
    }();
    if (begins) starts.push_back(i);
  }
  starts.push_back(table.lines.size());
  return starts;
}

void require_together(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  for (const Part& part : parts) {
    if (part.description.sweep == first.description.sweep &&
        part.description.shard.count == first.description.shard.count)
      continue;
    const std::string difference = part.description.sweep != first.description.sweep
                                       ? description_difference(first.description.sweep, part.description.sweep)
                                       : fmt::format("one of {} shards and one of {}", first.description.shard.count,
                                                     part.description.shard.count);
    throw InputError(Kind::usage, "--merge",
                     fmt::format("'{}' and '{}' do not belong together: {}", printable(first.file, 200),
                                 printable(part.file, 200), difference));
  }
}

/// The parts in the order of their shards.
std::vector<const Part*> in_order(const std::vector<Part>& parts) {
  std::vector<const Part*> ordered(parts.front().description.shard.count, nullptr);
  for (const Part& part : parts) {
    const Part*& place = ordered[part.description.shard.index];
    if (place != nullptr) {
      throw InputError(Kind::usage, "--merge",
                       fmt::format("'{}' and '{}' are the same shard, {}/{}", printable(place->file, 200),
                                   printable(part.file, 200), part.description.shard.index, ordered.size()));
    }
    place = &part;
  }
  std::string missing;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    if (ordered[i] == nullptr) missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", i, ordered.size());
  }
  if (!missing.empty()) {
    throw InputError(Kind::usage, "--merge", fmt::format("these shards are missing: {}", missing));
  }
  return ordered;
}

}  // namespace

std::size_t merge_tables(const std::vector<std::string>& tables, const std::string& path) {
  if (tables.empty()) throw InputError(Kind::usage, "--merge", "--merge needs the tables of the shards");
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::exists(journal_path(path), ignored)) {
    throw InputError(
        Kind::usage, "--out",
        fmt::format("'{}' exists and is no table of a sweep; remove it or take another name", printable(path, 200)));
  }
  std::vector<Part> parts;
  for (const std::string& file : tables) {
    if (std::filesystem::equivalent(file, path, ignored)) {
      throw InputError(Kind::usage, "--out", fmt::format("'{}' is one of the shards", printable(path, 200)));
    }
    Part part{file, read_shard_description(description_of_table(file)), {}, {}};
    part.table = read_table(file);
    part.starts = point_starts(part.table);
    const std::size_t expected = part.description.shard.size(part.description.points);
    if (part.starts.size() != expected + 1) {
      Place place;
      place.file = file;
      throw InputError(Kind::file, place,
                       fmt::format("'{}' has {} points, expected {}: it was changed after the sweep",
                                   printable(file, 200), part.starts.size() - 1, expected));
    }
    parts.push_back(std::move(part));
  }
  require_together(parts);
  const std::vector<const Part*> ordered = in_order(parts);
  const std::unique_ptr<TableWriter> writer = write_table(path, parts.front().table.columns);
  std::size_t rows = 0;
  for (std::size_t point = 0; point < parts.front().description.points; ++point) {
    const Part& part = *ordered[point % ordered.size()];
    const std::size_t local = point / ordered.size();
    for (std::size_t i = part.starts[local]; i < part.starts[local + 1]; ++i, ++rows) {
      writer->add(part.table.lines[i] + "\n");
    }
  }
  writer->finish();
  write_complete_journal(path, parts.front().description.sweep);
  return rows;
}

}  // namespace carom::sweep
