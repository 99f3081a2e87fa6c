/// What a [[pair]] says to the laws: to the impact laws (PairRule), and to the force laws by their names in the
/// registries (ForceRule).
///
/// Names, ranges and what a law needs are checked here and at their line, whatever the engine of the scene is.

#include <array>

#include "carom/engine/engine_registry.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// Keys of a [[pair]] that are parameters of some normal law and of nothing else.
constexpr std::array<std::string_view, 3> kNormalKeys = {"exponent", "reference_speed", "relaxation_time"};

std::vector<double> read_numbers(const Entry& entry) {
  const Vector numbers = as_vector(entry);
  return {numbers.begin(), numbers.end()};
}

/// An error about the parameters of a law stands at the value, or at the table that lacks it.
template <class Work>
void at_its_place(const Fields& table, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    const std::string& field = error.place().field;
    const std::string& path = table.entry().path;
    PathStep at{table.entry().node, {}};
    if (field.starts_with(path + ".")) at.rest = std::string_view(field).substr(path.size() + 1);
    while (const auto step = at.rest.empty() ? std::nullopt : first_step(*at.node, at.rest)) at = *step;
    throw InputError(error.kind(), table.entry().source->place(at.node->mark(), field), error.what());
  }
}

void read_normal(Reading& reading, const Fields& pair, const PairRule& rule, ForceRule& force) {
  const bool compliant = engine_kind(reading.engine()).has_forces;
  force.normal = pair.string("normal", "");
  if (force.normal.empty() && !rule.restitution.is_elastic()) {
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
  if (rule.stiffness) given.set("stiffness", *rule.stiffness);
  at_its_place(pair, [&] {
    // A rigid engine's restitution need not be one that the law can have.
    if (compliant) {
      normal_input(law, given, rule.restitution, pair.entry().path);
    } else {
      normal_input(law, given, pair.entry().path);
    }
  });
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

/// The pair's friction in the rigid world: the coefficients of `coulomb` and the resistance beside them, which a rough
/// pair does not need.
void read_rigid_friction(Reading& reading, const Entry& table, PairRule& rule) {
  ForceRule read;
  read_friction(table, read);
  const bool used = read.friction == kCoulombLaw.name && !rule.rough;
  if (used) {
    rule.friction = coulomb_coefficients(read.friction_parameters);
    rule.resistance = turning_resistance(read.friction_parameters);
  }
  // A rough pair says how it meets without slip and, for forces, how it slips.
  if (engine_kind(reading.engine()).has_forces || rule.rough) return;
  if (!used) reading.scene().unused.push_back(table.path);
}

}  // namespace

Restitution read_restitution(const Entry& entry) {
  if (!entry.node->is(Node::Type::table)) return as_number(entry);
  const auto [law, fields] = fields_of(entry, restitution_kinds(), kLawKey);
  Restitution restitution(
      law == "power"
          ? Restitution::Law(PowerRestitution{fields.number("e0"), fields.number("v0"), fields.number("exponent")})
          : Restitution::Law(RestitutionTable{read_numbers(fields.at("speeds")), read_numbers(fields.at("values"))}));
  at_its_place(fields, [&] { validate(restitution, entry.path); });
  return restitution;
}

PairRule read_pair_rule(Reading& reading, const Fields& pair) {
  PairRule rule;
  if (const auto restitution = pair.find("restitution")) rule.restitution = read_restitution(*restitution);
  rule.rough = pair.boolean("rough", rule.rough);
  rule.stiffness = pair.optional_number("stiffness");
  rule.tangential_restitution = pair.optional_number("tangential_restitution");
  if (const auto friction = pair.find("friction")) read_rigid_friction(reading, *friction, rule);
  return rule;
}

ForceRule read_force_rule(Reading& reading, const Fields& pair, const PairRule& rule) {
  ForceRule force;
  read_normal(reading, pair, rule, force);
  const auto smooth = pair.find("friction_smooth");
  if (const auto friction = smooth ? smooth : pair.find("friction")) read_friction(*friction, force);
  // Without friction forces let slip what was meant to be rough.
  if (force.friction.empty() && rule.rough && engine_kind(reading.engine()).has_forces) {
    reading.scene().unused.push_back(join_path(pair.entry().path, "rough"));
  }
  force.quasi_static = pair.boolean("quasi_static", force.quasi_static);
  return force;
}

}  // namespace carom::scene
