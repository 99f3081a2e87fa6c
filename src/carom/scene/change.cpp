#include "carom/scene/change.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/path.h"
#include "carom/scene/document/toml_value.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arrangement.h"

namespace carom::scene {
namespace {

/// A walk along a path that knows the format of where it is.
struct Walk {
  const Node* node;
  std::string_view rest;
  const Section* section = &scene_format();  ///< of `node`, where that is a table and its section is known
  const Key* key = nullptr;                  ///< that led here
  const Node* parent = nullptr;

  [[nodiscard]] std::string_view part() const { return split_path(rest).first; }
  [[nodiscard]] bool is_at_last() const { return split_path(rest).second.empty(); }
  /// What the format says about the next part; null where it says nothing.
  [[nodiscard]] const Key* next_key() const { return section != nullptr ? find_key(*section, part()) : nullptr; }

  /// Goes on to the next part; false where there is nothing.
  bool advance() {
    const std::optional<PathStep> step = first_step(*node, rest);
    if (!step) return false;
    if (node->is(Node::Type::table)) key = next_key();
    parent = node;
    node = step->node;
    rest = step->rest;
    section = key != nullptr && node->is(Node::Type::table) ? section_below(*node, *key) : nullptr;
    return true;
  }
};

InputError usage_error(const Document& document, const Target& target, const std::string& message) {
  return {Kind::usage, document.source.place(target.mark, std::string(target.path)),
          std::string(target.origin) + printable(target.shown.empty() ? target.path : target.shown) + ": " + message};
}

/// The names of the entries of an array.
void add_names(const Node& array, std::vector<std::string_view>& names) {
  for (const Node& entry : array.array()) {
    const Node* const name = entry.find("name");
    if (name != nullptr && name->is(Node::Type::string)) names.emplace_back(name->string());
  }
}

/// What could stand where a part of a path was not found.
InputError wrong_step(const Document& document, const Target& target, const Walk& walk) {
  const Node& node = *walk.node;
  const std::string_view part = walk.part();
  std::vector<std::string_view> known;
  if (node.is(Node::Type::table)) {
    for (const Member& member : node.table()) known.emplace_back(member.key);
    return usage_error(document, target, unknown_name_message("key", part, known));
  }
  if (!node.is(Node::Type::array)) {
    return usage_error(
        document, target,
        std::string(type_name(node.type())) + " has no parts, but '" + printable(part) + "' was asked for");
  }
  add_names(node, known);
  if (!known.empty()) return usage_error(document, target, unknown_name_message("entry", part, known));
  return usage_error(
      document, target,
      "there is no entry '" + printable(part) + "', expected an index below " + std::to_string(node.array().size()));
}

/// Where a word that is no key of the scene stands for one of its tables `run` and `world`: the path that was meant.
void refuse_key_of_a_table(const Document& document, const Target& target, const Walk& walk) {
  if (walk.section != &scene_format() || walk.next_key() != nullptr) return;
  for (const std::string_view table : {"run", "world"}) {
    if (find_key(section(table), walk.part()) == nullptr) continue;
    throw usage_error(document, target,
                      "a scene has no key '" + printable(walk.part()) + "' of its own; did you mean '" +
                          join_path(table, walk.rest) + "'?");
  }
}

/// What stands for a part of a path that the scene leaves out: for the last one a place to be filled, before that the
/// table or vector that the format says it is then. None where it must be given.
std::optional<Node> made_for(const Key* key, bool is_last, Mark mark) {
  if (is_last) return Node(std::monostate{}, mark);
  if (key == nullptr) return std::nullopt;
  if (key->type == ValueType::table || key->type == ValueType::one_or_two || key->type == ValueType::law ||
      key->type == ValueType::varied) {
    return Node(Table{}, mark);
  }
  if (key->absent.starts_with('[')) return read_toml_value(key->absent, mark);
  return std::nullopt;
}

/// Walks to the end of the path; none where the scene leaves out what it leads to.
std::optional<Walk> walk_to(const Document& document, const Target& target) {
  Walk walk{&document.root, target.path};
  while (!walk.rest.empty()) {
    if (walk.advance()) continue;
    if (walk.next_key() == nullptr) throw wrong_step(document, target, walk);
    return std::nullopt;
  }
  return walk;
}

void require_path(const Target& target) {
  if (target.path.empty()) throw InputError(Kind::usage, "", "the path is empty, expected one such as run.law");
}

/// The body of an arrangement that a path names.
std::optional<ArrangedBody> member_at(const Document& document, const Target& target) {
  const auto [part, rest] = split_path(target.path);
  if (part != "body" || rest.empty()) return std::nullopt;
  std::vector<std::string> made;
  try {
    if (auto member = find_member(document, rest)) return member;
    made = all_members(document);
  } catch (const InputError& error) {
    throw usage_error(document, target, error.what());
  }
  const Node* const bodies = document.root.find("body");
  if (made.empty() || (bodies != nullptr && first_step(*bodies, rest))) return std::nullopt;
  // Neither a [[body]] nor one of an arrangement: all that there are.
  std::vector<std::string_view> known;
  if (bodies != nullptr && bodies->is(Node::Type::array)) add_names(*bodies, known);
  for (const std::string& names : made) known.push_back(names);
  throw usage_error(document, target, unknown_name_message("body", split_path(rest).first, known));
}

/// Where the changes of a member stand.
std::string path_of_changes(const ArrangedBody& member) {
  return join_path(join_path(member.kind->section, std::to_string(member.entry)), kChangesName);
}

/// The same target where it is written down.
struct InArrangement {
  std::string path;
  Target target;

