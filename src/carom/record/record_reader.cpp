#include "carom/record/record_reader.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

#include "carom/base/error.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason, Kind kind = Kind::file) {
  Place place;
  place.file = path;
  throw InputError(kind, place, "cannot read the record '" + path + "': " + reason);
}

hdf5::File open_record(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) refuse(path, "there is no such file");
  if (error) refuse(path, error.message());
  if (std::filesystem::is_directory(status)) refuse(path, "it is a folder");
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) refuse(path, std::generic_category().message(errno));
  if (!hdf5::is_hdf5(path)) refuse(path, "it is not an HDF5 file");
  return hdf5::File::read(path);
}

/// Columns of one table, taken one after the other in their order.
class RowReader {
 public:
  RowReader(const hdf5::File& file, std::span<const hdf5::Column> columns, std::size_t first, std::size_t count)
      : file_(file), columns_(columns), first_(first), count_(count) {}

  std::vector<double> reals() {
    const hdf5::Column& column = columns_[next_++];
    std::vector<double> values(count_ * column.row_elements());
    file_.read_rows(column, first_, values);
    return values;
  }
  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> values(count_);
    file_.read_rows(columns_[next_++], first_, values);
    return values;
  }
  std::vector<std::string> texts() { return file_.read_texts(columns_[next_++], first_, count_); }

 private:
  const hdf5::File& file_;
  std::span<const hdf5::Column> columns_;
  std::size_t first_, count_;
  std::size_t next_ = 0;
};

Eigen::Vector3d vector_at(const std::vector<double>& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

/// The enumerator of that name, of those up to and including `last`.
template <class Enumerator>
Enumerator named(std::string_view name, std::string_view (*name_of)(Enumerator), Enumerator last,
                 const std::string& path) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto candidate = static_cast<Enumerator>(i);
    if (name_of(candidate) == name) return candidate;
  }
  refuse(path, "it holds the unknown word '" + std::string(name) + "'", Kind::unsupported);
}

Flags flags_of(std::int64_t bits) {
  Flags flags;
  for (const Flag flag : all_flags()) {
    if ((bits & static_cast<std::int64_t>(flag)) != 0) flags.set(flag);
  }
  return flags;
}

}  // namespace

bool is_record(const std::string& path) {
  try {
    return hdf5::is_hdf5(path) && hdf5::File::read(path).integer_attribute("format").has_value();
  } catch (const InputError&) {
    return false;
  }
}

RecordReader::RecordReader(const std::string& path) : file_(open_record(path)) {
  read_info();
  samples_ = sample_columns(info_.bodies);
  events_ = event_columns();
  contacts_ = contact_columns();
  jumps_ = jump_columns();
  count_rows();
}

void RecordReader::read_info() {
  const auto format = file_.integer_attribute("format");
  const auto scene = file_.text_attribute("scene");
  const auto bodies = file_.integer_attribute("bodies");
  if (!format || !file_.has("/events")) refuse(file_.path(), "it is an HDF5 file, but no record of carom");
  if (*format > kRecordFormat) {
    refuse(file_.path(),
           "its format is " + std::to_string(*format) + ", and this version reads formats up to " +
               std::to_string(kRecordFormat),
           Kind::unsupported);
  }
  if (!scene || !bodies || *bodies < 0) refuse(file_.path(), "its attributes are damaged");
  info_.scene = *scene;
  info_.bodies = static_cast<std::size_t>(*bodies);
  info_.version = file_.text_attribute("version").value_or("");
  info_.settings = file_.text_list_attribute("settings").value_or(std::vector<std::string>{});
  info_.engine = file_.text_attribute("engine").value_or("");
  info_.law = file_.text_attribute("law").value_or("");
  info_.options = file_.text_attribute("options").value_or("");
  info_.seed = file_.integer_attribute("seed").value_or(0);
  info_.objects = file_.read_texts("/objects");
  if (info_.objects.size() < info_.bodies) refuse(file_.path(), "it names fewer objects than it has bodies");
  const std::string stop = file_.text_attribute("stop").value_or(kRunning);
  info_.complete = stop != kRunning;
  if (!info_.complete) return;
  info_.stop = stop;
  info_.summary = file_.text_attribute("summary").value_or("");
}

