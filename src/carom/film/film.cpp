#include "carom/film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "carom/base/json.h"

namespace carom {
namespace {

/// Whether somebody has rows that are not there: those of another run.
bool is_beyond(const FilmCounts& rows, const FilmCounts& all) {
  return rows.sample > all.sample || rows.energy > all.energy || rows.event > all.event || rows.contact > all.contact ||
         rows.jump > all.jump || rows.joint > all.joint || rows.load > all.load || rows.feature > all.feature;
}

}  // namespace

FilmBuilder::FilmBuilder(const scene::SceneFile& scene, FilmLabel label)
    : label_(std::move(label)),
      model_(scene.model),
      gaps_(nearest_pairs(scene.model, scene.state, kMostGaps)),
      scene_json_(film_scene_json(scene, label_, gaps_)),
      samples_(scene.model.bodies.size(), gaps_.size(), scene.model.joints.size()),
      energies_(model_, has_contact_forces(scene.run.engine)),
      features_(model_) {}

void FilmBuilder::sample(const State& state, const EnergyBook& book) {
  std::vector<double> gaps;
  gaps.reserve(gaps_.size());
  for (const ObjectPair& pair : gaps_) gaps.push_back(gap(model_, state, pair));
  // Where very many events lie between two samples this takes long: others may read what there is meanwhile.
  energies_.sample(state, book, [this](const SampleInterval& interval) { features_.sample(interval); });
  const std::scoped_lock lock(mutex_);
  samples_.append(state, gaps);
  loads_.append(state.contact_loads);
  energies_.publish();
  features_.publish();
}

void FilmBuilder::event(const EventRecord& event) {
  const std::scoped_lock lock(mutex_);
  events_.append(event, {contacts_.a.size(), jumps_.body.size(), joints_.joint.size()});
  energies_.event(event);
  features_.event(event);
  for (const ContactRecord& contact : event.contacts) {
    const LimitIndex& limit = contact.limit;
    contacts_.append(contact, limit.exists() && !is_shift(model_.joints[limit.joint].kind, limit.coordinate));
  }
  for (const JumpRecord& jump : event.jumps) jumps_.append(jump);
  for (const JointRecord& joint : event.joints) joints_.append(joint);
}

void FilmBuilder::progress(double /*time*/, long /*events*/) {}

void FilmBuilder::finish(const std::string& stop, const std::string& summary) {
  energies_.finish([this](const SampleInterval& interval) { features_.sample(interval); });
  const std::scoped_lock lock(mutex_);
  energies_.publish();
  features_.publish();
  features_.finish();
  complete_ = true;
  stop_ = stop;
  summary_ = json_object_or_null(summary);
}

bool FilmBuilder::complete() const {
  const std::scoped_lock lock(mutex_);
  return complete_;
}

FilmCounts FilmBuilder::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_unlocked();
}

FilmCounts FilmBuilder::counts_unlocked() const {
  return {samples_.size(),    energies_.size(),     events_.time.size(), contacts_.a.size(),
          jumps_.body.size(), joints_.joint.size(), loads_.size(),       features_.size()};
}

FilmCounts FilmBuilder::end_of_part(const FilmCounts& first, std::size_t most_bytes) const {
  constexpr std::size_t kUsualEventBytes = 512;
  FilmCounts end = counts_unlocked();
  const auto rows_in = [most_bytes](std::size_t row_bytes) { return std::max(most_bytes / row_bytes, std::size_t{1}); };
  const std::size_t usual_loads = loads_.size() / std::max(end.sample, std::size_t{1}) + 1;
  const std::size_t sample_bytes = samples_.row_bytes() + usual_loads * FilmLoads::kRowBytes;
  end.sample = first.sample + std::min(end.sample - first.sample, rows_in(sample_bytes));
  end.load = std::max(first.load, loads_.first_of(end.sample));
  end.feature = first.feature + std::min(end.feature - first.feature, rows_in(FilmFeatures::row_bytes()));
  end.energy = first.energy + std::min(end.energy - first.energy, rows_in(FilmEnergies::row_bytes()));
  const std::size_t events = std::min(end.event - first.event, rows_in(kUsualEventBytes));
  if (first.event + events == end.event) return end;
  end.event = first.event + events;
  end.contact = std::max<std::size_t>(first.contact, events_.first_contact[end.event]);
  end.jump = std::max<std::size_t>(first.jump, events_.first_jump[end.event]);
  end.joint = std::max<std::size_t>(first.joint, events_.first_joint[end.event]);
  return end;
}

std::string FilmBuilder::header_fields(const FilmCounts& first, bool all_there) const {
  const bool complete = complete_ && all_there;
  std::string fields = fmt::format(
      "\"film\":2,\"run\":{},\"name\":{},\"complete\":{},\"stop\":{},\"summary\":{},"
      "\"first\":{{\"sample\":{},\"energy\":{},\"event\":{},\"contact\":{},\"jump\":{},\"joint\":{},\"load\":{},"
      "\"feature\":{}}},\"features\":{}",
      label_.run, json_string(label_.name), complete, json_string(complete ? stop_ : "running"),
      complete ? summary_ : "null", first.sample, first.energy, first.event, first.contact, first.jump, first.joint,
      first.load, first.feature, Json(features_.words()).dump());
  if (first == FilmCounts{}) fields += ",\"scene\":" + scene_json_;
  return fields;
}

bool FilmBuilder::fills(const FilmCounts& first, std::size_t most_bytes) const {
  const std::scoped_lock lock(mutex_);
  const FilmCounts all = counts_unlocked();
  if (is_beyond(first, all)) return true;
  return all.sample > first.sample && !(end_of_part(first, most_bytes) == all);
}

std::string FilmBuilder::part(FilmCounts first, std::size_t most_bytes) const {
  const std::scoped_lock lock(mutex_);
  const FilmCounts all = counts_unlocked();
  if (is_beyond(first, all)) first = {};
  const FilmCounts end = end_of_part(first, most_bytes);
  FilmArrays arrays;
  samples_.add_to(arrays, {first.sample, end.sample});
  energies_.add_to(arrays, {first.energy, end.energy});
  events_.add_to(arrays, {first.event, end.event});
  contacts_.add_to(arrays, {first.contact, end.contact});
  jumps_.add_to(arrays, {first.jump, end.jump});
  joints_.add_to(arrays, {first.joint, end.joint});
  loads_.add_to(arrays, {first.sample, end.sample}, {first.load, end.load});
  features_.add_to(arrays, {first.feature, end.feature});
  return arrays.bytes(header_fields(first, end == all));
}

}  // namespace carom
