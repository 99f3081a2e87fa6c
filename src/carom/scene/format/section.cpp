#include "carom/scene/format/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "carom/base/assert.h"
#include "carom/base/nearest_name.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

/// `chooser`: the key that chose the section; empty where none did.
std::vector<std::string_view> key_names(const Section& section, std::string_view chooser) {
  std::vector<std::string_view> names;
  if (!chooser.empty()) names.push_back(chooser);
  for (const Key& key : section.keys) names.push_back(key.name);
  return names;
}

const Section* find_variant(std::span<const Section> variants, std::string_view kind) {
  const auto found =
      std::find_if(variants.begin(), variants.end(), [kind](const Section& section) { return section.name == kind; });
  return found == variants.end() ? nullptr : &*found;
}

[[noreturn]] void fail_choice(const Entry& entry, std::string_view what, const std::vector<std::string_view>& known) {
  throw InputError(Kind::unknown_name, entry.place(),
                   entry.name() + ": " + unknown_name_message(what, entry.node->string(), known));
}

/// The variant that knows the first key of a table which any of them knows; null where there is none.
const Section* variant_by_keys(std::span<const Section> variants, const Node& table) {
  for (const Member& member : table.table())
    for (const Section& section : variants)
      if (find_key(section, member.key) != nullptr) return &section;
  return nullptr;
}

/// The variant that a table is meant to be, by its keys alone. Throws where it has none that any variant knows.
const Section& meant_variant(const Entry& entry, std::span<const Section> variants) {
  if (const Section* const section = variant_by_keys(variants, *entry.node)) return *section;
  std::vector<std::string_view> known;
  for (const Section& section : variants)
    for (const Key& key : section.keys) known.push_back(key.name);
  if (!entry.node->table().empty()) throw unknown_key(entry, entry.node->table().front(), known);
  throw missing_key(entry, known.front());
}

/// "a table such as { law = "coulomb", coefficient = … }": the first variant with the keys that it needs, or its first.
std::string table_such_as(std::span<const Section> variants, std::string_view chooser) {
  if (chooser.empty() || variants.empty()) return "a table";
  const Section& first = variants.front();
  std::string keys;
  for (const Key& key : first.keys)
    if (key.required) keys += fmt::format(", {} = …", key.name);
  if (keys.empty() && !first.keys.empty()) keys = fmt::format(", {} = …", first.keys.front().name);
  return fmt::format("a table such as {{ {} = \"{}\"{} }}", chooser, first.name, keys);
}

/// The section that the key `chooser` of a table names. Throws where the table, the key or the name is missing.
const Section& variant_of(const Entry& entry, std::span<const Section> variants, std::string_view chooser) {
  if (!entry.node->is(Node::Type::table)) entry.fail(Kind::wrong_type, table_such_as(variants, chooser));
  if (chooser.empty()) return meant_variant(entry, variants);
  const Node* const kind = entry.node->find(chooser);
  if (kind == nullptr) throw missing_key(entry, chooser);
  const Entry named{kind, entry.source, join_path(entry.path, chooser)};
  if (const Section* const section = find_variant(variants, as_string(named))) return *section;
  if (find_variant(obstacle_shapes(), kind->string()) != nullptr) {
    if (variants.data() == body_parts().data() || variants.data() == obstacle_parts().data()) {
      named.fail(Kind::unsupported, "another shape, as this one cannot be a part");
    }
    named.fail(Kind::unsupported, find_variant(body_shapes(), kind->string()) == nullptr
                                      ? "a shape of a body, as this one can be an obstacle only"
                                      : "another shape, as this one cannot be arranged");
  }
  std::vector<std::string_view> known;
  for (const Section& section : variants) known.push_back(section.name);
  fail_choice(named, chooser, known);
}

void check_integer(const Entry& entry, const Bounds& bounds) {
  constexpr double kBeyond = 9e18;
  const double least = std::max(bounds.least, -kBeyond);
  const double greatest = std::min(bounds.greatest, kBeyond);
  as_integer(entry, static_cast<std::int64_t>(least), static_cast<std::int64_t>(greatest));
}

void check_vector(const Entry& entry, const Key& key) {
  as_vector(entry, Length{key.columns, {}}, key.bounds);
}

void check_direction(const Entry& entry) {
  if (as_vector(entry, Length{3, "x, y and z"}).isZero(0.0)) {
    throw InputError(Kind::zero_normal, entry.place(), entry.name() + " is all zeros, expected a direction");
  }
}

void check_matrix(const Entry& entry, const Key& key) {
  const Matrix matrix = as_matrix(entry, Length{key.columns, {}});
  if (matrix.rows() == key.rows) return;
  throw InputError(
      Kind::size_mismatch, entry.place(),
      entry.name() + " has " + std::to_string(matrix.rows()) + " rows, expected " + std::to_string(key.rows));
}

