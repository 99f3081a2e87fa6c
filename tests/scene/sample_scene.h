#pragma once
/// A scene in which every section occurs, for tests that change one thing in it.

#include <string>
#include <string_view>

namespace carom::test {

inline constexpr std::string_view kSampleScene = R"(format = 1
title = "an egg falls beside a rolling ball"
[world]
gravity = [0, 0, -9.81]
[run]
law = "newton"
duration = 2.0
[[material]]
name = "steel"
young = 2.07e11
poisson = 0.3
[[material]]
name = "rubber"
[[pair]]
materials = ["steel", "steel"]
restitution = 0.9
[[pair]]
materials = ["rubber", "steel"]
restitution = 0.5
rough = true
[[body]]
name = "egg"
shape = { kind = "ellipsoid", semi_axes = [1, 1, 2] }
mass = 500
material = "steel"
position = [0, 0, 3]
orientation = { bryan_deg = [45, 30, 90] }
velocity = [-1, -1, 0]
angular_velocity = [0, 0, 0]
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.5 }
density = 2.0
inertia = [0.2, 0.3, 0.4]
material = "steel"
position = [5, 0, 0.5]
orientation = { quaternion = [0.6, 0, 0.8, 0] }
velocity = [1, 0, 0]
angular_velocity = [0, 2, 0]
[[body]]
name = "bob"
shape = { kind = "sphere", radius = 0.25 }
mass = 1
position = [0, 9, 0.5]
orientation = { bryan_rad = [0, 0, 1.5707963267948966] }
velocity = [1, 0, 0]
angular_velocity_body = [3, 0, 0]
[[plane]]
name = "floor"
normal = [0, 0, 2]
point = [0, 0, 0]
material = "rubber"
[[obstacle]]
name = "post"
shape = { kind = "sphere", radius = 1 }
position = [20, 0, 5]
material = "steel"
velocity = [0, 0, 1]
[[constraint]]
kind = "rolling"
body = "ball"
plane = "floor"
[[constraint]]
kind = "rod"
body = "bob"
pivot = [0, 9, 5.5]
length = 5
[[constraint]]
kind = "planar"
body = "egg"
normal = [0, 0, 3]
[[spring]]
bodies = ["egg", "ball"]
points = [[0, 0, 1], [0, 0, 0]]
stiffness = 10.0
damping = 0.1
rest_length = 5.0
[[spring]]
bodies = ["bob"]
stiffness = 1
[[load]]
body = "ball"
force = [0, 0.1, 0]
angular_damping = 0.5
)";

/// The scene with one text in place of another, which must occur; of several the first.
inline std::string changed_scene(std::string_view from, std::string_view to) {
  std::string text(kSampleScene);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "the text '" + std::string(from) + "' is not in the sample";
  return text.replace(at, from.size(), to);
}

}  // namespace carom::test
