/// [[when]], and contacts that are off until a condition holds.

#include <charconv>
#include <numbers>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/mechanics/joint_limit.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

constexpr double kRadiansOfDegree = std::numbers::pi / 180.0;

std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// A quantity by its name, as plots call those of bodies.
class QuantityName {
 public:
  QuantityName(const Model& model, const Entry& entry, std::string_view text)
      : model_(model), entry_(entry), text_(text) {}

  [[nodiscard]] StateQuantity read() const {
    const std::size_t dot = text_.find('.');
    const std::string_view measure = text_.substr(0, dot);
    const std::string_view rest = dot == std::string_view::npos ? std::string_view{} : text_.substr(dot + 1);
    using Kind = StateQuantity::Kind;
    if (measure == "coordinate") return of_joint(Kind::coordinate, rest);
    if (measure == "rate") return of_joint(Kind::rate, rest);
    if (measure == "position") return of_body(Kind::position, rest);
    if (measure == "velocity") return of_body(Kind::velocity, rest);
    if (measure == "angular_velocity") return of_body(Kind::angular_velocity, rest);
    refuse(
        "is no quantity, expected one of coordinate.JOINT, rate.JOINT, position.BODY.x, velocity.BODY.x and "
        "angular_velocity.BODY.x");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(carom::Kind::unknown_name, entry_.place(), entry_.name() + ": '" + printable(text_) + "' " + what);
  }

  /// What was meant by the name of one of these.
  template <class Things>
  [[noreturn]] void refuse_name(std::string_view what, std::string_view name, const Things& things) const {
    std::vector<std::string_view> known;
    for (const auto& thing : things) known.emplace_back(thing.name);
    throw InputError(carom::Kind::unknown_name, entry_.place(),
                     entry_.name() + ": " + unknown_name_message(what, name, known));
  }

  template <class Which, class Things>
  [[nodiscard]] static Which named(const Things& things, std::string_view name) {
    for (const Which index : things.indices())
      if (things[index].name == name) return index;
    return kNone;
  }

  [[nodiscard]] StateQuantity of_joint(StateQuantity::Kind kind, std::string_view name) const {
    StateQuantity quantity;
    quantity.kind = kind;
    quantity.joint = named<JointIndex>(model_.joints, name);
    if (quantity.joint == kNone && name.size() > 2 && name[name.size() - 2] == '.') {
      quantity.component = name.back() - '0';
      quantity.joint = named<JointIndex>(model_.joints, name.substr(0, name.size() - 2));
    }
    if (quantity.joint == kNone) refuse_name("joint", name, model_.joints);
    const Joint& joint = model_.joints[quantity.joint];
    if (quantity.component < 0 || quantity.component >= coordinate_count(joint.kind))
      refuse("is a coordinate that a " + std::string(joint_kind_name(joint.kind)) + " joint does not have");
    return quantity;
  }

  [[nodiscard]] StateQuantity of_body(StateQuantity::Kind kind, std::string_view name) const {
    StateQuantity quantity;
    quantity.kind = kind;
    constexpr std::string_view kAxes = "xyz";
    const bool has_axis = name.size() > 2 && name[name.size() - 2] == '.';
    const std::size_t axis = has_axis ? kAxes.find(name.back()) : std::string_view::npos;
    if (axis == std::string_view::npos) refuse("does not end in .x, .y or .z");
    quantity.component = static_cast<int>(axis);
    quantity.body = named<BodyIndex>(model_.bodies, name.substr(0, name.size() - 2));
    if (quantity.body == kNone) refuse_name("body", name.substr(0, name.size() - 2), model_.bodies);
    return quantity;
  }

  const Model& model_;
  const Entry& entry_;
  std::string_view text_;
};

/// One [[when]].
class When {
 public:
  When(Reading& reading, const Fields& fields) : reading_(reading), fields_(fields) {}

  [[nodiscard]] ScriptedEvent read() {
    ScriptedEvent event;
    event.name = fields_.string("name", fields_.entry().path);
    event.trigger = read_trigger();
    read_releases(event);
    if (const std::optional<Entry> push = fields_.find("impulse")) event.actions.push_back(read_push(Fields(*push)));
    if (const std::optional<Entry> motor = fields_.find("motor")) event.actions.push_back(read_motor(Fields(*motor)));
    if (fields_.boolean("stop", false)) event.actions.push_back(StopRun{});
    if (event.actions.empty())
      throw InputError(Kind::missing_field, fields_.entry().place(),
                       fields_.entry().name() + " does nothing, expected one of release, impulse, motor and stop");
    return event;
  }

