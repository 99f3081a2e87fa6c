#include "carom/record/record_check.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace carom {
namespace {

constexpr std::size_t kSamples = 0, kEvents = 1, kContacts = 2, kJumps = 3, kJointRows = 4, kForces = 5;
constexpr const char* kTableNames[kTableCount] = {"samples", "events", "contacts", "jumps", "joints", "forces"};
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

template <class Number>
Number number_at(const std::byte* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

RecordDifference::Value value_at(const hdf5::Element& element, const std::byte* bytes) {
  switch (element.kind) {
    case hdf5::Element::Kind::real: return number_at<double>(bytes);
    case hdf5::Element::Kind::integer: return number_at<std::int64_t>(bytes);
    case hdf5::Element::Kind::text: break;
  }
  const std::string text(reinterpret_cast<const char*>(bytes), element.size());
  return text.substr(0, text.find('\0'));
}

/// How many rows of a record can be compared: all but the sample that a signal brought about.
std::array<std::size_t, kTableCount> comparable_rows(const RecordReader& record) {
  std::array<std::size_t, kTableCount> rows = record.row_counts();
  if (record.info().stop == run_stop_name(RunStop::interrupted) && rows[kSamples] > 0)
    rows[kForces] = record.first_contact_load(--rows[kSamples]);
  return rows;
}

}  // namespace

RecordCheck::RecordCheck(const RecordReader& record, std::atomic<bool>* stop)
    : record_(record),
      stop_(stop),
      rows_({record.info().bodies, record.info().joints.size(), record.has_contact_loads()}),
      partial_(!record.info().complete || record.info().stop == run_stop_name(RunStop::interrupted)),
      limit_(comparable_rows(record)) {}

void RecordCheck::sample(const State& state, const EnergyBook& book) {
  if (over_) return;
  rows_.add_sample(state, book);
  times_[kForces].insert(times_[kForces].end(), state.contact_loads.size(), state.time);
  compare_if_due();
}

void RecordCheck::event(const EventRecord& event) {
  if (over_) return;
  rows_.add_event(event);
  times_[kContacts].insert(times_[kContacts].end(), event.contacts.size(), event.time);
  times_[kJumps].insert(times_[kJumps].end(), event.jumps.size(), event.time);
  times_[kJointRows].insert(times_[kJointRows].end(), event.joints.size(), event.time);
  compare_if_due();
}

void RecordCheck::progress(double /*time*/, long /*events*/) {}

bool RecordCheck::whole() const {
  return compared_ == limit_;
}

std::size_t RecordCheck::rows_before(std::size_t table) const {
  return static_cast<std::size_t>(rows_.counts()[table]) - rows_.tables()[table]->waiting_rows();
}

void RecordCheck::compare_if_due() {
  const auto reported = rows_.counts();
  const bool at_end = static_cast<std::size_t>(reported[kSamples]) >= limit_[kSamples] &&
                      static_cast<std::size_t>(reported[kEvents]) >= limit_[kEvents];
  if (rows_.waiting_bytes() < kBlockBytes && !(partial_ && at_end)) return;
  compare();
  if (partial_ && at_end) over_ = true;
  if (over_ && stop_ != nullptr) *stop_ = true;
}

void RecordCheck::compare() {
  std::optional<Position> first;
  for (std::size_t table = 0; table < kTableCount; ++table) compare_table(table, first);
  if (first) {
    difference_ = described(*first);
    over_ = true;
  }
  rows_.clear();
  for (std::vector<double>& times : times_) times.clear();
}

void RecordCheck::compare_table(std::size_t table, std::optional<Position>& first) {
  const auto keep_earliest = [&first](const std::optional<Position>& position) {
    if (!position) return;
    const auto order = [](const Position& s) { return std::tuple(s.time, s.table, s.row); };
    if (!first || order(*position) < order(*first)) first = position;
  };
  const RowBuffer& rows = *rows_.tables()[table];
  const std::size_t left = limit_[table] - std::min(limit_[table], rows_before(table));
  const std::size_t count = std::min(rows.waiting_rows(), left);
  for (std::size_t column = 0; column < rows.columns().size(); ++column) {
    keep_earliest(first_in_column(table, column, count));
  }
  // Rows that the record does not have; what follows the end of a partial one is not compared.
  if (count < rows.waiting_rows() && !partial_) keep_earliest(Position{time_of(table, count), table, 0, count, 0});
  compared_[table] += count;
}

std::optional<RecordCheck::Position> RecordCheck::first_in_column(std::size_t table, std::size_t column,
                                                                  std::size_t count) {
  const RowBuffer& rows = *rows_.tables()[table];
  const hdf5::Column& layout = rows.columns()[column];
  const std::size_t size = layout.element.size();
  const std::size_t bytes = count * layout.row_elements() * size;
  if (bytes == 0 || !record_.has(layout)) return std::nullopt;
  block_.resize(bytes);
  record_.read_raw(layout, rows_before(table), count, block_.data());
  const std::span<const std::byte> reported = rows.waiting(column);
  if (std::memcmp(block_.data(), reported.data(), bytes) == 0) return std::nullopt;
  const auto differs = std::mismatch(block_.begin(), block_.end(), reported.begin()).first - block_.begin();
  const std::size_t element = static_cast<std::size_t>(differs) / size;
  const std::size_t row = element / layout.row_elements();
  return Position{time_of(table, row), table, column, row, element % layout.row_elements()};
}

double RecordCheck::time_of(std::size_t table, std::size_t row) const {
  if (table > kEvents) return times_[table][row];
  return number_at<double>(rows_.tables()[table]->waiting(0).data() + row * sizeof(double));
}

RecordDifference RecordCheck::described(const Position& position) const {
  const RowBuffer& rows = *rows_.tables()[position.table];
  const hdf5::Column& layout = rows.columns()[position.column];
  const std::size_t size = layout.element.size();
  RecordDifference difference;
  difference.time = position.time;
  difference.table = kTableNames[position.table];
  difference.column = layout.path;
  difference.row = rows_before(position.table) + position.row;
  difference.component = layout.row.empty() ? 0 : position.element % layout.row.back();
  difference.objects = objects_at(position);
  const std::size_t place = (position.row * layout.row_elements() + position.element) * size;
  difference.now = value_at(layout.element, rows.waiting(position.column).data() + place);
  if (difference.row >= limit_[position.table]) return difference;  // the record has no such row
  std::vector<std::byte> recorded(layout.row_elements() * size);
  record_.read_raw(layout, difference.row, 1, recorded.data());
  difference.recorded = value_at(layout.element, recorded.data() + position.element * size);
  return difference;
}

std::vector<std::string> RecordCheck::objects_at(const Position& position) const {
  const RowBuffer& rows = *rows_.tables()[position.table];
  const auto name = [this](std::int64_t object) {
    return object < 0 ? std::string("ground") : record_.info().objects[static_cast<std::size_t>(object)];
  };
  const auto name_in = [&rows, &position, &name](std::size_t column) {
    return name(number_at<std::int64_t>(rows.waiting(column).data() + position.row * sizeof(std::int64_t)));
  };
  if (position.table == kContacts) return {name_in(0), name_in(1)};
  if (position.table == kForces) return {name_in(1), name_in(2)};
  if (position.table == kJumps) return {name_in(0)};
  if (position.table == kJointRows) {
    const std::byte* const at = rows.waiting(0).data() + position.row * sizeof(std::int64_t);
    return {record_.info().joints[static_cast<std::size_t>(number_at<std::int64_t>(at))]};
  }
  const std::vector<std::size_t>& shape = rows.columns()[position.column].row;
  if (shape.size() < 2) return {};
  const std::size_t which = position.element / shape.back();
  const std::string& path = rows.columns()[position.column].path;
  if (path == kJointForce || path == kJointCouple) return {record_.info().joints[which]};
  return {name(static_cast<std::int64_t>(which))};
}

/// The run has ended, and the record has one more row than were reported.
RecordDifference RecordCheck::missing_row(std::size_t table) const {
  const hdf5::Column& layout = rows_.tables()[table]->columns()[0];
  RecordDifference difference;
  difference.table = kTableNames[table];
  difference.column = layout.path;
  difference.row = compared_[table];
  std::vector<std::byte> recorded(layout.element.size());
  record_.read_raw(layout, difference.row, 1, recorded.data());
  difference.recorded = value_at(layout.element, recorded.data());
  if (const double* const time = std::get_if<double>(&difference.recorded)) difference.time = *time;
  return difference;
}

void RecordCheck::finish(RunStop stop) {
  if (over_) return;
  compare();
  if (over_ || stop == RunStop::interrupted) return;
  for (const std::size_t table : {kSamples, kEvents}) {
    if (compared_[table] < limit_[table]) {
      difference_ = missing_row(table);
      return;
    }
  }
  if (partial_ || record_.info().stop == run_stop_name(stop)) return;
  difference_.emplace();
  difference_->table = "run";
  difference_->column = "stop";
  difference_->recorded = record_.info().stop;
  difference_->now = std::string(run_stop_name(stop));
}

}  // namespace carom
