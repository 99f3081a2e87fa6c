#pragma once
/// The error that one step of a group may make: relative to the penetrations and speeds of its contacts, however far
/// from the origin they are.

#include <limits>
#include <vector>

#include "carom/engine/smooth/group_dynamics.h"

namespace carom::smooth {

struct GroupScale {
  /// Time in which the quickest contact changes, and in which a new one begins to matter; infinite without contacts.
  double contact_time = std::numeric_limits<double>::infinity();
  double speed = 0.0;
  double depth = 0.0;  ///< of penetrations; without contacts the size of the smallest body
};

/// From the state of the group at `time`. Writes the error allowed in each component of the state into `tolerances`.
GroupScale measure_scale(const GroupDynamics& group, double time, const double* y, double rtol,
                         std::vector<double>& tolerances);

}  // namespace carom::smooth
