#pragma once
/// The scene format as data: which keys a table may have, what stands behind each, and which engines use it.
///
/// From a line of these tables (the …_section(s).cpp) follow the check of type and range, the message about an unknown
/// key, the list of keys that the chosen engine does not use, the order in which a scene is written, the JSON Schema
/// (schema.h) and the tables of docs/scene-file.md.

#include <span>
#include <string_view>
#include <vector>

#include "carom/engine/engine_registry.h"
#include "carom/scene/complaints.h"
#include "carom/scene/document/fields.h"

namespace carom::scene {

enum class ValueType {
  number,      ///< within `bounds`
  integer,     ///< within `bounds`
  boolean,     ///< true or false
  text,        ///< a string
  name,        ///< a string that is not empty
  choice,      ///< one of `choices`
  vector,      ///< `columns` numbers within `bounds`
  numbers,     ///< an array of numbers within `bounds`, from `rows` to `columns` of them
  direction,   ///< three numbers, not all zero
  matrix,      ///< `rows` times `columns` numbers
  points,      ///< at least `rows` times `columns` numbers
  inertia,     ///< three positive numbers, or nine in one list or in three rows
  names,       ///< an array of strings, from `rows` to `columns` of them
  table,       ///< the keys of `table`, or of the one of `variants` that its key `chooser` names
  tables,      ///< any number of such tables, [[…]]
  one_or_two,  ///< such a table, or a list of two of them
  law,         ///< a number within `bounds`, or a table of `variants` that says how it comes about
  varied,      ///< of many bodies: a number within `bounds`, an array with one for each, or a table of `variants`
};

struct Section;

/// The key that chooses among variants, where nothing else is said.
inline constexpr std::string_view kKindKey = "kind";
/// The key that names a law.
inline constexpr std::string_view kLawKey = "law";

struct Key {
  std::string_view name;
  ValueType type;
  std::string_view help;    ///< what it means, without a full stop
  std::string_view unit{};  ///< SI, or empty
  /// What holds where the key is absent: a TOML value, or words in parentheses; empty: nothing.
  std::string_view absent{};
  bool required = false;
  Bounds bounds{};
  int rows = 1;
  int columns = 3;
  std::vector<std::string_view> (*choices)() = nullptr;
  const Section* table = nullptr;
  std::span<const Section> (*variants)() = nullptr;
  std::string_view chooser = kKindKey;  ///< empty: the variant is the one that knows the table's keys
  EngineSet engines = kEveryEngine;     ///< those that use it
};

/// The keys of one table.
struct Section {
  std::string_view name;
  std::string_view help;
  std::span<const Key> keys;
};

/// The whole scene: its sections are the keys of type `table` and `tables`.
const Section& scene_format();

/// The key of that name; null where the section has none.
const Key* find_key(const Section& section, std::string_view name);

/// The section of a table that stands behind a key: its own, or the variant that the table names. Null where the key
/// has no tables, or the table names none of its variants.
const Section* section_below(const Node& table, const Key& key);

/// The entries of an array of tables, each with its `name` in its path where it has one (`body.egg`), with its index
/// otherwise (`spring.0`). Throws wrong_type where the value is no array.
std::vector<Entry> named_entries(const Entry& array);

/// Checks a table and all below it against the format: unknown and missing keys, types, ranges, names of choices.
/// Nodes that are not in order, and those above them, are marked as failed.
void check_table(const Entry& entry, const Section& section, Complaints& complaints);

/// Checks what stands behind these keys of a table, and nothing else of it.
void check_values(const Entry& table, const Section& section, std::span<const std::string_view> keys,
                  Complaints& complaints);

/// The fields of a table that was checked, and which of the variants its key `chooser` names.
struct VariantFields {
  std::string_view kind;
  Fields fields;
};
VariantFields fields_of(const Entry& entry, std::span<const Section> variants, std::string_view chooser = kKindKey);

/// Paths of the keys of a checked table, and below it, that the engine does not use.
void list_unused(const Entry& entry, const Section& section, EngineSet engine, std::vector<std::string>& unused);

}  // namespace carom::scene
