#pragma once
/// What can be said against a sweep of a scene before it begins.

#include <span>
#include <vector>

#include "carom/analysis/sweep/variation.h"
#include "carom/scene/scene.h"
#include "carom/simulation/run_summary.h"

namespace carom::sweep {

/// Throws InputError: a path that leads nowhere (underlined in the variation), and a value that could be right at no
/// point, such as a misspelt name or a word for a number. What may be right at another point is not judged.
void check_variations(const Scene& scene, std::span<const Variation> variations, std::span<const Value> first);

/// The summary of a run that has not begun, with every field that it can have, for the names of measures: of the scene
/// with these values, or as it is where they are not legal.
RunSummary example_summary(const Scene& scene, std::span<const Variation> variations, std::span<const Value> first);

}  // namespace carom::sweep
