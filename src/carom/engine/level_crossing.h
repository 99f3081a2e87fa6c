#pragma once
/// When levels that the script of a model waits for are crossed, within a stretch of known motion.

#include <functional>
#include <optional>

#include "carom/mechanics/script.h"

namespace carom {

/// The value of a level at a time after the start of a stretch.
using LevelFunction = std::function<double(double)>;

/// Whether a level is above zero at the start of a stretch, or on its way there.
bool is_above(const LevelFunction& level, double duration);

/// The first time within a stretch at which a level is crossed that way; `above`: whether it is above zero at the
/// start, where it may be off by `roundoff`.
std::optional<double> first_crossing(const LevelFunction& level, AtCrossing::Way way, bool above, double duration,
                                     double roundoff);

/// The bodies that a level depends on.
std::vector<BodyIndex> bodies_of(const Model& model, const Level& level);

/// Looks at a level, or at a distance without a bound, during one stretch of motion, at least.
inline constexpr int kLevelLooks = 16;

}  // namespace carom
