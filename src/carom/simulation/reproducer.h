#pragma once
/// A small scene that shows why a run has failed: the bodies of the failing cluster or island, where they were shortly
/// before.

#include <atomic>
#include <optional>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulation/simulation.h"

namespace carom {

/// The scene with these bodies only, as they are in `state`, and everything else that concerns them. It begins at time
/// 0 and runs for `duration` [s]. None where it cannot be written: a body of an arrangement with an uncommon shape.
std::optional<Scene> excerpt(const Simulation& simulation, const std::vector<BodyIndex>& bodies, const State& state,
                             double duration);

struct Reproducer {
  Scene scene;
  std::size_t bodies = 0;  ///< in it
  double time = 0.0;       ///< of the run, at which it begins [s]
};

/// The smallest scene found that fails for the same reason; in the worst case the whole one, up to the failure. Each is
/// tried for no longer than `seconds` of wall time. None where the run has not failed, and where `stop` turns true.
std::optional<Reproducer> find_reproducer(const Simulation& simulation, double seconds = 5.0,
                                          const std::atomic<bool>* stop = nullptr);

}  // namespace carom
