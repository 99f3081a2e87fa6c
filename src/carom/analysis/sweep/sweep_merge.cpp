/// Tables of shards put together.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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
  const std::size_t count = parts.front().description.shard.count;
  std::map<std::size_t, const Part*> given;
  for (const Part& part : parts) {
    const auto [place, is_new] = given.emplace(part.description.shard.index, &part);
    if (is_new) continue;
    throw InputError(Kind::usage, "--merge",
                     fmt::format("'{}' and '{}' are the same shard, {}/{}", printable(place->second->file, 200),
                                 printable(part.file, 200), part.description.shard.index, count));
  }
  constexpr std::size_t kMostTold = 10;
  std::string missing;
  for (std::size_t i = 0, told = 0; i < count && given.size() < count && told < kMostTold; ++i) {
    if (given.count(i) > 0) continue;
    missing += fmt::format("{}{}/{}", told == 0 ? "" : ", ", i, count);
    ++told;
  }
  if (const std::size_t all = count - given.size(); all > 0) {
    throw InputError(Kind::usage, "--merge",
                     fmt::format("these shards are missing: {}{}", missing,
                                 all > kMostTold ? fmt::format(" and {} more", all - kMostTold) : ""));
  }
  std::vector<const Part*> ordered;
  for (const auto& [index, part] : given) ordered.push_back(part);
  return ordered;
}

}  // namespace

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

void require_unchanged(const TableLines& table, const std::vector<std::string>& columns, std::size_t points,
                       const std::string& path) {
  const std::size_t found = point_starts(table).size() - 1;
  std::string head;
  append_line(head, columns);
  head.pop_back();
  if (table.columns == cells_of(head) && found == points) return;
  const std::string difference = found != points ? fmt::format("has {} points, expected {}", found, points)
                                                 : std::string("has other columns than the sweep");
  Place place;
  place.file = path;
  throw InputError(Kind::file, place,
                   fmt::format("'{}' {}: it was changed after the sweep (with --replace that begins anew)",
                               printable(path, 200), difference));
}

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
    require_unchanged(part.table, parts.empty() ? part.table.columns : parts.front().table.columns,
                      part.description.shard.size(part.description.points), file);
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
