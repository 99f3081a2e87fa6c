#include "carom/record/record_writer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/version.h"
#include "carom/record/record_reader.h"

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
  file.set_fixed_attribute("stop", kRunning, kStopSize);
  file.set_fixed_attribute("summary", "", kSummarySize);
}

void write_ending(hdf5::File& file, RunStop stop, const std::string& summary) {
  file.overwrite_fixed_attribute("summary", summary);
  file.overwrite_fixed_attribute("stop", std::string(run_stop_name(stop)));
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, const Model& model, RecordHeader header, RecordRhythm rhythm)
    : path_(replaceable(path)),
      header_(std::move(header)),
      rhythm_(rhythm),
      objects_(names_of(model)),
      bodies_(model.bodies.size()),
      samples_(sample_columns(bodies_)),
      events_(event_columns()),
      contacts_(contact_columns()),
      jumps_(jump_columns()) {
  write_whole(&RecordWriter::append_waiting, nullptr);
  clear_waiting();
}

void RecordWriter::create_tables(hdf5::File& file, bool compressed) const {
  for (const char* const group : {"/energy", "/events", "/events/contacts", "/events/jumps"}) file.create_group(group);
  for (const RowBuffer* const table : tables()) {
    const auto rows = static_cast<std::size_t>(std::clamp<std::int64_t>(table->all_rows(), 1, kChunkRows));
    table->create_columns(file, compressed ? hdf5::Storage{rows, true} : kGrowing);
  }
  file.set_attribute("/events/flags", "names", flag_names());
  file.write_texts("/objects", objects_);
  file.create_numbers(kRowCounts, row_counts());
}

std::array<std::int64_t, 4> RecordWriter::row_counts() const {
  return {samples_.all_rows(), events_.all_rows(), contacts_.all_rows(), jumps_.all_rows()};
}

void RecordWriter::append_waiting(hdf5::File& file) const {
  for (const RowBuffer* const table : tables()) table->append_to(file);
}

/// All rows of the file that has grown so far.
void RecordWriter::copy_appended(hdf5::File& file) const {
  const hdf5::File grown = hdf5::File::read(path_);
  std::vector<std::byte> block;
  for (const RowBuffer* const table : tables()) {
    for (const hdf5::Column& column : table->columns()) {
      const auto all = static_cast<std::size_t>(table->all_rows());
      for (std::size_t first = 0; first < all; first += kChunkRows) {
        const std::size_t count = std::min(kChunkRows, all - first);
        block.resize(count * column.row_elements() * column.element.size());
        grown.read_raw(column, first, count, block.data());
        file.append_rows(column, count, block);
      }
    }
  }
}

std::size_t RecordWriter::room_needed() const {
  std::size_t bytes = 0;
  for (const RowBuffer* const table : tables()) bytes += table->room_needed(kGrowing);
  return bytes;
}

void RecordWriter::clear_waiting() {
  for (RowBuffer* const table : {&samples_, &events_, &contacts_, &jumps_}) table->clear();
  last_flush_ = std::chrono::steady_clock::now();
}

