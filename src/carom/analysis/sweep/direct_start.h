#pragma once
/// A start that follows the varied values without the scene being read again at every point, which would cost more than
/// a short run. Plain numbers of a start are set: positions and velocities, gravity, masses, radii of spheres,
/// restitution, friction. Of all others the part of the scene that they belong to is read again.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/scene/document/read_document.h"
#include "carom/scene/reader/part_again.h"
#include "carom/scene/scene_contents.h"
#include "carom/scene/value.h"

namespace carom::sweep {

class DirectStart {
 public:
  /// None where the scene has anything that is made from several of its parts (joints, constraints, springs, scripts,
  /// arrangements), or where a path leads to what names things.
  static std::optional<DirectStart> of(const scene::Document& document, const scene::SceneFile& contents,
                                       std::span<const std::string> paths);

  /// False where a value is neither a number nor a word of [run], or none that is legal there; some are set then. The
  /// document, which `start` was read from, takes the values of the parts that are read again. Throws InputError where
  /// one of these is not legal.
  bool set(std::span<const Value> values, scene::Document& document, scene::SceneFile& start) const;

 private:
  enum class Kind { position, velocity, angular_velocity, gravity, mass, radius, restitution, friction };
  struct Place {
    Kind kind = Kind::position;
    BodyIndex body{};
    int component = 0;
    std::size_t rules[2] = {0, 0};  ///< of a pair, in Model::rules
  };
  static std::optional<Place> place_of(const scene::Document& document, const scene::SceneFile& contents,
                                       std::string_view path);
  static bool set_one(const Place& place, double value, scene::SceneFile& start);

  std::vector<std::string> paths_;
  std::vector<std::optional<Place>> places_;  ///< for each path; none: its part is read again
  std::vector<scene::PartAgain> parts_;       ///< that are read again
};

/// Whether two starts have the same bits in all that DirectStart sets.
bool same_bits(const scene::SceneFile& a, const scene::SceneFile& b);

}  // namespace carom::sweep
