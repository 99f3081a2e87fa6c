#pragma once
/// Scenes by seed with bodies of all shapes and of several parts.

#include "engine/random_scenes.h"

namespace carom::test {

/// A room of six planes with up to five bodies of any convex shape or of two or three parts, some of them at rest on
/// the floor, sometimes among obstacles of any shape that turn, or in a hollow one instead of the room. Nothing
/// overlaps at the start.
RandomScene random_mixture(std::uint64_t seed);

/// Bodies of the same kinds in empty space on their way to its middle.
RandomScene random_swarm(std::uint64_t seed);

}  // namespace carom::test
