#include "carom/scene/scene_file.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "carom/engine/engine_registry.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arrangement.h"

namespace carom::scene {
namespace {

constexpr std::int64_t kFormat = 1;

/// Before anything else, so that a file of another format is not told of its unknown keys.
void require_format(const Document& document) {
  require_toml(document);
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

/// What cannot be judged part by part, once all parts are in order.
void validate_whole(const SceneFile& scene, Complaints& complaints) {
  const auto add_all = [&complaints](const std::vector<InputError>& errors) {
    for (const InputError& error : errors) complaints.add(error);
  };
  add_all(carom::complaints(scene.model));
  if (complaints.empty()) add_all(carom::complaints(scene.model, scene.state));
  if (complaints.empty()) complaints.attempt([&scene] { require_supported_pairs(scene.model); });
}

/// What keeps a scene that could be read from running: everything that overlaps, then what the engine says.
void check_start(const SceneFile& scene, Complaints& complaints) {
  const double tolerance = engine_kind(scene.run.engine).overlap;
  for (const InputError& error : overlaps(scene.model, scene.state, tolerance)) complaints.add(error);
  if (complaints.empty()) complaints.attempt([&scene] { require_runnable(scene); });
}

/// Adds what the engine does not use to what pairs have listed. What things are made of is said for every engine;
/// read_pairs lists what may have been meant for this one.
void list_all_unused(const Entry& root, SceneFile& scene) {
  std::vector<std::string> unused;
  list_unused(root, scene_format(), engine_kind(scene.run.engine).bit, unused);
  std::erase_if(unused,
                [](const std::string& path) { return path.starts_with("material.") || path.starts_with("pair."); });
  unused.insert(unused.end(), scene.unused.begin(), scene.unused.end());
  scene.unused = std::move(unused);
}

/// Everything but what can only be judged once all parts are read. Of a document that was checked against the format.
void read_parts(Reading& reading, const Document& document) {
  SceneFile& scene = reading.scene();
  if (const auto title = reading.find_good(reading.root(), "title")) scene.title = as_string(*title);
  scene.text = document.source.text();
  read_world(reading);
  read_run(reading);
  read_materials(reading);
  read_bodies(reading);
  read_arrangements(reading);
  read_obstacles(reading);
  read_camera(reading);
  check_groups(reading);
  read_constraints(reading);
  read_joints(reading);
  read_springs(reading);
  read_loads(reading);
  read_pockets(reading);
  read_dents(reading);
  read_shots(reading);
  read_script(reading);
  read_pairs(reading);
}

SceneFile read_whole(const Document& document, Complaints& complaints) {
  const Entry root = root_entry(document);
  check_table(root, scene_format(), complaints);
  SceneFile scene;
  Reading reading(document, scene, complaints);
  read_parts(reading, document);
  if (complaints.empty()) list_all_unused(root, scene);
  if (complaints.empty()) validate_whole(scene, complaints);
  return scene;
}

/// `fill.0` for `gas-17.position`, or, where that was changed, `fill.0.changes.gas-17.position`.
std::optional<std::string> arranged_in_file(const Document& document, std::string_view rest) {
  try {
    const std::optional<ArrangedBody> member = find_member(document, rest);
    if (!member) return std::nullopt;
    const std::string arrangement = join_path(member->kind->section, std::to_string(member->entry));
    const Node* const change = find_change(*member);
    const bool is_changed = change != nullptr && change->find(split_path(member->rest).first) != nullptr;
    if (!is_changed) return arrangement;
    return join_path(join_path(join_path(arrangement, kChangesName), member->name), member->rest);
  } catch (const InputError&) {
    return std::nullopt;  // the arrangement has no such body
  }
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
  return arranged_in_file(document, rest).value_or(field);
}

}  // namespace

void require_toml(const Document& document) {
  if (document.syntax == Syntax::toml) return;
  throw InputError(Kind::unsupported, document.source.place(document.root.mark()),
                   "the file is JSON, expected a scene, which is TOML with the key 'format'");
}

SceneFile read_scene_file(const Document& document) {
  require_format(document);
  Complaints complaints(Complaints::Mode::throw_first);
  try {
    return read_whole(document, complaints);
  } catch (const InputError& error) {
    throw with_scene_place(error, document);
  }
}

SceneFile read_scene_file_again(const Document& document, std::span<const std::string_view> changed) {
  Complaints complaints(Complaints::Mode::throw_first);
  check_values(root_entry(document), scene_format(), changed, complaints);
  SceneFile scene;
  Reading reading(document, scene, complaints);
  read_parts(reading, document);
  scene.unused.clear();
  return scene;
}

std::vector<InputError> check_scene(const Document& document) {
  Complaints complaints(Complaints::Mode::collect);
  try {
    if (complaints.attempt([&document] { require_format(document); })) {
      const SceneFile scene = read_whole(document, complaints);
      if (complaints.empty()) check_start(scene, complaints);
    }
  } catch (const Complaints::Enough&) {
    // What is listed is enough to begin with.
  }
  std::vector<InputError> placed;
  for (const InputError& error : complaints.list()) placed.push_back(with_scene_place(error, document));
  // Those in the file by their place, then those in settings and in what a program has set, as they were found.
  const auto rank = [&document](const InputError& error) {
    const Place& place = error.place();
    const bool in_file = place.line > 0 && place.file == document.source.name();
    return in_file ? std::tuple(0, place.line, place.column) : std::tuple(1, 0, 0);
  };
  std::stable_sort(placed.begin(), placed.end(),
                   [&rank](const InputError& a, const InputError& b) { return rank(a) < rank(b); });
  return placed;
}

void require_runnable(const SceneFile& scene) {
  (void)engine_kind(scene.run.engine).make(std::make_shared<const Model>(scene.model), scene.state, scene.run);
}

InputError with_scene_place(const InputError& error, const Document& document) {
  if (error.place().line > 0) return error;
  Place place = locate(document, field_in_file(document, error.place().field));
  place.field = error.place().field;
  return {error.kind(), std::move(place), error.what()};
}

}  // namespace carom::scene
