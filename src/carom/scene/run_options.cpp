#include "carom/scene/run_options.h"

#include "carom/base/error.h"
#include "carom/laws/impact/registry.h"

namespace carom::scene {

EventOptions event_options(const RunOptions& run) {
  if (run.engine != "event") {
    throw InputError(Kind::unsupported, "run.engine",
                     "run.engine is \"" + run.engine + "\", which this version does not have yet; known: event");
  }
  EventOptions options;
  options.law = &impact_law(run.law);
  options.duration = run.duration;
  options.output_step = run.output_step;
  options.max_events = run.max_events;
  options.contact_tolerance = run.contact_tolerance;
  options.stop_at_rest = run.stop_at_rest;
  return options;
}

}  // namespace carom::scene