void RecordWriter::write_whole(FillTables fill, const Ending* ending) {
  const std::string part = part_of(path_);
  try {
    hdf5::File file = hdf5::File::create(part);
    write_header(file, header_, bodies_);
    create_tables(file, ending != nullptr);
    (this->*fill)(file);
    if (ending != nullptr) write_ending(file, ending->stop, ending->summary);
    file.close();
    std::filesystem::rename(part, path_);
  } catch (const std::filesystem::filesystem_error& error) {
    ::unlink(part.c_str());
    refuse(path_, error.code().message());
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

/// Not in place: a kill can tear a write of the library at the border of two pages of memory.
void RecordWriter::append_to_copy() {
  const auto began = std::chrono::steady_clock::now();
  const std::string part = part_of(path_);
  try {
    std::filesystem::copy_file(path_, part, std::filesystem::copy_options::overwrite_existing);
    hdf5::File file = hdf5::File::append(part, room_needed());
    append_waiting(file);
    file.overwrite_numbers(kRowCounts, row_counts());
    file.close();
    file_size_ = static_cast<std::size_t>(std::filesystem::file_size(part));
    std::filesystem::rename(part, path_);
  } catch (const std::filesystem::filesystem_error& error) {
    ::unlink(part.c_str());
    refuse(path_, error.code().message());
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
  flush_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void RecordWriter::flush() {
  if (samples_.waiting_rows() + events_.waiting_rows() > 0) {
    appended_ = true;
    append_to_copy();
  }
  clear_waiting();
}

void RecordWriter::finish(RunStop stop, const std::string& summary) {
  CAROM_ASSERT(summary.size() <= kSummarySize);
  const Ending ending{stop, summary};
  if (!appended_) {
    write_whole(&RecordWriter::append_waiting, &ending);
    clear_waiting();
    return;
  }
  flush();
  try {
    write_whole(&RecordWriter::copy_appended, &ending);
  } catch (const InputError&) {
    // No room for another one: the large one gets the ending.
    hdf5::File file = hdf5::File::append(path_, room_needed());
    write_ending(file, stop, summary);
    file.close();
  }
}

void RecordWriter::flush_if_due() {
  const std::size_t waiting =
      samples_.waiting_bytes() + events_.waiting_bytes() + contacts_.waiting_bytes() + jumps_.waiting_bytes();
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_flush_;
  // Each time costs a copy of the file: what it costs is kept to a twentieth of the time, and a large file waits for an
  // eighth of its size.
  const std::size_t many =
      file_size_ > kLargeFile ? std::max(rhythm_.waiting_bytes, file_size_ / 8) : rhythm_.waiting_bytes;
  if (waiting > many || since.count() > std::max(rhythm_.seconds, 20.0 * flush_seconds_)) flush();
}

void RecordWriter::sample(const State& state, const EnergyBook& book) {
  CAROM_ASSERT(state.bodies.size() == bodies_);
  // One column of all bodies at a time.
  const auto put = [this, &state](const auto& components_of) {
    scratch_.clear();
    for (const BodyState& body : state.bodies) {
      const auto components = components_of(body);
      scratch_.insert(scratch_.end(), components.data(), components.data() + components.size());
    }
    samples_.reals(scratch_);
  };
  samples_.real(state.time);
  put([](const BodyState& body) { return body.position; });
  put([](const BodyState& body) {
    const Eigen::Quaterniond& q = body.orientation;
    return Eigen::Vector4d(q.w(), q.x(), q.y(), q.z());
  });
  put([](const BodyState& body) { return body.velocity; });
  put([](const BodyState& body) { return body.angular_velocity; });
  samples_.real(book.now.kinetic).real(book.now.gravity).real(book.now.springs).real(book.now.loads);
  samples_.real(book.now.contacts);
  samples_.real(book.initial).real(book.impacts).real(book.damping).real(book.cut_off);
  samples_.real(book.contacts).real(book.friction).real(book.swallowed);
  samples_.real(book.wall_work).real(book.torque_work).end_row();
  flush_if_due();
}

void RecordWriter::event(const EventRecord& event) {
  if (event.law.size() > kLongestLawName) {
    throw InputError(Kind::limit, "law", "a record holds names of laws of at most 48 bytes");
  }
  const std::int64_t first_contact = contacts_.all_rows();
  const std::int64_t first_jump = jumps_.all_rows();
  for (const ContactRecord& contact : event.contacts) {
    contacts_.integer(contact.a).integer(contact.b).vector(contact.point).vector(contact.normal);
    contacts_.real(contact.impulse).vector(contact.tangential_impulse);
    contacts_.real(contact.rate_before).real(contact.rate_after).end_row();
  }
  for (const JumpRecord& jump : event.jumps) {
    jumps_.integer(jump.body).vector(jump.velocity_before).vector(jump.velocity_after);
    jumps_.vector(jump.angular_velocity_before).vector(jump.angular_velocity_after).end_row();
  }
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  events_.real(event.time).text(event_kind_name(event.kind)).integer(event.round).text(event.law);
  events_.integer(event.steps).text(stop_name(event.stop));
  events_.real(event.energy.before).real(event.energy.after).real(event.energy.change);
  events_.real(event.energy.change_from_impulses).real(event.energy.contact_work).real(event.energy.wall_work);
  events_.integer(event.flags.bits()).real(event.min_impulse).real(event.min_gap_rate_after);
  events_.real(event.constraint_residual).real(event.complementarity_residual.value_or(kAbsent));
  events_.integer(first_contact).integer(static_cast<std::int64_t>(event.contacts.size()));
  events_.integer(first_jump).integer(static_cast<std::int64_t>(event.jumps.size())).end_row();
  flush_if_due();
}

void RecordWriter::progress(double /*time*/, long /*events*/) {
  flush_if_due();
}

}  // namespace carom
