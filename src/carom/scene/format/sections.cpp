#include "carom/scene/format/sections.h"

#include <algorithm>
#include <array>

#include "carom/base/assert.h"
#include "carom/scene/format/tables.h"

namespace carom::scene {
namespace {

using Type = ValueType;

constexpr Bounds kOne{1.0, 1.0, false, false};

}  // namespace

/// A key that is added to these tables is known to the reader, the writer, the schema and the documentation; what
/// becomes of its value stands in reader/.
const Section& scene_format() {
  static const std::array kKeys = {
      required(integer_key("format", kOne, "version of the format: 1")),
      plain_key("title", Type::text, "for people", "\"\""),
      table_key("world", Type::table, world_section()),
      table_key("camera", Type::table, camera_section()),
      required(table_key("run", Type::table, run_section())),
      table_key("material", Type::tables, material_section()),
      table_key("pair", Type::tables, pair_section()),
      table_key("body", Type::tables, body_section()),
      table_key("plane", Type::tables, plane_section()),
      table_key("obstacle", Type::tables, obstacle_section()),
      variant_key("constraint", Type::tables, &constraint_kinds, "a persistent constraint"),
      variant_key("joint", Type::tables, &joint_kinds, "holds two bodies, or a body and the ground, together"),
      table_key("spring", Type::tables, spring_section()),
      table_key("load", Type::tables, load_section()),
      table_key("fill", Type::tables, fill_section()),
      table_key("rack", Type::tables, rack_section()),
      table_key("cradle", Type::tables, cradle_section()),
      table_key("shot", Type::tables, shot_section()),
      table_key("when", Type::tables, when_section()),
      for_engines(table_key("pocket", Type::tables, pocket_section()), kSmoothEngine),
      for_engines(table_key("dent", Type::tables, dent_section()), kSmoothEngine),
  };
  static const Section kScene{"scene", "a Carom scene", kKeys};
  return kScene;
}

const Section& section(std::string_view name) {
  const Key* const key = find_key(scene_format(), name);
  CAROM_ASSERT(key != nullptr && key->table != nullptr);
  return *key->table;
}

}  // namespace carom::scene
