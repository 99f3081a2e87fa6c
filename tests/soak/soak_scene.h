#pragma once
/// Random legal scenes as scene files, by kind and seed: what tools/soak runs by the thousand and the tests by the
/// dozen. Every kind is a layout in which bodies stay in touch; engine, law, restitution and surface (smooth, Coulomb,
/// rough) are drawn for each scene. At most 30 bodies, two seconds.

#include <cstdint>
#include <string>
#include <vector>

namespace carom::test {

/// The names of all kinds, in a fixed order.
const std::vector<std::string>& soak_kinds();

/// The scene file of this kind (one of soak_kinds), seed and engine (event or smooth): the same text on every machine.
std::string soak_scene(const std::string& kind, std::uint64_t seed, const std::string& engine);

}  // namespace carom::test
