#include "carom/export/vtk.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include "carom/analysis/sample_block.h"
#include "carom/base/number.h"
#include "carom/export/export_folder.h"
#include "carom/export/surface_mesh.h"
#include "carom/export/vtp_file.h"

namespace carom {
namespace {

using Eigen::Vector3d;
using On = VtpFile::On;
using Precision = VtpFile::Precision;

constexpr const char* kFrameKinds[] = {"bodies", "points", "contacts", "driven"};

int meridians_for(std::size_t bodies) {
  if (bodies <= 20) return 24;
  if (bodies <= 200) return 16;
  return bodies <= 10000 ? 12 : 8;
}

/// The ball in which all bodies move.
struct Region {
  Vector3d centre = Vector3d::Zero();
  double radius = 1.0;
};

/// The chosen samples one after the other, read in blocks: single rows of a compressed record cost as much as many.
class ChosenSamples {
 public:
  ChosenSamples(const RecordReader& record, const std::vector<std::size_t>& samples)
      : record_(record), length_(SampleBlock::usual_size(record.info().bodies)), end_(samples.back() + 1) {}

  /// The block that holds this sample. Samples are asked for in rising order.
  SampleBlock& block_of(std::size_t sample) {
    if (!block_ || sample - first_ >= block_->size()) {
      first_ = sample;
      block_.emplace(record_, first_, std::min(first_ + length_, end_));
    }
    return *block_;
  }
  [[nodiscard]] std::size_t place_in_block(std::size_t sample) const { return sample - first_; }

 private:
  const RecordReader& record_;
  std::size_t length_;
  std::size_t end_;
  std::size_t first_ = 0;
  std::optional<SampleBlock> block_;
};

Region region_of(const RecordReader& record, const Model& model, const std::vector<std::size_t>& samples) {
  double largest = 0.0;
  for (const Body& body : model.bodies) largest = std::max(largest, bounding_radius(body.parts));
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = -low;
  ChosenSamples chosen(record, samples);
  for (const std::size_t sample : samples) {
    SampleBlock& block = chosen.block_of(sample);
    for (int k = 0; k < model.body_count(); ++k) {
      const Vector3d position = block.vector("/position", chosen.place_in_block(sample), k);
      if (!position.allFinite()) continue;
      low = low.cwiseMin(position);
      high = high.cwiseMax(position);
    }
  }
  if (!(low.array() <= high.array()).all()) return {};
  return {0.5 * (low + high), 0.5 * (high - low).norm() + largest};
}

std::vector<double> norms(const std::vector<Vector3d>& vectors) {
  std::vector<double> values;
  for (const Vector3d& vector : vectors) values.push_back(vector.norm());
  return values;
}

class VtkExport {
 public:
  VtkExport(RecordReader& record, const Model& model, std::string folder, const SampleChoice& choice)
      : record_(record),
        model_(model),
        folder_(std::move(folder)),
        choice_(choice),
        samples_(chosen_samples(record, choice)),
        region_(region_of(record, model, samples_)) {
    const int meridians = meridians_for(model.bodies.size());
    for (const Body& body : model.bodies) meshes_.push_back(surface_mesh(body.parts, meridians, 0.0));
    next_event_ = record.first_event_from(choice.span.from);
  }

  ExportReport write(const ExportProgress& progress) {
    const bool any_at_rest =
        std::any_of(model_.obstacles.begin(), model_.obstacles.end(), [](const Obstacle& o) { return !o.driven(); });
    const bool any_driven =
        std::any_of(model_.obstacles.begin(), model_.obstacles.end(), [](const Obstacle& o) { return o.driven(); });
    if (any_at_rest) write_obstacles("obstacles.vtp", 0.0, false);
    ChosenSamples chosen(record_, samples_);
    for (std::size_t frame = 0; frame < samples_.size(); ++frame) {
      SampleBlock& block = chosen.block_of(samples_[frame]);
      const State state = block.state(chosen.place_in_block(samples_[frame]));
      write_bodies(frame, state);
      write_points(frame, state);
      write_contacts(frame, state.time);
      if (any_at_rest) list(state.time, 3, "obstacles.vtp");
      if (any_driven) {
        const std::string name = frame_name("driven", frame);
        write_obstacles(name, state.time, true);
        list(state.time, 4, name);
      }
      if (progress) progress(static_cast<double>(frame + 1) / static_cast<double>(samples_.size()));
    }
    remove_older_frames(any_driven);
    write_collection();
    return report_;
  }

