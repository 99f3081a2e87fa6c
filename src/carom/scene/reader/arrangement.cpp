#include "carom/scene/reader/arrangement.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "carom/base/assert.h"
#include "carom/base/utf8.h"
#include "carom/engine/run_options.h"
#include "carom/scene/document/path.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arranged_table.h"

namespace carom::scene {
namespace {

constexpr ArrangementKind kArrangementKinds[] = {
    {"fill", ObjectKind::fill, 0, &count_fill, &place_fill},
    {"rack", ObjectKind::rack, 1, &count_rack, &place_rack},
    {"cradle", ObjectKind::cradle, 1, &count_cradle, &place_cradle},
};

std::string member_name(const std::string& arrangement, std::int64_t number) {
  return arrangement + "-" + std::to_string(number);
}

/// `gas-0 to gas-9`.
std::string member_names(const ArrangementKind& kind, const std::string& arrangement, std::int64_t count) {
  return member_name(arrangement, kind.first) + " to " + member_name(arrangement, kind.first + count - 1);
}

/// The number behind `NAME-` where a path begins with that, and what is left of the path.
std::optional<std::pair<std::int64_t, std::string_view>> number_in(std::string_view path,
                                                                   const std::string& arrangement) {
  if (arrangement.empty() || !path.starts_with(arrangement) || path.substr(arrangement.size(), 1) != "-")
    return std::nullopt;
  const std::string_view tail = path.substr(arrangement.size() + 1);
  const auto [digits, rest] = split_path(tail);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_name = error == std::errc() && end == digits.data() + digits.size() && std::to_string(number) == digits;
  return is_name && number >= 0 ? std::optional(std::pair(number, rest)) : std::nullopt;
}

/// The changes of an arrangement by the number of the body. Throws for names that are not those of its bodies.
std::map<std::int64_t, Fields> read_changes(const ArrangementKind& kind, const Fields& fields, std::int64_t count) {
  std::map<std::int64_t, Fields> changes;
  const auto list = fields.find(kChangesName);
  if (!list) return changes;
  const std::string arrangement = fields.string("name");
  for (const Entry& entry : named_entries(*list)) {
    const Fields change(entry);
    const Entry name = change.at("name");
    const auto found = number_in(name.node->string(), arrangement);
    const bool is_member =
        found && found->second.empty() && found->first >= kind.first && found->first < kind.first + count;
    if (!is_member) {
      throw InputError(Kind::unknown_name, name.place(),
                       name.name() + " is '" + printable(name.node->string()) + "', expected one of " +
                           printable(member_names(kind, arrangement, count)));
    }
    if (!changes.emplace(found->first - kind.first, change).second) {
      throw InputError(Kind::duplicate_name, name.place(),
                       name.name() + " is changed twice, expected one table for it");
    }
  }
  return changes;
}

/// Reads a changed body from its merged table.
void change_body(Reading& reading, const Entry& table, const Fields& change, FramedBody& framed, BodyState& state) {
  MaterialIndex material = framed.body.material;
  if (change.find("material")) material = reading.used_material(change, true);
  const Fields fields(table);
  framed = read_body(fields);
  framed.body.material = material;
  framed.body.groups = read_groups(fields);
  state = read_motion(fields, framed.centre);
}

void add_arrangement(Reading& reading, const ArrangementKind& kind, const Fields& fields) {
  const Entry name = fields.at("name");
  Model& model = reading.model();
  reading.add_object(name, name.node->string(), kind.kind, model.bodies.size());
  const Arrangement arrangement = read_arrangement(kind, fields, reading.scene().run.seed);
  std::vector<BodyState> states = kind.place(arrangement);
  const MaterialIndex material = reading.used_material(fields, true, arrangement.count);
  const std::map<std::int64_t, Fields> changes = read_changes(kind, fields, arrangement.count);
  const Groups groups = read_groups(fields);
  std::optional<ArrangedTable> tables;
  if (!changes.empty()) tables.emplace(fields, arrangement.count, arrangement.seed);
  for (std::int64_t i = 0; i < arrangement.count; ++i) {
    FramedBody framed = arrangement.framed(i);
    Body& body = framed.body;
    BodyState& state = states[i];
    body.name = member_name(name.node->string(), kind.first + i);
    body.material = material;
    body.groups = groups;
    if (const auto change = changes.find(i); change != changes.end()) {
      const Node made = placed_table(tables->of(i), body.name, state);
      const Node merged = with_changes(made, *change->second.entry().node);
      change_body(reading, {&merged, name.source, change->second.entry().path}, change->second, framed, state);
    }
    reading.add_object(name, body.name, ObjectKind::body, model.bodies.size());
    reading.set_centre(model.body_count(), framed.centre);
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

/// Calls `use(kind, entry number, entry)` for every arrangement with a name.
template <class Use>
void for_each_arrangement(const Document& document, const Use& use) {
  for (const ArrangementKind& kind : arrangement_kinds()) {
    const Node* const arrangements = document.root.find(kind.section);
    if (arrangements == nullptr || !arrangements->is(Node::Type::array)) continue;
    for (std::size_t i = 0; i < arrangements->array().size(); ++i) {
      const Node& arrangement = arrangements->array()[i];
      const Node* const name = arrangement.find("name");
      if (name == nullptr || !name->is(Node::Type::string)) continue;
      use(kind, i, Entry{&arrangement, &document.source, join_path(kind.section, name->string())});
    }
  }
}

}  // namespace

std::span<const ArrangementKind> arrangement_kinds() {
  return kArrangementKinds;
}

const ArrangementKind& arrangement_kind(std::string_view section) {
  const auto found = std::find_if(std::begin(kArrangementKinds), std::end(kArrangementKinds),
                                  [section](const ArrangementKind& kind) { return kind.section == section; });
  CAROM_ASSERT(found != std::end(kArrangementKinds));
  return *found;
}

Arrangement read_arrangement(const ArrangementKind& kind, const Fields& fields, std::int64_t run_seed) {
  Arrangement arrangement{fields, kind.count(fields), run_seed, {}};
  if (const auto seed = fields.find("seed")) {
    arrangement.seed = as_integer(*seed, 0, std::numeric_limits<std::int64_t>::max());
  }
  const ArrangedTable tables(fields, arrangement.count, arrangement.seed);
  if (tables.is_given_for_all()) {
    arrangement.bodies.push_back(read_framed_body(fields));
    return arrangement;
  }
  const std::string name = fields.string("name");
  const std::int64_t kinds = tables.varies() ? arrangement.count : 1;
  for (std::int64_t i = 0; i < kinds; ++i) {
    const std::string member = member_name(name, kind.first + i);
    const Node table = named_table(tables.of(i), member);
    arrangement.bodies.push_back(read_framed_body(Fields({&table, fields.entry().source, join_path("body", member)})));
  }
  return arrangement;
}

void read_arrangements(Reading& reading) {
  for (const ArrangementKind& kind : arrangement_kinds())
    reading.for_each(kind.section, [&](const Fields& fields) { add_arrangement(reading, kind, fields); });
}

std::optional<ArrangedBody> find_member(const Document& document, std::string_view path) {
  const Node* const bodies = document.root.find("body");
  if (bodies != nullptr && bodies->is(Node::Type::array) && first_step(*bodies, path)) return std::nullopt;
  std::optional<ArrangedBody> member;
  for_each_arrangement(document, [&](const ArrangementKind& kind, std::size_t i, const Entry& entry) {
    const std::string& arrangement = entry.node->find("name")->string();
    const auto found = number_in(path, arrangement);
    if (!found || member) return;
    const std::int64_t count = kind.count(Fields(entry));
    const std::string name = member_name(arrangement, found->first);
    if (found->first < kind.first || found->first >= kind.first + count) {
      throw InputError(Kind::unknown_name, "body." + name,
                       "there is no body '" + printable(name) + "', the " + std::string(kind.section) + " '" +
                           printable(arrangement) + "' has " + printable(member_names(kind, arrangement, count)));
    }
    member = ArrangedBody{&kind, entry.node, i, found->first - kind.first, name, found->second};
  });
  return member;
}

std::vector<std::string> all_members(const Document& document) {
  std::vector<std::string> names;
  for_each_arrangement(document, [&names](const ArrangementKind& kind, std::size_t /*number*/, const Entry& entry) {
    names.push_back(member_names(kind, entry.node->find("name")->string(), kind.count(Fields(entry))));
  });
  return names;
}

Node member_table(const Document& document, const ArrangedBody& member) {
  const Entry entry{member.arrangement, &document.source,
                    join_path(member.kind->section, member.arrangement->find("name")->string())};
  Complaints complaints(Complaints::Mode::throw_first);
  check_table(entry, section(member.kind->section), complaints);
  const Arrangement arrangement = read_arrangement(*member.kind, Fields(entry), run_seed(document));
  const BodyState state = member.kind->place(arrangement)[member.index];
  return placed_table(ArrangedTable(arrangement.fields, arrangement.count, arrangement.seed).of(member.index),
                      member.name, state);
}

const Node* find_change(const ArrangedBody& member) {
  const Node* const changes = member.arrangement->find(kChangesName);
  if (changes == nullptr || !changes->is(Node::Type::array)) return nullptr;
  for (const Node& change : changes->array()) {
    const Node* const name = change.find("name");
    if (name != nullptr && name->is(Node::Type::string) && name->string() == member.name) return &change;
  }
  return nullptr;
}

}  // namespace carom::scene
