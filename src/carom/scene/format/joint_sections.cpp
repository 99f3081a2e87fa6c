/// The kinds of joint.

#include <array>

#include "carom/scene/format/key_builders.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr int kMostBodiesNamed = 16;  ///< so that the reader can say what is wrong with more than two

constexpr Key kJointName = required(plain_key("name", Type::name, "unique among all objects"));
constexpr Key kJointBodies = names_key("bodies", 0, kMostBodiesNamed, "two bodies, or one: to the ground");
constexpr Key kJointPoint =
    with_unit(plain_key("point", Type::vector, "where it is as placed, in the world; this or anchors"), "m");
constexpr Key kJointAnchors = matrix_key(
    "anchors", 2, 3, "where it is in the frames of the two shapes; with one body the second in world coordinates");
constexpr Key kJointAxis = required(direction_key("axis", "as placed, in the world, any length"));
constexpr Key kJointStartAngle =
    number_key("start_deg", {}, "angle as placed, of the first body against the second", "0");
constexpr Key kJointStartShift = with_unit(
    number_key("start", {}, "shift as placed, of the first body against the second", "(as anchors lie)"), "m");
constexpr Key kJointAngleLimits = numbers_key("limits_deg", 2, "least and largest angle, whole turns counted");
constexpr Key kJointShiftLimits = with_unit(numbers_key("limits", 2, "least and largest shift"), "m");
constexpr Key kJointRestitution =
    with_default(law_key("restitution", kUnitInterval, &restitution_kinds, "of the limits, as that of a pair"), "1");
constexpr Key kJointLimitStiffness =
    for_engines(number_key("limit_stiffness", kPositive, "of the limits where they give way, N m/rad or N/m",
                           "(from the mechanism)"),
                kSmoothEngine);
constexpr Key kJointCollide = plain_key("collide", Type::boolean, "whether its two bodies meet each other", "false");

constexpr std::array kJointSpringKeys = {
    required(number_key("stiffness", kNotNegative, "k: −k(q − q₀) − c dq/dt on the coordinate q, N m/rad or N/m")),
    number_key("damping", kNotNegative, "c, N m s/rad or N s/m", "0"),
    number_key("rest_deg", {}, "q₀ of a turn, in degrees", "0"),
    with_unit(number_key("rest", {}, "q₀ of a shift", "0"), "m"),
};
constexpr Section kJointSpring{"spring", "a spring and damper on the coordinate of a joint", kJointSpringKeys};
constexpr Key kJointSpringKey = table_key("spring", Type::table, kJointSpring, "(none)");

constexpr int kMostMotorNumbers = 10000;

constexpr Key motor_list_key(std::string_view name, std::string_view help) {
  Key key{name, Type::numbers, help};
  key.columns = kMostMotorNumbers;
  key.required = true;
  return key;
}

std::vector<std::string_view> motor_spline_ends() {
  return {"natural", "rest", "periodic"};
}

constexpr std::array kMotorSineKeys = {
    required(number_key("amplitude", {}, "A, in degrees or m")),
    required(with_unit(number_key("frequency", kPositive, "f: turns of the sine per time"), "Hz")),
    number_key("phase_deg", {}, "φ: of the sine at time 0, in degrees", "0"),
};
constexpr std::array kMotorPolynomialKeys = {
    motor_list_key("coefficients", "[c₀, c₁, …] of Σ cₖ tᵏ, in degrees or m"),
};
constexpr std::array kMotorTableKeys = {
    motor_list_key("time", "ascending, in s"),
    motor_list_key("values", "at these times, in degrees or m"),
    choice_key("ends", &motor_spline_ends,
               "goes on straight beyond the table, comes from rest and to rest there, or repeats it", "\"natural\""),
};
constexpr std::array kMotorMotions = {
    Section{"sine", "A sin(2πft + φ)", kMotorSineKeys},
    Section{"polynomial", "a polynomial of time", kMotorPolynomialKeys},
    Section{"table", "the smooth (C²) interpolant of a table, a cubic spline", kMotorTableKeys},
};

/// A number, or a table that says how it changes.
constexpr Key motor_place_key(std::string_view name, std::string_view help) {
  Key key = law_key(name, {}, &motor_motion_kinds, help);
  key.chooser = kKindKey;
  return key;
}

constexpr std::array kJointMotorKeys = {
    with_unit(number_key("torque", {}, "constant, on a turn; one of these keys"), "N m"),
    with_unit(number_key("force", {}, "constant, on a shift"), "N"),
    number_key("speed", {}, "rate that is kept whatever it takes, rad/s or m/s"),
    motor_place_key("angle_deg", "angle that is kept, in degrees, or a table with its motion"),
    with_unit(motor_place_key("position", "shift that is kept, or a table with its motion"), "m"),
};
constexpr Section kJointMotor{"motor", "what drives the coordinate of a joint; its work is booked as motor_work",
                              kJointMotorKeys};
constexpr Key kJointMotorKey = table_key("motor", Type::table, kJointMotor, "(none)");

