#include "carom/analysis/sweep/direct_start.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run_options.h"
#include "carom/scene/change.h"
#include "carom/scene/value_node.h"

namespace carom::sweep {
namespace {

/// The same numbers bit for bit: 0 and -0 differ, and a number that is none is the same as itself.
template <class T>
bool same_bits(const T& a, const T& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

bool same_vector(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return same_bits(a, b);
}

/// What follows `start` in a path; none where it does not begin so.
std::optional<std::string_view> rest_of_path(std::string_view path, std::string_view start) {
  return path.starts_with(start) ? std::optional(path.substr(start.size())) : std::nullopt;
}

std::optional<int> component(std::string_view text) {
  if (text.size() != 1 || text[0] < '0' || text[0] > '2') return std::nullopt;
  return text[0] - '0';
}

/// Entry i of an array of tables; null where there is none.
const scene::Node* entry_of(const scene::Document& document, std::string_view section, std::size_t i) {
  const scene::Node* const all = document.root.find(section);
  if (all == nullptr || !all->is(scene::Node::Type::array) || i >= all->array().size()) return nullptr;
  return &all->array()[i];
}

/// Whether mass and inertia of a body follow from `mass` and the radius of a sphere alone.
bool is_plain_sphere(const scene::Node& body) {
  const scene::Node* const shape = body.find("shape");
  for (const char* const key : {"density", "inertia", "centre_of_mass"})
    if (body.find(key) != nullptr) return false;
  const scene::Node* const kind = shape == nullptr ? nullptr : shape->find("kind");
  return body.find("mass") != nullptr && kind != nullptr && kind->is(scene::Node::Type::string) &&
         kind->string() == "sphere";
}

}  // namespace

std::optional<DirectStart::Place> DirectStart::place_of(const scene::Document& document,
                                                        const scene::SceneFile& contents, std::string_view path) {
  const Model& model = contents.model;
  if (const auto rest = rest_of_path(path, "world.gravity.")) {
    const auto k = component(*rest);
    return k ? std::optional(Place{.kind = Kind::gravity, .component = *k}) : std::nullopt;
  }
  if (const auto rest = rest_of_path(path, "pair.")) {
    const std::size_t dot = std::min(rest->find('.'), rest->size());
    const NumberText index = read_number(rest->substr(0, dot));
    const std::string_view key = rest->substr(std::min(dot + 1, rest->size()));
    if (index.status != NumberStatus::good || index.value < 0.0) return std::nullopt;
    const scene::Node* const pair = entry_of(document, "pair", static_cast<std::size_t>(index.value));
    const scene::Node* const names = pair == nullptr ? nullptr : pair->find("materials");
    if (names == nullptr || names->array().size() != 2 || engine_kind(contents.run.engine).has_forces)
      return std::nullopt;
    std::size_t material[2] = {0, 0};
    for (std::size_t side = 0; side < 2; ++side)
      while (material[side] < model.materials.size() &&
             model.materials[material[side]].name != names->array()[side].string())
        ++material[side];
    const std::size_t count = model.materials.size();
    if (material[0] == count || material[1] == count) return std::nullopt;
    Place place{.rules = {material[0] * count + material[1], material[1] * count + material[0]}};
    const bool is_rough = model.rules[place.rules[0]].rough;
    if (key == "restitution" && model.rules[place.rules[0]].restitution.is_constant()) {
      place.kind = Kind::restitution;
      return place;
    }
    if (key == "friction.coefficient" && !is_rough && model.rules[place.rules[0]].friction.static_friction > 0.0) {
      place.kind = Kind::friction;
      return place;
    }
    return std::nullopt;
  }
  constexpr std::pair<std::string_view, Kind> kVectors[] = {
      {".position.", Kind::position}, {".velocity.", Kind::velocity}, {".angular_velocity.", Kind::angular_velocity}};
  std::optional<Place> found;
  for (const BodyIndex body : model.bodies.indices()) {
    const auto rest = rest_of_path(path, "body." + model.bodies[body].name);
    if (!rest) continue;
    for (const auto& [word, kind] : kVectors)
      if (const auto last = rest_of_path(*rest, word))
        if (const auto k = component(*last)) found = Place{.kind = kind, .body = body, .component = *k};
    // Bodies stand in the model as in the file, where nothing else makes any.
    const scene::Node* const node = entry_of(document, "body", body.slot());
    if (node == nullptr || !is_plain_sphere(*node)) continue;
    if (*rest == ".mass") found = Place{.kind = Kind::mass, .body = body};
    if (*rest == ".shape.radius") found = Place{.kind = Kind::radius, .body = body};
  }
  return found;
}

std::optional<DirectStart> DirectStart::of(const scene::Document& document, const scene::SceneFile& contents,
                                           std::span<const std::string> paths) {
  DirectStart made;
  std::vector<scene::PartAgain> parts;
  const auto joins = [&made](const scene::PartAgain& part) {
    return std::any_of(made.parts_.begin(), made.parts_.end(),
                       [&part](scene::PartAgain& one) { return one.join(part); });
  };
  for (const std::string& path : paths) {
    const std::optional<scene::PartAgain> part = scene::PartAgain::at(document, path);
    if (!part) return std::nullopt;
    parts.push_back(*part);
    made.paths_.push_back(path);
    made.places_.push_back(place_of(document, contents, path));
    if (!made.places_.back() && !joins(*part)) made.parts_.push_back(*part);
  }
  // Numbers of a part that is read again are read with it.
  for (std::size_t v = 0; v < paths.size(); ++v)
    if (joins(parts[v])) made.places_[v].reset();
  return made;
}

bool DirectStart::set_one(const Place& place, double value, scene::SceneFile& start) {
  if (!std::isfinite(value)) return false;
  Model& model = start.model;
  switch (place.kind) {
    case Kind::position: start.state.bodies[place.body].position[place.component] = value; return true;
    case Kind::velocity: start.state.bodies[place.body].velocity[place.component] = value; return true;
    case Kind::angular_velocity: start.state.bodies[place.body].angular_velocity[place.component] = value; return true;
    case Kind::gravity: model.gravity[place.component] = value; return true;
    case Kind::mass:
    case Kind::radius: {
      Body& body = model.bodies[place.body];
      const Sphere* const sphere = only_shape<Sphere>(body.parts);
      if (sphere == nullptr || !(value > 0.0)) return false;
      Body made = homogeneous_body(body.name, Sphere{place.kind == Kind::radius ? value : sphere->radius},
                                   place.kind == Kind::mass ? value : body.mass);
      made.material = body.material;
      made.groups = std::move(body.groups);
      body = std::move(made);
      return true;
    }
    case Kind::restitution:
      if (!(value >= 0.0 && value <= 1.0)) return false;
      for (const std::size_t rule : place.rules) model.rules[rule].restitution = value;
      return true;
    case Kind::friction:
      if (!(value > 0.0)) return false;
      for (const std::size_t rule : place.rules) model.rules[rule].friction = {value, value};
      return true;
  }
  return false;
}

bool DirectStart::set(std::span<const Value> values, scene::Document& document, scene::SceneFile& start) const {
  for (std::size_t v = 0; v < places_.size(); ++v) {
    const bool is_number = values[v].is(Value::Type::real) || values[v].is(Value::Type::integer);
    const bool is_word = values[v].is(Value::Type::text) && rest_of_path(paths_[v], "run.");
    if (!is_number && (!is_word || places_[v])) return false;
    if (!places_[v]) {
      scene::set_value(document, {paths_[v]}, scene::node_of(values[v], paths_[v]));
    } else if (!set_one(*places_[v], values[v].number(), start)) {
      return false;
    }
  }
  for (const scene::PartAgain& part : parts_) part.read(document, start);
  return true;
}

namespace {

bool same_options(const RunOptions& a, const RunOptions& b) {
  const auto table = run_option_table();
  return std::all_of(table.begin(), table.end(), [&a, &b](const RunOption& option) {
    return std::visit([&a, &b](auto member) { return a.*member == b.*member; }, option.member);
  });
}

bool same_attitude(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return same_bits(a.coeffs(), b.coeffs());
}

bool same_obstacle(const Obstacle& a, const Obstacle& b) {
  return same_vector(a.pose.position, b.pose.position) && same_attitude(a.pose.orientation, b.pose.orientation) &&
         same_vector(a.velocity, b.velocity) && same_vector(a.angular_velocity, b.angular_velocity) &&
         a.parts.size() == b.parts.size() && a.motion.has_value() == b.motion.has_value();
}

bool same_load(const Load& a, const Load& b) {
  return a.body == b.body && same_vector(a.force, b.force) && same_vector(a.torque, b.torque) &&
         a.damping == b.damping && a.angular_damping == b.angular_damping;
}

}  // namespace

bool same_bits(const scene::SceneFile& a, const scene::SceneFile& b) {
  if (a.state.time != b.state.time || a.state.bodies.size() != b.state.bodies.size() || !a.state.turns.empty() ||
      !b.state.turns.empty() || !same_options(a.run, b.run) || !same_vector(a.model.gravity, b.model.gravity) ||
      a.model.rules.size() != b.model.rules.size() || a.model.bodies.size() != b.model.bodies.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.model.rules.size(); ++i) {
    const PairRule &x = a.model.rules[i], &y = b.model.rules[i];
    if (!(x.restitution == y.restitution) || !(x.friction == y.friction)) return false;
  }
  const Model &p = a.model, &q = b.model;
  if (!std::equal(p.obstacles.begin(), p.obstacles.end(), q.obstacles.begin(), q.obstacles.end(), same_obstacle) ||
      !std::equal(p.loads.begin(), p.loads.end(), q.loads.begin(), q.loads.end(), same_load)) {
    return false;
  }
  for (const BodyIndex body : a.state.bodies.indices()) {
    const BodyState &x = a.state.bodies[body], &y = b.state.bodies[body];
    const Body &of_a = p.bodies[body], &of_b = q.bodies[body];
    const bool same = same_vector(x.position, y.position) && same_vector(x.velocity, y.velocity) &&
                      same_vector(x.angular_velocity, y.angular_velocity) &&
                      same_attitude(x.orientation, y.orientation) && of_a.mass == of_b.mass &&
                      same_vector(of_a.inertia, of_b.inertia) &&
                      bounding_radius(of_a.parts) == bounding_radius(of_b.parts) &&
                      same_attitude(of_a.principal_axes, of_b.principal_axes);
    if (!same) return false;
  }
  return true;
}

}  // namespace carom::sweep
