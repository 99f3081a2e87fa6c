#include "carom/analysis/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"

namespace carom {
namespace {

struct Component {
  std::string_view name;
  std::string_view words;  ///< for people; "" stands for measure and name
};

enum class Subject { none, body, pair, one_or_pair, joint };

struct MeasureRow {
  Measure measure;
  std::string_view name;
  std::string_view words;
  std::string_view unit;
  Subject subject;
  std::span<const Component> components;
  std::size_t group;  ///< how many of the first components a name without one means
};

constexpr Component kEnergies[] = {
    {"kinetic", "kinetic"},
    {"gravity", "potential (gravity)"},
    {"springs", "elastic (springs)"},
    {"loads", "potential (loads)"},
    {"contacts", "elastic (contacts)"},
    {"dissipated", "dissipated"},
    {"wall_work", "work of driven obstacles"},
    {"torque_work", "work of torques and pushes"},
    {"motor_work", "work of motors"},
    {"total", "total"},
    {"impacts", "dissipated by impacts"},
    {"damping", "dissipated by dampers"},
    {"cut_off", "cut off at rest"},
    {"contact_damping", "dissipated in contacts"},
    {"friction", "dissipated by friction"},
    {"swallowed", "taken by swallowed bodies"},
    {"balance_error", "error of the balance"},
};
constexpr std::size_t kEnergyGroup = 10;
constexpr std::string_view kAlwaysShown[] = {"kinetic", "dissipated", "total"};
constexpr Component kPlaces[] = {{"x", ""}, {"y", ""}, {"z", ""}, {"radial", "distance from the origin"}};
constexpr Component kVelocities[] = {{"x", ""}, {"y", ""}, {"z", ""}, {"radial", ""}, {"speed", "speed"}};
constexpr Component kAccelerations[] = {
    {"x", ""}, {"y", ""}, {"z", ""}, {"radial", ""}, {"magnitude", "magnitude of the acceleration"}};
constexpr Component kSpins[] = {{"x", ""}, {"y", ""}, {"z", ""}, {"rate", "rate of turning"}};
constexpr Component kQuaternion[] = {{"w", ""}, {"x", ""}, {"y", ""}, {"z", ""}};
constexpr Component kLoads[] = {{"x", ""}, {"y", ""}, {"z", ""}, {"magnitude", ""}};
constexpr Component kCoordinates[] = {{"0", ""}, {"1", ""}};
constexpr Component kVector[] = {{"x", ""}, {"y", ""}, {"z", ""}};

const MeasureRow kTable[] = {
    {Measure::energy, "energy", "energy", "J", Subject::none, kEnergies, kEnergyGroup},
    {Measure::position, "position", "position", "m", Subject::body, kPlaces, 3},
    {Measure::velocity, "velocity", "velocity", "m/s", Subject::body, kVelocities, 3},
    {Measure::acceleration, "acceleration", "acceleration", "m/s²", Subject::body, kAccelerations, 3},
    {Measure::angular_velocity, "angular_velocity", "angular velocity", "rad/s", Subject::body, kSpins, 3},
    {Measure::orientation, "orientation", "orientation", "", Subject::body, kQuaternion, 4},
    {Measure::kinetic, "kinetic", "kinetic energy", "J", Subject::body, {}, 1},
    {Measure::momentum, "momentum", "momentum", "kg m/s", Subject::none, kVector, 3},
    {Measure::angular_momentum, "angular_momentum", "angular momentum", "kg m²/s", Subject::none, kVector, 3},
    {Measure::coordinate, "coordinate", "coordinate", "", Subject::joint, kCoordinates, 2},
    {Measure::rate, "rate", "rate", "", Subject::joint, kCoordinates, 2},
    {Measure::joint_force, "joint_force", "force", "N", Subject::joint, kLoads, 3},
    {Measure::joint_couple, "joint_couple", "couple", "N m", Subject::joint, kLoads, 3},
    {Measure::joint_impulse, "joint_impulse", "impulse", "N s", Subject::joint, kLoads, 3},
    {Measure::joint_couple_impulse, "joint_couple_impulse", "angular impulse", "N m s", Subject::joint, kLoads, 3},
    {Measure::gap, "gap", "gap", "m", Subject::pair, {}, 1},
    {Measure::impulse, "impulse", "impulse", "N s", Subject::one_or_pair, {}, 1},
    {Measure::force, "force", "normal force", "N", Subject::one_or_pair, {}, 1},
    {Measure::friction, "friction", "friction", "N", Subject::pair, kLoads, 3},
    {Measure::couple, "couple", "couple", "N m", Subject::pair, kLoads, 3},
    {Measure::mode, "mode", "friction mode", "", Subject::pair, {}, 1},
};
static_assert(std::size(kTable) == kMeasures);

const MeasureRow& row_of(Measure measure) {
  const MeasureRow& row = kTable[static_cast<std::size_t>(measure)];
  CAROM_ASSERT(row.measure == measure);
  return row;
}

/// The name as it stands inside the name of a quantity: in quotation marks unless it is a plain word that no other name
/// goes on from with a dot.
std::string quoted(const std::vector<std::string>& names, const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  const auto goes_on = [&name](const std::string& other) { return other.starts_with(name + "."); };
  if (plain && std::none_of(names.begin(), names.end(), goes_on)) return name;
  return "\"" + name + "\"";
}

/// The names that a quantity of this measure is about.
const std::vector<std::string>& names_of(const RecordInfo& record, const MeasureRow& row) {
  return row.subject == Subject::joint ? record.joints : record.objects;
}

/// How many components a quantity of this measure has, as a whole and of one joint: some leave one coordinate or none.
std::size_t component_count(const RecordInfo& record, const MeasureRow& row, int joint) {
  const bool varies = row.measure == Measure::coordinate || row.measure == Measure::rate;
  const auto kind = varies && joint != kNone ? joint_kind(record, static_cast<std::size_t>(joint)) : std::nullopt;
  return kind ? static_cast<std::size_t>(coordinate_count(*kind)) : row.components.size();
}

std::string unit_of(const RecordInfo& record, const MeasureRow& row, int joint, std::size_t component) {
  if (row.measure != Measure::coordinate && row.measure != Measure::rate) return std::string(row.unit);
  const auto kind = joint_kind(record, static_cast<std::size_t>(joint));
  const bool shifts = kind && is_shift(*kind, static_cast<int>(component));
  return std::string(shifts ? "m" : "rad") + (row.measure == Measure::rate ? "/s" : "");
}

struct Objects {
  int a = kNone;
  int b = kNone;
};

Quantity make(const RecordInfo& record, const MeasureRow& row, const Objects& objects, std::size_t component) {
  Quantity quantity;
  quantity.measure = row.measure;
  quantity.component = static_cast<int>(component);
  quantity.unit = unit_of(record, row, objects.a, component);
  quantity.a = objects.a;
  quantity.b = objects.b;
  quantity.name = row.name;
  quantity.label = row.words;
  const std::vector<std::string>& names = names_of(record, row);
  for (const int object : {objects.a, objects.b}) {
    if (object != kNone) quantity.name += "." + quoted(names, names[static_cast<std::size_t>(object)]);
  }
  const bool is_the_only_one = row.subject == Subject::joint && component_count(record, row, objects.a) == 1;
  if (!row.components.empty() && !is_the_only_one) {
    const auto& [name, words] = row.components[component];
    quantity.name += "." + std::string(name);
    quantity.label = words.empty() ? fmt::format("{} {}", row.words, name) : std::string(words);
  }
  if (objects.a != kNone) {
    const std::string& first = names[static_cast<std::size_t>(objects.a)];
    quantity.label +=
        objects.b == kNone ? " of " + first : fmt::format(" between {} and {}", first, record.objects[objects.b]);
  }
  return quantity;
}

std::vector<Quantity> make_group(const RecordInfo& record, const MeasureRow& row, const Objects& objects) {
  std::vector<Quantity> group;
  const std::size_t count = std::min(row.group, std::max<std::size_t>(component_count(record, row, objects.a), 1));
  for (std::size_t i = 0; i < count; ++i) {
    group.push_back(make(record, row, objects, i));
    if (row.measure != Measure::energy) continue;
    const std::string_view name = row.components[i].name;
    group.back().kept_if_zero =
        std::find(std::begin(kAlwaysShown), std::end(kAlwaysShown), name) != std::end(kAlwaysShown);
  }
  return group;
}

std::optional<std::size_t> find_component(const MeasureRow& row, std::string_view name) {
  const auto found = std::find_if(row.components.begin(), row.components.end(),
                                  [name](const Component& component) { return component.name == name; });
  if (found == row.components.end()) return std::nullopt;
  return static_cast<std::size_t>(found - row.components.begin());
}

/// What follows an object's name at the beginning of the text, without the dot; none where the text begins otherwise.
std::optional<std::string_view> text_behind(std::string_view text, std::string_view name) {
  if (text.starts_with('"') && text.substr(1).starts_with(name) && text.substr(1 + name.size()).starts_with('"')) {
    text.remove_prefix(name.size() + 2);
  } else if (text.starts_with(name)) {
    text.remove_prefix(name.size());
  } else {
    return std::nullopt;
  }
  if (text.empty()) return text;
  if (text.size() == 1 || text.front() != '.') return std::nullopt;
  return text.substr(1);
}

struct NameMatch {
  int object;
  std::string_view rest;
};

/// Those whose names the text may begin with, the longest name first.
std::vector<NameMatch> matches(std::span<const std::string> names, std::string_view text) {
  std::vector<NameMatch> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto rest = text_behind(text, names[i])) found.push_back({static_cast<int>(i), *rest});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const NameMatch& left, const NameMatch& right) { return left.rest.size() < right.rest.size(); });
  return found;
}

