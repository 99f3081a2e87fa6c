#pragma once
/// Runs a system that a C++ user brings himself (mechanics/lagrangian_system.h), event by event.
///
/// Between events the state is integrated by Gauss collocation (order 16, dense output). Every gap is followed along
/// the dense output; where one closes, the step is taken again up to that instant, all closed contacts form one impact
/// problem for the chosen law, and what then rests persists: its accelerations follow from complementarity until its
/// force vanishes. The loop is that of all engines (engine/run.h).
///
/// A rough contact sticks while it persists. Where it can neither stick, because it would have to pull, nor open
/// (contact_dynamics.h), it slides without friction until the next event.
///
/// Events are reported to an Observer (record/observer.h). A user's system has no bodies, so in a ContactRecord `a` is
/// kNone and `b` is the index of the contact; point and normal are zero, tangential impulses are left out, and there
/// are no jumps. Its samples have no bodies either: `on_sample` gets coordinates and speeds. In the energy book the
/// user's potential stands under `gravity`, and the work of forces without potential, with its sign changed, under
/// `damping`. docs/own-system.md

#include <atomic>
#include <cstdint>
#include <functional>

#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/lagrangian_system.h"
#include "carom/record/run_result.h"

namespace carom {

struct LagrangianState {
  double time = 0.0;
  Vector q;  ///< coordinates
  Vector v;  ///< speeds
};

struct LagrangianOptions {
  const ImpactLaw* law = &default_impact_law();
  double duration = 1.0;             ///< model time to run [s], finite
  double output_step = 0.0;          ///< between samples [s]; 0: start and end only
  std::int64_t max_events = 0;       ///< impacts before the run stops `event-limit`; 0: no limit
  double contact_tolerance = 1e-10;  ///< gap of a closed contact, and height of the last bounce, relative to size()
  double tolerance = 1e-13;          ///< of the integration, relative to size() and to the speeds
  bool stop_at_rest = false;         ///< stop `at-rest` as soon as nothing changes its place
  int max_rounds = 1000;             ///< of one instant before the run fails
  ImpactOptions impact{};            ///< handed to the law
  /// Called at multiples of the output step, at the start and at the end.
  std::function<void(const LagrangianState&, const EnergyBook&)> on_sample{};
};

struct LagrangianResult {
  RunResult run;          ///< its final_state has the time only
  LagrangianState state;  ///< at the time reached
};

class LagrangianEngine {
 public:
  /// Throws InputError: sizes, numbers that are not finite, options out of range, a metric that is not positive
  /// definite, gaps that are violated (`overlap`) or constraints (`constraint-violated`) at the start. The system is
  /// not copied and must outlive the engine.
  LagrangianEngine(const LagrangianSystem& system, const LagrangianState& initial, const LagrangianOptions& options);

  /// Runs to a stop, from the initial state each time it is called. `interrupt`, where given, is looked at before
  /// every step; when it turns true the run stops `interrupted`. Exceptions of the observer and of the system pass
  /// through.
  LagrangianResult run(Observer* observer = nullptr, const std::atomic<bool>* interrupt = nullptr);

 private:
  const LagrangianSystem* system_;
  LagrangianState initial_;
  LagrangianOptions options_;
};

}  // namespace carom
