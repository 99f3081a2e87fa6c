#pragma once
/// What an engine makes of the table [run] of a scene.

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run_options.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom::scene {

/// The options of the rigid engine; those of `smooth` scenes serve for their first impact.
EventOptions event_options(const RunOptions& run);

/// The options of the compliant engine.
SmoothOptions smooth_options(const RunOptions& run);

}  // namespace carom::scene