void check_points(const Entry& entry, const Key& key) {
  const Matrix matrix = as_matrix(entry, Length{key.columns, {}});
  if (matrix.rows() >= key.rows) return;
  throw InputError(
      Kind::size_mismatch, entry.place(),
      entry.name() + " has " + std::to_string(matrix.rows()) + " rows, expected at least " + std::to_string(key.rows));
}

void check_inertia(const Entry& entry) {
  const Matrix inertia = as_inertia(entry);
  if (inertia.cols() == 3) return;
  for (const Entry& moment : as_entries(entry)) as_number(moment, kPositive);
}

void check_numbers(const Entry& entry, const Key& key) {
  const std::vector<Entry> numbers = as_entries(entry);
  for (const Entry& number : numbers) as_number(number, key.bounds);
  const auto count = static_cast<int>(numbers.size());
  if (count >= key.rows && count <= key.columns) return;
  throw InputError(Kind::size_mismatch, entry.place(),
                   entry.name() + " has " + std::to_string(count) + " entries, expected from " +
                       std::to_string(key.rows) + " to " + std::to_string(key.columns));
}

/// One number of a single value, or one for each of many bodies; how many those are the reader knows.
void check_varied(const Entry& entry, const Key& key) {
  if (!entry.node->is(Node::Type::array)) {
    as_number(entry, key.bounds);
    return;
  }
  for (const Entry& number : as_entries(entry)) as_number(number, key.bounds);
}

void check_name(const Entry& entry) {
  const std::string& name = as_string(entry);
  if (name.empty()) entry.fail(Kind::out_of_range, "a name that is not empty");
  // Names stand in messages, tables and paths, each on one line.
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(name.begin(), name.end(), is_control)) {
    entry.fail(Kind::out_of_range, "a name without control characters");
  }
}

void check_names(const Entry& entry, const Key& key) {
  const std::vector<Entry> names = as_entries(entry);
  for (const Entry& name : names) check_name(name);
  const auto count = static_cast<int>(names.size());
  if (count >= key.rows && count <= key.columns) return;
  const std::string expected =
      key.rows == key.columns
          ? std::to_string(key.rows)
          : std::to_string(key.rows) + (key.columns > key.rows + 1 ? " to " : " or ") + std::to_string(key.columns);
  throw InputError(Kind::size_mismatch, entry.place(),
                   entry.name() + " has " + std::to_string(count) + " names, expected " + expected);
}

/// The section of a table: the key's own, or the variant that the table names.
const Section& section_of(const Entry& entry, const Key& key) {
  return key.table != nullptr ? *key.table : variant_of(entry, key.variants(), key.chooser);
}

/// Whether a table stands, or has to stand, behind the key.
bool has_table(const Entry& entry, const Key& key) {
  if (key.type == ValueType::table) return true;
  if (key.type == ValueType::one_or_two) return !entry.node->is(Node::Type::array);
  return (key.type == ValueType::law || key.type == ValueType::varied) && entry.node->is(Node::Type::table);
}

/// Whether tables stand behind the key where no single one does.
bool has_tables(const Key& key) {
  return key.type == ValueType::tables || key.type == ValueType::one_or_two;
}

/// A value that has no tables below it. Throws at the first mistake.
void check_plain_value(const Entry& entry, const Key& key) {
  switch (key.type) {
    case ValueType::number: as_number(entry, key.bounds); return;
    case ValueType::integer: check_integer(entry, key.bounds); return;
    case ValueType::boolean: as_boolean(entry); return;
    case ValueType::text: as_string(entry); return;
    case ValueType::name: check_name(entry); return;
    case ValueType::choice: {
      const std::vector<std::string_view> known = key.choices();
      if (std::find(known.begin(), known.end(), as_string(entry)) == known.end()) fail_choice(entry, key.name, known);
      return;
    }
    case ValueType::vector: check_vector(entry, key); return;
    case ValueType::direction: check_direction(entry); return;
    case ValueType::matrix: check_matrix(entry, key); return;
    case ValueType::points: check_points(entry, key); return;
    case ValueType::inertia: check_inertia(entry); return;
    case ValueType::names: check_names(entry, key); return;
    case ValueType::numbers: check_numbers(entry, key); return;
    case ValueType::law: as_number(entry, key.bounds); return;
    case ValueType::varied: check_varied(entry, key); return;
    case ValueType::table:
    case ValueType::tables:
    case ValueType::one_or_two: CAROM_ASSERT(false); return;
  }
}

/// Checks tables and all below them; every node that is not as it should be, or has such a node below it, is marked.
class TableCheck {
 public:
  explicit TableCheck(Complaints& complaints) : complaints_(complaints) {}

  /// Whether the table is in order. `chooser`: the key that chose the section; empty where none did.
  bool check(const Entry& entry, const Section& section, std::string_view chooser) {
    return marked(entry, check_members(entry, section, chooser));
  }

