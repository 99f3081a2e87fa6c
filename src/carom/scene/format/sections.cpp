/// A key that is added to these tables is known to the reader, the schema and the documentation; what becomes of its
/// value stands in reader/.

#include "carom/scene/format/sections.h"

#include <limits>

#include "carom/base/assert.h"
#include "carom/laws/impact/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "carom/numerics/stepper/integrators.h"
#include "carom/scene/format/key_builders.h"
#include "carom/scene/run_options.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bounds kPart{0.0, 1.0, true, true};
constexpr Bounds kPoisson{-1.0, 0.5, true, true};
constexpr Bounds kOne{1.0, 1.0, false, false};
constexpr Bounds kFromOne{1.0, kInfinity, false, false};
constexpr Bounds kSeed{0.0, 9007199254740992.0, false, false};  // 2⁵³: every TOML reader keeps it
constexpr Bounds kCradleBalls{1.0, static_cast<double>(kMostCradleBalls), false, false};
constexpr Bounds kRaisedBalls{0.0, static_cast<double>(kMostCradleBalls), false, false};
constexpr Bounds kRackRows{1.0, static_cast<double>(kMostRackRows), false, false};
constexpr Bounds kTolerance{1e-14, 1e-2, false, false};
constexpr Bounds kSwing{-90.0, 90.0, false, false};
constexpr Bounds kElevation{0.0, 90.0, false, true};
constexpr Bounds kHalfWidth{0.0, 90.0, true, false};
constexpr Bounds kExponent{1.0, 10.0, false, false};
constexpr Bounds kFillCount{1.0, static_cast<double>(kMostFillBodies), false, false};

std::vector<std::string_view> engine_names() {
  return {kEngineNames.begin(), kEngineNames.end()};
}

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for (const ImpactLaw* law : impact_laws()) names.push_back(law->name);
  return names;
}

std::vector<std::string_view> normal_law_names() {
  std::vector<std::string_view> names;
  for (const NormalLaw* law : normal_laws()) names.push_back(law->name);
  return names;
}

std::vector<std::string_view> integrator_names() {
  std::vector<std::string_view> names;
  for (const Integrator& integrator : integrators()) names.push_back(integrator.name);
  return names;
}

std::vector<std::string_view> constraint_method_names() {
  std::vector<std::string_view> names;
  for (const ConstraintMethod method : kConstraintMethods) names.push_back(constraint_method_name(method));
  return names;
}

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

constexpr std::array kOrientationKeys = {
    numbers_key("bryan_deg", 3, "Bryan angles ψ, θ, φ in degrees: A = Rx(ψ) Ry(θ) Rz(φ)"),
    with_unit(numbers_key("bryan_rad", 3, "the same in radians"), "rad"),
    numbers_key("quaternion", 4, "unit quaternion [w, x, y, z]"),
};
constexpr Section kOrientation{"orientation", "turns body vectors into world vectors; one of the keys below",
                               kOrientationKeys};
constexpr Key kOrientationKey = table_key("orientation", Type::table, kOrientation, "(not turned)");
constexpr Key kMaterialKey = plain_key("material", Type::name, "name of a [[material]]", "(smooth and elastic)");
constexpr Key kVelocityKey = with_unit(vector_key("velocity", "velocity of the centre of mass"), "m/s");
constexpr Key kMassKey = with_unit(number_key("mass", kPositive, "mass; this or density"), "kg");
constexpr Key kDensityKey = with_unit(number_key("density", kPositive, "mass per volume; this or mass"), "kg/m³");

constexpr std::array kWorldKeys = {
    with_unit(vector_key("gravity", "acceleration of free fall"), "m/s²"),
    for_engines(Key{.name = "periodic",
                    .type = Type::vector,
                    .help = "lengths of the periodic box",
                    .unit = "m",
                    .absent = "(not periodic)",
                    .bounds = kPositive},
                kGas | kGrains),
};

constexpr std::array kRunKeys = {
    choice_key("engine", &engine_names, "how the scene is moved", "\"event\""),
    for_engines(choice_key("law", &law_names, "impact law, as `carom laws` lists them", "\"compliant\""), kRigid),
    for_engines(choice_key("integrator", &integrator_names, "method of integration", "\"dormand-prince\""), kSmooth),
    for_engines(number_key("rtol", kTolerance,
                           "error of a step relative to the penetrations and speeds of its contacts", "1e-8"),
                kSmooth),
    for_engines(with_unit(number_key("step", kPositive, "size of the steps of integrators without step control"), "s"),
                kSmooth),
    for_engines(with_unit(number_key("max_step", kPositive, "longest step within a contact", "(no limit)"), "s"),
                kSmooth),
    required(with_unit(number_key("duration", kPositive, "model time to run"), "s")),
    with_unit(number_key("output_step", kPositive, "time between samples", "(duration/500)"), "s"),
    for_engines(integer_key("max_events", kFromOne, "impacts after which the run stops", "(no limit)"), kRigid),
    for_engines(
        number_key("contact_tolerance", kPart, "gap of a closed contact, relative to the smaller body", "1e-10"),
        kEvent),
    plain_key("stop_at_rest", Type::boolean, "whether to stop as soon as nothing moves", "false"),
    for_engines(with_unit(number_key("rest_speed", kPositive, "speed below which a body rests", "1e-4"), "m/s"),
                kSmooth),
    for_engines(
        choice_key("constraint_method", &constraint_method_names, "how rods and rolling are kept", "\"projection\""),
        kSmooth),
    for_engines(
        with_unit(number_key("baumgarte_rate", kPositive, "α = β of the feedback of the method baumgarte", "5"), "1/s"),
        kSmooth),
    for_engines(plain_key("clusters", Type::boolean,
                          "whether only bodies that touch share their steps; false: all do, for comparison", "true"),
                kSmooth),
    for_engines(
        plain_key("event_location", Type::boolean,
                  "whether the instants of contact are located; false: noticed after a step, for comparison", "true"),
        kSmooth),
    for_engines(plain_key("settle", Type::boolean,
                          "whether bodies that rest on an obstacle begin at the depth that bears them", "true"),
                kSmooth),
    integer_key("seed", kSeed, "seed of every [[fill]] and [[rack]] that names none", "0"),
};

