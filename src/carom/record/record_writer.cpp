#include "carom/record/record_writer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "carom/base/activity.h"
#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/version.h"
#include "carom/record/disk_space.h"
#include "carom/record/record_model.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_words.h"

namespace carom {
namespace {

constexpr std::size_t kChunkRows = 4096;
constexpr std::size_t kLargeFile = std::size_t{64} << 20;
constexpr hdf5::Storage kGrowing{kChunkRows, false};

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, "cannot write the record '" + path + "': " + reason);
}

std::string system_reason() {
  return std::generic_category().message(errno);
}

/// The file that a path means, behind symbolic links. Throws where it must not be replaced.
std::string replaceable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return path;
  if (error) refuse(path, error.message());
  if (fs::is_directory(status)) refuse(path, "it is a folder");
  if (!fs::is_regular_file(status)) refuse(path, "it is not an ordinary file");
  if (::access(path.c_str(), W_OK) != 0) refuse(path, system_reason());
  if (fs::file_size(path, error) > 0 && !is_record(path)) {
    refuse(path, "a file of that name exists that is no record of carom; it is left as it is");
  }
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

/// The new file beside the one that it will become. Tried with plain means first, for the sake of the message.
std::string part_of(const std::string& path) {
  std::string part = path + ".part";
  errno = 0;
  if (!std::ofstream(part, std::ios::binary)) refuse(path, system_reason());
  return part;
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (int object = 0; object < model.object_count(); ++object) names.push_back(model.name(object));
  return names;
}

std::vector<std::string> pocket_names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Pocket& pocket : model.pockets) names.push_back(pocket.name);
  return names;
}

std::vector<std::string> joint_names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) names.push_back(joint.name);
  return names;
}

std::vector<std::string> joint_kinds_of(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) names.emplace_back(joint_kind_name(joint.kind));
  return names;
}

std::vector<std::string> script_names_of(const Model& model) {
  std::vector<std::string> names;
  for (const ScriptedEvent& event : model.script) names.push_back(event.name);
  return names;
}

/// All of them where one is driven, so that nobody has to know how they move.
std::vector<Obstacle> driven_obstacles(const Model& model) {
  const auto is_driven = [](const Obstacle& obstacle) { return obstacle.driven(); };
  if (std::none_of(model.obstacles.begin(), model.obstacles.end(), is_driven)) return {};
  return {model.obstacles.begin(), model.obstacles.end()};
}

/// Name k is that of bit k.
std::vector<std::string> flag_names() {
  std::vector<std::string> names;
  for (const Flag flag : all_flags()) {
    CAROM_ASSERT(static_cast<std::uint32_t>(flag) == 1u << names.size());
    names.emplace_back(flag_name(flag));
  }
  return names;
}

void write_header(hdf5::File& file, const RecordHeader& header, std::size_t bodies) {
  file.set_attribute("/", "format", kRecordFormat);
  file.set_attribute("/", "version", std::string(kVersion));
  file.set_attribute("/", "scene", header.scene);
  file.set_attribute("/", "settings", header.settings);
  file.set_attribute("/", "engine", header.engine);
  file.set_attribute("/", "law", header.law);
  file.set_attribute("/", "options", header.options);
  file.set_attribute("/", "seed", header.seed);
  file.set_attribute("/", "bodies", static_cast<std::int64_t>(bodies));
  std::vector<std::string> extended;
  for (const double end : header.extended) extended.push_back(format_number(end));
  if (!extended.empty()) file.set_attribute("/", kExtended, extended);
}

/// Columns of few rows have small chunks.
hdf5::Storage final_storage(const RowBuffer& table) {
  return {static_cast<std::size_t>(std::clamp<std::int64_t>(table.all_rows(), 1, kChunkRows)), true};
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, const Model& model, RecordHeader header, RecordRhythm rhythm,
                           RecordContents contents)
    : path_(replaceable(path)),
      header_(std::move(header)),
      rhythm_(rhythm),
      contents_(contents),
      model_(model),
      objects_(names_of(model)),
      pockets_(pocket_names_of(model)),
      joints_(joint_names_of(model)),
      joint_kinds_(joint_kinds_of(model)),
      script_(script_names_of(model)),
      bodies_(model.bodies.size()),
      rows_({bodies_, joints_.size(), contents.contact_forces, driven_obstacles(model)}) {
  replace_file([this](const std::string& part) { write_whole(part, nullptr); });
  last_flush_ = std::chrono::steady_clock::now();
}

