/// Simulations as bytes and back, and records that go on (simulation.h).

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

#include "carom/base/nearest_file.h"
#include "carom/base/version.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/record_header.h"
#include "carom/simulation/saved_simulation.h"
#include "carom/simulation/simulation_content.h"

namespace carom {

namespace {

RecordCheckpoint checkpoint_of(const RecordReader& record) {
  std::optional<RecordCheckpoint> checkpoint = record.checkpoint();
  if (checkpoint) return std::move(*checkpoint);
  Place place;
  place.file = record.path();
  throw InputError(Kind::file, place,
                   fmt::format("the record '{}' has no checkpoint to go on from: a run that is killed leaves one where "
                               "it was begun with carom run --checkpoint SECONDS",
                               record.path()));
}

}  // namespace

/// Between two events: a checkpoint goes to the record where it is due. Each costs a copy of the file, which is kept to
/// a twentieth of the time.
void Simulation::Content::pause(bool last) {
  if (!record) return;
  if (last) {
    record->keep_checkpoint(save(), wall_time_now());
    return;
  }
  if (!(checkpoint_seconds > 0.0)) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = now - last_checkpoint;
  if (since.count() < std::max(checkpoint_seconds, 20.0 * checkpoint_cost)) return;
  record->keep_checkpoint(save(), wall_time_now());
  record->flush();
  last_checkpoint = std::chrono::steady_clock::now();
  checkpoint_cost = std::chrono::duration<double>(last_checkpoint - now).count();
}

void Simulation::Content::transfer(Archive& archive) {
  archive(run);
  std::vector<Event> events(waiting.begin(), waiting.end());
  archive(events);
  if (archive.loads()) waiting.assign(events.begin(), events.end());
}

std::vector<std::byte> Simulation::Content::save() {
  Archive archive;
  transfer(archive);
  return to_bytes({kVersion, setup->scene.name(), setup->scene.text(), setup->scene.settings(), archive.take()});
}

std::vector<std::byte> Simulation::save() const {
  if (!content_->run.is_cut_short()) return content_->save();
  Content whole(*content_);
  whole.run.recover(whole.checkpoints.before(whole.run.time()));
  return whole.save();
}

void Simulation::save(const std::string& path) const {
  const std::vector<std::byte> bytes = save();
  const std::string part = path + ".part";
  const auto refuse = [&](int reason) {
    std::remove(part.c_str());
    Place place;
    place.file = path;
    throw InputError(
        Kind::file, place,
        fmt::format("cannot write the checkpoint '{}': {}", path, std::generic_category().message(reason)));
  };
  errno = 0;
  std::ofstream file(part, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) refuse(errno != 0 ? errno : EIO);
  if (std::rename(part.c_str(), path.c_str()) != 0) refuse(errno);
}

Simulation Simulation::load(std::span<const std::byte> bytes) {
  const SavedSimulation saved = saved_simulation(bytes);
  Scene scene = Scene::parse(saved.scene, saved.name);
  for (const std::string& setting : saved.settings) scene.set(setting);
  Simulation simulation(scene);
  Content& content = *simulation.content_;
  Archive archive(saved.state);
  content.transfer(archive);
  archive.finish();
  content.known_since = content.run.time();
  content.checkpoints = Checkpoints();
  content.checkpoints.keep(content.run);
  return simulation;
}

Simulation Simulation::load(std::span<const std::byte> bytes, const Scene& scene) {
  require_scene(saved_simulation(bytes), scene.text(), scene.settings());
  return load(bytes);
}

Simulation Simulation::load(const std::string& path) {
  if (is_record(path)) return load(checkpoint_of(RecordReader(path)).bytes);
  std::ifstream file(path, std::ios::binary);
  Place place;
  place.file = path;
  if (!file) throw InputError(Kind::file, place, fmt::format("cannot read '{}'{}", path, nearest_file_hint(path)));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return load(std::as_bytes(std::span(text)));
}

Simulation Simulation::resume(const std::string& path, const RecordRhythm& rhythm) {
  RecordCheckpoint checkpoint;
  RecordInfo info;
  RecordContents contents;
  {
    const RecordReader reader(path);
    info = reader.info();
    contents.contact_forces = reader.has_contact_loads();
    if (info.stop == run_stop_name(RunStop::failed))
      throw InputError(Kind::usage, "record",
                       fmt::format("the run of '{}' has failed, it would fail again at the same place", path));
    checkpoint = checkpoint_of(reader);
  }
  require_scene(saved_simulation(checkpoint.bytes), info.scene, info.settings);
  Simulation simulation = load(checkpoint.bytes);
  Content& content = *simulation.content_;
  content.wall_time = checkpoint.wall_time;
  RecordHeader header = record_header(content.setup->scene, content.setup->contents);
  header.extended = info.extended;
  content.record = std::make_unique<RecordWriter>(path, simulation.model(), std::move(header), std::move(checkpoint),
                                                  rhythm, contents);
  content.keep_record(path, rhythm);
  content.run.add_again(*content.record);
  return simulation;
}

}  // namespace carom
