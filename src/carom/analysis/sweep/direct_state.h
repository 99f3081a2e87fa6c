#pragma once
/// Varied paths that are numbers of the state at the start and nothing else: positions and velocities of bodies. A
/// sweep over such paths alone does not read the scene again at every point, which would cost more than a short run.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/mechanics/state.h"
#include "carom/scene/document/read_document.h"
#include "carom/scene/scene_contents.h"
#include "carom/scene/value.h"

namespace carom::sweep {

class DirectState {
 public:
  /// None where one of the paths is something else, or where the scene has anything that is made from where bodies are
  /// placed (joints, constraints, springs, scripts, arrangements).
  static std::optional<DirectState> of(const scene::Document& document, const scene::SceneFile& contents,
                                       std::span<const std::string> paths);

  /// False where a value is no number.
  bool set(std::span<const Value> values, State& state) const;

 private:
  enum class Vector { position, velocity, angular_velocity };
  struct Place {
    BodyIndex body;
    Vector vector = Vector::position;
    int component = 0;
  };
  std::vector<Place> places_;
};

/// Whether two states have the same bits.
bool same_bits(const State& a, const State& b);

}  // namespace carom::sweep
