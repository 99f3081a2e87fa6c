#pragma once
/// Scenes by seed: random mixtures of shapes, materials, laws, forces, walls at rest and driven.

#include <cstdint>
#include <string>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"

namespace carom::test {

/// Half the width of the room [m].
inline constexpr double kRoom = 1.5;

struct RandomScene {
  Model model;
  State state;
  EventOptions options;
  RunSettings settings;
  std::string story;  ///< what is in it, for the message of a test that fails

  /// Runs it under the rigid engine.
  RunResult run(Observer* observer = nullptr) const;
};

/// The scene of this seed: a room of six planes, sometimes with a driven wall or an oblique one; one to eight bodies of
/// shapes that can meet; obstacles, springs, loads and constraints in some of them. Nothing overlaps at the start.
RandomScene random_scene(std::uint64_t seed);

/// The same with the whole room shaken: all its obstacles slide along one axis, or turn about one axis through the
/// middle, from where they are placed.
RandomScene shaken_scene(std::uint64_t seed);

}  // namespace carom::test
