/// Sections that make many bodies at once: fills, racks, cradles; how their bodies may differ, and what may be changed
/// about single ones.

#include <array>
#include <deque>

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

std::vector<std::string_view> distribution_names() {
  return {kUniform, kLogUniform};
}

constexpr std::array kRangeKeys = {
    required(number_key("from", kPositive, "of the first body")),
    required(number_key("to", kPositive, "of the last body")),
};
constexpr std::array kRandomKeys = {
    required(number_key("min", kPositive, "the least")),
    required(number_key("max", kPositive, "the greatest")),
    choice_key("distribution", &distribution_names, "of the number, or of its logarithm", "\"uniform\""),
    integer_key("seed", kSeed, "of the random numbers", "(that of the section, or of [run])"),
};
constexpr std::array kSpreads = {
    Section{"range", "evenly from the first body to the last", kRangeKeys},
    Section{"random", "at random for each body", kRandomKeys},
};

constexpr Key varied_key(const Key& key) {
  Key varied = key;
  varied.type = Type::varied;
  varied.variants = &spread_kinds;
  varied.chooser = {};
  return varied;
}

/// The same shapes, with sizes that may differ from body to body.
class VariedShapes {
 public:
  explicit VariedShapes(std::span<const Section> shapes) {
    for (const Section& shape : shapes) {
      std::vector<Key>& keys = keys_.emplace_back(shape.keys.begin(), shape.keys.end());
      for (Key& key : keys)
        if (key.type == Type::number) key = varied_key(key);
      sections_.push_back({shape.name, shape.help, keys});
    }
  }
  [[nodiscard]] std::span<const Section> sections() const { return sections_; }

 private:
  std::deque<std::vector<Key>> keys_;
  std::vector<Section> sections_;
};

std::span<const Section> varied_solid_shapes() {
  static const VariedShapes kShapes(solid_shapes());
  return kShapes.sections();
}

std::span<const Section> varied_round_shapes() {
  static const VariedShapes kShapes(round_shapes());
  return kShapes.sections();
}

/// What can be said about one body of many: all that can be said about a body, and nothing has to be.
const Section& change_section() {
  static const std::vector<Key> kKeys = [] {
    std::vector<Key> keys(body_section().keys.begin(), body_section().keys.end());
    for (Key& key : keys) {
      key.required = key.name == "name";
      key.absent = key.required ? std::string_view() : std::string_view("(as arranged)");
    }
    return keys;
  }();
  static const Section kChange{"change", "what is different about single bodies", kKeys};
  return kChange;
}

std::span<const Section> change_kinds() {
  return {&change_section(), 1};
}

constexpr Key kChangesKey{.name = kChangesName,
                          .type = Type::tables,
                          .help =
                              "tables with the `name` of one of its bodies and the keys of [[body]] that it has "
                              "instead; --set body.NAME-3.mass=2 writes one",
                          .absent = "[]",
                          .variants = &change_kinds,
                          .chooser = {}};
constexpr Key kVariedMassKey = varied_key(kMassKey);
constexpr Key kVariedDensityKey = varied_key(kDensityKey);
constexpr Key kScaleKey = varied_key(
    number_key("scale", kPositive, "by which the lengths of the shape are multiplied, for sizes that differ", "1"));

constexpr std::array kFillKeys = {
    required(plain_key("name", Type::name, "its bodies are called NAME-0, NAME-1, …")),
    required(integer_key("count", kFillCount, "number of bodies")),
    required(variant_key("shape", Type::table, &varied_solid_shapes, "kind and sizes")),
    kScaleKey,
    kVariedMassKey,
    kVariedDensityKey,
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
    kChangesKey,
};

constexpr std::array kCradleKeys = {
    required(plain_key("name", Type::name, "its balls are called NAME-1, NAME-2, …")),
    integer_key("count", kCradleBalls, "number of balls", "5"),
    required(variant_key("shape", Type::table, &varied_round_shapes, "a sphere")),
    kScaleKey,
    kVariedMassKey,
    kVariedDensityKey,
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
    kChangesKey,
};

constexpr std::array kRackKeys = {
    required(plain_key("name", Type::name, "its balls are called NAME-1, NAME-2, …, row after row")),
    integer_key("rows", kRackRows, "rows of the triangle; row r has r balls", "5"),
    required(variant_key("shape", Type::table, &varied_round_shapes, "a sphere")),
    kScaleKey,
    kVariedMassKey,
    kVariedDensityKey,
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
    kChangesKey,
};

constexpr Section kFill{"fill", "many bodies at once, arranged without overlap", kFillKeys};
constexpr Section kRack{"rack", "a triangle of balls", kRackKeys};
constexpr Section kCradle{"cradle", "balls on rods in a row", kCradleKeys};

}  // namespace

std::span<const Section> spread_kinds() {
  return kSpreads;
}

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
