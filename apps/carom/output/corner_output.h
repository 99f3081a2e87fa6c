#pragma once
/// The disk in a corner, for programs and for people.

#include <string>

#include "carom/base/json.h"
#include "carom/laws/corner/disk_in_corner.h"
#include "carom/laws/corner/prediction.h"

namespace carom::app {

struct CornerResult {
  corner::CornerProblem problem;
  corner::CornerOutcome outcome;
  corner::Prediction prediction;
  double spectral_radius = 0.0;
};

Json corner_json(const CornerResult& result);
std::string corner_text(const CornerResult& result);

/// The published cases, {"rows": [...]}: the columns of the table file, numbers unrounded.
Json corner_table_json();

}  // namespace carom::app
