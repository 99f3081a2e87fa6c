#include "carom/engine/smooth/smooth_options.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/numerics/stepper/integrators.h"

namespace carom {

namespace {

void check(const char* field, double value, bool fine, const char* expected) {
  if (fine && std::isfinite(value)) return;
  throw InputError(std::isfinite(value) ? Kind::out_of_range : Kind::not_finite, std::string("run.") + field,
                   fmt::format("run.{} is {}, expected {}", field, value, expected));
}

}  // namespace

void validate(const SmoothOptions& options) {
  check("duration", options.duration, options.duration > 0.0, "a finite time above 0");
  check("rtol", options.rtol, options.rtol >= 1e-14 && options.rtol <= 1e-2, "a number from 1e-14 to 0.01");
  check("step", options.step, options.step >= 0.0, "a time of at least 0");
  check("max_step", options.max_step, options.max_step >= 0.0, "a time of at least 0");
  check("rest_speed", options.rest_speed, options.rest_speed > 0.0, "a speed above 0");
  check("baumgarte_rate", options.baumgarte_rate, options.baumgarte_rate > 0.0, "a rate above 0");
  const Integrator& method = integrator(options.integrator);
  if (!method.adaptive && !(options.step > 0.0)) {
    throw InputError(Kind::missing_field, "run.step",
                     fmt::format("the integrator '{}' takes steps of a fixed size; expected run.step", method.name));
  }
}

}  // namespace carom
