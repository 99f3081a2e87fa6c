#include "carom/analysis/record_scene.h"

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/base/version.h"
#include "carom/scene/settings.h"

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

scene::SceneFile read(const RecordInfo& record) {
  try {
    scene::Document document = scene::parse_document("scene of the record", record.scene);
    scene::apply_settings(document, record.settings);
    return scene::read_scene_file(document);
  } catch (const InputError& error) {
    refuse(record, place_text(error.place()) + error.what());
  }
}

}  // namespace

scene::SceneFile scene_of(const RecordInfo& record) {
  scene::SceneFile scene = read(record);
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

}  // namespace carom
