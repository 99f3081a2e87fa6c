/// The kinds of driven motion.

#include <array>

#include "carom/scene/format/key_builders.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

constexpr Key kAxis = required(direction_key("axis", "along which it slides, about which it turns, any length"));
constexpr Key kPoint =
    with_unit(vector_key("point", "a point of the axis that it turns about", "(where it is placed)"), "m");

constexpr Key list_key(std::string_view name, std::string_view help, std::string_view unit, int most) {
  Key key{name, ValueType::numbers, help, unit};
  key.columns = most;
  return key;
}

constexpr int kMostPowers = 32;

std::vector<std::string_view> spline_ends() {
  return {"natural", "rest", "periodic"};
}

constexpr std::array kSineKeys = {
    kAxis,
    with_unit(number_key("amplitude", {}, "of the position along the axis"), "m"),
    number_key("angle_deg", {}, "amplitude of the angle about the axis, in degrees"),
    with_unit(number_key("angle", {}, "the same in radians"), "rad"),
    required(with_unit(number_key("frequency", kPositive, "turns of the sine per time"), "Hz")),
    number_key("phase_deg", {}, "of the sine at time 0, in degrees", "0"),
    kPoint,
};

constexpr std::array kPolynomialKeys = {
    kAxis,
    list_key("position", "coefficients [c₀, c₁, …] of the position along the axis, Σ cₖ tᵏ", "m/sᵏ", kMostPowers),
    list_key("angle_deg", "likewise of the angle about the axis, in degrees", "", kMostPowers),
    list_key("angle", "the same in radians", "rad/sᵏ", kMostPowers),
    kPoint,
};

constexpr std::array kTableKeys = {
    kAxis,
    list_key("time", "ascending; these lists or a file", "s", kMostTableRows),
    list_key("position", "along the axis, at these times", "m", kMostTableRows),
    list_key("angle_deg", "about the axis, at these times, in degrees", "", kMostTableRows),
    list_key("angle", "the same in radians", "rad", kMostTableRows),
    plain_key("file", ValueType::name,
              "CSV file beside the scene with columns time, position, angle_deg or angle, named in its first line"),
    choice_key("ends", &spline_ends,
               "goes on straight beyond the table, comes from rest and to rest there, or repeats it", "\"natural\""),
    kPoint,
};

constexpr std::array kMotionKinds = {
    Section{"sine", "A sin(2πft + φ) about where it is placed", kSineKeys},
    Section{"polynomial", "a polynomial of time", kPolynomialKeys},
    Section{"table", "the smooth (C²) interpolant of a table, a cubic spline", kTableKeys},
};

}  // namespace

std::span<const Section> motion_kinds() {
  return kMotionKinds;
}

}  // namespace carom::scene
