#pragma once
/// Varied paths that are plain numbers of what a run starts from: positions and velocities, gravity, masses, radii of
/// spheres, restitution, friction, duration. A sweep over such paths alone does not read the scene again at every
/// point, which would cost more than a short run.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/scene/document/read_document.h"
#include "carom/scene/scene_contents.h"
#include "carom/scene/value.h"

namespace carom::sweep {

class DirectStart {
 public:
  /// None where one of the paths is something else, or where the scene has anything that is made from what is varied
  /// (joints, constraints, springs, scripts, arrangements, compliant forces).
  static std::optional<DirectStart> of(const scene::Document& document, const scene::SceneFile& contents,
                                       std::span<const std::string> paths);

  /// False where a value is no number, or none that is legal there; some are set then.
  bool set(std::span<const Value> values, scene::SceneFile& start) const;

 private:
  enum class Kind { position, velocity, angular_velocity, gravity, mass, radius, restitution, friction, duration };
  struct Place {
    Kind kind = Kind::position;
    BodyIndex body{};
    int component = 0;
    std::size_t rules[2] = {0, 0};  ///< of a pair, in Model::rules
  };
  static std::optional<Place> place_of(const scene::Document& document, const scene::SceneFile& contents,
                                       std::string_view path);
  static bool set_one(const Place& place, double value, scene::SceneFile& start);

  std::vector<Place> places_;
};

/// Whether two starts have the same bits in all that DirectStart sets.
bool same_bits(const scene::SceneFile& a, const scene::SceneFile& b);

}  // namespace carom::sweep
