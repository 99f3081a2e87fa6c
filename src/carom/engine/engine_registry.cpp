#include "carom/engine/engine_registry.h"

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/engine/engine_options.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "carom/mechanics/initial_gaps.h"

namespace carom {

namespace {

std::unique_ptr<Engine> make_event(std::shared_ptr<const Model> model, const State& initial, const RunOptions& run) {
  return std::make_unique<EventEngine>(std::move(model), initial, event_options(run));
}

std::unique_ptr<Engine> make_smooth(std::shared_ptr<const Model> model, const State& initial, const RunOptions& run) {
  return std::make_unique<SmoothEngine>(std::move(model), initial, smooth_options(run));
}

constexpr EngineKind kEngines[] = {
    {.name = "event",
     .summary = "rigid bodies: velocities jump by an impact law at exact instants",
     .bit = kEventEngine,
     .has_forces = false,
     .overlap = kRigidOverlap,
     .make = &make_event},
    {.name = "smooth",
     .summary = "bodies that press into each other: contact forces, integrated",
     .bit = kSmoothEngine,
     .has_forces = true,
     .overlap = kCompliantOverlap,
     .make = &make_smooth},
};

}  // namespace

std::span<const EngineKind> engine_kinds() {
  return kEngines;
}

const EngineKind& engine_kind(std::string_view name) {
  std::vector<std::string_view> known;
  for (const EngineKind& kind : kEngines) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  throw InputError(Kind::unknown_name, "run.engine", "run.engine: " + unknown_name_message("engine", name, known));
}

}  // namespace carom