 private:
  static std::string frame_name(const char* kind, std::size_t frame) {
    return fmt::format("{}_{:06}.vtp", kind, frame);
  }

  void list(double time, int part, const std::string& name) {
    collection_ +=
        fmt::format("    <DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", format_number(time), part, name);
  }

  void write(VtpFile& file, const std::string& name) {
    report_.bytes += file.write(folder_ + "/" + name);
    ++report_.files;
  }

  /// The mesh at its place; returns how many cells it has.
  static std::size_t add_mesh(VtpFile& file, const SurfaceMesh& mesh, const Pose& pose, int& points) {
    std::vector<Vector3d> placed;
    placed.reserve(mesh.points.size());
    for (const Vector3d& point : mesh.points) placed.push_back(pose.to_world(point));
    file.add_points(placed);
    for (const std::vector<int>& face : mesh.faces) file.add_polygon(face, points);
    points += static_cast<int>(mesh.points.size());
    return mesh.faces.size();
  }

  void write_bodies(std::size_t frame, const State& state) {
    VtpFile file(Precision::single);
    file.set_time(state.time);
    std::vector<std::int64_t> body;
    std::vector<Vector3d> velocity, spin;
    int points = 0;
    for (std::size_t k = 0; k < state.bodies.size(); ++k) {
      const std::size_t cells = add_mesh(file, meshes_[k], state.bodies[k].pose(), points);
      body.insert(body.end(), cells, static_cast<std::int64_t>(k));
      velocity.insert(velocity.end(), cells, state.bodies[k].velocity);
      spin.insert(spin.end(), cells, state.bodies[k].angular_velocity);
    }
    file.add_integers(On::cells, "body", body);
    file.add_vectors(On::cells, "velocity", velocity);
    file.add_vectors(On::cells, "angular_velocity", spin);
    file.add_numbers(On::cells, "speed", norms(velocity));
    const std::string name = frame_name("bodies", frame);
    write(file, name);
    list(state.time, 0, name);
  }

  void write_points(std::size_t frame, const State& state) {
    VtpFile file(Precision::full);
    file.set_time(state.time);
    std::vector<std::int64_t> body;
    std::vector<Vector3d> position, velocity, spin;
    std::vector<double> orientation, radius;
    for (std::size_t k = 0; k < state.bodies.size(); ++k) {
      const BodyState& now = state.bodies[k];
      body.push_back(static_cast<std::int64_t>(k));
      position.push_back(now.position);
      velocity.push_back(now.velocity);
      spin.push_back(now.angular_velocity);
      const Eigen::Quaterniond& q = now.orientation;
      orientation.insert(orientation.end(), {q.w(), q.x(), q.y(), q.z()});
      radius.push_back(bounding_radius(model_.bodies[k].parts));
    }
    file.add_points(position);
    file.make_vertices();
    file.add_integers(On::points, "body", body);
    file.add_vectors(On::points, "velocity", velocity);
    file.add_vectors(On::points, "angular_velocity", spin);
    file.add_numbers(On::points, "speed", norms(velocity));
    file.add_tuples(On::points, "orientation", 4, orientation);
    file.add_numbers(On::points, "radius", radius);
    file.set_names(record_.info().objects);
    const std::string name = frame_name("points", frame);
    write(file, name);
    list(state.time, 1, name);
  }

  struct ContactRows {
    std::vector<Vector3d> point, normal, impulse_vector;
    std::vector<double> impulse, time;
    std::vector<std::int64_t> event, a, b;
  };