  InArrangement(const ArrangedBody& member, const Target& asked)
      : path(join_path(path_of_changes(member), member.name)), target(asked) {
    if (!member.rest.empty()) path = join_path(path, member.rest);
    target.path = path;
    target.shown = asked.path;
  }
};

void require_body_key(const Document& document, const Target& target, const ArrangedBody& member) {
  const std::string_view part = split_path(member.rest).first;
  std::vector<std::string_view> known;
  for (const Key& key : section("body").keys) known.push_back(key.name);
  if (part.empty() || std::find(known.begin(), known.end(), part) != known.end()) return;
  throw usage_error(document, target, unknown_name_message("key", part, known));
}

Node& entry_of(Node& table, std::string_view key, const Node& absent) {
  for (Member& member : table.table())
    if (member.key == key) return member.value;
  table.table().push_back({std::string(key), absent.mark(), absent});
  return table.table().back().value;
}

/// The change of a member, made where there is none yet; below a key that it does not say, what there is without it.
void make_change(const Document& document, const ArrangedBody& member, Mark mark) {
  const auto [key, below] = split_path(member.rest);
  const Node* change = find_change(member);
  const bool is_made = !below.empty() && (change == nullptr || change->find(key) == nullptr);
  const Node made = is_made ? member_table(document, member) : Node();
  Node& changes = entry_of(*const_cast<Node*>(member.arrangement), kChangesName, Node(Array{}, mark));
  if (!changes.is(Node::Type::array)) {
    const std::string path = path_of_changes(member);
    Entry{&changes, &document.source, path}.fail(Kind::wrong_type, "an array of tables");
  }
  if (change == nullptr) {
    Table entry;
    entry.push_back({"name", mark, Node(member.name, mark)});
    changes.array().emplace_back(std::move(entry), mark);
    change = &changes.array().back();
  }
  const Node* const value = made.find(key);
  if (value == nullptr) return;
  entry_of(*const_cast<Node*>(change), key, *value);
  // A part of the position belongs to the point that the arrangement speaks of.
  if (key == "position") entry_of(*const_cast<Node*>(change), kPositionOf, *made.find(kPositionOf));
}

/// All that is said about a member at once.
Node whole_change(const Document& document, const Target& target, const ArrangedBody& member, Node value) {
  if (!value.is(Node::Type::table)) {
    throw usage_error(document, target,
                      "the value is " + std::string(type_name(value.type())) + ", expected a table of keys of a body");
  }
  std::erase_if(value.table(), [](const Member& own) { return own.key == "name"; });
  value.table().insert(value.table().begin(), {"name", target.mark, Node(member.name, target.mark)});
  return value;
}

void set_arranged(Document& document, const Target& target, const ArrangedBody& member, Node value) {
  require_body_key(document, target, member);
  if (member.rest.empty()) value = whole_change(document, target, member, std::move(value));
  Node& arrangement = *const_cast<Node*>(member.arrangement);
  const Node before = arrangement;
  try {
    make_change(document, member, target.mark);
    set_value(document, InArrangement(member, target).target, std::move(value));
  } catch (const InputError&) {
    arrangement = before;
    throw;
  }
}

void remove_arranged(Document& document, const Target& target, const ArrangedBody& member) {
  require_body_key(document, target, member);
  if (member.rest.empty()) {
    throw usage_error(document, target,
                      "a " + std::string(member.kind->section) + " makes it, and all others of its kind with it");
  }
  if (find_change(member) == nullptr) return;
  remove_value(document, InArrangement(member, target).target);
  // Nothing is left behind of a body that is as the arrangement makes it.
  Node& arrangement = *const_cast<Node*>(member.arrangement);
  Node& changes = entry_of(arrangement, kChangesName, Node());
  std::erase_if(changes.array(),
                [](const Node& change) { return change.is(Node::Type::table) && change.table().size() == 1; });
  if (changes.array().empty()) {
    std::erase_if(arrangement.table(), [](const Member& own) { return own.key == kChangesName; });
  }
}

}  // namespace

const Node* find_value(const Document& document, const Target& target) {
  require_path(target);
  if (const auto member = member_at(document, target)) {
    require_body_key(document, target, *member);
    return find_change(*member) == nullptr ? nullptr : find_value(document, InArrangement(*member, target).target);
  }
  const std::optional<Walk> walk = walk_to(document, target);
  return walk ? walk->node : nullptr;
}

void set_value(Document& document, const Target& target, Node value) {
  require_path(target);
  if (const auto member = member_at(document, target)) {
    set_arranged(document, target, *member, std::move(value));
    return;
  }
  Walk walk{&document.root, target.path};
  Node* first_changed = nullptr;
  while (!walk.rest.empty()) {
    if (walk.advance()) continue;
    refuse_key_of_a_table(document, target, walk);
    std::optional<Node> made;
    if (walk.node->is(Node::Type::table) && !walk.part().empty()) {
      made = made_for(walk.next_key(), walk.is_at_last(), target.mark);
    }
    if (!made) {
      // A path that leads nowhere leaves the scene as it was.
      const InputError error = wrong_step(document, target, walk);
      if (first_changed != nullptr) first_changed->table().pop_back();
      throw InputError(error);
    }
    // The document is ours to change; a walk only reads.
    Node* const table = const_cast<Node*>(walk.node);
    if (first_changed == nullptr) first_changed = table;
    table->table().push_back({std::string(walk.part()), target.mark, *std::move(made)});
  }
  *const_cast<Node*>(walk.node) = std::move(value);
}

void remove_value(Document& document, const Target& target) {
  require_path(target);
  if (const auto member = member_at(document, target)) {
    remove_arranged(document, target, *member);
    return;
  }
  const std::optional<Walk> walk = walk_to(document, target);
  if (!walk) return;
  Node& parent = *const_cast<Node*>(walk->parent);
  if (parent.is(Node::Type::table)) {
    std::erase_if(parent.table(), [&walk](const Member& member) { return &member.value == walk->node; });
  } else {
    parent.array().erase(parent.array().begin() + (walk->node - parent.array().data()));
  }
}

}  // namespace carom::scene
