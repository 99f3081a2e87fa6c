#pragma once
/// How a scene asks to be run: the table [run] of a scene file, and what an engine makes of it.

#include <array>
#include <cstdint>
#include <string>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom::scene {

/// All ways to keep rods and rolling.
inline constexpr std::array kConstraintMethods = {ConstraintMethod::lagrange, ConstraintMethod::baumgarte,
                                                  ConstraintMethod::projection};

struct RunOptions {
  std::string engine = "event";  ///< `event`, `smooth`, `gas` or `grains`
  double duration = 0.0;         ///< > 0 [s]
  double output_step = 0.0;      ///< > 0 [s]
  bool stop_at_rest = false;     ///< whether to stop as soon as nothing moves
  std::int64_t seed = 0;         ///< of every [[fill]] and [[rack]] that names none

  // Rigid engines.
  std::string law;                   ///< registry name of the impact law
  std::int64_t max_events = 0;       ///< 0: no limit
  double contact_tolerance = 1e-10;  ///< relative to the size of the smaller body

  // The smooth engine; see SmoothOptions.
  std::string integrator = "dormand-prince";
  double rtol = 1e-8;
  double step = 0.0;      ///< [s]; 0: not given
  double max_step = 0.0;  ///< [s]; 0: no limit
  double rest_speed = 1e-4;
  ConstraintMethod constraint_method = ConstraintMethod::projection;
  double baumgarte_rate = 5.0;
  bool clusters = true;
  bool event_location = true;
  bool settle = true;
};

/// The options of the rigid engine. Throws InputError `unsupported` at `run.engine` where the scene asks for an engine
/// that there is not; those of `smooth` scenes serve for their first impact.
EventOptions event_options(const RunOptions& run);

/// The options of the compliant engine. Throws likewise.
SmoothOptions smooth_options(const RunOptions& run);

}  // namespace carom::scene
