/// Bodies, planes and obstacles, and what is at them: shots, pockets, dents.

#include <array>

#include "carom/scene/format/sections.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr Bounds kElevation{0.0, 90.0, false, true};
constexpr Bounds kHalfWidth{0.0, 90.0, true, false};

std::vector<std::string_view> position_points() {
  return {kOfShape, kOfCentreOfMass};
}

constexpr std::array kBodyKeys = {
    kObjectNameKey,
    required(variant_key("shape", Type::table, &body_shapes, "kind and sizes")),
    kMassKey,
    kDensityKey,
    Key{.name = "inertia",
        .type = Type::inertia,
        .help = "about the centre of mass: three principal moments along the axes of the shape, or nine numbers, the "
                "tensor in the axes of the shape row by row",
        .unit = "kg m²",
        .absent = "(homogeneous)"},
    with_unit(vector_key("centre_of_mass", "where it is in the frame of the shape", "(the centroid)"), "m"),
    kMaterialKey,
    kColourKey,
    kGroupsKey,
    kAvoidKey,
    with_unit(vector_key("position", "where the body is: origin of the shape's frame, or centre of mass"), "m"),
    kOrientationKey,
    with_unit(vector_key("velocity", "velocity of that point"), "m/s"),
    choice_key(kPositionOf, &position_points, "the point that `position` and `velocity` are those of", "\"shape\""),
    with_unit(vector_key("angular_velocity", "angular velocity, world frame"), "rad/s"),
    with_unit(vector_key("angular_velocity_body", "the same in the body frame", ""), "rad/s"),
};

constexpr Key kMotionKey =
    variant_key("motion", Type::table, &motion_kinds, "how it is driven, in place of velocity and angular_velocity");

constexpr std::array kPlaneKeys = {
    kObjectNameKey,
    required(plain_key("normal", Type::direction, "points to the free side, any length")),
    with_unit(vector_key("point", "a point of the plane"), "m"),
    kMaterialKey,
    kColourKey,
    kGroupsKey,
    kAvoidKey,
    with_unit(vector_key("velocity", "constant velocity of a driven plane"), "m/s"),
    with_unit(vector_key("angular_velocity", "constant spin about `point`"), "rad/s"),
    kMotionKey,
};

constexpr std::array kObstacleKeys = {
    kObjectNameKey,
    required(variant_key("shape", Type::table, &obstacle_shapes, "kind and sizes")),
    with_unit(vector_key("position", "origin of the shape's frame"), "m"),
    kOrientationKey,
    kMaterialKey,
    kColourKey,
    kGroupsKey,
    kAvoidKey,
    with_unit(vector_key("velocity", "constant velocity of a driven obstacle"), "m/s"),
    with_unit(vector_key("angular_velocity", "constant spin about `position`"), "rad/s"),
    kMotionKey,
};

constexpr std::array kShotKeys = {
    required(plain_key("body", Type::name, "the ball that is struck, at rest till then")),
    required(with_unit(
        number_key("speed", kNotNegative, "impulse per mass: the speed of the centre after a level shot"), "m/s")),
    number_key("direction_deg", {}, "where to, in the plane across `up` from the x axis; this or direction"),
    direction_key("direction", "the same as a vector, taken across `up`"),
    direction_key("up", "away from the table", "[0, 0, 1]"),
    number_key("elevation_deg", kElevation, "by which the cue is raised: the impulse points down by it", "0"),
    with_unit(with_default(numbers_key("tip_offset", 2,
                                       "where the tip strikes, to the right of and above the centre of the ball's face "
                                       "as seen along the cue"),
                           "[0, 0]"),
              "m"),
};

constexpr std::array kPocketKeys = {
    kObjectNameKey,
    required(with_unit(vector_key("position", "a point of its axis", ""), "m")),
    size_key("radius", "centres that come closer to the axis are swallowed"),
    direction_key("axis", "its axis", "[0, 0, 1]"),
};

constexpr std::array kDentKeys = {
    required(plain_key("on", Type::name, "the body or obstacle, a sphere, cylinder, bore or shell")),
    number_key("angle_deg", {}, "where it is, about the object's z axis from its x axis; this or direction"),
    direction_key("direction", "where it is, in the object's frame; this or angle_deg"),
    required(number_key("half_width_deg", kHalfWidth, "angle from its middle to its edge")),
    required(with_unit(number_key("depth", kPositive, "at its middle: depth · (1 − (angle/half width)²)²"), "m")),
};

constexpr Section kBody{"body", "a rigid body", kBodyKeys};
constexpr Section kPlane{"plane", "a fixed or driven half-space", kPlaneKeys};
constexpr Section kObstacle{"obstacle", "a fixed or driven shape", kObstacleKeys};
constexpr Section kShot{"shot", "a cue strikes a ball at the start", kShotKeys};
constexpr Section kPocket{"pocket", "a hole that swallows bodies", kPocketKeys};
constexpr Section kDent{"dent", "a shallow hollow in a round surface", kDentKeys};

}  // namespace

const Section& body_section() {
  return kBody;
}

const Section& plane_section() {
  return kPlane;
}

const Section& obstacle_section() {
  return kObstacle;
}

const Section& shot_section() {
  return kShot;
}

const Section& pocket_section() {
  return kPocket;
}

const Section& dent_section() {
  return kDent;
}

const Section& orientation_section() {
  return kOrientation;
}

}  // namespace carom::scene
