#pragma once
/// What a record shows at its worst, found from its numbers alone.

#include <string>
#include <vector>

#include "soak/record/recorded_run.h"
#include "soak/record/recorded_scene.h"

namespace carom::soak {

struct Findings {
  double overlap = 0.0;  ///< deepest overlap at a sample, relative to the smaller solid
  double energy = 0.0;   ///< energies by position and velocity against those of the record, relative to the largest
  double book = 0.0;     ///< what is missing in the energy book, relative to the largest energy
  double created = 0.0;  ///< energy beyond that of the start and of the drives, relative to the largest
  double joints = 0.0;   ///< largest error of a joint at a sample, relative to the smallest solid
  bool at_rest = false;  ///< nothing moves at the end
  int floating = 0;      ///< bodies at rest at the end that touch nothing while gravity pulls
  std::vector<std::string> complaints;  ///< sentences on what is beyond its tolerance
};

/// Throws NotUnderstood where the scene has what this check does not know.
Findings find_faults(const RecordedRun& run);

}  // namespace carom::soak
