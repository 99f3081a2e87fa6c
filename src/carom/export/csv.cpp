#include "carom/export/csv.h"

#include <Eigen/Core>
#include <algorithm>

#include "carom/analysis/sample_block.h"
#include "carom/base/number.h"
#include "carom/export/export_folder.h"
#include "carom/export/whole_file.h"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kEventBlock = 4096;
constexpr double kShareOfSamples = 0.5;  // of the work, for the progress

/// One line of a table.
class Row {
 public:
  Row& text(std::string_view field) {
    if (begun_) line_ += ',';
    begun_ = true;
    line_ += field;
    return *this;
  }
  Row& number(double value) { return text(format_number(value)); }
  Row& integer(std::int64_t value) { return text(std::to_string(value)); }
  Row& vector(const Vector3d& value) { return number(value.x()).number(value.y()).number(value.z()); }
  void write_to(WholeFile& file) {
    line_ += '\n';
    file.write(line_);
    clear();
  }
  /// What it holds so far; it is empty after that.
  std::string move_out() {
    std::string line = line_;
    clear();
    return line;
  }

 private:
  void clear() {
    line_.clear();
    begun_ = false;
  }

  std::string line_;
  bool begun_ = false;
};

class CsvExport {
 public:
  CsvExport(RecordReader& record, const std::string& folder, const SampleChoice& choice)
      : record_(record),
        choice_(choice),
        samples_(folder + "/samples.csv"),
        energy_(folder + "/energy.csv"),
        events_(folder + "/events.csv"),
        jumps_(folder + "/jumps.csv") {
    for (const std::string& name : record.info().objects) names_.push_back(csv_field(name));
  }

  void write(const ExportProgress& progress) {
    write_samples(progress);
    write_events(progress);
  }

  ExportReport keep() {
    ExportReport report;
    for (WholeFile* const file : {&samples_, &energy_, &events_, &jumps_}) {
      file->keep();
      report.bytes += file->bytes_written();
      ++report.files;
    }
    return report;
  }

 private:
  void write_samples(const ExportProgress& progress) {
    samples_.write("time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    energy_.write(
        "time,kinetic,gravity,springs,loads,contacts,total,initial,dissipated,impacts,damping,cut_off,contact_damping,"
        "friction,swallowed,wall_work,torque_work,balance_error\n");
    const std::vector<std::size_t> chosen = chosen_samples(record_, choice_);
    const std::size_t length = SampleBlock::usual_size(record_.info().bodies);
    for (std::size_t next = 0; next < chosen.size();) {
      const std::size_t first = chosen[next];
      SampleBlock block(record_, first, std::min(first + length, chosen.back() + 1));
      for (; next < chosen.size() && chosen[next] - first < block.size(); ++next) {
        write_sample(block, chosen[next] - first);
      }
      if (progress) progress(kShareOfSamples * static_cast<double>(next) / static_cast<double>(chosen.size()));
    }
  }

  void write_sample(SampleBlock& block, std::size_t i) {
    const std::string time = format_number(block.time(i));
    for (std::size_t k = 0; k < record_.info().bodies; ++k) {
      const BodyState body = block.body(i, static_cast<int>(k));
      const Eigen::Quaterniond& q = body.orientation;
      row_.text(time).text(names_[k]).vector(body.position);
      row_.number(q.w()).vector(q.vec()).vector(body.velocity).vector(body.angular_velocity).write_to(samples_);
    }
    const EnergyBook& book = block.energy(i);
    row_.text(time);
    for (const double value :
         {book.now.kinetic, book.now.gravity, book.now.springs, book.now.loads, book.now.contacts, book.now.total(),
          book.initial, book.dissipated(), book.impacts, book.damping, book.cut_off, book.contacts, book.friction,
          book.swallowed, book.wall_work, book.torque_work, book.error()}) {
      row_.number(value);
    }
    row_.write_to(energy_);
  }

  void write_events(const ExportProgress& progress) {
    events_.write(
        "event,time,kind,round,law,steps,stop,energy_before,energy_after,flags,contact,a,b,x,y,z,nx,ny,nz,impulse,tx,"
        "ty,"
        "tz,rate_before,rate_after\n");
    jumps_.write(
        "event,time,body,vx_before,vy_before,vz_before,vx_after,vy_after,vz_after,wx_before,wy_before,wz_before,"
        "wx_after,wy_after,wz_after\n");
    const std::size_t count = record_.event_count();
    for (std::size_t first = 0; first < count; first += kEventBlock) {
      const EventBlock block = record_.events(first, std::min(kEventBlock, count - first));
      for (std::size_t i = 0; i < block.events.size(); ++i) {
        if (choice_.span.holds(block.events[i].time))
          write_event(static_cast<std::int64_t>(first + i), block.events[i]);
      }
      const double done = static_cast<double>(first + block.events.size()) / static_cast<double>(count);
      if (progress) progress(kShareOfSamples + (1.0 - kShareOfSamples) * done);
    }
  }

  void write_event(std::int64_t index, const EventRecord& event) {
    std::string flags;
    for (const Flag flag : all_flags()) {
      if (event.flags.has(flag)) flags += (flags.empty() ? "" : " ") + std::string(flag_name(flag));
    }
    row_.integer(index).number(event.time).text(event_kind_name(event.kind)).integer(event.round);
    row_.text(csv_field(std::string(event.law))).integer(event.steps).text(stop_name(event.stop));
    row_.number(event.energy.before).number(event.energy.after).text(flags);
    const std::string beginning = row_.move_out();
    for (std::size_t k = 0; k < event.contacts.size(); ++k) {
      const ContactRecord& contact = event.contacts[k];
      row_.text(beginning).integer(static_cast<std::int64_t>(k)).text(name(contact.a)).text(name(contact.b));
      row_.vector(contact.point).vector(contact.normal).number(contact.impulse).vector(contact.tangential_impulse);
      row_.number(contact.rate_before).number(contact.rate_after).write_to(events_);
    }
    if (event.contacts.empty()) row_.text(beginning).text(",,,,,,,,,,,,,,").write_to(events_);
    for (const JumpRecord& jump : event.jumps) {
      row_.integer(index).number(event.time).text(name(jump.body)).vector(jump.velocity_before);
      row_.vector(jump.velocity_after).vector(jump.angular_velocity_before).vector(jump.angular_velocity_after);
      row_.write_to(jumps_);
    }
  }

  [[nodiscard]] const std::string& name(int object) const { return names_[object]; }

  RecordReader& record_;
  SampleChoice choice_;
  WholeFile samples_, energy_, events_, jumps_;
  std::vector<std::string> names_;
  Row row_;
};

}  // namespace

std::string csv_field(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
  if (plain && !text.starts_with('-')) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

ExportReport export_csv(RecordReader& record, const std::string& folder, const SampleChoice& choice,
                        const ExportProgress& progress) {
  make_folder(folder);
  CsvExport tables(record, folder, choice);
  tables.write(progress);
  return tables.keep();
}

}  // namespace carom
