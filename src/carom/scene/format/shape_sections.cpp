/// The kinds of shape.

#include <array>

#include "carom/scene/format/key_builders.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

constexpr Key kRadius = size_key("radius", "radius");
constexpr Key kHalfLength = size_key("half_length", "half the length, along z");

constexpr std::array kSphereKeys = {kRadius};
constexpr std::array kEllipsoidKeys = {sizes_key("semi_axes", "semi-axes along x, y, z")};
constexpr std::array kBoxKeys = {sizes_key("half_sizes", "half the edges along x, y, z")};
constexpr std::array kCylinderKeys = {kRadius, kHalfLength};
constexpr std::array kPrismKeys = {
    required(matrix_key("vertices", 3, 2, "corners of the triangle, [[x, y], [x, y], [x, y]]")), kHalfLength};

constexpr std::array kObstacleShapes = {
    Section{"sphere", "a ball", kSphereKeys},
    Section{"ellipsoid", "an ellipsoid", kEllipsoidKeys},
    Section{"box", "a box", kBoxKeys},
    Section{"cylinder", "a solid cylinder, axis z", kCylinderKeys},
    Section{"prism", "a triangle of the xy-plane, extruded along z", kPrismKeys},
    Section{"bore", "the inside of a hollow cylinder, axis z; a body (smooth) where its inertia is given",
            kCylinderKeys},
    Section{"shell", "the inside of a hollow sphere; obstacles only", kSphereKeys},
};

}  // namespace

std::span<const Section> obstacle_shapes() {
  return kObstacleShapes;
}

std::span<const Section> body_shapes() {
  return obstacle_shapes().first(6);
}

std::span<const Section> solid_shapes() {
  return obstacle_shapes().first(5);
}

std::span<const Section> round_shapes() {
  return obstacle_shapes().first(1);
}

}  // namespace carom::scene