constexpr std::array kJointFrictionKeys = {
    required(number_key("kinetic", kNotNegative, "against motion, N m or N")),
    number_key("static", kNotNegative, "at most at rest, N m or N; at least the kinetic one", "(as kinetic)"),
};
constexpr Section kJointFriction{"friction", "dry friction of constant size on the coordinate of a joint",
                                 kJointFrictionKeys};
constexpr Key kJointFrictionKey = table_key("friction", Type::table, kJointFriction, "(none)");

constexpr Key axes_key() {
  Key key = matrix_key("axes", 2, 3, "of the first body and of the second, as placed, in the world, perpendicular");
  key.unit = {};
  key.required = true;
  return key;
}

constexpr Key angle_pairs_key() {
  Key key = matrix_key("limits_deg", 2, 2, "least and largest angle about the first axis, and about the second");
  key.unit = {};
  return key;
}

constexpr std::array kJointSphericalKeys = {kJointName,      kJointBodies,      kJointPoint,    kJointAnchors,
                                            kJointSpringKey, kJointFrictionKey, kJointMotorKey, kJointCollide};
constexpr std::array kJointRevoluteKeys = {kJointName,          kJointBodies,     kJointPoint,       kJointAnchors,
                                           kJointAxis,          kJointStartAngle, kJointSpringKey,   kJointFrictionKey,
                                           kJointMotorKey,      kJointCollide,    kJointAngleLimits, kJointRestitution,
                                           kJointLimitStiffness};
/// Of both axes of a universal joint, or of both coordinates of a cylindrical one: a list of two tables.
constexpr Key of_both_axes(Key key, std::string_view help) {
  key.type = Type::tables;
  key.help = help;
  return key;
}

/// Of the shift and the turn of a cylindrical joint: one table whose keys say which, or a list of two.
constexpr Key of_both_ways(Key key, std::string_view help) {
  key.type = Type::one_or_two;
  key.help = help;
  return key;
}

constexpr std::array kJointUniversalKeys = {
    kJointName,
    kJointBodies,
    kJointPoint,
    kJointAnchors,
    axes_key(),
    with_default(numbers_key("start_deg", 2, "angles about the two axes as placed"), "[0, 0]"),
    of_both_axes(kJointSpringKey, "springs and dampers about the two axes, a list of two"),
    of_both_axes(kJointFrictionKey, "dry friction about the two axes, a list of two"),
    of_both_axes(kJointMotorKey, "what drives the turns about the two axes, a list of two"),
    kJointCollide,
    angle_pairs_key(),
    kJointRestitution,
    kJointLimitStiffness};
constexpr std::array kJointPrismaticKeys = {kJointName,          kJointBodies,     kJointPoint,       kJointAnchors,
                                            kJointAxis,          kJointStartShift, kJointSpringKey,   kJointFrictionKey,
                                            kJointMotorKey,      kJointCollide,    kJointShiftLimits, kJointRestitution,
                                            kJointLimitStiffness};
constexpr std::array kJointCylindricalKeys = {
    kJointName,
    kJointBodies,
    kJointPoint,
    kJointAnchors,
    kJointAxis,
    kJointStartAngle,
    kJointStartShift,
    of_both_ways(kJointSpringKey, "a spring and damper on the shift or the turn; or a list of two, of the shift first"),
    of_both_axes(kJointFrictionKey, "dry friction of the shift and of the turn, a list of two"),
    of_both_ways(kJointMotorKey, "what drives the shift or the turn; or a list of two, of the shift first"),
    kJointCollide,
    kJointAngleLimits,
    kJointShiftLimits,
    kJointRestitution,
    kJointLimitStiffness};
constexpr std::array kJointRodKeys = {
    kJointName,
    kJointBodies,
    required(kJointAnchors),
    with_unit(number_key("length", kPositive, "distance of the anchors", "(as placed)"), "m"),
    kJointSpringKey,
    kJointFrictionKey,
    kJointMotorKey,
    kJointCollide};
constexpr std::array kJointGearKeys = {
    kJointName,
    names_key("joints", 2, 2, "two joints that turn about one axis each"),
    required(number_key("ratio", {},
                        "turns of the first joint for one of the second; negative where they turn against "
                        "each other, as wheels that mesh outside do")),
};

constexpr std::array kJoints = {
    Section{"spherical", "a point of each stays together: a ball joint", kJointSphericalKeys},
    Section{"revolute", "turns about an axis: a hinge", kJointRevoluteKeys},
    Section{"universal", "turns about an axis of each, which stay perpendicular: a cross", kJointUniversalKeys},
    Section{"prismatic", "shifts along an axis without turning: a slider", kJointPrismaticKeys},
    Section{"cylindrical", "shifts along an axis and turns about it: a sleeve", kJointCylindricalKeys},
    Section{"fixed", "nothing moves: a weld", kJointSphericalKeys},
    Section{"rod", "keeps two points at a distance: a bar without mass", kJointRodKeys},
    Section{"gear", "keeps the turns of two joints in a ratio", kJointGearKeys},
};

}  // namespace

std::span<const Section> motor_motion_kinds() {
  return kMotorMotions;
}

std::span<const Section> joint_kinds() {
  return kJoints;
}

}  // namespace carom::scene