void RecordReader::count_rows() {
  const auto common = [this](const Columns& columns) {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    for (const hdf5::Column& column : columns) rows = std::min(rows, file_.rows(column));
    return rows;
  };
  // Events first: those counted now have their contacts, even while the file grows.
  event_count_ = common(events_);
  sample_count_ = common(samples_);
  const auto contacts = static_cast<std::int64_t>(common(contacts_));
  const auto jumps = static_cast<std::int64_t>(common(jumps_));
  // Where the last rows are missing, so are the events that need them.
  const auto whole = [&](std::size_t event) {
    RowReader rows(file_, std::span(events_).last(4), event, 1);
    const auto need = [&rows] {
      const std::int64_t first = rows.integers()[0];
      return first + rows.integers()[0];
    };
    const std::int64_t contacts_needed = need();
    return contacts_needed <= contacts && need() <= jumps;
  };
  std::size_t low = 0;
  std::size_t high = event_count_;
  if (high == 0 || whole(high - 1)) return;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (whole(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  event_count_ = low;
}

std::vector<double> RecordReader::series(const std::string& path, std::size_t first, std::size_t count) const {
  for (const hdf5::Column& column : samples_) {
    if (column.path != path) continue;
    std::vector<double> values(count * column.row_elements());
    file_.read_rows(column, first, values);
    return values;
  }
  throw InputError(Kind::unknown_name, path, "a record has no samples of '" + path + "'");
}

State RecordReader::state(std::size_t sample) const {
  RowReader rows(file_, samples_, sample, 1);
  State state;
  state.time = rows.reals()[0];
  const std::vector<double> position = rows.reals();
  const std::vector<double> orientation = rows.reals();
  const std::vector<double> velocity = rows.reals();
  const std::vector<double> angular_velocity = rows.reals();
  state.bodies.resize(info_.bodies);
  for (std::size_t i = 0; i < info_.bodies; ++i) {
    const double* const q = &orientation[4 * i];
    state.bodies[i] = {vector_at(position, i), Eigen::Quaterniond(q[0], q[1], q[2], q[3]), vector_at(velocity, i),
                       vector_at(angular_velocity, i)};
  }
  return state;
}

EnergyBook RecordReader::energy(std::size_t sample) const {
  RowReader rows(file_, std::span(samples_).subspan(5), sample, 1);
  EnergyBook book;
  for (double* const value : {&book.now.kinetic, &book.now.gravity, &book.now.springs, &book.now.loads, &book.initial,
                              &book.impacts, &book.damping, &book.cut_off, &book.wall_work, &book.torque_work}) {
    *value = rows.reals()[0];
  }
  return book;
}

void RecordReader::read_contacts(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const auto count = static_cast<std::size_t>(end - first);
  RowReader rows(file_, contacts_, static_cast<std::size_t>(first), count);
  const auto a = rows.integers();
  const auto b = rows.integers();
  const auto point = rows.reals();
  const auto normal = rows.reals();
  const auto impulse = rows.reals();
  const auto tangential = rows.reals();
  const auto before = rows.reals();
  const auto after = rows.reals();
  const auto objects = static_cast<std::int64_t>(info_.objects.size());
  block.contacts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::min(a[i], b[i]) < 0 || std::max(a[i], b[i]) >= objects) refuse(file_.path(), "a contact is damaged");
    block.contacts[i] = {static_cast<int>(a[i]),    static_cast<int>(b[i]), vector_at(point, i),
                         vector_at(normal, i),      impulse[i],             vector_at(tangential, i),
                         before[i],                 after[i]};
  }
}

void RecordReader::read_jumps(EventBlock& block, std::int64_t first, std::int64_t end) const {
  const auto count = static_cast<std::size_t>(end - first);
  RowReader rows(file_, jumps_, static_cast<std::size_t>(first), count);
  const auto body = rows.integers();
  const auto velocity_before = rows.reals();
  const auto velocity_after = rows.reals();
  const auto angular_before = rows.reals();
  const auto angular_after = rows.reals();
  block.jumps.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (body[i] < 0 || body[i] >= static_cast<std::int64_t>(info_.bodies)) refuse(file_.path(), "a jump is damaged");
    block.jumps[i] = {static_cast<int>(body[i]), vector_at(velocity_before, i), vector_at(velocity_after, i),
                      vector_at(angular_before, i), vector_at(angular_after, i)};
  }
}

EventBlock RecordReader::events(std::size_t first, std::size_t count) {
  EventBlock block;
  if (first >= event_count_) return block;
  count = std::min(count, event_count_ - first);
  if (count == 0) return block;
  RowReader rows(file_, events_, first, count);
  const auto time = rows.reals();
  const auto kind = rows.texts();
  const auto round = rows.integers();
  const auto law = rows.texts();
  const auto steps = rows.integers();
  const auto stop = rows.texts();
  const auto before = rows.reals();
  const auto after = rows.reals();
  const auto change = rows.reals();
  const auto change_from_impulses = rows.reals();
  const auto contact_work = rows.reals();
  const auto wall_work = rows.reals();
  const auto flags = rows.integers();
  const auto min_impulse = rows.reals();
  const auto min_gap_rate_after = rows.reals();
  const auto constraint_residual = rows.reals();
  const auto complementarity_residual = rows.reals();
  const auto first_contact = rows.integers();
  const auto contact_count = rows.integers();
  const auto first_jump = rows.integers();
  const auto jump_count = rows.integers();
  read_contacts(block, first_contact[0], first_contact[count - 1] + contact_count[count - 1]);
  read_jumps(block, first_jump[0], first_jump[count - 1] + jump_count[count - 1]);
  block.events.resize(count);
  std::size_t next_contact = 0;
  std::size_t next_jump = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto contacts = static_cast<std::size_t>(contact_count[i]);
    const auto jumps = static_cast<std::size_t>(jump_count[i]);
    if (first_contact[i] - first_contact[0] != static_cast<std::int64_t>(next_contact) ||
        first_jump[i] - first_jump[0] != static_cast<std::int64_t>(next_jump) || contact_count[i] < 0 ||
        jump_count[i] < 0 || next_contact + contacts > block.contacts.size() ||
        next_jump + jumps > block.jumps.size()) {
      refuse(file_.path(), "its events and contacts do not belong together");
    }
    EventRecord& event = block.events[i];
    event.time = time[i];
    event.kind = named(kind[i], &event_kind_name, EventKind::contact_end, file_.path());
    event.round = static_cast<int>(round[i]);
    event.law = *laws_.insert(law[i]).first;
    event.contacts = {&block.contacts[next_contact], contacts};
    event.jumps = {&block.jumps[next_jump], jumps};
    event.steps = static_cast<long>(steps[i]);
    event.stop = named(stop[i], &stop_name, Stop::infeasible, file_.path());
    event.energy = {before[i], after[i], change[i], change_from_impulses[i], contact_work[i], wall_work[i]};
    event.min_impulse = min_impulse[i];
    event.min_gap_rate_after = min_gap_rate_after[i];
    event.constraint_residual = constraint_residual[i];
    if (!std::isnan(complementarity_residual[i])) event.complementarity_residual = complementarity_residual[i];
    event.flags = flags_of(flags[i]);
    next_contact += contacts;
    next_jump += jumps;
  }
  return block;
}

}  // namespace carom
