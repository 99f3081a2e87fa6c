#pragma once
/// The rigid engine: bodies move freely until contacts close, velocities jump by the impact law, and go on.
///
/// The main loop reads: next event → move the bodies it concerns there → gather the cluster of closed contacts →
/// resolve by the law → settle what rests → predict. Bodies live at their own times; nothing is stepped that nothing
/// happens to. docs/theory/event-engine.md

#include <atomic>
#include <memory>
#include <optional>

#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"
#include "carom/record/run_result.h"

namespace carom {

struct EventOptions {
  const ImpactLaw* law = &default_impact_law();
  double duration = 1.0;             ///< model time to run from that of the initial state [s], finite
  double output_step = 0.0;          ///< between samples [s]; 0: start and end only
  std::int64_t max_events = 0;       ///< impacts before the run stops `event-limit`; 0: no limit
  double contact_tolerance = 1e-10;  ///< gap of a closed contact, relative to the size of the smaller body
  bool stop_at_rest = false;         ///< stop `at-rest` as soon as nothing moves
  int max_rounds = 1000;             ///< of one instant before the run fails
  ImpactOptions impact;              ///< handed to the law
};

class EventEngine {
 public:
  /// Checks model and state (validate, overlap at the start). Throws InputError. The model is copied.
  EventEngine(const Model& model, const State& initial, const EventOptions& options);
  ~EventEngine();
  EventEngine(EventEngine&&) noexcept;
  EventEngine& operator=(EventEngine&&) noexcept;

  /// Runs to a stop. `interrupt`, where given, is looked at often; when it turns true the run stops `interrupted`.
  /// An exception of the observer passes through.
  RunResult run(Observer* observer = nullptr, const std::atomic<bool>* interrupt = nullptr);

  /// Instead of run(): goes on to the first impact and returns it as a problem that any law can be asked about, all
  /// closed contacts of the cluster in it, named after the two that touch; none where nothing ever strikes.
  /// Coordinates: per body v (world) and, unless it is a smooth ball, ω (principal frame).
  std::optional<ImpactProblem> first_impact();

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace carom
