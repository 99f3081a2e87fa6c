#include "carom/record/record_reader.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/nearest_file.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/base/version.h"
#include "carom/record/energy_columns.h"
#include "carom/record/row_reader.h"

namespace carom {
namespace {

hdf5::File open_record(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    refuse_record(path, "there is no such file" + nearest_file_hint(path));
  }
  if (error) refuse_record(path, error.message());
  if (std::filesystem::is_directory(status)) refuse_record(path, "it is a folder");
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) refuse_record(path, std::generic_category().message(errno));
  if (!hdf5::is_hdf5(path) && std::filesystem::path(path).extension() == ".toml") {
    refuse_record(path, "it is a scene or another text, not a record; a scene is run first: carom run " +
                            printable(path, 200) + " --out RUN.h5");
  }
  if (!hdf5::is_hdf5(path)) refuse_record(path, "it is not an HDF5 file");
  return hdf5::File::read(path);
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
  if (!file_.has(samples_.back().path)) samples_.pop_back();  // an older record
  if (file_.has(kJointForce))
    for (hdf5::Column& column : joint_load_columns(info_.joints.size())) samples_.push_back(std::move(column));
  events_ = event_columns();
  contacts_ = contact_columns();
  drop_absent(contacts_, {"/events/contacts/restitution", "/events/contacts/joint", "/events/contacts/coordinate",
                          "/events/contacts/upper", "/events/contacts/began", "/events/contacts/peak_force",
                          "/events/contacts/peak_time"});
  jumps_ = jump_columns();
  drop_absent(events_, {"/events/first_joint", "/events/joint_count", "/events/script"});
  if (file_.has(kJoints)) joints_ = joint_columns();
  if (file_.has("/contact_forces")) forces_ = force_columns();
  count_rows();
}

/// Columns that older records lack.
void RecordReader::drop_absent(Columns& columns, std::initializer_list<std::string_view> newer) const {
  std::erase_if(columns, [&](const hdf5::Column& column) {
    return std::find(newer.begin(), newer.end(), column.path) != newer.end() && !file_.has(column.path);
  });
}

void RecordReader::read_info() {
  const auto format = file_.integer_attribute("format");
  const auto scene = file_.text_attribute("scene");
  const auto bodies = file_.integer_attribute("bodies");
  if (!format || !file_.has("/events")) refuse_record(file_.path(), "it is an HDF5 file, but no record of carom");
  info_.version = file_.text_attribute("version").value_or("");
  if (*format > kRecordFormat) {
    refuse_record(file_.path(),
                  "its format is " + std::to_string(*format) + ", written by carom " + printable(info_.version) +
                      "; this is carom " + kVersion + ", which reads formats up to " + std::to_string(kRecordFormat),
                  Kind::unsupported);
  }
  if (*format < 1) refuse_record(file_.path(), "its attribute 'format' is damaged");
  if (!scene) refuse_record(file_.path(), "its attribute 'scene' is missing or damaged");
  if (!bodies || *bodies < 0) refuse_record(file_.path(), "its attribute 'bodies' is missing or damaged");
  info_.scene = *scene;
  info_.bodies = static_cast<std::size_t>(*bodies);
  info_.settings = file_.text_list_attribute("settings").value_or(std::vector<std::string>{});
  info_.engine = file_.text_attribute("engine").value_or("");
  info_.law = file_.text_attribute("law").value_or("");
  info_.options = file_.text_attribute("options").value_or("");
  info_.seed = file_.integer_attribute("seed").value_or(0);
  info_.objects = file_.read_texts(kObjects);
  info_.pockets = file_.read_texts(kPockets);
  if (file_.has(kJoints)) info_.joints = file_.read_texts(kJoints);
  if (file_.has(kJointKinds)) info_.joint_kinds = file_.read_texts(kJointKinds);
  if (file_.has(kScript)) info_.script = file_.read_texts(kScript);
  if (info_.objects.size() < info_.bodies) refuse_record(file_.path(), "it names fewer objects than it has bodies");
  for (const std::string& text : file_.text_list_attribute(kExtended).value_or(std::vector<std::string>{}))
    info_.extended.push_back(parse_number(text, kExtended));
  const std::string stop = file_.text_attribute("stop").value_or(kRunning);
  info_.complete = stop != kRunning;
  if (!info_.complete) return;
  info_.stop = stop;
  info_.summary = file_.text_attribute("summary").value_or("");
}

