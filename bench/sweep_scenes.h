#pragma once
/// Short scenes for the benchmark of sweeps.

#include <fmt/format.h>

#include <string>

namespace carom::bench {

/// Pairs of a falling ball and a floor, side by side, far from each other.
inline std::string ball_scene(double duration, const char* shape) {
  return fmt::format(R"(format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = {}
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.9
friction = {{ law = "coulomb", coefficient = 0.2 }}
[[body]]
name = "ball"
shape = {}
mass = 1
material = "rubber"
position = [0, 0, 1.1]
angular_velocity = [0.1, 0.2, 0.3]
[[plane]]
name = "floor"
normal = [0, 0, 1]
point = [0, 0, 0]
material = "rubber"
)",
                     duration, shape);
}

/// The same without friction or spin, under the cheapest law.
inline std::string smooth_ball_scene() {
  return R"(format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = 1
law = "newton"
[[material]]
name = "ivory"
[[pair]]
materials = ["ivory", "ivory"]
restitution = 0.9
[[body]]
name = "ball"
material = "ivory"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 1.1]
[[plane]]
name = "floor"
material = "ivory"
normal = [0, 0, 1]
point = [0, 0, 0]
)";
}

inline constexpr const char* kSpring = R"([[spring]]
bodies = ["ball"]
points = [[0, 0, 0], [0, 0, 2]]
stiffness = 10
)";
inline constexpr const char* kRod = R"([[constraint]]
kind = "rod"
body = "ball"
pivot = [0.5, 0, 1.1]
length = 0.5
)";

}  // namespace carom::bench
