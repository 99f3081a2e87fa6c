#include "carom/laws/corner/disk_in_corner.h"

#include <cmath>
#include <numbers>
#include <string>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/laws/corner/iteration.h"
#include "carom/laws/corner/other_forms.h"

namespace carom::corner {
namespace {

void require_finite(double value, const char* field) {
  if (std::isfinite(value)) return;
  throw InputError(Kind::not_finite, field,
                   std::string(field) + " is " + format_number(value) + ", not a finite number");
}

void require(bool condition, const char* field, double value, const char* expected) {
  if (condition) return;
  throw InputError(Kind::out_of_range, field, std::string(field) + " = " + format_number(value) + " " + expected);
}

}  // namespace

std::string_view zone_name(Zone zone) {
  switch (zone) {
    case Zone::z0: return "Z0";
    case Zone::z1: return "Z1";
    case Zone::z2: return "Z2";
    case Zone::z12: break;
  }
  return "Z12";
}

std::string_view stop_name(Stop stop) {
  switch (stop) {
    case Stop::z0: return "Z0";
    case Stop::rest: return "REST";
    case Stop::step_limit: break;
  }
  return "NMAX";
}

std::string_view form_name(Form form) {
  switch (form) {
    case Form::xy: return "xy";
    case Form::phi: return "phi";
    case Form::xi_eta: break;
  }
  return "xi-eta";
}

Form form_from_name(std::string_view name) {
  for (const Form form : {Form::xy, Form::phi, Form::xi_eta}) {
    if (form_name(form) == name) return form;
  }
  throw InputError(Kind::unknown_name, "form", "form '" + std::string(name) + "' is not one of xy, phi, xi-eta");
}

void check(const CornerProblem& problem) {
  require_finite(problem.alpha, "alpha");
  require_finite(problem.restitution, "restitution");
  require_finite(problem.velocity.x, "velocity.0");
  require_finite(problem.velocity.y, "velocity.1");
  require_finite(problem.thresholds.approach, "s");
  require_finite(problem.thresholds.rest, "sv");
  if (!std::isfinite(std::hypot(problem.velocity.x, problem.velocity.y))) {
    throw InputError(Kind::not_finite, "velocity", "the norm of velocity is beyond the largest double");
  }
  require(problem.alpha > 0.0 && problem.alpha < std::numbers::pi / 2, "alpha", problem.alpha,
          "is not between 0 and pi/2 (both excluded)");
  require(problem.restitution >= 0.0 && problem.restitution <= 1.0, "restitution", problem.restitution,
          "is not between 0 and 1");
  require(problem.thresholds.approach >= 0.0, "s", problem.thresholds.approach, "is negative");
  require(problem.thresholds.rest >= 0.0, "sv", problem.thresholds.rest, "is negative");
  require(problem.thresholds.max_steps >= 0, "max_steps", static_cast<double>(problem.thresholds.max_steps),
          "is negative");
  if (problem.form == Form::phi && problem.restitution != 1.0) {
    throw InputError(Kind::unsupported, "form",
                     "form phi keeps the speed and needs restitution = 1, not " + format_number(problem.restitution) +
                         "; take xy or xi-eta");
  }
}

CornerOutcome solve(const CornerProblem& problem) {
  check(problem);
  CornerOutcome out;
  std::vector<TraceEntry>* trace = problem.trace ? &out.trace : nullptr;
  SlopeOutcome end{};
  switch (problem.form) {
    case Form::xy:
      end = iterate({std::tan(problem.alpha), problem.restitution, problem.velocity, problem.thresholds}, trace);
      break;
    case Form::phi: end = iterate_phi(problem, trace); break;
    case Form::xi_eta: end = iterate_xi_eta(problem, trace); break;
  }
  out.velocity = end.velocity;
  out.norm = end.norm;
  out.zone = end.zone;
  out.steps = end.steps;
  out.stop = end.stop;
  return out;
}

}  // namespace carom::corner
