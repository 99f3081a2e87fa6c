#include "carom/scene/settings.h"

#include <algorithm>
#include <optional>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/path.h"
#include "carom/scene/document/toml_reader.h"
#include "carom/scene/format/section.h"

namespace carom::scene {
namespace {

/// Stands before a value to make a TOML document of it.
constexpr std::string_view kBefore = "value = ";

/// One setting, appended to the source of the document.
struct Setting {
  std::string_view path;
  std::string_view value;
  Mark path_mark;
  Mark value_mark;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t");
  return text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
}

Setting append_setting(Document& document, std::string_view text) {
  const std::string name = "--set " + printable(text, 200);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty() ||
      trimmed(text.substr(equals + 1)).empty()) {
    throw InputError(Kind::usage, "--set", name + ": expected path=value, as in run.law=newton");
  }
  const std::size_t offset = document.source.append(name, text);
  const auto mark_of = [text, offset](std::string_view part) {
    const std::size_t first = offset + static_cast<std::size_t>(part.data() - text.data());
    return make_mark(first, first + part.size());
  };
  const std::string_view path = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1));
  return {path, value, mark_of(path), mark_of(value)};
}

bool is_bare_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto belongs = [&is_letter](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return is_letter(text.front()) && std::all_of(text.begin(), text.end(), belongs);
}

/// The same tree with all marks moved from the value's own document to where it stands in the source.
Node moved(const Node& node, Mark whole) {
  const Mark own = node.mark();
  Mark mark = whole;
  if (own.offset >= kBefore.size() && std::size_t{own.offset} + own.length <= kBefore.size() + whole.length) {
    const std::size_t first = whole.offset + own.offset - kBefore.size();
    mark = make_mark(first, first + own.length);
  }
  switch (node.type()) {
    case Node::Type::boolean: return {node.boolean(), mark};
    case Node::Type::integer: return {node.integer(), mark};
    case Node::Type::real: return {node.number(), mark};
    case Node::Type::string: return {node.string(), mark};
    case Node::Type::array: {
      Array entries;
      for (const Node& entry : node.array()) entries.push_back(moved(entry, whole));
      return {std::move(entries), mark};
    }
    case Node::Type::table: {
      Table members;
      for (const Member& member : node.table()) members.push_back({member.key, mark, moved(member.value, whole)});
      return {std::move(members), mark};
    }
    case Node::Type::null: return {std::monostate{}, mark};
    case Node::Type::date: return {Date{}, mark};
  }
  return {std::monostate{}, mark};
}

/// A TOML value; all its marks lie within `whole`.
Node read_value(std::string_view text, Mark whole) {
  const Node root = read_toml(Source("", std::string(kBefore) + std::string(text)));
  if (root.table().size() != 1) throw InputError(Kind::syntax, "", "expected a single value");
  return moved(root.table().front().value, whole);
}

Node value_of(const Document& document, const Setting& setting) {
  try {
    return read_value(setting.value, setting.value_mark);
  } catch (const InputError& error) {
    if (error.kind() == Kind::syntax && is_bare_word(setting.value)) {
      return {std::string(setting.value), setting.value_mark};
    }
    const std::string message = error.kind() == Kind::not_finite ? "the value is not a finite number" : error.what();
    throw InputError(error.kind(), document.source.place(setting.value_mark, std::string(setting.path)),
                     printable(setting.path) + ": " + message);
  }
}

[[noreturn]] void fail(const Document& document, const Setting& setting, const std::string& message) {
  throw InputError(Kind::usage, document.source.place(setting.path_mark, std::string(setting.path)),
                   "--set " + printable(setting.path) + ": " + message);
}

/// What could stand where a part of a path was not found.
[[noreturn]] void fail_step(const Document& document, const Setting& setting, const Node& node, std::string_view part) {
  std::vector<std::string_view> known;
  if (node.is(Node::Type::table)) {
    for (const Member& member : node.table()) known.emplace_back(member.key);
    fail(document, setting, unknown_name_message("key", part, known));
  }
  if (!node.is(Node::Type::array)) {
    fail(document, setting,
         std::string(type_name(node.type())) + " has no parts, but '" + printable(part) + "' was asked for");
  }
  for (const Node& entry : node.array()) {
    const Node* const name = entry.find("name");
    if (name != nullptr && name->is(Node::Type::string)) known.emplace_back(name->string());
  }
  if (!known.empty()) fail(document, setting, unknown_name_message("entry", part, known));
  fail(document, setting,
       "there is no entry '" + printable(part) + "', expected an index below " + std::to_string(node.array().size()));
}

/// What stands for a part of a path that the scene leaves out: for the last one a place to be filled, before that the
/// table or vector that the format says it is then. None where it must be given.
std::optional<Node> made_for(const Key* key, bool is_last, Mark mark) {
  if (is_last) return Node(std::monostate{}, mark);
  if (key == nullptr) return std::nullopt;
  if (key->type == ValueType::table) return Node(Table{}, mark);
  if (key->absent.starts_with('[')) return read_value(key->absent, mark);
  return std::nullopt;
}

/// The value that a setting replaces, made where the scene leaves it out.
Node& destination(Document& document, const Setting& setting) {
  Node* node = &document.root;
  const Section* section = &scene_format();
  std::string_view rest = setting.path;
  while (!rest.empty()) {
    const auto [part, behind] = split_path(rest);
    const bool in_table = node->is(Node::Type::table);
    const Key* const key = in_table && section != nullptr ? find_key(*section, part) : nullptr;
    std::optional<PathStep> step = first_step(*node, rest);
    if (!step && in_table && !part.empty()) {
      if (std::optional<Node> made = made_for(key, behind.empty(), setting.path_mark)) {
        node->table().push_back({std::string(part), setting.path_mark, *std::move(made)});
        step = PathStep{&node->table().back().value, behind};
      }
    }
    if (!step) fail_step(document, setting, *node, part);
    // The document is ours to change; first_step only reads.
    node = const_cast<Node*>(step->node);
    if (in_table) section = key != nullptr ? key->table : nullptr;
    rest = step->rest;
  }
  return *node;
}

void apply(Document& document, const Setting& setting) {
  Node value = value_of(document, setting);
  destination(document, setting) = std::move(value);
}

}  // namespace

void apply_settings(Document& document, std::span<const std::string> settings) {
  for (const std::string& text : settings) apply(document, append_setting(document, text));
}

}  // namespace carom::scene
