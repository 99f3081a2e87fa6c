#include "carom/simulation/record_scene.h"

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/base/version.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const RecordInfo& record, const std::string& reason) {
  throw InputError(Kind::unsupported, "scene",
                   fmt::format("carom {} cannot read the scene of this record, which carom {} wrote: {}", kVersion,
                               printable(record.version), reason));
}

std::string place_text(const Place& place) {
  if (place.line > 0) return fmt::format("line {}: ", place.line);
  return place.field.empty() ? "" : printable(place.field) + ": ";
}

/// Does something with the scene; whatever is wrong with that is the record's.
template <class Work>
auto reading(const RecordInfo& record, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    refuse(record, place_text(error.place()) + error.what());
  }
}

}  // namespace

Scene recorded_scene(const RecordInfo& record) {
  return reading(record, [&record] {
    Scene scene = Scene::parse(record.scene, "scene of the record");
    for (const std::string& setting : record.settings) scene.set(setting);
    return scene;
  });
}

scene::SceneFile scene_of(const RecordInfo& record) {
  scene::SceneFile scene = reading(record, [&record] { return recorded_scene(record).build(); });
  const Model& model = scene.model;
  if (model.bodies.size() != record.bodies || static_cast<std::size_t>(model.object_count()) != record.objects.size()) {
    refuse(record, fmt::format("the scene has {} bodies and {} obstacles, the record {} and {}", model.bodies.size(),
                               model.obstacles.size(), record.bodies, record.objects.size() - record.bodies));
  }
  for (int i = 0; i < model.object_count(); ++i) {
    const std::string& name = record.objects[static_cast<std::size_t>(i)];
    if (model.name(i) != name)
      refuse(record, fmt::format("'{}' of the scene is '{}' in the record", printable(model.name(i)), printable(name)));
  }
  return scene;
}

std::unique_ptr<const scene::SceneFile> scene_if_readable(const RecordInfo& record) {
  try {
    return std::make_unique<const scene::SceneFile>(scene_of(record));
  } catch (const InputError&) {
    return nullptr;
  }
}

}  // namespace carom