std::string without_quotes(std::string_view name) {
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  return std::string(name);
}

[[noreturn]] void refuse_object(std::span<const std::string> known, const char* what, std::string_view name) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string message = unknown_name_message(what, without_quotes(name), names);
  if (names.size() > kMostNamesShown) {
    message += message.ends_with('?') ? " known: " : "; known: ";
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < kShown; ++i) message += printable(names[i]) + ", ";
    message += fmt::format("… ({} in all)", names.size());
  }
  throw InputError(Kind::unknown_name, what, message);
}

[[noreturn]] void refuse_component(const MeasureRow& row, std::string_view name,
                                   std::size_t known = std::numeric_limits<std::size_t>::max()) {
  std::vector<std::string_view> names = component_names(row.measure);
  if (known < names.size()) names.resize(known);
  throw InputError(Kind::unknown_name, std::string(row.name),
                   unknown_name_message(fmt::format("component of {}", row.name), name, names));
}

/// Coordinates and rates are those of joints that leave one.
void require_coordinates(const RecordInfo& record, const MeasureRow& row, int joint) {
  if (component_count(record, row, joint) > 0) return;
  const auto index = static_cast<std::size_t>(joint);
  throw InputError(Kind::unknown_name, std::string(row.name),
                   fmt::format("'{}' has no {}: a {} joint turns about no axis of its own and does not shift",
                               printable(record.joints[index]), row.name, record.joint_kinds[index]));
}