  /// Whether what stands behind a key is.
  bool check_value(const Entry& entry, const Key& key) {
    if (has_table(entry, key)) return check_below(entry, key);
    if (has_tables(key)) return check_tables(entry, key);
    return complaints_.attempt([&] { check_plain_value(entry, key); });
  }

 private:
  bool marked(const Entry& entry, bool good) {
    if (!good) complaints_.mark_failed(*entry.node);
    return good;
  }

  bool check_members(const Entry& entry, const Section& section, std::string_view chooser) {
    if (!entry.node->is(Node::Type::table)) {
      return complaints_.attempt([&entry] { entry.fail(Kind::wrong_type, "a table"); });
    }
    bool good = true;
    const auto complain = [this, &good](const InputError& error) {
      complaints_.add(error);
      good = false;
    };
    const std::vector<std::string_view> known = key_names(section, chooser);
    for (const Member& member : entry.node->table()) {
      if (std::find(known.begin(), known.end(), member.key) == known.end()) complain(unknown_key(entry, member, known));
    }
    const Fields fields(entry);
    for (const Key& key : section.keys) {
      if (const auto value = fields.find(key.name)) {
        good = marked(*value, check_value(*value, key)) && good;
      } else if (key.required) {
        complain(missing_key(entry, key.name));
      }
    }
    return good;
  }

  bool check_tables(const Entry& array, const Key& key) {
    std::vector<Entry> entries;
    bool good = complaints_.attempt([&] {
      if (!array.node->is(Node::Type::array) && array.path.find('.') != std::string::npos)
        array.fail(Kind::wrong_type, "a list of tables: " + std::string(key.help));
      entries = named_entries(array);
      if (key.type != ValueType::one_or_two || entries.size() == 2) return;
      throw InputError(Kind::size_mismatch, array.place(),
                       array.name() + " has " + std::to_string(entries.size()) + " tables, expected 2");
    });
    for (const Entry& entry : entries) good = marked(entry, check_below(entry, key)) && good;
    return good;
  }

  bool check_below(const Entry& entry, const Key& key) {
    const Section* section = nullptr;
    if (!complaints_.attempt([&] { section = &section_of(entry, key); })) return false;
    return check(entry, *section, key.table == nullptr ? key.chooser : std::string_view());
  }

  Complaints& complaints_;
};

}  // namespace

const Key* find_key(const Section& section, std::string_view name) {
  const auto found =
      std::find_if(section.keys.begin(), section.keys.end(), [name](const Key& key) { return key.name == name; });
  return found == section.keys.end() ? nullptr : &*found;
}

const Section* section_below(const Node& table, const Key& key) {
  if (key.table != nullptr || key.variants == nullptr) return key.table;
  if (key.chooser.empty()) return variant_by_keys(key.variants(), table);
  const Node* const kind = table.find(key.chooser);
  const bool is_named = kind != nullptr && kind->is(Node::Type::string);
  return is_named ? find_variant(key.variants(), kind->string()) : nullptr;
}

std::vector<Entry> named_entries(const Entry& array) {
  if (!array.node->is(Node::Type::array)) {
    array.fail(Kind::wrong_type, "an array of tables, written [[" + array.path + "]]");
  }
  std::vector<Entry> entries = as_entries(array);
  // What is changed about a body of a fill, rack or cradle goes by the name of that body.
  const bool are_changes = array.path.ends_with("." + std::string(kChangesName));
  for (Entry& entry : entries) {
    const Node* const name = entry.node->find("name");
    if (name == nullptr || !name->is(Node::Type::string) || name->string().empty()) continue;
    entry.path = join_path(are_changes ? "body" : array.path, name->string());
  }
  return entries;
}

void check_table(const Entry& entry, const Section& section, Complaints& complaints) {
  TableCheck(complaints).check(entry, section, {});
}

void check_values(const Entry& table, const Section& section, std::span<const std::string_view> keys,
                  Complaints& complaints) {
  const Fields fields(table);
  for (const Key& key : section.keys) {
    if (std::find(keys.begin(), keys.end(), key.name) == keys.end()) continue;
    if (const auto value = fields.find(key.name)) TableCheck(complaints).check_value(*value, key);
  }
}

VariantFields fields_of(const Entry& entry, std::span<const Section> variants, std::string_view chooser) {
  return {variant_of(entry, variants, chooser).name, Fields(entry)};
}

void list_unused(const Entry& entry, const Section& section, EngineSet engine, std::vector<std::string>& unused) {
  for (const Key& key : section.keys) {
    const Node* const node = entry.node->find(key.name);
    if (node == nullptr) continue;
    const Entry value{node, entry.source, join_path(entry.path, key.name)};
    if ((key.engines & engine) == 0) {
      unused.push_back(value.path);
    } else if (has_table(value, key)) {
      list_unused(value, section_of(value, key), engine, unused);
    } else if (has_tables(key)) {
      for (const Entry& one : named_entries(value)) list_unused(one, section_of(one, key), engine, unused);
    }
  }
}

}  // namespace carom::scene