constexpr std::array kMaterialKeys = {
    required(plain_key("name", Type::name, "how bodies and pairs refer to it")),
    for_engines(with_unit(number_key("young", kPositive, "Young's modulus"), "Pa"), kCompliant),
    for_engines(number_key("poisson", kPoisson, "Poisson's ratio"), kCompliant),
};

constexpr Key kFrictionKey{.name = "friction",
                           .type = Type::table,
                           .help = "friction law and its parameters",
                           .absent = "(none)",
                           .variants = &friction_kinds,
                           .chooser = kLawKey};

constexpr std::array kPairKeys = {
    names_key("materials", 2, 2, "the two materials, twice the same for one among itself"),
    number_key("restitution", kUnitInterval, "e of the impact laws, nominal c of the force laws", "1"),
    for_engines(plain_key("rough", Type::boolean, "no slip during an impact, and sticking contact", "false"), kEvent),
    for_engines(choice_key("normal", &normal_law_names, "normal force law, as `carom laws` lists them",
                           "(hertz where restitution = 1)"),
                kCompliant),
    number_key("stiffness", kPositive, "Hertz stiffness K, relative weight in the law `compliant`",
               "(event: 1; else from the materials)"),
    for_engines(number_key("exponent", kExponent, "n of K δⁿ; other than 1.5 only with a stiffness", "1.5"),
                kCompliant),
    for_engines(with_unit(number_key("reference_speed", kPositive, "impact speed for laws that need one"), "m/s"),
                kCompliant),
    for_engines(
        with_unit(number_key("relaxation_time", kNotNegative, "A of the law kuwabara-kono, instead of a restitution"),
                  "s"),
        kCompliant),
    for_engines(kFrictionKey, kCompliant),
    for_engines(
        plain_key("quasi_static", Type::boolean,
                  "a ball on a plane at rest keeps its height, and the normal force follows from balance", "false"),
        kSmooth),
};

constexpr std::array kBodyKeys = {
    required(plain_key("name", Type::name, "unique among all objects")),
    required(variant_key("shape", Type::table, &body_shapes, "kind and sizes")),
    kMassKey,
    kDensityKey,
    Key{.name = "inertia",
        .type = Type::vector,
        .help = "principal moments about the centre of mass, along the body axes",
        .unit = "kg m²",
        .absent = "(homogeneous)",
        .bounds = kPositive},
    kMaterialKey,
    with_unit(vector_key("position", "centre of mass"), "m"),
    kOrientationKey,
    kVelocityKey,
    with_unit(vector_key("angular_velocity", "angular velocity, world frame"), "rad/s"),
    with_unit(vector_key("angular_velocity_body", "the same in the body frame", ""), "rad/s"),
};

constexpr std::array kPlaneKeys = {
    required(plain_key("name", Type::name, "unique among all objects")),
    required(plain_key("normal", Type::direction, "points to the free side, any length")),
    with_unit(vector_key("point", "a point of the plane"), "m"),
    kMaterialKey,
    with_unit(vector_key("velocity", "constant velocity of a driven plane"), "m/s"),
    with_unit(vector_key("angular_velocity", "constant spin about `point`"), "rad/s"),
};

constexpr std::array kObstacleKeys = {
    required(plain_key("name", Type::name, "unique among all objects")),
    required(variant_key("shape", Type::table, &obstacle_shapes, "kind and sizes")),
    with_unit(vector_key("position", "origin of the shape's frame"), "m"),
    kOrientationKey,
    kMaterialKey,
    with_unit(vector_key("velocity", "constant velocity of a driven obstacle"), "m/s"),
    with_unit(vector_key("angular_velocity", "constant spin about `position`"), "rad/s"),
};

