#include "carom/scene/schema.h"

#include <cmath>
#include <utility>
#include <vector>

#include "carom/base/number.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

/// Names and values (JSON texts) of an object, in order.
using Members = std::vector<std::pair<std::string, std::string>>;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result + "\"";
}

/// Adds a member, in place of one of the same name.
void set(Members& members, std::string_view name, std::string value) {
  for (auto& member : members) {
    if (member.first != name) continue;
    member.second = std::move(value);
    return;
  }
  members.emplace_back(name, std::move(value));
}

std::string object(const Members& members) {
  std::string text = "{";
  for (const auto& member : members)
    text += (text.size() > 1 ? ", " : "") + quoted(member.first) + ": " + member.second;
  return text + "}";
}

std::string list(const std::vector<std::string>& entries) {
  std::string text = "[";
  for (const std::string& entry : entries) text += (text.size() > 1 ? ", " : "") + entry;
  return text + "]";
}

std::string quoted_list(const std::vector<std::string_view>& entries) {
  std::vector<std::string> texts;
  for (const std::string_view entry : entries) texts.push_back(quoted(entry));
  return list(texts);
}

void add_bounds(Members& members, const Bounds& bounds) {
  if (std::isfinite(bounds.least)) {
    members.emplace_back(bounds.least_excluded ? "exclusiveMinimum" : "minimum", format_number(bounds.least));
  }
  if (std::isfinite(bounds.greatest)) {
    members.emplace_back(bounds.greatest_excluded ? "exclusiveMaximum" : "maximum", format_number(bounds.greatest));
  }
}

Members number_schema(std::string_view type, const Bounds& bounds) {
  Members members{{"type", quoted(type)}};
  add_bounds(members, bounds);
  return members;
}

Members array_schema(const std::string& items, int least, int most) {
  return {{"type", quoted("array")},
          {"items", items},
          {"minItems", std::to_string(least)},
          {"maxItems", std::to_string(most)}};
}

Members table_schema(const Section& section, std::string_view chooser);

Members below_schema(const Key& key) {
  if (key.table != nullptr) return table_schema(*key.table, {});
  std::vector<std::string> variants;
  for (const Section& section : key.variants()) variants.push_back(object(table_schema(section, key.chooser)));
  return {{"oneOf", list(variants)}};
}

/// One of several forms, the first of them a number.
Members forms_schema(const Key& key, std::vector<std::string> others) {
  others.insert(others.begin(), object(number_schema("number", key.bounds)));
  for (const Section& section : key.variants()) others.push_back(object(table_schema(section, key.chooser)));
  return {{"oneOf", list(others)}};
}

Members value_schema(const Key& key) {
  const std::string name = object({{"type", quoted("string")}, {"minLength", "1"}});
  switch (key.type) {
    case ValueType::number: return number_schema("number", key.bounds);
    case ValueType::integer: return number_schema("integer", key.bounds);
    case ValueType::boolean: return {{"type", quoted("boolean")}};
    case ValueType::text: return {{"type", quoted("string")}};
    case ValueType::name: return {{"type", quoted("string")}, {"minLength", "1"}};
    case ValueType::choice: return {{"enum", quoted_list(key.choices())}};
    case ValueType::vector: return array_schema(object(number_schema("number", key.bounds)), key.columns, key.columns);
    case ValueType::direction: return array_schema(object(number_schema("number", {})), 3, 3);
    case ValueType::matrix: {
      const std::string row = object(array_schema(object(number_schema("number", {})), key.columns, key.columns));
      return array_schema(row, key.rows, key.rows);
    }
    case ValueType::points: {
      const std::string row = object(array_schema(object(number_schema("number", {})), key.columns, key.columns));
      return {{"type", quoted("array")}, {"items", row}, {"minItems", std::to_string(key.rows)}};
    }
    case ValueType::inertia: {
      const std::string numbers = object(number_schema("number", {}));
      const std::string row = object(array_schema(numbers, 3, 3));
      return {{"oneOf", list({object(array_schema(object(number_schema("number", kPositive)), 3, 3)),
                              object(array_schema(numbers, 9, 9)), object(array_schema(row, 3, 3))})}};
    }
    case ValueType::names: return array_schema(name, key.rows, key.columns);
    case ValueType::numbers: return array_schema(object(number_schema("number", key.bounds)), key.rows, key.columns);
    case ValueType::law: return forms_schema(key, {});
    case ValueType::varied: {
      const std::string each =
          object({{"type", quoted("array")}, {"items", object(number_schema("number", key.bounds))}});
      return forms_schema(key, {each});
    }
    case ValueType::table: return below_schema(key);
    case ValueType::tables: return {{"type", quoted("array")}, {"items", object(below_schema(key))}};
    case ValueType::one_or_two: {
      const std::string one = object(below_schema(key));
      return {{"oneOf", list({one, object(array_schema(one, 2, 2))})}};
    }
  }
  return {};
}

std::vector<std::string_view> engines_of(const Key& key) {
  std::vector<std::string_view> names;
  for (const EngineKind& kind : engine_kinds()) {
    if ((key.engines & kind.bit) != 0) names.push_back(kind.name);
  }
  return names;
}

bool has_default_value(const Key& key) {
  return !key.absent.empty() && !key.absent.starts_with('(');
}

