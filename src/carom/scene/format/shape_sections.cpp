/// The kinds of shape, and what more the parts of a compound say.

#include <array>

#include "carom/scene/format/sections.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr Key kRadius = size_key("radius", "radius");
constexpr Key kHalfLength = size_key("half_length", "half the length, along z");

constexpr std::array kSphereKeys = {kRadius};
constexpr std::array kEllipsoidKeys = {sizes_key("semi_axes", "semi-axes along x, y, z")};
constexpr std::array kBoxKeys = {sizes_key("half_sizes", "half the edges along x, y, z")};
constexpr std::array kCylinderKeys = {kRadius, kHalfLength};
constexpr std::array kPrismKeys = {
    required(matrix_key("vertices", 3, 2, "corners of the triangle, [[x, y], [x, y], [x, y]]")), kHalfLength};
constexpr std::array kCapsuleKeys = {kRadius, size_key("half_length", "half the length between the caps, along z")};
constexpr std::array kConeKeys = {size_key("radius", "radius of the base, which is in z = 0"),
                                  size_key("height", "height of the apex, along z")};
constexpr std::array kHalfCylinderKeys = {size_key("radius", "radius; the solid is below the flat face y = 0"),
                                          kHalfLength};
constexpr std::array kThinRodKeys = {kHalfLength};
constexpr std::array kConvexKeys = {
    points_key("vertices", 4, 3, "points whose convex hull it is, [[x, y, z], …]; this or file"),
    plain_key("file", Type::text,
              "STL or OBJ file of a closed convex surface, seen from the scene file; this or vertices"),
    number_key("scale", kPositive, "factor of all coordinates", "1"),
};

/// The keys of a shape, then what its place and mass in a compound are.
template <std::size_t count, std::size_t more>
constexpr std::array<Key, count + more> joined(const std::array<Key, count>& first,
                                               const std::array<Key, more>& second) {
  std::array<Key, count + more> keys{};
  for (std::size_t i = 0; i < count; ++i) keys[i] = first[i];
  for (std::size_t i = 0; i < more; ++i) keys[count + i] = second[i];
  return keys;
}

constexpr Key kPartPosition = with_unit(vector_key("position", "origin of the part's frame in that of the whole"), "m");
constexpr std::array kPlaceKeys = {kPartPosition, kOrientationKey};
constexpr std::array kMassAndPlaceKeys = {kMassKey, kDensityKey, kPartPosition, kOrientationKey};

/// One line per solid shape, with its own keys or more.
template <std::size_t more>
struct SolidKeys {
  std::array<Key, 1 + more> sphere, ellipsoid, box, rod;
  std::array<Key, 2 + more> cylinder, prism, capsule, cone, half_cylinder;
  std::array<Key, 3 + more> convex;

  constexpr explicit SolidKeys(const std::array<Key, more>& also)
      : sphere(joined(kSphereKeys, also)),
        ellipsoid(joined(kEllipsoidKeys, also)),
        box(joined(kBoxKeys, also)),
        rod(joined(kThinRodKeys, also)),
        cylinder(joined(kCylinderKeys, also)),
        prism(joined(kPrismKeys, also)),
        capsule(joined(kCapsuleKeys, also)),
        cone(joined(kConeKeys, also)),
        half_cylinder(joined(kHalfCylinderKeys, also)),
        convex(joined(kConvexKeys, also)) {}

  [[nodiscard]] constexpr std::array<Section, 10> sections() const {
    return {
        Section{"sphere", "a ball", sphere},
        Section{"ellipsoid", "an ellipsoid", ellipsoid},
        Section{"box", "a box", box},
        Section{"cylinder", "a solid cylinder, axis z", cylinder},
        Section{"prism", "a triangle of the xy-plane, extruded along z", prism},
        Section{"capsule", "a cylinder with round caps, axis z", capsule},
        Section{"cone", "a cone, axis z, from its base in z = 0 to its apex", cone},
        Section{"half_cylinder", "the half y ≤ 0 of a cylinder, axis z", half_cylinder},
        Section{"rod", "a thin rod along z, without thickness", rod},
        Section{"convex", "a convex polyhedron", convex},
    };
  }
};

template <std::size_t count, std::size_t more>
constexpr std::array<Section, count + more> joined(const std::array<Section, count>& first,
                                                   const std::array<Section, more>& second) {
  std::array<Section, count + more> sections{};
  for (std::size_t i = 0; i < count; ++i) sections[i] = first[i];
  for (std::size_t i = 0; i < more; ++i) sections[count + i] = second[i];
  return sections;
}

constexpr SolidKeys<0> kSolidKeys{std::array<Key, 0>{}};
constexpr SolidKeys<2> kPlacedKeys{kPlaceKeys};
constexpr SolidKeys<4> kBodyPartKeys{kMassAndPlaceKeys};

constexpr auto kBodyParts = kBodyPartKeys.sections();
constexpr auto kObstacleParts = kPlacedKeys.sections();

constexpr Key parts_key(std::span<const Section> (*variants)()) {
  return required(variant_key("parts", Type::tables, variants, "the shapes that it is made of, each with its place"));
}
constexpr std::array kBodyCompoundKeys = {parts_key(&body_parts)};
constexpr std::array kObstacleCompoundKeys = {parts_key(&obstacle_parts)};

constexpr std::string_view kCompoundHelp = "several shapes that are one body or obstacle; they may overlap or be apart";

// Solid shapes first, so that those of bodies begin with those of fills.
constexpr auto kBodyShapes = joined(
    kSolidKeys.sections(),
    std::array{Section{"compound", kCompoundHelp, kBodyCompoundKeys},
               Section{"bore", "the inside of a hollow cylinder, axis z; a body where its mass and inertia are given",
                       kCylinderKeys}});
constexpr auto kObstacleShapes = joined(
    kSolidKeys.sections(),
    std::array{Section{"compound", kCompoundHelp, kObstacleCompoundKeys},
               Section{"bore", "the inside of a hollow cylinder, axis z; a body where its mass and inertia are given",
                       kCylinderKeys},
               Section{"shell", "the inside of a hollow sphere; obstacles only", kSphereKeys}});

}  // namespace

std::span<const Section> obstacle_shapes() {
  return kObstacleShapes;
}

std::span<const Section> body_shapes() {
  return kBodyShapes;
}

std::span<const Section> solid_shapes() {
  return body_shapes().first(kBodyParts.size() + 1);
}

std::span<const Section> round_shapes() {
  return body_shapes().first(1);
}

std::span<const Section> body_parts() {
  return kBodyParts;
}

std::span<const Section> obstacle_parts() {
  return kObstacleParts;
}

std::span<const Key> part_keys() {
  return kMassAndPlaceKeys;
}

}  // namespace carom::scene
