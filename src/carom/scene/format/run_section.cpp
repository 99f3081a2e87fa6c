/// [run]: how the scene is run. engine/run_options.h says where each value is kept.

#include <array>
#include <limits>

#include "carom/engine/run_options.h"
#include "carom/laws/impact/registry.h"
#include "carom/numerics/stepper/integrators.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bounds kPart{0.0, 1.0, true, true};
constexpr Bounds kFromOne{1.0, kInfinity, false, false};
constexpr Bounds kTolerance{1e-14, 1e-2, false, false};

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const EngineKind& kind : engine_kinds()) names.push_back(kind.name);
  return names;
}

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for (const ImpactLaw* law : impact_laws()) names.push_back(law->name);
  return names;
}

std::vector<std::string_view> integrator_names() {
  std::vector<std::string_view> names;
  for (const Integrator& integrator : integrators()) names.push_back(integrator.name);
  return names;
}

std::vector<std::string_view> constraint_method_names() {
  std::vector<std::string_view> names;
  for (const ConstraintMethod method : kConstraintMethods) names.push_back(constraint_method_name(method));
  return names;
}

constexpr std::array kRunKeys = {
    choice_key("engine", &engine_names, "how the scene is moved", "\"event\""),
    for_engines(choice_key("law", &law_names, "impact law, as `carom laws` lists them", "\"compliant\""), kEventEngine),
    for_engines(choice_key("integrator", &integrator_names, "method of integration", "\"dormand-prince\""),
                kSmoothEngine),
    for_engines(number_key("rtol", kTolerance,
                           "error of a step relative to the penetrations and speeds of its contacts", "1e-8"),
                kSmoothEngine),
    for_engines(with_unit(number_key("step", kPositive, "size of the steps of integrators without step control"), "s"),
                kSmoothEngine),
    for_engines(with_unit(number_key("max_step", kPositive, "longest step within a contact", "(no limit)"), "s"),
                kSmoothEngine),
    required(with_unit(number_key("duration", kPositive, "model time to run"), "s")),
    with_unit(
        number_key("output_step", kPositive, "time between samples; at least 1e-8 of the duration", "(duration/500)"),
        "s"),
    for_engines(integer_key("max_events", kFromOne, "impacts after which the run stops", "(no limit)"), kEventEngine),
    for_engines(
        number_key("contact_tolerance", kPart, "gap of a closed contact, relative to the smaller body", "1e-10"),
        kEventEngine),
    for_engines(number_key("integration_tolerance", kTolerance,
                           "error of integrated motion relative to sizes and speeds", "1e-13"),
                kEventEngine),
    for_engines(with_unit(number_key("settle_speed", kNotNegative,
                                     "slower impacts within pressed clusters are plastic; 0: none are",
                                     "(3e-3 √(acceleration · size))"),
                          "m/s"),
                kEventEngine),
    plain_key("stop_at_rest", Type::boolean, "whether to stop as soon as no body changes its place", "false"),
    for_engines(with_unit(number_key("rest_speed", kPositive, "speed below which a body rests", "1e-4"), "m/s"),
                kSmoothEngine),
    for_engines(
        choice_key("constraint_method", &constraint_method_names, "how rods and rolling are kept", "\"projection\""),
        kSmoothEngine),
    for_engines(
        with_unit(number_key("baumgarte_rate", kPositive, "α = β of the feedback of the method baumgarte", "5"), "1/s"),
        kSmoothEngine),
    for_engines(plain_key("clusters", Type::boolean,
                          "whether only bodies that touch share their steps; false: all do, for comparison", "true"),
                kSmoothEngine),
    for_engines(
        plain_key("event_location", Type::boolean,
                  "whether the instants of contact are located; false: noticed after a step, for comparison", "true"),
        kSmoothEngine),
    for_engines(plain_key("settle", Type::boolean,
                          "whether bodies that rest on an obstacle begin at the depth that bears them", "true"),
                kSmoothEngine),
    integer_key("seed", kSeed, "seed of every [[fill]], [[rack]] and [[cradle]] that names none", "0"),
};

constexpr Section kRun{"run", "how the scene is run", kRunKeys};

}  // namespace

const Section& run_section() {
  return kRun;
}

}  // namespace carom::scene
