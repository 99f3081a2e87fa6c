#include "carom/scene/reader/group.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"
#include "carom/engine/run_options.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/group_table.h"

namespace carom::scene {
namespace {

constexpr GroupKind kGroupKinds[] = {
    {"fill", ObjectKind::fill, 0, &count_fill, &place_fill},
    {"rack", ObjectKind::rack, 1, &count_rack, &place_rack},
    {"cradle", ObjectKind::cradle, 1, &count_cradle, &place_cradle},
};

std::string member_name(const std::string& group, std::int64_t number) {
  return group + "-" + std::to_string(number);
}

/// `gas-0 to gas-9`.
std::string member_names(const GroupKind& kind, const std::string& group, std::int64_t count) {
  return member_name(group, kind.first) + " to " + member_name(group, kind.first + count - 1);
}

/// The number behind `NAME-` where a path begins with that, and what is left of the path.
std::optional<std::pair<std::int64_t, std::string_view>> number_in(std::string_view path, const std::string& group) {
  if (group.empty() || !path.starts_with(group) || path.substr(group.size(), 1) != "-") return std::nullopt;
  const std::string_view tail = path.substr(group.size() + 1);
  const auto [digits, rest] = split_path(tail);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_name = error == std::errc() && end == digits.data() + digits.size() && std::to_string(number) == digits;
  return is_name && number >= 0 ? std::optional(std::pair(number, rest)) : std::nullopt;
}

/// The changes of a group by the number of the body. Throws for names that are not those of its bodies.
std::map<std::int64_t, Fields> read_changes(const GroupKind& kind, const Fields& fields, std::int64_t count) {
  std::map<std::int64_t, Fields> changes;
  const auto list = fields.find(kChangesName);
  if (!list) return changes;
  const std::string group = fields.string("name");
  for (const Entry& entry : named_entries(*list)) {
    const Fields change(entry);
    const Entry name = change.at("name");
    const auto found = number_in(name.node->string(), group);
    const bool is_member =
        found && found->second.empty() && found->first >= kind.first && found->first < kind.first + count;
    if (!is_member) {
      throw InputError(Kind::unknown_name, name.place(),
                       name.name() + " is '" + printable(name.node->string()) + "', expected one of " +
                           printable(member_names(kind, group, count)));
    }
    if (!changes.emplace(found->first - kind.first, change).second) {
      throw InputError(Kind::duplicate_name, name.place(),
                       name.name() + " is changed twice, expected one table for it");
    }
  }
  return changes;
}

/// Reads a changed body from its merged table.
void change_body(Reading& reading, const Entry& table, const Fields& change, Body& body, BodyState& state) {
  MaterialIndex material = body.material;
  if (change.find("material")) material = reading.used_material(change, true);
  const Fields fields(table);
  body = read_body(reading, fields);
  body.material = material;
  state = read_motion(fields);
}

void add_group(Reading& reading, const GroupKind& kind, const Fields& fields) {
  const Entry name = fields.at("name");
  Model& model = reading.model();
  reading.add_object(name, name.node->string(), kind.kind, model.bodies.size());
  const Group group = read_group(kind, fields, reading.scene().run.seed);
  std::vector<BodyState> states = kind.place(group);
  const MaterialIndex material = reading.used_material(fields, true, group.count);
  const std::map<std::int64_t, Fields> changes = read_changes(kind, fields, group.count);
  std::optional<GroupTable> tables;
  if (!changes.empty()) tables.emplace(fields, group.count, group.seed);
  for (std::int64_t i = 0; i < group.count; ++i) {
    Body body = group.body(i);
    BodyState& state = states[i];
    body.name = member_name(name.node->string(), kind.first + i);
    body.material = material;
    if (const auto change = changes.find(i); change != changes.end()) {
      const Node made = placed_table(tables->of(i), body.name, state);
      const Node merged = with_changes(made, *change->second.entry().node);
      change_body(reading, {&merged, name.source, change->second.entry().path}, change->second, body, state);
    }
    reading.add_object(name, body.name, ObjectKind::body, model.bodies.size());
    model.bodies.push_back(std::move(body));
    reading.state().bodies.push_back(state);
  }
}

/// The seed of [run], where it can be read.
std::int64_t run_seed(const Document& document) {
  const Node* const run = document.root.find("run");
  const Node* const seed = run == nullptr ? nullptr : run->find("seed");
  return seed != nullptr && seed->is(Node::Type::integer) ? seed->integer() : RunOptions{}.seed;
}

/// Calls `use(kind, entry number, entry)` for every group with a name.
template <class Use>
void for_each_group(const Document& document, const Use& use) {
  for (const GroupKind& kind : group_kinds()) {
    const Node* const groups = document.root.find(kind.section);
    if (groups == nullptr || !groups->is(Node::Type::array)) continue;
    for (std::size_t i = 0; i < groups->array().size(); ++i) {
      const Node& group = groups->array()[i];
      const Node* const name = group.find("name");
      if (name == nullptr || !name->is(Node::Type::string)) continue;
      use(kind, i, Entry{&group, &document.source, join_path(kind.section, name->string())});
    }
  }
}

}  // namespace

std::span<const GroupKind> group_kinds() {
  return kGroupKinds;
}

const GroupKind& group_kind(std::string_view section) {
  const auto found = std::find_if(std::begin(kGroupKinds), std::end(kGroupKinds),
                                  [section](const GroupKind& kind) { return kind.section == section; });
  CAROM_ASSERT(found != std::end(kGroupKinds));
  return *found;
}

Group read_group(const GroupKind& kind, const Fields& fields, std::int64_t run_seed) {
  Group group{fields, kind.count(fields), run_seed, {}};
  if (const auto seed = fields.find("seed")) {
    group.seed = as_integer(*seed, 0, std::numeric_limits<std::int64_t>::max());
  }
  const GroupTable tables(fields, group.count, group.seed);
  if (tables.is_given_for_all()) {
    group.bodies.push_back(read_homogeneous_body(fields));
    return group;
  }
  const std::string name = fields.string("name");
  const std::int64_t kinds = tables.varies() ? group.count : 1;
  for (std::int64_t i = 0; i < kinds; ++i) {
    const std::string member = member_name(name, kind.first + i);
    const Node table = named_table(tables.of(i), member);
    group.bodies.push_back(read_homogeneous_body(Fields({&table, fields.entry().source, join_path("body", member)})));
  }
  return group;
}

void read_groups(Reading& reading) {
  for (const GroupKind& kind : group_kinds())
    reading.for_each(kind.section, [&](const Fields& fields) { add_group(reading, kind, fields); });
}

std::optional<GroupMember> find_member(const Document& document, std::string_view path) {
  const Node* const bodies = document.root.find("body");
  if (bodies != nullptr && bodies->is(Node::Type::array) && first_step(*bodies, path)) return std::nullopt;
  std::optional<GroupMember> member;
  for_each_group(document, [&](const GroupKind& kind, std::size_t i, const Entry& entry) {
    const std::string& group = entry.node->find("name")->string();
    const auto found = number_in(path, group);
    if (!found || member) return;
    const std::int64_t count = kind.count(Fields(entry));
    const std::string name = member_name(group, found->first);
    if (found->first < kind.first || found->first >= kind.first + count) {
      throw InputError(Kind::unknown_name, "body." + name,
                       "there is no body '" + printable(name) + "', the " + std::string(kind.section) + " '" +
                           printable(group) + "' has " + printable(member_names(kind, group, count)));
    }
    member = GroupMember{&kind, entry.node, i, found->first - kind.first, name, found->second};
  });
  return member;
}

std::vector<std::string> all_members(const Document& document) {
  std::vector<std::string> names;
  for_each_group(document, [&names](const GroupKind& kind, std::size_t /*number*/, const Entry& entry) {
    names.push_back(member_names(kind, entry.node->find("name")->string(), kind.count(Fields(entry))));
  });
  return names;
}

Node member_table(const Document& document, const GroupMember& member) {
  const Entry entry{member.group, &document.source,
                    join_path(member.kind->section, member.group->find("name")->string())};
  Complaints complaints(Complaints::Mode::throw_first);
  check_table(entry, section(member.kind->section), complaints);
  const Group group = read_group(*member.kind, Fields(entry), run_seed(document));
  const BodyState state = member.kind->place(group)[member.index];
  return placed_table(GroupTable(group.fields, group.count, group.seed).of(member.index), member.name, state);
}

const Node* find_change(const GroupMember& member) {
  const Node* const changes = member.group->find(kChangesName);
  if (changes == nullptr || !changes->is(Node::Type::array)) return nullptr;
  for (const Node& change : changes->array()) {
    const Node* const name = change.find("name");
    if (name != nullptr && name->is(Node::Type::string) && name->string() == member.name) return &change;
  }
  return nullptr;
}

}  // namespace carom::scene