RecordWriter::RecordWriter(const std::string& path, const Model& model, RecordHeader header,
                           RecordCheckpoint checkpoint, RecordRhythm rhythm, RecordContents contents)
    : path_(replaceable(path)),
      header_(std::move(header)),
      rhythm_(rhythm),
      contents_(contents),
      model_(model),
      objects_(names_of(model)),
      pockets_(pocket_names_of(model)),
      joints_(joint_names_of(model)),
      joint_kinds_(joint_kinds_of(model)),
      script_(script_names_of(model)),
      bodies_(model.bodies.size()),
      rows_({bodies_, joints_.size(), contents.contact_forces, driven_obstacles(model)}),
      appended_(true),
      written_(checkpoint.rows),
      checkpoint_(std::move(checkpoint)),
      lock_(WriterLock::to_go_on(path_)) {
  rows_.go_on_after(written_);
  file_size_ = static_cast<std::size_t>(std::filesystem::file_size(path_));
  replace_file([this](const std::string& part) { write_whole(part, nullptr); });
  last_flush_ = std::chrono::steady_clock::now();
}

/// The record, or an error that leaves the one that was there; a kill leaves the one or the other, and perhaps `.part`.
void RecordWriter::replace_file(const std::function<void(const std::string& part)>& write) {
  const std::string part = part_of(path_);
  try {
    write(part);
    give_back_space(part);
    file_size_ = static_cast<std::size_t>(std::filesystem::file_size(part));
    WriterLock lock = WriterLock::of_writer(part);
    std::filesystem::rename(part, path_);
    lock_ = std::move(lock);
  } catch (const std::filesystem::filesystem_error& error) {
    ::unlink(part.c_str());
    refuse(path_, error.code().message());
  } catch (const InputError& error) {
    ::unlink(part.c_str());
    refuse(path_, error.what());
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

void RecordWriter::create_tables(hdf5::File& file, bool compressed) const {
  for (const char* const group : {"/energy", "/events", "/events/contacts", "/events/jumps", "/events/joints"})
    file.create_group(group);
  if (contents_.contact_forces) file.create_group("/contact_forces");
  for (const RowBuffer* const table : rows_.tables()) {
    table->create_columns(file, compressed ? final_storage(*table) : kGrowing);
  }
  file.set_attribute("/events/flags", "names", flag_names());
  file.write_texts(kObjects, objects_);
  file.write_texts(kPockets, pockets_);
  file.write_texts(kJoints, joints_);
  file.write_texts(kJointKinds, joint_kinds_);
  file.write_texts(kScript, script_);
  const auto first_obstacle = objects_.begin() + static_cast<std::ptrdiff_t>(bodies_);
  file.write_texts(kBodies, std::vector<std::string>(objects_.begin(), first_obstacle));
  file.write_texts(kObstacles, std::vector<std::string>(first_obstacle, objects_.end()));
  file.write_texts(kAxes, std::vector<std::string>{"x", "y", "z"});
  file.write_texts(kQuaternion, std::vector<std::string>{"w", "x", "y", "z"});
  file.create_numbers(kRowCounts, rows_.counts());
  describe_names(file);
  for (const RowBuffer* const table : rows_.tables()) describe_columns(file, table->columns());
  write_model(file, model_);
}

void RecordWriter::append_waiting(hdf5::File& file) const {
  for (const RowBuffer* const table : rows_.tables()) table->append_to(file);
}

/// The rows of the file that has grown so far, those alone that are known of.
void RecordWriter::copy_appended(hdf5::File& file, bool compressed) const {
  const hdf5::File grown = hdf5::File::read(path_);
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < kTableCount; ++i) {
    const RowBuffer* const table = rows_.tables()[i];
    for (const hdf5::Column& column : table->columns()) {
      const auto all = static_cast<std::size_t>(written_[i]);
      // Whole chunks, so that each is compressed once.
      const std::size_t chunk = hdf5::rows_per_chunk(column, compressed ? final_storage(*table) : kGrowing);
      for (std::size_t first = 0; first < all; first += chunk) {
        Activity::tick();
        const std::size_t count = std::min(chunk, all - first);
        block.resize(count * column.row_elements() * column.element.size());
        grown.read_raw(column, first, count, block.data());
        file.append_rows(column, count, block);
      }
    }
  }
}

void RecordWriter::write_checkpoint(hdf5::File& file, bool compressed) const {
  if (!checkpoint_) return;
  std::vector<std::int64_t> numbers(checkpoint_->rows.begin(), checkpoint_->rows.end());
  numbers.push_back(static_cast<std::int64_t>(1e6 * checkpoint_->wall_time));
  file.write_bytes(kCheckpoint, checkpoint_->bytes, compressed);
  if (file.has(kCheckpointRows)) {
    file.overwrite_numbers(kCheckpointRows, numbers);
  } else {
    file.create_numbers(kCheckpointRows, numbers);
    describe_checkpoint(file);
  }
}

std::size_t RecordWriter::room_needed() const {
  std::size_t bytes = checkpoint_ ? checkpoint_->bytes.size() + (std::size_t{1} << 17) : 0;
  for (const RowBuffer* const table : rows_.tables()) bytes += table->room_needed(kGrowing);
  return bytes;
}

void RecordWriter::write_ending(hdf5::File& file, const Ending* ending) {
  file.set_attribute("/", "stop", std::string(ending == nullptr ? kRunning : run_stop_name(ending->stop)));
  file.set_attribute("/", "summary", ending == nullptr ? std::string() : ending->summary);
}

void RecordWriter::write_whole(const std::string& part, const Ending* ending) const {
  hdf5::File file = hdf5::File::create(part);
  reserve_space(part, file_size_ + room_needed() + header_.scene.size());  // compressed it will need less
  write_header(file, header_, bodies_);
  write_ending(file, ending);
  create_tables(file, ending != nullptr);
  if (appended_) copy_appended(file, ending != nullptr);
  append_waiting(file);
  write_checkpoint(file, ending != nullptr);
  file.close();
}

void RecordWriter::append_to_copy(const std::string& part, const Ending* ending) const {
  std::filesystem::copy_file(path_, part, std::filesystem::copy_options::overwrite_existing);
  reserve_space(part, room_needed());
  hdf5::File file = hdf5::File::append(part);
  const std::vector<std::int64_t> there = file.read_numbers(kRowCounts);
  if (!std::equal(there.begin(), there.end(), written_.begin(), written_.end())) {
    throw InputError(Kind::file, "", "it is no longer the file that it was; does another program write to it?");
  }
  append_waiting(file);
  file.overwrite_numbers(kRowCounts, rows_.counts());
  if (checkpoint_waits_) write_checkpoint(file, false);
  if (ending != nullptr) write_ending(file, ending);
  file.close();
}

void RecordWriter::flush() {
  const auto began = std::chrono::steady_clock::now();
  last_flush_ = began;
  if (rows_.empty() && !checkpoint_waits_) return;
  replace_file([this](const std::string& part) { append_to_copy(part, nullptr); });
  checkpoint_waits_ = false;
  written_ = rows_.counts();
  appended_ = true;
  rows_.clear();
  last_flush_ = std::chrono::steady_clock::now();
  flush_seconds_ = std::chrono::duration<double>(last_flush_ - began).count();
}

void RecordWriter::finish(RunStop stop, const std::string& summary) {
  const Ending ending{stop, summary};
  if (stop == RunStop::interrupted) {  // somebody waits for the end, and compression takes a second for every 30 MB
    replace_file([this, &ending](const std::string& part) { append_to_copy(part, &ending); });
  } else {
    if (appended_) {  // what follows may take a while; a checkpoint of the end comes with the word that it is the end
      const bool waits = std::exchange(checkpoint_waits_, false);
      flush();
      checkpoint_waits_ = waits;
    }
    const Activity activity("the compression of the record");
    try {
      replace_file([this, &ending](const std::string& part) { write_whole(part, &ending); });
    } catch (const Interrupted&) {  // it stays as large as it is
      replace_file([this, &ending](const std::string& part) { append_to_copy(part, &ending); });
    }
  }
  rows_.clear();
  lock_ = WriterLock();
}

void RecordWriter::keep_checkpoint(std::vector<std::byte> bytes, double wall_time) {
  checkpoint_ = {std::move(bytes), rows_.counts(), wall_time};
  checkpoint_waits_ = true;
}

void RecordWriter::note_extension(double end) {
  flush();
  header_.extended.push_back(end);
  replace_file([this](const std::string& part) { write_whole(part, nullptr); });
}

void RecordWriter::flush_if_due() {
  // Each time costs a copy of the file: what it costs is kept to a twentieth of the time, and a large file waits for an
  // eighth of its size.
  const std::size_t many =
      file_size_ > kLargeFile ? std::max(rhythm_.waiting_bytes, file_size_ / 8) : rhythm_.waiting_bytes;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_flush_;
  if (rows_.waiting_bytes() > many || since.count() > std::max(rhythm_.seconds, 20.0 * flush_seconds_)) flush();
}

void RecordWriter::sample(const State& state, const EnergyBook& book) {
  rows_.add_sample(state, book);
  flush_if_due();
}

void RecordWriter::event(const EventRecord& event) {
  rows_.add_event(event);
  flush_if_due();
}

void RecordWriter::progress(double /*time*/, long /*events*/) {
  flush_if_due();
}

}  // namespace carom
