/// What is to happen on the way: [[when]].

#include <array>

#include "carom/scene/format/key_builders.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr int kMostReleased = 64;
constexpr Bounds kCounts{1.0, 1e9, false, false};

std::vector<std::string_view> ways() {
  return {"rising", "falling", "either"};
}

constexpr std::array kPushKeys = {
    required(plain_key("body", Type::name, "that is pushed")),
    with_unit(vector_key("linear", "through its centre of mass, in the world"), "N s"),
    with_unit(vector_key("angular", "a twist, in the world"), "N m s"),
};
constexpr Section kPush{"impulse", "a sudden push, which joints of the body pass on", kPushKeys};

constexpr std::array kScriptMotorKeys = {
    required(plain_key("joint", Type::name, "whose motor changes")),
    with_unit(number_key("torque", {}, "constant from now on, on a turn; one of these keys"), "N m"),
    with_unit(number_key("force", {}, "constant from now on, on a shift"), "N"),
    number_key("speed", {}, "rate that is kept from now on; the bodies jump to it, rad/s or m/s"),
    plain_key("off", Type::boolean, "true: no motor from now on", "false"),
};
constexpr Section kScriptMotor{"motor", "another motor on the coordinate of a joint, or none", kScriptMotorKeys};

constexpr std::array kWhenKeys = {
    plain_key("name", Type::text, "what the event is called", "(when.0, when.1, …)"),
    with_unit(number_key("time", kNotNegative, "at a time; this, impact or quantity"), "s"),
    optional_names_key("impact", 2, "at an impact of these two objects, or of this joint on one of its limits"),
    integer_key("count", kCounts, "at which of their impacts", "1"),
    plain_key("quantity", Type::text,
              "when a number crosses a value: `coordinate.JOINT`, `rate.JOINT`, `position.BODY.x|y|z`, "
              "`velocity.BODY.x|y|z`, `angular_velocity.BODY.x|y|z`; of two coordinates `coordinate.JOINT.0`, `.1`"),
    number_key("value", {}, "that is crossed, in SI units", "0"),
    number_key("value_deg", {}, "the same of an angle, in degrees"),
    choice_key("direction", &ways, "in which it is crossed", "\"either\""),
    optional_names_key("release", kMostReleased, "joints that hold nothing from then on"),
    table_key("impulse", Type::table, kPush, "(none)"),
    table_key("motor", Type::table, kScriptMotor, "(none)"),
    plain_key("stop", Type::boolean, "whether the run stops", "false"),
};

}  // namespace

const Section& when_section() {
  static const Section kWhen{"when", "what happens once, at a time, at an impact or when a quantity crosses a value",
                             kWhenKeys};
  return kWhen;
}

}  // namespace carom::scene