std::string key_schema(const Key& key) {
  Members members = value_schema(key);
  std::string help(key.help);
  if (!key.unit.empty()) help += " [" + std::string(key.unit) + "]";
  set(members, "description", quoted(help));
  if (has_default_value(key)) members.emplace_back("default", std::string(key.absent));
  if (key.engines != kEveryEngine) members.emplace_back("x-engines", quoted_list(engines_of(key)));
  return object(members);
}

/// `chooser`: the key whose value is the section's name; empty where there is none.
Members table_schema(const Section& section, std::string_view chooser) {
  Members properties;
  std::vector<std::string_view> required;
  if (!chooser.empty()) {
    properties.emplace_back(chooser, object({{"const", quoted(section.name)}}));
    required.push_back(chooser);
  }
  for (const Key& key : section.keys) {
    properties.emplace_back(key.name, key_schema(key));
    if (key.required) required.push_back(key.name);
  }
  return {{"type", quoted("object")},
          {"description", quoted(section.help)},
          {"properties", object(properties)},
          {"required", quoted_list(required)},
          {"additionalProperties", "false"}};
}

/// What a value looks like, for people.
std::string form_of(const Key& key) {
  switch (key.type) {
    case ValueType::vector:
    case ValueType::direction: return std::to_string(key.columns) + " numbers: ";
    case ValueType::matrix: return std::to_string(key.rows) + " × " + std::to_string(key.columns) + " numbers: ";
    case ValueType::inertia: return "3 or 9 numbers: ";
    case ValueType::numbers: return "a list of numbers: ";
    case ValueType::varied: return "one number for all, a list, or a table of numbers that differ: ";
    case ValueType::boolean: return "true or false: ";
    case ValueType::choice: {
      std::string text;
      for (const std::string_view name : key.choices()) {
        if (!text.empty()) text += ", ";
        text += "`" + std::string(name) + "`";
      }
      return text + ": ";
    }
    default: return "";
  }
}

std::string default_in_words(const Key& key) {
  if (key.required) return "required";
  if (key.absent.empty()) return "none";
  if (has_default_value(key)) return "`" + std::string(key.absent) + "`";
  return std::string(key.absent.substr(1, key.absent.size() - 2));
}

std::string key_row(const Key& key) {
  std::string meaning = form_of(key) + std::string(key.help);
  if (key.engines != kEveryEngine) {
    std::string engines;
    for (const std::string_view name : engines_of(key)) engines += (engines.empty() ? "" : ", ") + std::string(name);
    meaning += " (" + engines + ")";
  }
  return "| `" + std::string(key.name) + "` | " + meaning + " | " + std::string(key.unit) + " | " +
         default_in_words(key) + " |\n";
}

std::string key_table(const Section& section) {
  std::string text = "| key | meaning | unit | default |\n|---|---|---|---|\n";
  for (const Key& key : section.keys) text += key_row(key);
  return text;
}

std::string variant_table(std::string_view title, const Key& key_of_variants) {
  std::string text =
      "| `" + std::string(key_of_variants.chooser) + "` | " + std::string(title) + " | keys |\n|---|---|---|\n";
  for (const Section& section : key_of_variants.variants()) {
    std::string keys;
    for (const Key& key : section.keys) {
      keys += (keys.empty() ? "`" : "; `") + std::string(key.name) + "` " + std::string(key.help);
      if (!key.unit.empty()) keys += " [" + std::string(key.unit) + "]";
      if (has_default_value(key)) keys += ", default " + std::string(key.absent);
    }
    text += "| `" + std::string(section.name) + "` | " + std::string(section.help) + " | " + keys + " |\n";
  }
  return text;
}

std::string section_heading(const Key& key) {
  const std::string name(key.name);
  const std::string header = key.type == ValueType::tables ? "[[" + name + "]]" : "[" + name + "]";
  return "### `" + header + "`: " + std::string(key.help) + "\n\n";
}

}  // namespace

std::string scene_schema() {
  Members members{{"$schema", quoted("https://json-schema.org/draft/2020-12/schema")},
                  {"title", quoted("Carom scene, format 1")}};
  for (auto& member : table_schema(scene_format(), {})) members.push_back(std::move(member));
  return object(members);
}

std::string scene_key_tables() {
  std::string text;
  for (const Key& key : scene_format().keys) {
    if (key.type != ValueType::table && key.type != ValueType::tables) continue;
    text += section_heading(key);
    text += key.table != nullptr ? key_table(*key.table) : variant_table("what it does", key);
    text += "\n";
  }
  text += "### `shape`\n\n" + variant_table("shape, in its own frame", *find_key(section("obstacle"), "shape")) + "\n";
  text += "### `parts`\n\n";
  text += "Each part has the keys of its shape and these; in an obstacle no mass.\n\n" +
          key_table({"part", "a part of a compound", part_keys()}) + "\n";
  text += "### `orientation`\n\n" + key_table(orientation_section()) + "\n";
  text += "### `motion`\n\n" + variant_table("driven motion", *find_key(section("plane"), "motion")) + "\n";
  text += "### `restitution`\n\n" +
          variant_table("e by the speed v of approach", *find_key(section("pair"), "restitution")) + "\n";
  text += "### `friction`\n\n" + variant_table("friction law", *find_key(section("pair"), "friction"));
  return text;
}

}  // namespace carom::scene
