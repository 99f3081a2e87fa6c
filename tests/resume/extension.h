#pragma once
/// A record that is extended beyond its end has to be that of a run which was given the longer duration at once, bit
/// for bit: what an engine does must not depend on when the run ends.

#include <cstdint>
#include <string>

#include "carom/scene/scene.h"

namespace carom::test {

/// What differs between the record of the scene up to the time of an event and one that is extended to there, once and
/// again, at random times; empty where nothing does.
std::string extension_difference(const Scene& full, std::uint64_t seed, int events);

}  // namespace carom::test
