#include "carom/export/csv.h"

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <optional>

#include "carom/analysis/sample_interval.h"
#include "carom/base/number.h"
#include "carom/export/export_folder.h"
#include "carom/export/whole_file.h"
#include "carom/record/record_layout.h"
#include "carom/simulation/record_scene.h"

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
        scene_(has_energies_at_jumps(record, choice.span) ? scene_if_readable(record.info()) : nullptr),
        choice_(choice),
        samples_(folder + "/samples.csv"),
        energy_(folder + "/energy.csv"),
        events_(folder + "/events.csv"),
        jumps_(folder + "/jumps.csv") {
    for (const std::string& name : record.info().objects) names_.push_back(csv_field(name));
    for (const std::string& name : record.info().joints) joints_.push_back(csv_field(name));
    if (record.has_contact_loads()) contact_forces_.emplace(folder + "/contact_forces.csv");
    if (joints_.empty() || !record.has_samples_of(kJointForce)) return;
    joint_loads_.emplace(folder + "/joint_loads.csv");
    joint_impulses_.emplace(folder + "/joint_impulses.csv");
  }

  void write(const ExportProgress& progress) {
    write_samples(progress);
    write_events(progress);
  }

  ExportReport keep() {
    ExportReport report;
    std::vector<WholeFile*> files = {&samples_, &energy_, &events_, &jumps_};
    if (contact_forces_) files.push_back(&*contact_forces_);
    if (joint_loads_) files.insert(files.end(), {&*joint_loads_, &*joint_impulses_});
    for (WholeFile* const file : files) {
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
        "friction,swallowed,wall_work,torque_work,motor_work,balance_error\n");
    if (joint_loads_) joint_loads_->write("time,joint,fx,fy,fz,cx,cy,cz\n");
    if (contact_forces_) contact_forces_->write("time,a,b,x,y,z,nx,ny,nz,force,tx,ty,tz,cx,cy,cz,mode\n");
    const std::vector<std::size_t> chosen = chosen_samples(record_, choice_);
    const std::vector<double> time = record_.series("/time", 0, record_.sample_count());
    const std::size_t length = SampleBlock::usual_size(record_.info().bodies);
    // Jumps within the span may lie before the first sample and behind the last one within it.
    const std::size_t start = chosen.front() > 0 ? chosen.front() - 1 : 0;
    const auto end =
        static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), choice_.span.to) - time.begin());
    InstantReader instants(record_, time[start]);
    BlowReader blows(record_);
    auto next = chosen.begin();
    for (std::size_t first = start; first < end; first += length) {
      const std::size_t behind = std::min(first + length, end);
      SampleBlock block(record_, first, std::min(behind + 1, time.size()));
      for (std::size_t i = first; i < behind; ++i) {
        if (next != chosen.end() && *next == i) {
          write_sample(block, i - first);
          ++next;
        }
        if (i + 1 == time.size()) continue;
        write_jumps({block, i - first, take_instants(instants, block, i - first, i + 2 == time.size()), model(),
                     blows.between(time[i], time[i + 1])});
      }
      if (progress) progress(kShareOfSamples * static_cast<double>(behind) / static_cast<double>(end));
    }
  }

  /// Before and after each jump; at the ends of the interval the sample is one of the two.
  void write_jumps(const SampleInterval& interval) {
    for (const Instant& instant : interval.instants()) {
      if (!choice_.span.holds(instant.time)) continue;
      const std::string time = format_number(instant.time);
      for (const Side side : {Side::before, Side::after}) {
        if (instant.time == (side == Side::before ? interval.start() : interval.end())) continue;
        for (const JumpRecord& jump : instant.jumps) {
          write_body(time, static_cast<std::size_t>(jump.body), interval.body(jump.body, instant.time, side));
        }
        if (model() != nullptr) write_energy(time, interval.energy(instant.time, side));
      }
    }
  }

  void write_body(const std::string& time, std::size_t body, const BodyState& state) {
    const Eigen::Quaterniond& q = state.orientation;
    row_.text(time).text(names_[body]).vector(state.position);
    row_.number(q.w()).vector(q.vec()).vector(state.velocity).vector(state.angular_velocity).write_to(samples_);
  }

  void write_energy(const std::string& time, const EnergyBook& book) {
    row_.text(time);
    for (const double value :
         {book.now.kinetic, book.now.gravity, book.now.springs, book.now.loads, book.now.contacts, book.now.total(),
          book.initial, book.dissipated(), book.impacts, book.damping, book.cut_off, book.contacts, book.friction,
          book.swallowed, book.wall_work, book.torque_work, book.motor_work, book.error()}) {
      row_.number(value);
    }
    row_.write_to(energy_);
  }

  void write_sample(SampleBlock& block, std::size_t i) {
    const std::string time = format_number(block.time(i));
    for (std::size_t k = 0; k < record_.info().bodies; ++k) write_body(time, k, block.body(i, static_cast<int>(k)));
    write_energy(time, block.energy(i));
    for (std::size_t k = 0; joint_loads_ && k < joints_.size(); ++k) {
      row_.text(time).text(joints_[k]).vector(block.joint_vector(kJointForce, i, static_cast<int>(k)));
      row_.vector(block.joint_vector(kJointCouple, i, static_cast<int>(k))).write_to(*joint_loads_);
    }
    if (!contact_forces_) return;
    for (const ContactLoad& load : block.contact_loads(i)) {
      row_.text(time).text(name(load.a)).text(name(load.b)).vector(load.point).vector(load.normal).number(load.force);
      row_.vector(load.friction).vector(load.couple).text(slip_mode_name(load.mode)).write_to(*contact_forces_);
    }
  }

  void write_events(const ExportProgress& progress) {
    events_.write(
        "event,time,kind,round,law,steps,stop,energy_before,energy_after,flags,contact,a,b,x,y,z,nx,ny,nz,impulse,tx,"
        "ty,"
        "tz,rate_before,rate_after,began,peak_force,peak_time\n");
    jumps_.write(
        "event,time,body,vx_before,vy_before,vz_before,vx_after,vy_after,vz_after,wx_before,wy_before,wz_before,"
        "wx_after,wy_after,wz_after\n");
    if (joint_impulses_) joint_impulses_->write("event,time,joint,fx,fy,fz,cx,cy,cz\n");
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
      row_.number(contact.rate_before).number(contact.rate_after);
      if (contact.course) {
        row_.number(contact.course->began).number(contact.course->peak_force).number(contact.course->peak_time);
      } else {
        row_.text(",,");
      }
      row_.write_to(events_);
    }
    if (event.contacts.empty()) row_.text(beginning).text(",,,,,,,,,,,,,,,,,").write_to(events_);
    for (const JumpRecord& jump : event.jumps) {
      row_.integer(index).number(event.time).text(name(jump.body)).vector(jump.velocity_before);
      row_.vector(jump.velocity_after).vector(jump.angular_velocity_before).vector(jump.angular_velocity_after);
      row_.write_to(jumps_);
    }
    for (const JointRecord& joint : event.joints) {
      if (!joint_impulses_) break;
      row_.integer(index).number(event.time).text(joints_[static_cast<std::size_t>(joint.joint)]);
      row_.vector(joint.force).vector(joint.couple).write_to(*joint_impulses_);
    }
  }

  /// Of an object; joints may hold a body to the ground, which is none.
  [[nodiscard]] const std::string& name(int object) const {
    static const std::string kGround = "ground";
    return object == kNone ? kGround : names_[object];
  }

  /// Null where the scene cannot be read.
  [[nodiscard]] const Model* model() const { return scene_ ? &scene_->model : nullptr; }

  RecordReader& record_;
  std::unique_ptr<const scene::SceneFile> scene_;
  SampleChoice choice_;
  WholeFile samples_, energy_, events_, jumps_;
  std::optional<WholeFile> contact_forces_;                ///< where they were recorded
  std::optional<WholeFile> joint_loads_, joint_impulses_;  ///< where there are joints
  std::vector<std::string> names_, joints_;
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
