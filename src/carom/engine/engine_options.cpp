#include "carom/engine/engine_options.h"

namespace carom {

EventOptions event_options(const RunOptions& run) {
  EventOptions options;
  options.law = run.law.empty() ? &default_impact_law() : &impact_law(run.law);
  options.duration = run.duration;
  options.max_events = run.max_events;
  options.contact_tolerance = run.contact_tolerance;
  options.integration_tolerance = run.integration_tolerance;
  options.settle_speed = run.settle_speed;
  return options;
}

SmoothOptions smooth_options(const RunOptions& run) {
  SmoothOptions options;
  options.integrator = run.integrator;
  options.rtol = run.rtol;
  options.step = run.step;
  options.max_step = run.max_step;
  options.duration = run.duration;
  options.rest_speed = run.rest_speed;
  options.constraints = run.constraint_method;
  options.baumgarte_rate = run.baumgarte_rate;
  options.clusters = run.clusters;
  options.locate_events = run.event_location;
  options.settle = run.settle;
  return options;
}

}  // namespace carom