std::vector<Quantity> find_without_subject(const RecordInfo& record, const MeasureRow& row, std::string_view rest) {
  if (rest.empty()) return make_group(record, row, {});
  if (const auto component = find_component(row, rest)) return {make(record, row, {}, *component)};
  refuse_component(row, rest);
}

/// Of a body or of a joint.
std::vector<Quantity> find_of_one(const RecordInfo& record, const MeasureRow& row, std::string_view rest) {
  const bool joint = row.subject == Subject::joint;
  const std::span<const std::string> names =
      joint ? std::span(record.joints) : std::span(record.objects).first(record.bodies);
  const std::vector<NameMatch> found = matches(names, rest);
  for (const NameMatch& match : found) {
    if (match.rest.empty()) {
      if (joint) require_coordinates(record, row, match.object);
      return make_group(record, row, {match.object, kNone});
    }
    if (const auto component = find_component(row, match.rest)) {
      if (joint && *component >= component_count(record, row, match.object)) {
        require_coordinates(record, row, match.object);
        refuse_component(row, match.rest, component_count(record, row, match.object));
      }
      return {make(record, row, {match.object, kNone}, *component)};
    }
  }
  if (!found.empty()) refuse_component(row, found.front().rest);
  const std::size_t dot = rest.rfind('.');
  const bool has_component = dot != std::string_view::npos && find_component(row, rest.substr(dot + 1)).has_value();
  refuse_object(names, joint ? "joint" : "body", has_component ? rest.substr(0, dot) : rest);
}