  /// Takes all events up to a time that no frame has had yet.
  ContactRows contacts_until(double time) {
    ContactRows rows;
    while (next_event_ < record_.event_count()) {
      if (next_event_ >= block_first_ + block_.events.size() || next_event_ < block_first_) {
        constexpr std::size_t kReadAhead = 1024;
        block_first_ = next_event_;
        block_ = record_.events(block_first_, std::min(kReadAhead, record_.event_count() - block_first_));
      }
      const EventRecord& event = block_.events[next_event_ - block_first_];
      if (event.time > time) break;
      for (const ContactRecord& contact : event.contacts) {
        rows.point.push_back(contact.point);
        rows.normal.push_back(contact.normal);
        rows.impulse.push_back(contact.impulse);
        rows.impulse_vector.emplace_back(contact.impulse * contact.normal + contact.tangential_impulse);
        rows.time.push_back(event.time);
        rows.event.push_back(static_cast<std::int64_t>(next_event_));
        rows.a.push_back(contact.a);
        rows.b.push_back(contact.b);
      }
      ++next_event_;
    }
    return rows;
  }

  void write_contacts(std::size_t frame, double time) {
    const ContactRows rows = contacts_until(time);
    VtpFile file(Precision::full);
    file.set_time(time);
    file.add_points(rows.point);
    file.make_vertices();
    file.add_numbers(On::points, "impulse", rows.impulse);
    file.add_vectors(On::points, "impulse_vector", rows.impulse_vector);
    file.add_vectors(On::points, "normal", rows.normal);
    file.add_numbers(On::points, "time", rows.time);
    file.add_integers(On::points, "event", rows.event);
    file.add_integers(On::points, "a", rows.a);
    file.add_integers(On::points, "b", rows.b);
    const std::string name = frame_name("contacts", frame);
    write(file, name);
    list(time, 2, name);
  }

  void write_obstacles(const std::string& name, double time, bool driven) {
    constexpr int kMeridians = 24;
    VtpFile file(Precision::single);
    file.set_time(time);
    std::vector<std::int64_t> object;
    int points = 0;
    for (std::size_t k = 0; k < model_.obstacles.size(); ++k) {
      const Obstacle& obstacle = model_.obstacles[k];
      if (obstacle.driven() != driven) continue;
      Pose pose = obstacle.pose_at(time);
      if (is_plane(obstacle.parts)) {
        const Vector3d local = pose.to_local(region_.centre);
        pose.position = pose.to_world({local.x(), local.y(), 0.0});
      }
      const SurfaceMesh mesh = surface_mesh(obstacle.parts, kMeridians, region_.radius);
      const std::size_t cells = add_mesh(file, mesh, pose, points);
      object.insert(object.end(), cells, static_cast<std::int64_t>(model_.bodies.size() + k));
    }
    file.add_integers(On::cells, "object", object);
    write(file, name);
  }

  /// Those that a longer run left here would otherwise be taken for frames of this one.
  void remove_older_frames(bool any_driven) const {
    for (const char* const kind : kFrameKinds) {
      const bool unused = std::string_view(kind) == "driven" && !any_driven;
      for (std::size_t frame = unused ? 0 : samples_.size();; ++frame) {
        std::error_code error;
        if (!std::filesystem::remove(folder_ + "/" + frame_name(kind, frame), error)) break;
      }
    }
  }

  void write_collection() {
    WholeFile file(folder_ + "/run.pvd");
    file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  "
        "<Collection>\n");
    file.write(collection_);
    file.write("  </Collection>\n</VTKFile>\n");
    file.keep();
    report_.bytes += file.bytes_written();
    ++report_.files;
  }

  RecordReader& record_;
  const Model& model_;
  std::string folder_;
  SampleChoice choice_;
  std::vector<std::size_t> samples_;
  Region region_;
  std::vector<SurfaceMesh> meshes_;
  std::size_t next_event_ = 0;
  std::size_t block_first_ = 0;
  EventBlock block_;
  std::string collection_;
  ExportReport report_;
};

}  // namespace

ExportReport export_vtk(RecordReader& record, const scene::SceneFile& scene, const std::string& folder,
                        const SampleChoice& choice, const ExportProgress& progress) {
  make_folder(folder);
  return VtkExport(record, scene.model, folder, choice).write(progress);
}

}  // namespace carom
