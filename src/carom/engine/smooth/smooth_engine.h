#pragma once
/// The compliant engine: bodies press into each other with forces, and the instants at which contacts begin and end are
/// located.
///
/// Bodies that touch (or hang on springs or rods) form clusters; each cluster is integrated on its own steps, and
/// bodies in free flight are not integrated at all. Within a step the right-hand side is a smooth function of the
/// state: the set of contacts, the approach speed of each and the clamp of its force change at located instants only,
/// up to which the step is taken again. docs/theory/compliant-contact.md

#include <atomic>
#include <memory>
#include <string>

#include "carom/engine/run_options.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"
#include "carom/record/run_result.h"

namespace carom {

struct SmoothOptions {
  std::string integrator = "dormand-prince";  ///< registry name (numerics/stepper)
  double rtol = 1e-8;         ///< error of a step relative to the penetrations and speeds of its contacts
  double step = 0.0;          ///< of integrators with a fixed step [s]
  double max_step = 0.0;      ///< longest step within a contact [s]; 0: no limit
  double duration = 1.0;      ///< model time to run from that of the initial state [s]
  double output_step = 0.0;   ///< between samples [s]; 0: start and end only
  bool stop_at_rest = false;  ///< stop when every body has been slower than `rest_speed` for 0.1 s
  /// Of a centre, and of a surface turning about it [m/s]; where a law of friction is zero below v₀, at least 1.1 v₀.
  double rest_speed = 1e-4;
  ConstraintMethod constraints = ConstraintMethod::projection;
  double baumgarte_rate = 5.0;   ///< α = β of the feedback [1/s]
  bool clusters = true;          ///< false: everything is integrated together on common steps
  bool locate_events = true;     ///< false: contacts are noticed when a step ends in one; tolerances as of coordinates
  bool settle = true;            ///< bodies that rest on an obstacle at the start sink in to their static depth
  bool stop_when_apart = false;  ///< stop as soon as contacts have been closed and none is left
};

class SmoothEngine {
 public:
  /// Checks model and state (validate, overlap above 1 % of the smaller body, force laws and their parameters; laws
  /// that need an approach speed on bodies that touch at the start). Throws InputError. The model is copied.
  SmoothEngine(const Model& model, const State& initial, const SmoothOptions& options);
  ~SmoothEngine();
  SmoothEngine(SmoothEngine&&) noexcept;
  SmoothEngine& operator=(SmoothEngine&&) noexcept;

  /// Runs to a stop; see EventEngine::run.
  RunResult run(Observer* observer = nullptr, const std::atomic<bool>* interrupt = nullptr);

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace carom
