/// Materials, and what happens where two of them meet.

#include <algorithm>
#include <optional>

#include "carom/base/utf8.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

using MaterialUse = Reading::MaterialUse;

/// Who names a material: as many uses as are needed to know whether it meets another.
struct Users {
  const MaterialUse* first_movable = nullptr;
  const MaterialUse* second_movable = nullptr;  ///< the same again where one entry makes several bodies
  const MaterialUse* fixed = nullptr;
};

std::vector<Users> users_of(const Reading& reading, std::size_t materials) {
  std::vector<Users> all(materials);
  for (const MaterialUse& use : reading.material_uses()) {
    Users& users = all[use.material];
    if (!use.movable) {
      if (users.fixed == nullptr) users.fixed = &use;
    } else if (users.first_movable == nullptr) {
      users.first_movable = &use;
      if (use.objects > 1) users.second_movable = &use;
    } else if (users.second_movable == nullptr) {
      users.second_movable = &use;
    }
  }
  return all;
}

/// Of two uses that can meet the one that stands later in the file; null where one of them is missing.
const MaterialUse* later(const MaterialUse* a, const MaterialUse* b) {
  if (a == nullptr || b == nullptr) return nullptr;
  return a->entry.node->mark().offset > b->entry.node->mark().offset ? a : b;
}

/// The use at which two materials are found to meet; null where they cannot.
const MaterialUse* meeting(const Users& a, const Users& b, bool same) {
  const MaterialUse* const moving = later(a.first_movable, same ? b.second_movable : b.first_movable);
  if (moving != nullptr) return moving;
  if (const MaterialUse* const use = later(a.first_movable, b.fixed)) return use;
  return later(b.first_movable, a.fixed);
}

InputError missing_pair(const MaterialUse& use, const std::string& first, const std::string& second) {
  return {Kind::missing_field, use.entry.place(),
          use.entry.name() + ": the materials '" + first + "' and '" + second +
              "' can meet, expected a [[pair]] with materials = [\"" + first + "\", \"" + second + "\"]"};
}

void require_pairs(Reading& reading, const Model& model, const std::vector<std::optional<Mark>>& given) {
  const std::size_t count = model.materials.size();
  const std::vector<Users> users = users_of(reading, count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      if (given[i * count + j]) continue;
      const MaterialUse* const use = meeting(users[i], users[j], i == j);
      if (use == nullptr) continue;
      reading.complaints().add(
          missing_pair(*use, printable(model.materials[i].name), printable(model.materials[j].name)));
    }
  }
}

}  // namespace

void read_materials(Reading& reading) {
  std::vector<Material>& materials = reading.model().materials;
  reading.for_each("material", [&reading, &materials](const Fields& fields) {
    const Entry name = fields.at("name");
    reading.add_material(name, materials.size());
    materials.push_back({name.node->string(), fields.optional_number("young"), fields.optional_number("poisson")});
  });
}

void read_pairs(Reading& reading) {
  Model& model = reading.model();
  const std::size_t count = model.materials.size();
  model.rules.assign(count * count, PairRule{});
  model.forces.assign(count * count, ForceRule{});
  std::vector<std::optional<Mark>> given(count * count);
  reading.for_each("pair", [&](const Fields& fields) {
    const Entry materials = fields.at("materials");
    const std::vector<Entry> names = as_entries(materials);
    const std::size_t a = reading.material(names[0]);
    const std::size_t b = reading.material(names[1]);
    if (const auto& first = given[a * count + b]) {
      throw InputError(Kind::duplicate_name, materials.place(),
                       materials.name() + ": the materials '" + printable(model.materials[a].name) + "' and '" +
                           printable(model.materials[b].name) + "' already have a pair (" +
                           materials.source->describe(*first) + "), expected each two once");
    }
    const PairRule rule = read_pair_rule(reading, fields);
    const ForceRule force = read_force_rule(reading, fields, rule);
    read_contact_switch(reading, fields, static_cast<int>(a), static_cast<int>(b));
    for (const std::size_t both : {a * count + b, b * count + a}) {
      given[both] = materials.node->mark();
      model.rules[both] = rule;
      model.forces[both] = force;
    }
  });
  if (!reading.has_failed("material") && !reading.has_failed("pair")) require_pairs(reading, model, given);
}

}  // namespace carom::scene
