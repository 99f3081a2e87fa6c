#include "soak/soak_scene.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "soak/layouts.h"

namespace carom::test {

namespace {

struct Kind {
  const char* name;
  void (*lay)(SceneText&, Random&);
};

constexpr std::array kKinds{
    Kind{"ball-pile", lay_ball_pile},
    Kind{"box-pile", lay_box_pile},
    Kind{"mixed-pile", lay_mixed_pile},
    Kind{"full-floor", lay_full_floor},
    Kind{"pyramid", lay_pyramid},
    Kind{"ball-pyramid", lay_ball_pyramid},
    Kind{"box-stack", lay_box_stack},
    Kind{"cylinders", lay_cylinders},
    Kind{"standing-ellipsoids", lay_standing_ellipsoids},
    Kind{"lying-ellipsoids", lay_lying_ellipsoids},
    Kind{"corner", lay_corner},
    Kind{"line", lay_line},
    Kind{"dominoes", lay_dominoes},
    Kind{"constraints", lay_constraints},
    Kind{"driven-walls", lay_driven_walls},
    Kind{"springs", lay_springs},
    Kind{"hollow", lay_hollow},
    Kind{"extreme-scales", lay_extreme_scales},
    Kind{"joint-tree", lay_joint_tree},
    Kind{"joint-loop", lay_joint_loop},
    Kind{"odd-shapes", lay_odd_shapes},
    Kind{"compounds", lay_compounds},
    Kind{"course", lay_course},
    Kind{"mixed-surfaces", lay_mixed_surfaces},
};

}  // namespace

const std::vector<std::string>& soak_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Kind& kind : kKinds) all.emplace_back(kind.name);
    return all;
  }();
  return names;
}

std::string soak_scene(const std::string& kind, std::uint64_t seed, const std::string& engine) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& one) { return kind == one.name; });
  if (found == kKinds.end()) throw std::invalid_argument("no kind of scenes '" + kind + "'");
  // Seeds of different kinds share no numbers.
  Random random(seed * 1000003 + 7919 * static_cast<std::uint64_t>(found - kKinds.begin()) + 11);
  SceneText scene(kind + " " + std::to_string(seed), engine, random);
  found->lay(scene, random);
  return scene.text();
}

}  // namespace carom::test
