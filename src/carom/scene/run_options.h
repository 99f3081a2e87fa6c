#pragma once
/// How a scene asks to be run: the table [run] of a scene file, and what an engine makes of it.

#include <cstdint>
#include <string>

#include "carom/engine/event/event_engine.h"

namespace carom::scene {

struct RunOptions {
  std::string engine = "event";               ///< `event`, `smooth`, `gas` or `grains`
  std::string law;                            ///< registry name of the impact law
  double duration = 0.0;                      ///< > 0 [s]
  double output_step = 0.0;                   ///< > 0 [s]
  std::int64_t max_events = 0;                ///< 0: no limit
  double contact_tolerance = 1e-10;           ///< relative to the size of the smaller body
  bool stop_at_rest = false;                  ///< whether to stop as soon as nothing moves
  std::int64_t seed = 0;                      ///< of every [[fill]] that names none
  std::string integrator = "dormand-prince";  ///< of the smooth engine
  double rtol = 1e-8;                         ///< of the smooth engine
};

/// The options of the rigid engine. Throws InputError `unsupported` at `run.engine` where the scene asks for another.
EventOptions event_options(const RunOptions& run);

}  // namespace carom::scene