std::vector<Quantity> find_of_pair(const RecordInfo& record, const MeasureRow& row, std::string_view rest) {
  const std::span<const std::string> known = record.objects;
  const std::vector<NameMatch> first = matches(known, rest);
  if (first.empty()) refuse_object(known, "object", rest.substr(0, rest.find('.')));
  bool lacks_another = first.front().rest.empty();
  for (const NameMatch& a : first) {
    if (a.rest.empty() && row.subject == Subject::one_or_pair) return {make(record, row, {a.object, kNone}, 0)};
    for (const NameMatch& b : matches(known, a.rest)) {
      const Objects both{a.object, b.object};
      const auto component = find_component(row, b.rest);
      if (b.object == a.object) {
        if (b.rest.empty() || component) lacks_another = true;
      } else if (b.rest.empty()) {
        return make_group(record, row, both);
      } else if (component) {
        return {make(record, row, both, *component)};
      }
    }
  }
  if (!lacks_another) refuse_object(known, "object", first.front().rest);
  throw InputError(Kind::unknown_name, std::string(row.name),
                   fmt::format("'{}.{}' names one object, and a {} is between two: {}.A.B", row.name, printable(rest),
                               row.words, row.name));
}

}  // namespace

std::string_view measure_name(Measure measure) {
  return row_of(measure).name;
}

std::vector<std::string_view> component_names(Measure measure) {
  std::vector<std::string_view> names;
  for (const Component& component : row_of(measure).components) names.push_back(component.name);
  return names;
}

std::vector<std::string> quantity_patterns() {
  constexpr const char* kSubjects[] = {"", ".BODY", ".A.B", ".A[.B]", ".JOINT"};
  std::vector<std::string> patterns;
  for (const MeasureRow& row : kTable) {
    std::string pattern = std::string(row.name) + kSubjects[static_cast<int>(row.subject)];
    for (std::size_t i = 0; i < row.components.size(); ++i) {
      pattern += (i == 0 ? "." : "|") + std::string(row.components[i].name);
    }
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

std::vector<std::string> quantity_names(const RecordInfo& record) {
  std::vector<std::string> names;
  for (const MeasureRow& row : kTable) {
    const bool is_of_one = row.subject != Subject::none && row.subject != Subject::pair;
    const std::size_t count = row.subject == Subject::joint  ? record.joints.size()
                              : row.subject == Subject::body ? record.bodies
                              : is_of_one                    ? record.objects.size()
                                                             : 0;
    const std::size_t components = std::max<std::size_t>(row.components.size(), 1);
    const auto components_of = [&](std::size_t i) {
      return row.subject == Subject::joint ? component_count(record, row, static_cast<int>(i)) : components;
    };
    for (std::size_t c = 0; row.subject == Subject::none && c < components; ++c) {
      names.push_back(make(record, row, {}, c).name);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < components_of(i); ++c) {
        names.push_back(make(record, row, {static_cast<int>(i), kNone}, c).name);
      }
    }
  }
  return names;
}

std::vector<Quantity> find_quantities(const RecordInfo& record, std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view measure = name.substr(0, dot);
  const std::string_view rest = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  std::vector<std::string_view> known;
  for (const MeasureRow& row : kTable) {
    known.push_back(row.name);
    if (row.name != measure) continue;
    if (row.subject == Subject::none) return find_without_subject(record, row, rest);
    if (rest.empty()) {
      throw InputError(Kind::unknown_name, std::string(row.name),
                       fmt::format("'{}' does not say of what; expected {}", printable(name),
                                   quantity_patterns()[static_cast<std::size_t>(row.measure)]));
    }
    const bool one = row.subject == Subject::body || row.subject == Subject::joint;
    return one ? find_of_one(record, row, rest) : find_of_pair(record, row, rest);
  }
  throw InputError(Kind::unknown_name, "quantity", unknown_name_message("quantity", measure, known));
}

Quantity body_quantity(const RecordInfo& record, Measure measure, std::string_view body, std::string_view component) {
  const MeasureRow& row = row_of(measure);
  CAROM_ASSERT(row.subject == Subject::body);
  const auto end = record.objects.begin() + static_cast<std::ptrdiff_t>(record.bodies);
  const auto found = std::find(record.objects.begin(), end, body);
  if (found == end) refuse_object(std::span(record.objects).first(record.bodies), "body", body);
  const auto index = find_component(row, component);
  if (!index) refuse_component(row, component);
  return make(record, row, {static_cast<int>(found - record.objects.begin()), kNone}, *index);
}

}  // namespace carom
