#pragma once
/// What must hold of every run, whatever the scene: looked at from outside.

#include <cstdint>

#include "engine/random_scenes.h"

namespace carom::test {

/// What a run of a scene showed at its worst.
struct Conduct {
  RunResult result;
  double balance = 0.0;   ///< largest |error| of the energy book at a sample, relative to the energies at hand
  double overlap = 0.0;   ///< deepest overlap at a sample, relative to the size of the smaller body
  int overlap_a = kNone;  ///< … of these two
  int overlap_b = kNone;
  double overlap_time = 0.0;
  bool endless = false;           ///< the run went on and on, far more than its impacts explain, and was given up
  bool in_order = true;           ///< events and samples came in order of time
  std::uint64_t fingerprint = 0;  ///< of all bits that the observer saw
  long events = 0;
  long samples = 0;
};

/// Runs the scene and looks at everything.
Conduct conduct_of(const RandomScene& scene);

/// The same, and expects that it ran to its end in order, with its books closed and no two bodies in each other.
Conduct expect_good_conduct(const RandomScene& scene);

}  // namespace carom::test
