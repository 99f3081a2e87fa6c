#pragma once
/// What each engine makes of the options of a run.

#include "carom/engine/event/event_options.h"
#include "carom/engine/run_options.h"
#include "carom/engine/smooth/smooth_options.h"

namespace carom {

/// The impact law of a run that names none is the default one.
EventOptions event_options(const RunOptions& run);
SmoothOptions smooth_options(const RunOptions& run);

}  // namespace carom
