#pragma once
/// What a compliant run can be told besides its model and state.

#include <string>

#include "carom/engine/run_options.h"

namespace carom {

struct SmoothOptions {
  std::string integrator = "dormand-prince";  ///< registry name (numerics/stepper)
  double rtol = 1e-8;     ///< error of a step relative to the penetrations and speeds of its contacts
  double step = 0.0;      ///< of integrators with a fixed step [s]
  double max_step = 0.0;  ///< longest step within a contact [s]; 0: no limit
  double duration = 1.0;  ///< how far to look ahead from the time of the initial state [s]
  /// A run is at rest when every body has been slower than this for 0.1 s: its centre, and its surface turning about it
  /// [m/s]; where a law of friction is zero below v₀, at least 1.1 v₀.
  double rest_speed = 1e-4;
  ConstraintMethod constraints = ConstraintMethod::projection;
  double baumgarte_rate = 5.0;   ///< α = β of the feedback [1/s]
  bool clusters = true;          ///< false: everything is integrated together on common steps
  bool locate_events = true;     ///< false: contacts are noticed when a step ends in one; tolerances as of coordinates
  bool settle = true;            ///< bodies that rest on an obstacle at the start sink in to their static depth
  bool stop_when_apart = false;  ///< stop `apart` as soon as contacts have been closed and none is left
};

/// Throws InputError at `run.…` for a number out of range, an unknown integrator, or one without the step it needs.
void validate(const SmoothOptions& options);

}  // namespace carom