void RecordReader::count_rows() {
  std::vector<std::int64_t> good = file_.read_numbers(kRowCounts);
  if (joints_.empty() && good.size() + 2 == kTableCount) good.push_back(0);
  if (forces_.empty() && good.size() + 1 == kTableCount) good.push_back(0);
  if (good.size() != kTableCount) refuse_record(file_.path(), std::string(kRowCounts) + " is damaged");
  for (std::size_t i = 0; i < kTableCount; ++i) {
    for (const hdf5::Column& column : *tables()[i]) {
      if (good[i] < 0 || file_.rows(column) < static_cast<std::size_t>(good[i])) {
        refuse_record(file_.path(), column.path + " is shorter than it should be");
      }
    }
    rows_[i] = static_cast<std::size_t>(good[i]);
  }
  require_plausible_rows();
}

/// A damaged file may claim any number of rows; whoever reads them all should come to an end.
void RecordReader::require_plausible_rows() const {
  double bytes = 0.0;
  for (std::size_t i = 0; i < kTableCount; ++i) {
    for (const hdf5::Column& column : *tables()[i]) {
      bytes += static_cast<double>(rows_[i]) * static_cast<double>(column.row_elements() * column.element.size());
    }
  }
  if (bytes > static_cast<double>(hdf5::kBestCompression) * static_cast<double>(file_.size())) {
    refuse_record(file_.path(), "it claims more rows than a file of this size can hold");
  }
}

std::vector<double> RecordReader::series(const std::string& path, std::size_t first, std::size_t count) const {
  for (const hdf5::Column& column : samples_) {
    if (column.path != path) continue;
    CAROM_ASSERT(first + count <= sample_count());
    std::vector<double> values(count * column.row_elements());
    file_.read_rows(column, first, values);
    return values;
  }
  throw InputError(Kind::unknown_name, path, "a record has no samples of '" + path + "'");
}

bool RecordReader::has_samples_of(const std::string& path) const {
  return std::any_of(samples_.begin(), samples_.end(), [&](const hdf5::Column& column) { return column.path == path; });
}

State RecordReader::state(std::size_t sample) const {
  RowReader rows(file_, samples_, sample, 1);
  State state;
  state.time = rows.reals()[0];
  const std::vector<Eigen::Vector3d> position = rows.vectors();
  const std::vector<double> orientation = rows.reals();
  const std::vector<Eigen::Vector3d> velocity = rows.vectors();
  const std::vector<Eigen::Vector3d> angular_velocity = rows.vectors();
  state.bodies.resize(info_.bodies);
  for (std::size_t i = 0; i < info_.bodies; ++i) {
    const double* const q = &orientation[4 * i];
    state.bodies[i] = {position[i], Eigen::Quaterniond(q[0], q[1], q[2], q[3]), velocity[i], angular_velocity[i]};
  }
  return state;
}

EnergyBook RecordReader::energy(std::size_t sample) const {
  RowReader rows(file_, std::span(samples_).subspan(5), sample, 1);
  EnergyBook book;
  for (const EnergyColumn& column : kEnergyColumns)
    if (has_samples_of(energy_path(column))) column.field(book) = rows.reals()[0];
  return book;
}

std::optional<RecordCheckpoint> RecordReader::checkpoint() const {
  if (!file_.has(kCheckpoint) || !file_.has(kCheckpointRows)) return std::nullopt;
  RecordCheckpoint checkpoint;
  checkpoint.bytes = file_.read_bytes(kCheckpoint);
  const std::vector<std::int64_t> rows = file_.read_numbers(kCheckpointRows);
  bool fits = rows.size() == kTableCount + 1;
  for (std::size_t i = 0; fits && i < kTableCount; ++i) {
    fits = rows[i] >= 0 && static_cast<std::size_t>(rows[i]) <= rows_[i];
    checkpoint.rows[i] = rows[i];
  }
  if (!fits) refuse_record(file_.path(), std::string(kCheckpointRows) + " is damaged");
  checkpoint.wall_time = 1e-6 * static_cast<double>(rows[kTableCount]);
  return checkpoint;
}

std::optional<JointKind> joint_kind(const RecordInfo& info, std::size_t joint) {
  if (joint >= info.joint_kinds.size()) return std::nullopt;
  for (int k = 0; k <= static_cast<int>(kLastJointKind); ++k) {
    const auto kind = static_cast<JointKind>(k);
    if (info.joint_kinds[joint] == joint_kind_name(kind)) return kind;
  }
  return std::nullopt;
}

bool is_of_turn(const LimitIndex& limit, const RecordInfo& info) {
  if (!limit.exists()) return false;
  const std::optional<JointKind> kind = joint_kind(info, static_cast<std::size_t>(limit.joint));
  return kind && !is_shift(*kind, limit.coordinate);
}

}  // namespace carom
