#include "carom/scene/reader/part_again.h"

#include <algorithm>
#include <utility>

#include "carom/scene/complaints.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// Sections of which every entry stands for itself.
constexpr std::string_view kPartSections[] = {"format", "title", "world", "run",      "material", "pair",
                                              "body",   "plane", "load",  "obstacle", "camera"};

bool has_plain_parts(const Document& document) {
  const Table& members = document.root.table();
  return std::all_of(members.begin(), members.end(), [](const Member& member) {
    return std::find(std::begin(kPartSections), std::end(kPartSections), member.key) != std::end(kPartSections);
  });
}

std::size_t count_entries(const Document& document, std::string_view section) {
  const Node* const entries = document.root.find(section);
  return entries == nullptr ? 0 : entries->array().size();
}

Entry part_entry(const Document& document, std::string_view section, std::size_t number) {
  const Node& node = document.root.find(section)->array()[number];
  const Node* const name = node.find("name");
  return {&node, &document.source,
          join_path(section, name != nullptr ? std::string_view(name->string()) : std::to_string(number))};
}

/// What names tell of an object, and no number.
template <class Object>
void keep_words(const Object& before, Object& now) {
  now.name = before.name;
  now.material = before.material;
  now.groups = before.groups;
}

void read_body_again(const Fields& fields, std::size_t number, SceneFile& scene) {
  FramedBody framed = read_body(fields);
  const BodyState motion = read_motion(fields, framed.centre);
  Body& body = scene.model.bodies[number];
  keep_words(body, framed.body);
  body = std::move(framed.body);
  scene.state.bodies[number] = motion;
}

void read_obstacle_again(Obstacle now, std::size_t number, SceneFile& scene) {
  Obstacle& obstacle = scene.model.obstacles[number];
  keep_words(obstacle, now);
  obstacle = std::move(now);
}

void read_pair_again(Reading& reading, const Fields& fields, SceneFile& scene) {
  const std::size_t unused = scene.unused.size();
  const PairRule rule = read_pair_rule(reading, fields);
  const ForceRule force = read_force_rule(reading, fields, rule);
  scene.unused.resize(unused);
  const auto& materials = scene.model.materials;
  const Array& names = fields.at("materials").node->array();
  const auto index = [&materials](const std::string& name) {
    const auto is_it = [&name](const Material& material) { return material.name == name; };
    return static_cast<std::size_t>(std::find_if(materials.begin(), materials.end(), is_it) - materials.begin());
  };
  const std::size_t a = index(names[0].string());
  const std::size_t b = index(names[1].string());
  for (const std::size_t both : {a * materials.size() + b, b * materials.size() + a}) {
    scene.model.rules[both] = rule;
    scene.model.forces[both] = force;
  }
}

}  // namespace

std::optional<PartAgain> PartAgain::at(const Document& document, std::string_view path) {
  constexpr std::pair<std::string_view, Kind> kTables[] = {{"world", Kind::world}, {"run", Kind::run}};
  constexpr std::pair<std::string_view, Kind> kKinds[] = {{"pair", Kind::pair},
                                                          {"body", Kind::body},
                                                          {"plane", Kind::plane},
                                                          {"obstacle", Kind::obstacle},
                                                          {"load", Kind::load}};
  const auto [first, rest] = split_path(path);
  if (path == "run.engine" || !has_plain_parts(document)) return std::nullopt;
  for (const auto& [name, kind] : kTables)
    if (first == name) return PartAgain(kind, 0, split_path(rest).first);
  const Node* const entries = document.root.find(first);
  for (const auto& [name, kind] : kKinds) {
    if (first != name || entries == nullptr || !entries->is(Node::Type::array)) continue;
    const auto step = first_step(*entries, rest);
    // What is off until something happens belongs to the script.
    const bool is_switched = step && kind == Kind::pair && step->node->find("active") != nullptr;
    const auto number = step ? static_cast<std::size_t>(step->node - entries->array().data()) : 0;
    if (step && !is_switched) return PartAgain(kind, number, split_path(step->rest).first);
  }
  return std::nullopt;
}

bool PartAgain::join(const PartAgain& other) {
  if (kind_ != other.kind_ || entry_ != other.entry_) return false;
  for (const std::string& key : other.keys_)
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
  return true;
}

void PartAgain::read(const Document& document, SceneFile& scene) const {
  Complaints complaints(Complaints::Mode::throw_first);
  Reading reading(document, scene, complaints);
  const std::vector<std::string_view> keys(keys_.begin(), keys_.end());
  const auto checked = [&complaints, &keys](const Entry& entry, std::string_view name) {
    check_values(entry, section(name), keys, complaints);
    return Fields(entry);
  };
  const auto entry = [&](std::string_view name) { return checked(part_entry(document, name, entry_), name); };
  switch (kind_) {
    case Kind::world:
      (void)checked(reading.root().at("world"), "world");
      read_world(reading);
      return;
    case Kind::run: {
      (void)checked(reading.root().at("run"), "run");
      const RunOptions before = scene.run;
      try {
        read_run_options(reading, keys);
      } catch (const InputError&) {
        scene.run = before;
        throw;
      }
      return;
    }
    case Kind::pair: read_pair_again(reading, entry("pair"), scene); return;
    case Kind::body: read_body_again(entry("body"), entry_, scene); return;
    case Kind::plane: {
      const Fields plane = entry("plane");
      const bool only_moves =
          std::all_of(keys.begin(), keys.end(), [](std::string_view key) { return key == "point" || key == "normal"; });
      if (only_moves) {
        scene.model.obstacles[entry_].pose = read_pose_of_plane(plane);
      } else {
        read_obstacle_again(read_plane(plane), entry_, scene);
      }
      return;
    }
    case Kind::obstacle:
      // Planes stand before all other obstacles.
      read_obstacle_again(read_obstacle(entry("obstacle")), count_entries(document, "plane") + entry_, scene);
      return;
    case Kind::load: {
      Load load = read_load(entry("load"));
      Load& before = scene.model.loads[entry_];
      load.body = before.body;
      before = load;
      return;
    }
  }
}

}  // namespace carom::scene
