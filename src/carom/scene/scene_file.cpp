#include "carom/scene/scene_file.h"

#include <algorithm>
#include <limits>

#include "carom/laws/impact/registry.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

constexpr std::int64_t kFormat = 1;

/// Before anything else, so that a file of another format is not told of its unknown keys.
void require_format(const Document& document) {
  if (document.syntax != Syntax::toml) {
    throw InputError(Kind::unsupported, document.source.place(document.root.mark()),
                     "the file is JSON, expected a scene, which is TOML with the key 'format'");
  }
  const Node* const format = document.root.find("format");
  if (format == nullptr) {
    throw InputError(Kind::missing_field, document.source.place(document.root.mark(), "format"),
                     "format is missing, expected a scene, which begins with format = 1");
  }
  const Entry entry{format, &document.source, "format"};
  if (as_integer(entry, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()) !=
      kFormat) {
    entry.fail(Kind::unsupported, "1, the only format that this version reads");
  }
}

Engine engine_of(const RunOptions& run) {
  const auto found = std::find(kEngineNames.begin(), kEngineNames.end(), run.engine);
  return static_cast<Engine>(1U << static_cast<unsigned>(found - kEngineNames.begin()));
}

SceneFile read_parts(const Document& document) {
  const Entry root = root_entry(document);
  check_table(root, scene_format());
  SceneFile scene;
  Reading reading(document, scene);
  scene.title = reading.root().string("title", "");
  scene.text = document.source.text();
  if (const auto world = reading.root().find("world")) {
    scene.model.gravity = vector3(fields_of(*world, section("world")), "gravity");
  }
  read_run(reading);
  read_materials(reading);
  read_bodies(reading);
  read_fills(reading);
  read_obstacles(reading);
  read_constraints(reading);
  read_springs(reading);
  read_loads(reading);
  read_pairs(reading);
  list_unused(root, scene_format(), engine_of(scene.run), scene.unused);
  validate(scene.model);
  validate(scene.model, scene.state);
  require_supported_pairs(scene.model);
  return scene;
}

/// `fill.gas` for `body.gas-17.position`, where there is such a fill and no such body; the field itself otherwise.
std::string field_in_file(const Document& document, const std::string& field) {
  constexpr std::string_view kBody = "body.";
  if (!field.starts_with(kBody)) return field;
  const std::string_view rest = std::string_view(field).substr(kBody.size());
  const Node* const bodies = document.root.find("body");
  if (bodies != nullptr && first_step(*bodies, rest)) return field;
  const Node* const fills = document.root.find("fill");
  if (fills == nullptr || !fills->is(Node::Type::array)) return field;
  for (const Node& fill : fills->array()) {
    const Node* const name = fill.find("name");
    if (name == nullptr || !name->is(Node::Type::string)) continue;
    if (rest.starts_with(name->string() + "-")) return "fill." + name->string();
  }
  return field;
}

}  // namespace

void read_run(Reading& reading) {
  const Fields fields = fields_of(reading.root().at("run"), section("run"));
  RunOptions& run = reading.scene().run;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  run.engine = fields.string("engine", run.engine);
  run.law = fields.string("law", default_impact_law().name);
  run.duration = fields.number("duration");
  run.output_step = fields.number("output_step", run.duration / 500.0);
  if (const auto events = fields.find("max_events")) run.max_events = as_integer(*events, 1, kMost);
  run.contact_tolerance = fields.number("contact_tolerance", run.contact_tolerance);
  run.stop_at_rest = fields.boolean("stop_at_rest", run.stop_at_rest);
  if (const auto seed = fields.find("seed")) run.seed = as_integer(*seed, 0, kMost);
  run.integrator = fields.string("integrator", run.integrator);
  run.rtol = fields.number("rtol", run.rtol);
}

SceneFile read_scene_file(const Document& document) {
  require_format(document);
  try {
    return read_parts(document);
  } catch (const InputError& error) {
    throw with_scene_place(error, document);
  }
}

InputError with_scene_place(const InputError& error, const Document& document) {
  if (error.place().line > 0) return error;
  Place place = locate(document, field_in_file(document, error.place().field));
  place.field = error.place().field;
  return {error.kind(), std::move(place), error.what()};
}

}  // namespace carom::scene