 private:
  [[nodiscard]] Trigger read_trigger() const {
    const Entry what = *one_of(fields_, {"time", "impact", "quantity"}, true);
    if (fields_.find("time")) return AtTime{as_number(what)};
    if (fields_.find("impact")) {
      const std::vector<Entry> names = as_entries(what);
      if (names.empty() || names.size() > 2)
        throw InputError(Kind::size_mismatch, what.place(),
                         what.name() + " has " + std::to_string(names.size()) +
                             " names, expected two objects, or a joint that has limits");
      AtImpact impact;
      if (names.size() == 1) {
        impact.joint = limited_joint(names[0]);
      } else {
        impact.a = reading_.any_object(names[0]);
        impact.b = reading_.any_object(names[1]);
      }
      impact.count = static_cast<int>(fields_.number("count", 1.0));
      return impact;
    }
    AtCrossing crossing;
    crossing.level.first = QuantityName(reading_.model(), what, as_string(what)).read();
    if (const std::optional<Entry> value = one_of(fields_, {"value", "value_deg"}, false))
      crossing.level.value = as_number(*value) * (fields_.find("value_deg") ? kRadiansOfDegree : 1.0);
    const std::string way = fields_.string("direction", "either");
    if (way == "rising") crossing.way = AtCrossing::Way::rising;
    if (way == "falling") crossing.way = AtCrossing::Way::falling;
    return crossing;
  }

  [[nodiscard]] JointIndex limited_joint(const Entry& name) const {
    const JointIndex joint = reading_.joint(name);
    if (limits_of(reading_.model(), joint).empty())
      throw InputError(Kind::unsupported, name.place(),
                       name.name() + " is a joint without limits, which nothing strikes");
    return joint;
  }

  void read_releases(ScriptedEvent& event) const {
    const std::optional<Entry> names = fields_.find("release");
    if (!names) return;
    for (const Entry& name : as_entries(*names)) event.actions.push_back(ReleaseJoint{reading_.joint(name)});
  }

  [[nodiscard]] GiveImpulse read_push(const Fields& push) const {
    return {reading_.body(push.at("body")), vector3(push, "linear"), vector3(push, "angular")};
  }

  [[nodiscard]] SwitchMotor read_motor(const Fields& motor) const {
    SwitchMotor change;
    const Entry name = motor.at("joint");
    change.joint = reading_.joint(name);
    const JointKind kind = reading_.model().joints[change.joint].kind;
    const Entry what = *one_of(motor, {"torque", "force", "speed", "off"}, true);
    if (coordinate_count(kind) != 1)
      throw InputError(Kind::unsupported, name.place(),
                       name.name() + " is a " + std::string(joint_kind_name(kind)) +
                           " joint, expected one with one coordinate (revolute, prismatic)");
    if ((motor.find("torque") && has_shift(kind)) || (motor.find("force") && !has_shift(kind)))
      throw InputError(
          Kind::unsupported, what.place(),
          what.name() + " does not act on the coordinate of a " + std::string(joint_kind_name(kind)) + " joint");
    if (motor.find("speed")) {
      change.speed = as_number(what);
    } else if (!motor.find("off")) {
      change.force = as_number(what);
    }
    return change;
  }

  Reading& reading_;
  const Fields& fields_;
};

/// `after 0.1`, or `coordinate.left > coordinate.right`, or with < and with a number.
std::variant<AtTime, Level> read_condition(const Model& model, const Entry& entry) {
  const std::string& text = as_string(entry);
  constexpr std::string_view kAfter = "after ";
  if (text.starts_with(kAfter)) {
    if (const std::optional<double> time = number_in(trimmed(std::string_view(text).substr(kAfter.size()))))
      return AtTime{*time};
  }
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos)
    entry.fail(Kind::syntax, "'after TIME', or two quantities, or a quantity and a number, with < or > between them");
  const std::string_view left = trimmed(std::string_view(text).substr(0, sign));
  const std::string_view right = trimmed(std::string_view(text).substr(sign + 1));
  Level level;
  level.sign = text[sign] == '>' ? 1.0 : -1.0;
  level.first = QuantityName(model, entry, left).read();
  if (const std::optional<double> number = number_in(right)) {
    level.value = *number;
  } else {
    level.second = QuantityName(model, entry, right).read();
  }
  return level;
}

}  // namespace

void read_script(Reading& reading) {
  reading.for_each(
      "when", [&reading](const Fields& fields) { reading.model().script.push_back(When(reading, fields).read()); });
}

void read_contact_switch(Reading& reading, const Fields& pair, int material_a, int material_b) {
  const std::optional<Entry> active = pair.find("active");
  if (!active) return;
  Model& model = reading.model();
  const std::variant<AtTime, Level> on = read_condition(model, *active);
  for (ObjectIndex a = 0; a < model.body_count(); ++a)
    for (ObjectIndex b = 0; b < model.object_count(); ++b) {
      if (model.is_body(b) && b <= a) continue;
      const int first = model.material(a), second = model.material(b);
      const bool same = (first == material_a && second == material_b) || (first == material_b && second == material_a);
      if (same) model.switches.push_back({a, b, on});
    }
}

}  // namespace carom::scene
