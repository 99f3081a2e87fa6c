#pragma once
/// Scenes by seed: random mixtures of shapes, materials, laws, forces, walls at rest and driven. And what must hold of
/// every run, whatever the scene.

#include <cstdint>
#include <string>

#include "carom/engine/event/event_engine.h"

namespace carom::test {

struct RandomScene {
  Model model;
  State state;
  EventOptions options;
  std::string story;  ///< what is in it, for the message of a test that fails
};

/// The scene of this seed: a room of six planes, sometimes with a driven wall, or a shell; one to eight bodies of shapes
/// that can meet; obstacles, springs, loads and constraints in some of them. Nothing overlaps at the start.
RandomScene random_scene(std::uint64_t seed);

/// What a run of a scene showed at its worst.
struct Conduct {
  RunResult result;
  double balance = 0.0;        ///< largest |error| of the energy book at a sample, relative to the energies at hand
  double overlap = 0.0;        ///< deepest overlap at a sample, relative to the size of the smaller body
  int overlap_a = kNone;       ///< … of these two
  int overlap_b = kNone;
  double overlap_time = 0.0;
  bool endless = false;        ///< the run went on and on, far more than its impacts explain, and was given up
  bool in_order = true;        ///< events and samples came in order of time
  std::uint64_t fingerprint = 0;  ///< of all bits that the observer saw
  long events = 0;
  long samples = 0;
};

/// Runs the scene and looks at everything.
Conduct conduct_of(const RandomScene& scene);

}  // namespace carom::test
