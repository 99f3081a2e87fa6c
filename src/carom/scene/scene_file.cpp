#include "carom/scene/scene_file.h"

#include <algorithm>
#include <limits>
#include <optional>

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
  read_racks(reading);
  read_cradles(reading);
  read_obstacles(reading);
  read_constraints(reading);
  read_springs(reading);
  read_loads(reading);
  read_pockets(reading);
  read_dents(reading);
  read_shots(reading);
  list_unused(root, scene_format(), engine_of(scene.run), scene.unused);
  read_pairs(reading);
  validate(scene.model);
  validate(scene.model, scene.state);
  require_supported_pairs(scene.model);
  return scene;
}

/// `fill.gas` for `gas-17.position`, where there is an entry of that name in the section.
std::optional<std::string> group_in_file(const Document& document, std::string_view section, std::string_view rest) {
  const Node* const groups = document.root.find(section);
  if (groups == nullptr || !groups->is(Node::Type::array)) return std::nullopt;
  for (const Node& group : groups->array()) {
    const Node* const name = group.find("name");
    if (name == nullptr || !name->is(Node::Type::string)) continue;
    if (rest.starts_with(name->string() + "-")) return join_path(section, name->string());
  }
  return std::nullopt;
}

/// `pair.2.normal` for `steel-rubber.normal`, whichever of the two materials the pair names first.
std::optional<std::string> pair_in_file(const Document& document, std::string_view rest) {
  const Node* const pairs = document.root.find("pair");
  if (pairs == nullptr || !pairs->is(Node::Type::array)) return std::nullopt;
  const auto begins_with = [rest](const std::string& names) {
    return rest.starts_with(names) && (rest.size() == names.size() || rest[names.size()] == '.');
  };
  for (std::size_t i = 0; i < pairs->array().size(); ++i) {
    const Node* const materials = pairs->array()[i].find("materials");
    if (materials == nullptr || !materials->is(Node::Type::array) || materials->array().size() != 2) continue;
    const Node& a = materials->array()[0];
    const Node& b = materials->array()[1];
    if (!a.is(Node::Type::string) || !b.is(Node::Type::string)) continue;
    const std::string names = a.string() + "-" + b.string();
    if (begins_with(names) || begins_with(b.string() + "-" + a.string())) {
      return "pair." + std::to_string(i) + std::string(rest.substr(names.size()));
    }
  }
  return std::nullopt;
}

/// The field as the file has it: a body of a fill, rack or cradle at that, two materials at their pair; the field
/// itself otherwise.
std::string field_in_file(const Document& document, const std::string& field) {
  const auto [section, rest] = split_path(field);
  if (section == "pair") return pair_in_file(document, rest).value_or(field);
  if (section != "body") return field;
  const Node* const bodies = document.root.find("body");
  if (bodies != nullptr && first_step(*bodies, rest)) return field;
  if (const auto fill = group_in_file(document, "fill", rest)) return *fill;
  if (const auto rack = group_in_file(document, "rack", rest)) return *rack;
  return group_in_file(document, "cradle", rest).value_or(field);
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
  run.step = fields.number("step", run.step);
  run.max_step = fields.number("max_step", run.max_step);
  run.rest_speed = fields.number("rest_speed", run.rest_speed);
  const std::string method = fields.string("constraint_method", constraint_method_name(run.constraint_method));
  run.constraint_method = *std::find_if(kConstraintMethods.begin(), kConstraintMethods.end(),
                                        [&method](ConstraintMethod m) { return constraint_method_name(m) == method; });
  run.baumgarte_rate = fields.number("baumgarte_rate", run.baumgarte_rate);
  run.clusters = fields.boolean("clusters", run.clusters);
  run.event_location = fields.boolean("event_location", run.event_location);
  run.settle = fields.boolean("settle", run.settle);
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
