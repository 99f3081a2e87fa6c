/// What acts on bodies: the world, materials and what happens where they meet, constraints, springs, loads.

#include <array>

#include "carom/laws/normal_force/registry.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr Bounds kPoisson{-1.0, 0.5, true, true};
constexpr Bounds kExponent{1.0, 10.0, false, false};

std::vector<std::string_view> normal_law_names() {
  std::vector<std::string_view> names;
  for (const NormalLaw* law : normal_laws()) names.push_back(law->name);
  return names;
}

constexpr std::array kWorldKeys = {
    with_unit(vector_key("gravity", "acceleration of free fall"), "m/s²"),
};

constexpr std::array kMaterialKeys = {
    required(plain_key("name", Type::name, "how bodies and pairs refer to it")),
    for_engines(with_unit(number_key("young", kPositive, "Young's modulus"), "Pa"), kSmoothEngine),
    for_engines(number_key("poisson", kPoisson, "Poisson's ratio"), kSmoothEngine),
};

constexpr Key kFrictionKey{.name = "friction",
                           .type = Type::table,
                           .help = "friction law and its parameters; `event` uses the coefficients of `coulomb`",
                           .absent = "(none)",
                           .variants = &friction_kinds,
                           .chooser = kLawKey};
constexpr Key kSmoothFrictionKey{.name = "friction_smooth",
                                 .type = Type::table,
                                 .help = "friction law under `smooth`, in place of `friction`",
                                 .absent = "(as friction)",
                                 .variants = &friction_kinds,
                                 .chooser = kLawKey};
constexpr Bounds kTangential{-1.0, 1.0, false, false};

constexpr std::array kPowerKeys = {
    required(number_key("e0", kUnitInterval, "e up to the speed v0")),
    required(with_unit(number_key("v0", kPositive, "up to which e = e0"), "m/s")),
    required(number_key("exponent", kNotNegative, "q of e = e0 · max(v/v0, 1)^(−q)")),
};
constexpr std::array kRestitutionTableKeys = {
    required(with_unit(number_list_key("speeds", kNotNegative, "of approach, increasing"), "m/s")),
    required(number_list_key("values", kUnitInterval, "e at these speeds: linear between them, held outside")),
};
constexpr std::array kRestitutionKinds = {
    Section{"power", "e0 up to a speed, falling by a power of the speed above it", kPowerKeys},
    Section{"table", "through given points", kRestitutionTableKeys},
};

constexpr std::array kPairKeys = {
    names_key("materials", 2, 2, "the two materials, twice the same for one among itself"),
    with_default(law_key("restitution", kUnitInterval, &restitution_kinds,
                         "e of the impact laws, nominal c of the force laws: a number, or a table of the speed of "
                         "approach, see `restitution` below"),
                 "1"),
    for_engines(plain_key("rough", Type::boolean, "no slip during an impact, and sticking contact", "false"),
                kEventEngine),
    for_engines(number_key("tangential_restitution", kTangential, "e_t of a rough pair", "(as restitution)"),
                kEventEngine),
    for_engines(choice_key("normal", &normal_law_names, "normal force law, as `carom laws` lists them",
                           "(hertz where restitution = 1)"),
                kSmoothEngine),
    number_key("stiffness", kPositive, "Hertz stiffness K, relative weight in the law `compliant`",
               "(event: 1; else from the materials)"),
    for_engines(number_key("exponent", kExponent, "n of K δⁿ; other than 1.5 only with a stiffness", "1.5"),
                kSmoothEngine),
    for_engines(with_unit(number_key("reference_speed", kPositive, "impact speed for laws that need one"), "m/s"),
                kSmoothEngine),
    for_engines(
        with_unit(number_key("relaxation_time", kNotNegative, "A of the law kuwabara-kono, instead of a restitution"),
                  "s"),
        kSmoothEngine),
    plain_key("active", Type::text,
              "contacts can begin only while this holds: `after 0.1`, or two quantities of [[when]], or "
              "one and a number, with < or > between them",
              "(always)"),
    kFrictionKey,
    for_engines(kSmoothFrictionKey, kSmoothEngine),
    for_engines(
        plain_key("quasi_static", Type::boolean,
                  "a ball on a plane at rest keeps its height, and the normal force follows from balance", "false"),
        kSmoothEngine),
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
    with_default(matrix_key("points", 2, 3,
                            "its ends in the frames of the shapes; with one body the second in world coordinates"),
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

constexpr Section kWorld{"world", "what is around", kWorldKeys};
constexpr Section kMaterial{"material", "a material", kMaterialKeys};
constexpr Section kPair{"pair", "what happens where two materials meet", kPairKeys};
constexpr Section kSpring{"spring", "a linear spring and damper between two points", kSpringKeys};
constexpr Section kLoad{"load", "constant force and torque, and resistance", kLoadKeys};

}  // namespace

const Section& world_section() {
  return kWorld;
}

const Section& material_section() {
  return kMaterial;
}

const Section& pair_section() {
  return kPair;
}

const Section& spring_section() {
  return kSpring;
}

const Section& load_section() {
  return kLoad;
}

std::span<const Section> restitution_kinds() {
  return kRestitutionKinds;
}

std::span<const Section> constraint_kinds() {
  return kConstraints;
}

}  // namespace carom::scene
