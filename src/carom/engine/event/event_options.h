#pragma once
/// What the rigid engine can be told.

#include <cstdint>
#include <optional>

#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/registry.h"

namespace carom {

struct EventOptions {
  const ImpactLaw* law = &default_impact_law();
  double duration = 1.0;                 ///< model time to look ahead from that of the initial state [s], finite
  std::int64_t max_events = 0;           ///< impacts before the run stops `event-limit`; 0: no limit
  double contact_tolerance = 1e-10;      ///< gap of a closed contact, relative to the size of the smaller body
  double integration_tolerance = 1e-13;  ///< of motion that has no closed form, relative to sizes and speeds
  /// Slower impacts within pressed clusters are plastic [m/s]; none: 3e-3 √(acceleration · size) (settling.h); 0:
  /// never.
  std::optional<double> settle_speed;
  int max_rounds = 1000;   ///< of one instant before the run fails
  ImpactOptions impact{};  ///< handed to the law
};

/// Throws InputError: numbers out of range, options that no law knows.
void validate(const EventOptions& options);

}  // namespace carom
