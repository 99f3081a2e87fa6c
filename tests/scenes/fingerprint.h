#pragma once
/// A run in sixteen letters: the same input gives the same bits, so it gives the same fingerprint in every build, on
/// every machine of a kind, today and tomorrow.

#include <string>

#include "scenes/scene_run.h"

namespace carom::test {

/// FNV-1a over the bits of all event times, of the velocities after each event, and of the state at the end.
std::string fingerprint(const SceneRun& run);

}  // namespace carom::test
