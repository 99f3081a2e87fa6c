#pragma once
/// The engines that there are: their names, and a bit for each in the sets of engines that use a key.

#include <array>
#include <string_view>

namespace carom::scene {

enum Engine : unsigned { kEvent = 1, kSmooth = 2 };
inline constexpr unsigned kEveryEngine = kEvent | kSmooth;

/// In the order of their bits.
inline constexpr std::array<std::string_view, 2> kEngineNames = {"event", "smooth"};

/// The engine of that name, which is one of them.
Engine engine_named(std::string_view name);

}  // namespace carom::scene
