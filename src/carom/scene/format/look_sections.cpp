/// How a scene is shown: the camera. Colours stand at bodies and obstacles.

#include <array>

#include "carom/scene/format/sections.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

std::vector<std::string_view> view_names() {
  return {"iso", "front", "side", "top"};
}

constexpr std::array kCameraKeys = {
    choice_key("view", &view_names, "where to look from; this or direction", "(the viewer chooses)"),
    direction_key("direction", "from the scene to the camera; this or view"),
    with_unit(vector_key("centre", "middle of what is seen", "(all is seen)"), "m"),
    with_unit(number_key("height", kPositive, "of what is seen at the centre", "(all is seen)"), "m"),
    plain_key("perspective", ValueType::boolean, "far things are smaller", "(not in front, side and top)"),
    plain_key("follow", ValueType::name, "the body that the camera goes with", "(none)"),
};

constexpr Section kCamera{"camera", "where the viewer and pictures look from", kCameraKeys};

}  // namespace

const Section& camera_section() {
  return kCamera;
}

}  // namespace carom::scene