constexpr std::array kRollingKeys = {
    required(plain_key("body", Type::name, "the body that rolls")),
    required(plain_key("plane", Type::name, "the [[plane]] it rolls on")),
};
constexpr std::array kRodKeys = {
    required(plain_key("body", Type::name, "the body whose centre is held")),
    required(with_unit(plain_key("pivot", Type::vector, "the fixed end"), "m")),
    size_key("length", "distance of the centre from the pivot"),
};
constexpr std::array kPlanarKeys = {
    required(plain_key("body", Type::name, "the body that is held")),
    required(plain_key("normal", Type::direction, "the only axis it turns about, and does not move along")),
};
constexpr std::array kConstraints = {
    Section{"rolling", "rolls on a plane without slip or lift", kRollingKeys},
    Section{"rod", "keeps the centre at a distance from a fixed point", kRodKeys},
    Section{"planar", "keeps the centre in a plane and the spin along its normal", kPlanarKeys},
};

constexpr std::array kSpringKeys = {
    names_key("bodies", 1, 2, "two bodies, or one and a fixed point"),
    with_default(
        matrix_key("points", 2, 3, "its ends in the body frames; with one body the second in world coordinates"),
        "[[0, 0, 0], [0, 0, 0]]"),
    required(with_unit(number_key("stiffness", kNotNegative, "k: tension k(ℓ − ℓ₀) + c dℓ/dt"), "N/m")),
    with_unit(number_key("damping", kNotNegative, "c", "0"), "N s/m"),
    with_unit(number_key("rest_length", kNotNegative, "ℓ₀", "0"), "m"),
};

constexpr std::array kLoadKeys = {
    required(plain_key("body", Type::name, "the body it acts on")),
    with_unit(vector_key("force", "constant, world frame, at the centre of mass"), "N"),
    with_unit(vector_key("torque", "constant, world frame"), "N m"),
    with_unit(number_key("damping", kNotNegative, "c: resistance −c v", "0"), "N s/m"),
    with_unit(number_key("angular_damping", kNotNegative, "c: resistance −c ω", "0"), "N m s"),
};

constexpr std::array kFillKeys = {
    required(plain_key("name", Type::name, "its bodies are called NAME-0, NAME-1, …")),
    required(integer_key("count", kFillCount, "number of bodies")),
    required(variant_key("shape", Type::table, &solid_shapes, "kind and sizes, the same for all")),
    kMassKey,
    kDensityKey,
    kMaterialKey,
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
    required(plain_key("name", Type::name, "unique among all objects")),
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

constexpr Section kWorld{"world", "what is around", kWorldKeys};
constexpr Section kRun{"run", "how the scene is run", kRunKeys};
constexpr Section kMaterial{"material", "a material", kMaterialKeys};
constexpr Section kPair{"pair", "what happens where two materials meet", kPairKeys};
constexpr Section kBody{"body", "a rigid body", kBodyKeys};
constexpr Section kPlane{"plane", "a fixed or driven half-space", kPlaneKeys};
constexpr Section kObstacle{"obstacle", "a fixed or driven shape", kObstacleKeys};
constexpr Section kSpring{"spring", "a linear spring and damper between two points", kSpringKeys};
constexpr Section kLoad{"load", "constant force and torque, and resistance", kLoadKeys};
constexpr Section kFill{"fill", "many equal bodies at once, arranged without overlap", kFillKeys};
constexpr Section kRack{"rack", "a triangle of equal balls", kRackKeys};
constexpr Section kCradle{"cradle", "equal balls on rods in a row", kCradleKeys};
constexpr Section kShot{"shot", "a cue strikes a ball at the start", kShotKeys};
constexpr Section kPocket{"pocket", "a hole that swallows bodies", kPocketKeys};
constexpr Section kDent{"dent", "a shallow hollow in a round surface", kDentKeys};

constexpr std::array kSceneKeys = {
    required(integer_key("format", kOne, "version of the format: 1")),
    plain_key("title", Type::text, "for people", "\"\""),
    table_key("world", Type::table, kWorld),
    required(table_key("run", Type::table, kRun)),
    table_key("material", Type::tables, kMaterial),
    table_key("pair", Type::tables, kPair),
    table_key("body", Type::tables, kBody),
    table_key("plane", Type::tables, kPlane),
    table_key("obstacle", Type::tables, kObstacle),
    variant_key("constraint", Type::tables, &constraint_kinds, "a persistent constraint"),
    table_key("spring", Type::tables, kSpring),
    table_key("load", Type::tables, kLoad),
    table_key("fill", Type::tables, kFill),
    table_key("rack", Type::tables, kRack),
    table_key("cradle", Type::tables, kCradle),
    table_key("shot", Type::tables, kShot),
    for_engines(table_key("pocket", Type::tables, kPocket), kSmooth),
    for_engines(table_key("dent", Type::tables, kDent), kSmooth),
};
constexpr Section kScene{"scene", "a Carom scene", kSceneKeys};

}  // namespace

const Section& scene_format() {
  return kScene;
}

const Section& section(std::string_view name) {
  const Key* const key = find_key(kScene, name);
  CAROM_ASSERT(key != nullptr && key->table != nullptr);
  return *key->table;
}

const Section& orientation_section() {
  return kOrientation;
}

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

std::span<const Section> constraint_kinds() {
  return kConstraints;
}

}  // namespace carom::scene
