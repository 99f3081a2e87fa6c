/// Sections that make many bodies at once: fills, racks, cradles.

#include <array>

#include "carom/scene/format/sections.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr Bounds kCradleBalls{1.0, static_cast<double>(kMostCradleBalls), false, false};
constexpr Bounds kRaisedBalls{0.0, static_cast<double>(kMostCradleBalls), false, false};
constexpr Bounds kRackRows{1.0, static_cast<double>(kMostRackRows), false, false};
constexpr Bounds kSwing{-90.0, 90.0, false, false};
constexpr Bounds kFillCount{1.0, static_cast<double>(kMostFillBodies), false, false};

constexpr std::array kFillKeys = {
    required(plain_key("name", Type::name, "its bodies are called NAME-0, NAME-1, …")),
    required(integer_key("count", kFillCount, "number of bodies")),
    required(variant_key("shape", Type::table, &solid_shapes, "kind and sizes, the same for all")),
    kMassKey,
    kDensityKey,
    kMaterialKey,
    kGroupsKey,
    kAvoidKey,
    required(matrix_key("box", 2, 3, "opposite corners of the box that holds them")),
    number_key("jitter", kUnitInterval, "how much of the room between lattice places is used at random", "0"),
    with_unit(
        number_key("temperature", kNotNegative, "Maxwell's velocities with ⟨m v²⟩ = 3 T; this or speed", "(at rest)"),
        "J"),
    with_unit(number_key("speed", kNotNegative, "root mean square speed, random directions; this or temperature",
                         "(at rest)"),
              "m/s"),
    integer_key("seed", kSeed, "of the random numbers", "(that of [run])"),
};

constexpr std::array kCradleKeys = {
    required(plain_key("name", Type::name, "its balls are called NAME-1, NAME-2, …")),
    integer_key("count", kCradleBalls, "number of balls", "5"),
    required(variant_key("shape", Type::table, &round_shapes, "a sphere, the same for all")),
    kMassKey,
    kDensityKey,
    kMaterialKey,
    kGroupsKey,
    kAvoidKey,
    with_unit(vector_key("pivot", "where the first ball hangs", "[0, 0, 0]"), "m"),
    size_key("length", "from a pivot to the centre of its ball"),
    direction_key("direction", "along which the pivots follow", "[1, 0, 0]"),
    direction_key("up", "against which the balls hang", "[0, 0, 1]"),
    with_unit(number_key("gap", kNotNegative, "between neighbours", "0"), "m"),
    integer_key("raised", kRaisedBalls, "how many of the first balls are swung out", "1"),
    number_key("angle_deg", kSwing, "by which they are, away from the row", "30"),
};

constexpr std::array kRackKeys = {
    required(plain_key("name", Type::name, "its balls are called NAME-1, NAME-2, …, row after row")),
    integer_key("rows", kRackRows, "rows of the triangle; row r has r balls", "5"),
    required(variant_key("shape", Type::table, &round_shapes, "a sphere, the same for all")),
    kMassKey,
    kDensityKey,
    kMaterialKey,
    kGroupsKey,
    kAvoidKey,
    required(with_unit(vector_key("apex", "centre of the first ball", ""), "m")),
    direction_key("direction", "along which the rows follow", "[1, 0, 0]"),
    direction_key("up", "across the plane of the triangle", "[0, 0, 1]"),
    with_unit(number_key("gap", kNotNegative, "α between neighbours", "0"), "m"),
    with_unit(
        number_key("random_gap", kNotNegative,
                   "every ball is moved at random within the plane by up to half of this, which is at most `gap`", "0"),
        "m"),
    integer_key("seed", kSeed, "of the random numbers", "(that of [run])"),
    plain_key("planar", Type::boolean, "whether each ball has a planar constraint across `up`", "false"),
};

constexpr Section kFill{"fill", "many equal bodies at once, arranged without overlap", kFillKeys};
constexpr Section kRack{"rack", "a triangle of equal balls", kRackKeys};
constexpr Section kCradle{"cradle", "equal balls on rods in a row", kCradleKeys};

}  // namespace

const Section& fill_section() {
  return kFill;
}

const Section& rack_section() {
  return kRack;
}

const Section& cradle_section() {
  return kCradle;
}

}  // namespace carom::scene
