#include "resume/same_record.h"

#include <nlohmann/json.hpp>

#include "carom/record/record_reader.h"
#include "carom/simulation/saved_simulation.h"

namespace carom::test {

namespace {

std::string without_wall_time(const std::string& summary) {
  if (summary.empty()) return summary;
  nlohmann::json json = nlohmann::json::parse(summary);
  json["time"].erase("wall");
  json.erase("record");
  json.erase("scene");  // how the file was called
  return json.dump();
}

}  // namespace

std::string record_difference(const std::string& one, const std::string& other, Durations durations) {
  const RecordReader a(one), b(other);
  if (a.row_counts() != b.row_counts())
    return "rows: " + std::to_string(a.sample_count()) + " and " + std::to_string(b.sample_count()) + " samples, " +
           std::to_string(a.event_count()) + " and " + std::to_string(b.event_count()) + " events";
  for (std::size_t table = 0; table < kTableCount; ++table) {
    const Columns& columns = *a.tables()[table];
    if (columns.size() != b.tables()[table]->size()) return "columns of table " + std::to_string(table);
    for (const hdf5::Column& column : columns) {
      const std::size_t rows = a.row_counts()[table];
      std::vector<std::byte> first(rows * column.row_elements() * column.element.size()), second(first.size());
      a.read_raw(column, 0, rows, first.data());
      b.read_raw(column, 0, rows, second.data());
      if (first != second) return column.path;
    }
  }
  const RecordInfo &x = a.info(), &y = b.info();
  const bool same = durations == Durations::same;
  if (same && (x.scene != y.scene || x.settings != y.settings || x.options != y.options || x.extended != y.extended))
    return "what is said about the run";
  if (x.stop != y.stop) return "stop: " + x.stop + " and " + y.stop;
  if (without_wall_time(x.summary) != without_wall_time(y.summary))
    return "summary: " + without_wall_time(x.summary) + "\n" + without_wall_time(y.summary);
  const auto first = a.checkpoint(), second = b.checkpoint();
  if (first.has_value() != second.has_value()) return "whether there is a checkpoint";
  if (!first) return {};
  if (first->rows != second->rows || (same && first->bytes != second->bytes)) return "the checkpoint";
  // Of runs that have stopped by themselves the ends that were given stay different.
  const bool to_the_end = same || x.stop == run_stop_name(RunStop::duration);
  if (to_the_end && saved_simulation(first->bytes).state != saved_simulation(second->bytes).state)
    return "what they go on from";
  return {};
}

}  // namespace carom::test
