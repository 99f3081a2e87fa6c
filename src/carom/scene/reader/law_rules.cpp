/// What a [[pair]] says to the laws: to the impact laws (PairRule), and to the force laws by their names in the
/// registries (ForceRule).
///
/// Names, ranges and what a law needs are checked here and at their line, whatever the engine of the scene is.

#include <array>

#include "carom/engine/engine_registry.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// Keys of a [[pair]] that are parameters of some normal law and of nothing else.
constexpr std::array<std::string_view, 3> kNormalKeys = {"exponent", "reference_speed", "relaxation_time"};

bool knows(const NormalLaw& law, std::string_view parameter) {
  for (const LawParameter& known : law.parameters)
    if (known.name == parameter) return true;
  return false;
}

/// An error about the parameters of a law stands at the key, or at the table that lacks it.
template <class Work>
void at_its_place(const Fields& table, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    const std::string& field = error.place().field;
    const std::string& path = table.entry().path;
    const std::optional<Entry> key =
        field.starts_with(path + ".") ? table.find(field.substr(path.size() + 1)) : std::nullopt;
    Place place = (key ? *key : table.entry()).place();
    place.field = field;
    throw InputError(error.kind(), std::move(place), error.what());
  }
}

void read_normal(Reading& reading, const Fields& pair, const PairRule& rule, ForceRule& force) {
  const bool compliant = engine_kind(reading.engine()).has_forces;
  force.normal = pair.string("normal", "");
  if (force.normal.empty() && rule.restitution < 1.0) {
    if (!compliant) return;
    const Entry& table = pair.entry();
    throw InputError(Kind::missing_field, table.source->place(table.node->mark(), join_path(table.path, "normal")),
                     table.name() +
                         " has a restitution below 1 and no normal force law, expected normal = a law with " +
                         "damping, for instance \"" + std::string(touching_normal_law().name) + "\"");
  }
  const NormalLaw& law = normal_law(force.normal.empty() ? "hertz" : force.normal);
  for (const std::string_view key : kNormalKeys) {
    const std::optional<Entry> entry = pair.find(key);
    if (!entry) continue;
    if (knows(law, key)) {
      force.normal_parameters.set(key, as_number(*entry));
    } else if (compliant) {
      reading.scene().unused.push_back(entry->path);
    }
  }
  LawParameters given = force.normal_parameters;
  // A rigid engine's restitution need not be one that the law can have.
  if (compliant && knows(law, "restitution")) given.set("restitution", rule.restitution);
  if (rule.stiffness) given.set("stiffness", *rule.stiffness);
  at_its_place(pair, [&] { normal_input(law, given, pair.entry().path); });
}

void read_friction(const Entry& table, ForceRule& force) {
  const auto [law, fields] = fields_of(table, friction_kinds(), kLawKey);
  force.friction = law;
  for (const Member& member : table.node->table()) {
    if (member.key == kLawKey) continue;
    const Entry value = fields.at(member.key);
    if (value.node->is(Node::Type::boolean)) {
      force.friction_parameters.set(member.key, as_boolean(value));
    } else {
      force.friction_parameters.set(member.key, as_number(value));
    }
  }
  at_its_place(fields, [&force, &table] {
    prepare_friction(friction_law(force.friction), force.friction_parameters, table.path);
  });
}

}  // namespace

PairRule read_pair_rule(const Fields& pair) {
  PairRule rule;
  rule.restitution = pair.number("restitution", rule.restitution);
  rule.rough = pair.boolean("rough", rule.rough);
  rule.stiffness = pair.optional_number("stiffness");
  return rule;
}

ForceRule read_force_rule(Reading& reading, const Fields& pair, const PairRule& rule) {
  ForceRule force;
  read_normal(reading, pair, rule, force);
  if (const auto friction = pair.find("friction")) read_friction(*friction, force);
  force.quasi_static = pair.boolean("quasi_static", force.quasi_static);
  return force;
}

}  // namespace carom::scene
