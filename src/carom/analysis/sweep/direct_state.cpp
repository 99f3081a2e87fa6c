#include "carom/analysis/sweep/direct_state.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace carom::sweep {
namespace {

/// Sections from which nothing follows that depends on where bodies are.
constexpr std::string_view kPlainSections[] = {"format", "title", "world", "run",  "material",
                                               "pair",   "body",  "plane", "load", "obstacle"};

bool is_plain(const scene::Document& document) {
  const scene::Table& members = document.root.table();
  return std::all_of(members.begin(), members.end(), [](const scene::Member& member) {
    return std::find(std::begin(kPlainSections), std::end(kPlainSections), member.key) != std::end(kPlainSections);
  });
}

bool same_vector(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * 3) == 0;
}

}  // namespace

std::optional<DirectState> DirectState::of(const scene::Document& document, const scene::SceneFile& contents,
                                           std::span<const std::string> paths) {
  if (!is_plain(document)) return std::nullopt;
  constexpr std::pair<std::string_view, Vector> kVectors[] = {
      {".position.", Vector::position},
      {".velocity.", Vector::velocity},
      {".angular_velocity.", Vector::angular_velocity},
  };
  DirectState made;
  for (const std::string& path : paths) {
    std::optional<Place> place;
    for (const BodyIndex body : contents.model.bodies.indices()) {
      const std::string start = "body." + contents.model.bodies[body].name;
      if (!path.starts_with(start)) continue;
      const std::string_view rest = std::string_view(path).substr(start.size());
      for (const auto& [word, vector] : kVectors) {
        if (!rest.starts_with(word) || rest.size() != word.size() + 1) continue;
        const int component = rest.back() - '0';
        if (component >= 0 && component < 3) place = Place{body, vector, component};
      }
    }
    if (!place) return std::nullopt;
    made.places_.push_back(*place);
  }
  return made;
}

bool DirectState::set(std::span<const Value> values, State& state) const {
  for (std::size_t v = 0; v < places_.size(); ++v) {
    if (!values[v].is(Value::Type::real) && !values[v].is(Value::Type::integer)) return false;
    BodyState& body = state.bodies[places_[v].body];
    Eigen::Vector3d& vector = places_[v].vector == Vector::position   ? body.position
                              : places_[v].vector == Vector::velocity ? body.velocity
                                                                      : body.angular_velocity;
    vector[places_[v].component] = values[v].number();
  }
  return true;
}

bool same_bits(const State& a, const State& b) {
  if (a.time != b.time || a.bodies.size() != b.bodies.size() || !a.turns.empty() || !b.turns.empty()) return false;
  for (const BodyIndex body : a.bodies.indices()) {
    const BodyState &x = a.bodies[body], &y = b.bodies[body];
    const bool same =
        same_vector(x.position, y.position) && same_vector(x.velocity, y.velocity) &&
        same_vector(x.angular_velocity, y.angular_velocity) &&
        std::memcmp(x.orientation.coeffs().data(), y.orientation.coeffs().data(), sizeof(double) * 4) == 0;
    if (!same) return false;
  }
  return true;
}

}  // namespace carom::sweep
